// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// Records that are about to be deleted, and what they come to in each file.
struct DoomedRecords {
  /// What is deleted of one file.
  struct Share {
    var bytes: Int64 = 0
    var records: Int64 = 0
  }

  private(set) var ids: [Int64] = []
  private var shares: [Int64: Share] = [:]
  /// The file of the records noted last, and its share since then: most are followed by one of the
  /// same file.
  private var file: Int64 = -1
  private var share = Share()

  var count: Int { ids.count }
  /// From the first to the last; some must be there.
  var range: ClosedRange<Int64> { (ids.min() ?? 0)...(ids.max() ?? 0) }

  /// What is deleted of each file.
  var fileShares: [Int64: Share] {
    var all = shares
    add(share, of: file, to: &all)
    return all
  }

  /// The ids as ranges that hold no other record: SQLite deletes each in one walk.
  var runs: [ClosedRange<Int64>] {
    let sorted = ids.sorted()
    guard var run = sorted.first.map({ $0...$0 }) else { return [] }
    var all: [ClosedRange<Int64>] = []
    for id in sorted.dropFirst() {
      if id == run.upperBound + 1 {
        run = run.lowerBound...id
      } else {
        all.append(run)
        run = id...id
      }
    }
    all.append(run)
    return all
  }

  /// Notes the rows of `select`: id, file and length.
  ///
  /// - Returns: how many there are.
  mutating func take(_ select: borrowing Statement) throws(SQLiteError) -> Int {
    let before = count
    while try select.step() {
      ids.append(select.integer(0))
      if select.integer(1) != file {
        add(share, of: file, to: &shares)
        file = select.integer(1)
        share = Share()
      }
      share.bytes += select.integer(2)
      share.records += 1
    }
    return count - before
  }

  private func add(_ share: Share, of file: Int64, to shares: inout [Int64: Share]) {
    if share.records == 0 { return }
    shares[file, default: Share()].bytes += share.bytes
    shares[file, default: Share()].records += share.records
  }
}
