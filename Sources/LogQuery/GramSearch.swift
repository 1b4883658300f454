// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Finds the blocks of records in which a pattern may match, by the store's table `gram_filter`:
/// most blocks are passed by without reading their records. What is left is matched as always.
package struct GramSearch {
  /// Runs of ids that may hold matches; all others hold none.
  package private(set) var ids: [ClosedRange<Int64>] = []

  /// More runs than this make a statement that is no faster than a scan.
  private static let mostRuns = 500

  /// The runs for a pattern in Perl's syntax.
  ///
  /// - Returns: `nil` when the filter can't help: the pattern has no fixed text of five bytes, most
  ///   blocks may match, or the store has no filter.
  package init?(_ pattern: String, in store: QueryStore) {
    let bits = Self.bits(of: pattern)
    guard !bits.isEmpty, let excluded = try? Self.excluded(bits, store.connection),
      let newest = try? store.connection.integer("SELECT max(id) FROM record"),
      let oldest = try? store.connection.integer("SELECT min(id) FROM record"),
      let records = try? store.connection.integer("SELECT sum(records) FROM file")
    else { return nil }
    let all = (oldest >> GramHash.blockShift)...(newest >> GramHash.blockShift)
    // Pruning may have left most blocks empty.
    guard excluded.count * 2 > min(Int64(all.count - 1), records >> GramHash.blockShift) else {
      return nil
    }
    for block in all where !excluded.contains(block) {
      let first = block << GramHash.blockShift
      let last = first + (1 << GramHash.blockShift) - 1
      if let previous = ids.last, previous.upperBound + 1 == first {
        ids[ids.count - 1] = previous.lowerBound...last
      } else {
        ids.append(first...last)
      }
    }
    if ids.count > Self.mostRuns { return nil }
  }

  /// A condition on the column `id`.
  package var condition: String {
    // What stands for a crash changes when more is known of it: no filter holds its text.
    let crashes = "SELECT record FROM main.crash WHERE record IS NOT NULL"
    if ids.isEmpty { return "id IN (\(crashes))" }
    let runs = ids.map { "(\($0.lowerBound), \($0.upperBound))" }.joined(separator: ", ")
    return """
      id IN (SELECT r.id FROM (VALUES \(runs)) v
        CROSS JOIN main.record r ON r.id BETWEEN v.column1 AND v.column2
        UNION ALL \(crashes))
      """
  }

  /// The blocks that lack one of the bits.
  private static func excluded(
    _ bits: [Int], _ connection: Connection
  ) throws(SQLiteError) -> Set<Int64> {
    let row = try connection.prepare("SELECT block, bits FROM main.gram_filter")
    var blocks: Set<Int64> = []
    while try row.step() {
      let hasAll = row.withBlob(1) { blob in
        blob.count != GramHash.blockBytes
          || bits.allSatisfy { blob[$0 >> 3] & 1 << UInt8($0 & 7) != 0 }
      }
      if !hasAll { blocks.insert(row.integer(0)) }
    }
    return blocks
  }

  // MARK: Fixed text of a pattern

  /// The bits that every text has in which the pattern matches.
  static func bits(of pattern: String) -> [Int] {
    var bytes = Array(pattern.utf8)
    let caseless = Array("(?i)".utf8)
    let isCaseless = bytes.starts(with: caseless)
    if isCaseless { bytes.removeFirst(caseless.count) }
    var bits: Set<Int> = []
    for run in fixedRuns(bytes) where run.count >= GramHash.length {
      for start in 0...(run.count - GramHash.length) {
        let gram = run[start..<(start + GramHash.length)]
        if isCaseless, !gram.allSatisfy(isPlainWithoutCase) { continue }
        bits.insert(
          GramHash.bit(
            of: gram.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(GramHash.folded($1)) }))
      }
    }
    return bits.sorted()
  }

  /// Whether a byte matches nothing but itself and its ASCII counterpart when case does not count:
  /// the Kelvin sign matches k, the long s matches s, and other scripts have cases of their own.
  private static func isPlainWithoutCase(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte | 0x20 != UInt8(ascii: "k") && byte | 0x20 != UInt8(ascii: "s")
  }

  /// Texts that stand in every match, one after the other; none where that is not plain to see.
  private static func fixedRuns(_ pattern: [UInt8]) -> [[UInt8]] {
    var runs: [[UInt8]] = []
    var run: [UInt8] = []
    var position = 0
    func endRun() {
      runs.append(run)
      run = []
    }
    while position < pattern.count {
      let byte = pattern[position]
      switch byte {
      // Choices and groups may be left out, and may switch options.
      case UInt8(ascii: "|"), UInt8(ascii: "("), UInt8(ascii: ")"): return []
      case UInt8(ascii: "["):
        endRun()
        guard let end = pattern[(position + 1)...].dropFirst().firstIndex(of: UInt8(ascii: "]"))
        else { return [] }
        position = end
      case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "{"):
        // What stands before may be missing; a letter of several bytes goes as a whole.
        while let last = run.popLast(), last & 0xc0 == 0x80 {}
        endRun()
        if byte == UInt8(ascii: "{") {
          guard let end = pattern[position...].firstIndex(of: UInt8(ascii: "}")) else { return [] }
          position = end
        }
      case UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "$"): endRun()
      case UInt8(ascii: "\\"):
        guard position + 1 < pattern.count else { return [] }
        position += 1
        let escaped = pattern[position]
        let isWord = (escaped | 0x20) &- 0x61 < 26 || escaped &- 0x30 < 10
        if isWord {
          // \Q quotes, \x and \N have arguments; the others stand for classes and places.
          if !"bBdDsSwWnrtAzZ".utf8.contains(escaped) { return [] }
          endRun()
        } else {
          run.append(escaped)
        }
      default: run.append(byte)
      }
      position += 1
    }
    endRun()
    return runs
  }
}
