// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite

/// Reads records of the store by their ids, with the texts that their frames make.
///
/// The view `record_text` gives the same; by a function of SQL for each of five columns that takes
/// three times as long.
struct RecordSelect: ~Copyable {
  private struct Columns {
    let time: Int
    let pid: Int
    let thread: Int
    let head: Int
    let body: Int
    let tail: Int
    let attributes: Int
    let original: Int

    init(_ names: [String]) throws(SQLiteError) {
      func place(_ name: String) throws(SQLiteError) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        throw SQLiteError(code: 1, message: "the store's records have no column \(name)")
      }
      time = try place("time")
      pid = try place("pid")
      thread = try place("thread_id")
      head = try place("head")
      body = try place("body")
      tail = try place("tail")
      attributes = try place("attributes")
      original = try place("original")
    }
  }

  /// What `load` gives, in this order: the columns of `record` but `frame`.
  let names: [String]
  private let columns: Columns
  private let frames: FrameReader
  private let select: Statement
  /// The id that may be the next step's.
  private var next: Int64?

  /// - Throws: `SQLiteError`.
  init(_ store: Connection) throws(SQLiteError) {
    let names = try Self.names(store)
    let columns = try Columns(names)
    let select = try store.prepare(
      "SELECT \(names.joined(separator: ", ")), frame FROM record WHERE id >= ? ORDER BY id",
      persistent: true)
    self.names = names
    self.columns = columns
    frames = FrameReader(store)
    self.select = select
  }

  private static func names(_ store: Connection) throws(SQLiteError) -> [String] {
    let row = try store.prepare(
      "SELECT name FROM pragma_table_info('record') WHERE name <> 'frame' ORDER BY cid")
    var names: [String] = []
    while try row.step() { names.append(row.text(0)) }
    return names
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
    next = id + 1
    guard try select.step(), select.integer(0) == id else {
      next = nil
      return false
    }
    row.load(select, columns: names.count)
    let frame = Int32(names.count)
    if !select.isNull(frame) { try expand(select.integer(frame), row) }
    return true
  }

  private func expand(_ frame: Int64, _ row: RowValues) throws(SQLiteError) {
    let isKnown = select.withText(Int32(columns.attributes)) { attributes in
      select.withText(Int32(columns.body)) { body in
        guard
          frames.begin(
            frame, attributes: attributes, time: row.integer(columns.time),
            pid: row.isNull(columns.pid) ? nil : row.integer(columns.pid),
            thread: row.isNull(columns.thread) ? nil : row.integer(columns.thread), body: body)
        else { return false }
        row.set(columns.head, .text) { frames.append(.head, to: &$0) }
        if row.isNull(columns.body) {
          row.set(columns.body, .text) { frames.append(.body, to: &$0) }
        }
        row.set(columns.tail, .text) { frames.append(.tail, to: &$0) }
        row.set(columns.attributes, .text) { frames.append(.attributes, to: &$0) }
        row.set(columns.original, .blob) { frames.append(.whole, to: &$0) }
        return true
      }
    }
    if !isKnown { throw SQLiteError(code: 11, message: FrameReader.unknown(frame)) }
  }
}
