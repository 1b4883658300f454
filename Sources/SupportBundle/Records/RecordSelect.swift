// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite

/// Reads records of the store by their ids, with the texts that their frames make.
///
/// The view `record_text` gives the same; by a function of SQL for each of five columns that takes
/// three times as long.
struct RecordSelect: ~Copyable {
  /// Of what `load` gives.
  private let columns: RecordColumns
  private let frames: FrameReader
  private let select: Statement
  /// The id that may be the next step's.
  private var next: Int64?

  /// - Throws: `SQLiteError`.
  init(_ store: Connection, _ columns: RecordColumns) throws(SQLiteError) {
    select = try store.prepare(
      """
      SELECT \(columns.names.joined(separator: ", ")), frame FROM record WHERE id >= ? ORDER BY id
      """, persistent: true)
    self.columns = columns
    frames = FrameReader(store)
  }

  /// Takes over a record; false when there is none of this id.
  ///
  /// - Throws: `SQLiteError`.
  mutating func load(_ id: Int64, into row: RowValues) throws(SQLiteError) -> Bool {
    // Most records follow each other: then the statement goes on where it is.
    if id != next {
      select.reset()
      select.bind(1, id)
    }
    next = id &+ 1
    guard try select.step(), select.integer(Int32(columns.id)) == id else {
      next = nil
      return false
    }
    row.load(select, columns: columns.names.count)
    let frame = select.value(Int32(columns.names.count))
    if frame.type != .null { try expand(frame.integer, row) }
    return true
  }

  private func expand(_ frame: Int64, _ row: RowValues) throws(SQLiteError) {
    // SQLite's own bytes: those of the row move when something is added.
    guard
      frames.begin(
        frame, attributes: select.value(Int32(columns.attributes)).bytes,
        time: row.integer(columns.time),
        pid: row.isNull(columns.pid) ? nil : row.integer(columns.pid),
        thread: row.isNull(columns.threadID) ? nil : row.integer(columns.threadID),
        body: select.value(Int32(columns.body)).bytes)
    else { throw SQLiteError(code: 11, message: FrameReader.unknown(frame)) }
    row.set(columns.head, .text) { frames.append(.head, to: &$0) }
    if row.isNull(columns.body) {
      row.set(columns.body, .text) { frames.append(.body, to: &$0) }
    }
    row.set(columns.tail, .text) { frames.append(.tail, to: &$0) }
    row.set(columns.attributes, .text) { frames.append(.attributes, to: &$0) }
    row.set(columns.original, .blob) { frames.append(.whole, to: &$0) }
  }
}
