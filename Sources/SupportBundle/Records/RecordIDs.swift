// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// The ids of records in the order of a bundle's lines.
///
/// Only the ids are sorted, and only those of one time: what they stand for may be large.
struct RecordIDs: ~Copyable {
  private let select: Statement
  private var rest: ArraySlice<ClosedRange<Int64>>
  private var isInSpan = false

  /// - Parameters:
  ///   - store: a connection inside a read transaction.
  ///   - spans: of times, in order, in which the records lie.
  ///   - condition: on `record`.
  /// - Throws: `SQLiteError`.
  init(
    _ store: Connection, spans: [ClosedRange<Int64>], where condition: String
  ) throws(SQLiteError) {
    select = try store.prepare(
      """
      SELECT id FROM record WHERE time BETWEEN ? AND ? AND \(condition)
      ORDER BY time, (SELECT source FROM file WHERE file.id = record.file), file, byte_offset, id
      """)
    rest = spans[...]
  }

  /// The next id; `nil` at the end.
  ///
  /// - Throws: `SQLiteError`.
  mutating func next() throws(SQLiteError) -> Int64? {
    while true {
      if !isInSpan {
        guard let span = rest.popFirst() else { return nil }
        select.reset()
        select.bind(1, span.lowerBound)
        select.bind(2, span.upperBound)
        isInSpan = true
      }
      if try select.step() { return select.integer(0) }
      isInSpan = false
    }
  }
}
