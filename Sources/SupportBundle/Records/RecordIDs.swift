// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// The ids of records in the order of a bundle's lines: by time, source, file, offset and id.
///
/// The index on time gives them by time and id, which mostly is that order: only where records of
/// one time stand otherwise are their places sorted, which takes a third of what SQLite's sorter does.
struct RecordIDs: ~Copyable {
  private struct Place {
    var id: Int64
    var time: Int64
    /// Of its file.
    var rank: Int
    var offset: Int64

    func precedes(_ other: Place) -> Bool {
      (rank, offset, id) < (other.rank, other.offset, other.id)
    }
  }

  private let select: Statement
  private var rest: ArraySlice<ClosedRange<Int64>>
  private var isInSpan = false
  /// Those of one time, and how many of them were given.
  private var places: [Place] = []
  private var given = 0
  /// The first of the next time.
  private var ahead: Place?
  /// Of each file, its place among them by source and id; and the one that was asked for last.
  private let ranks: [Int64: Int]
  private var last: (file: Int64, rank: Int) = (-1, 0)

  /// - Parameters:
  ///   - store: a connection inside a read transaction.
  ///   - spans: of times, in order, in which the records lie.
  ///   - condition: on `record`.
  /// - Throws: `SQLiteError`.
  init(
    _ store: Connection, spans: [ClosedRange<Int64>], where condition: String
  ) throws(SQLiteError) {
    let files = try store.prepare("SELECT id FROM file ORDER BY source, id")
    var ranks: [Int64: Int] = [:]
    while try files.step() { ranks[files.integer(0)] = ranks.count }
    select = try store.prepare(
      """
      SELECT id, time, file, byte_offset FROM record
      WHERE time BETWEEN ? AND ? AND \(condition) ORDER BY time, id
      """)
    self.ranks = ranks
    rest = spans[...]
  }

  /// The next id; `nil` at the end.
  ///
  /// - Throws: `SQLiteError`.
  mutating func next() throws(SQLiteError) -> Int64? {
    if given == places.count {
      try loadPlaces()
      if places.isEmpty { return nil }
    }
    given += 1
    return places[given - 1].id
  }

  private mutating func loadPlaces() throws(SQLiteError) {
    places.removeAll(keepingCapacity: true)
    given = 0
    var isSorted = true
    while let place = try nextPlace() {
      if let last = places.last {
        if place.time != last.time {
          ahead = place
          break
        }
        isSorted = isSorted && last.precedes(place)
      }
      places.append(place)
    }
    if !isSorted { places.sort { $0.precedes($1) } }
  }

  private mutating func nextPlace() throws(SQLiteError) -> Place? {
    if let place = ahead {
      ahead = nil
      return place
    }
    while true {
      if !isInSpan {
        guard let span = rest.popFirst() else { return nil }
        select.reset()
        select.bind(1, span.lowerBound)
        select.bind(2, span.upperBound)
        isInSpan = true
      }
      if try select.step() {
        let file = select.integer(2)
        if file != last.file { last = (file, ranks[file] ?? -1) }
        return Place(
          id: select.integer(0), time: select.integer(1), rank: last.rank,
          offset: select.integer(3))
      }
      isInSpan = false
    }
  }
}
