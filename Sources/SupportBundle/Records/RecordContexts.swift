// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// What records share with their neighbours, read once each: the rows of `context`, and the times of
/// `observation`.
final class RecordContexts {
  struct Context {
    var flags: Int64
    var utcOffset: Int64?
    /// Rows of `word`.
    var severityText: Int64?
    var process: Int64?
    var scope: Int64?

    var words: [Int64] { [severityText, process, scope].compactMap { $0 } }
  }

  /// By id.
  private(set) var used: [Int64: Context] = [:]
  private var last: (id: Int64, context: Context)?
  private let select: Statement
  /// The run of ids that were read at one time.
  private var ids: Range<Int64> = 0..<0
  private var time: Int64 = 0
  private let selectTime: Statement

  /// - Throws: `SQLiteError`.
  init(_ store: Connection) throws(SQLiteError) {
    select = try store.prepare(
      "SELECT flags, utc_offset, severity_text, process, scope FROM context WHERE id = ?")
    selectTime = try store.prepare(
      """
      SELECT record, time,
        coalesce((SELECT record FROM observation WHERE record > ?1 ORDER BY record LIMIT 1),
          \(Int64.max))
      FROM observation WHERE record <= ?1 ORDER BY record DESC LIMIT 1
      """)
  }

  /// The context of a row.
  ///
  /// - Throws: `SQLiteError`.
  func context(_ id: Int64) throws(SQLiteError) -> Context {
    if let last, last.id == id { return last.context }
    if let known = used[id] {
      last = (id, known)
      return known
    }
    let context = try read(id)
    used[id] = context
    last = (id, context)
    return context
  }

  private func read(_ id: Int64) throws(SQLiteError) -> Context {
    select.bind(1, id)
    defer { select.reset() }
    // A damaged store still gives what else it has of the record.
    guard try select.step() else { return Context(flags: 0) }
    return Context(
      flags: select.integer(0), utcOffset: select.optionalInteger(1),
      severityText: select.optionalInteger(2), process: select.optionalInteger(3),
      scope: select.optionalInteger(4))
  }

  /// When a record was read, in nanoseconds since 1970; 0 where that is not known.
  ///
  /// - Throws: `SQLiteError`.
  func observedTime(of record: Int64) throws(SQLiteError) -> Int64 {
    if ids.contains(record) { return time }
    selectTime.bind(1, record)
    defer { selectTime.reset() }
    guard try selectTime.step() else { return 0 }
    ids = selectTime.integer(0)..<selectTime.integer(2)
    time = selectTime.integer(1)
    return time
  }
}
