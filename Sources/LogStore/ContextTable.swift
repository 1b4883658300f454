// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Rows of `context` by what they say.
struct ContextTable {
  private struct Key: Hashable {
    var flags: Int64
    var utcOffset: Int16
    /// Rows of `word`; 0 for none.
    var severityText: Int64
    var process: Int64
    var scope: Int64
  }

  private var known: [Key: Int64] = [:]
  private var words = WordTable()
  /// Of the batch at hand.
  private var rows: [Int64] = []

  /// Rows that records were given, while that is noted.
  var uses: Set<Int64>?

  /// Beyond so many all are forgotten together, so memory stays bounded.
  private static let limit = 4096

  /// Forgets everything, as when rows were rolled back.
  mutating func removeAll() {
    known.removeAll(keepingCapacity: true)
    words.removeAll()
  }

  /// Finds or makes the rows of the batch's contexts.
  ///
  /// - Throws: `SQLiteError`.
  mutating func load(_ batch: RecordBatch, _ connection: Connection) throws(SQLiteError) {
    rows.removeAll(keepingCapacity: true)
    for context in batch.contexts {
      rows.append(try row(of: context, batch.arena, connection))
    }
  }

  /// The row of a record of the batch.
  func row(of number: UInt32) -> Int64 { rows[Int(number)] }

  /// The row of a context.
  ///
  /// - Throws: `SQLiteError`.
  mutating func row(
    of context: RecordContext, _ arena: ByteArena, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    let key = Key(
      flags: context.flags, utcOffset: context.utcOffset,
      severityText: try word(context.severityText, arena, connection),
      process: try word(context.process, arena, connection),
      scope: try word(context.scope, arena, connection))
    let id: Int64
    if let found = known[key] {
      id = found
    } else {
      id = try Self.find(key, connection)
      if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
      known[key] = id
    }
    uses?.insert(id)
    return id
  }

  /// The row of a word.
  ///
  /// - Throws: `SQLiteError`.
  mutating func word(
    _ bytes: UnsafeBufferPointer<UInt8>, _ connection: Connection
  ) throws(SQLiteError) -> Int64 { try words.id(of: bytes, connection) }

  private mutating func word(
    _ slice: ByteSlice, _ arena: ByteArena, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    slice.isEmpty ? 0 : try words.id(of: arena.bytes(slice), connection)
  }

  private static func find(_ key: Key, _ connection: Connection) throws(SQLiteError) -> Int64 {
    let select = try connection.prepare(
      """
      SELECT id FROM context WHERE scope IS ?1 AND process IS ?2 AND severity_text IS ?3
        AND flags = ?4 AND utc_offset IS ?5
      """)
    bind(key, select)
    if try select.step() { return select.integer(0) }
    let insert = try connection.prepare(
      """
      INSERT INTO context (scope, process, severity_text, flags, utc_offset)
      VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id
      """)
    bind(key, insert)
    return try insert.step() ? insert.integer(0) : 0
  }

  private static func bind(_ key: Key, _ statement: borrowing Statement) {
    statement.bind(1, key.scope == 0 ? nil : key.scope)
    statement.bind(2, key.process == 0 ? nil : key.process)
    statement.bind(3, key.severityText == 0 ? nil : key.severityText)
    statement.bind(4, key.flags)
    statement.bind(5, key.utcOffset == LogRecord.noOffset ? nil : Int64(key.utcOffset))
  }
}
