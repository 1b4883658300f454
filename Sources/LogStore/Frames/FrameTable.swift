// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Rows of `frame` by their template. A template gets a row when it is met for the second time: one
/// that is met once would cost more than the text that it saves.
struct FrameTable {
  /// 0 for one that was met once.
  private var known = ByteTable(textBytes: 64 << 10)
  private var template = FrameTemplate()
  /// Of the last records of the file: how many had a template that was known.
  private var generation: UInt32 = 0
  private var tried = 0
  private var hits = 0
  /// Records of this file that are left as they are, since their frames are all different.
  private var pause = 0

  /// After so many records it is seen whether templates are worth while.
  private static let trial = 256
  private static let pauseRecords = 8192

  /// Forgets everything, as when rows were rolled back.
  mutating func removeAll() { known.removeAll() }

  /// The row for the frame of a record; 0 when its head and tail are to be stored as they are.
  mutating func id(
    of record: LogRecord, _ arena: ByteArena, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    // One that may grow is stored again soon.
    guard record.original.isEmpty, !record.isOpen else { return 0 }
    if record.generation != generation { beginFile(record.generation) }
    if pause > 0 {
      pause -= 1
      return 0
    }
    guard template.make(record, arena) else { return 0 }
    template.appendKeys(arena.bytes(record.attributes))
    let id = try find(connection)
    tried += 1
    if id != 0 { hits += 1 }
    if tried == Self.trial {
      if hits * 2 < tried { pause = Self.pauseRecords }
      tried = 0
      hits = 0
    }
    return id
  }

  private mutating func beginFile(_ generation: UInt32) {
    self.generation = generation
    tried = 0
    hits = 0
    pause = 0
  }

  private mutating func find(_ connection: Connection) throws(SQLiteError) -> Int64 {
    let bytes = template.bytes.bytes(ByteSlice(start: 0, count: template.bytes.count))
    let hash = ByteHash.hash(bytes)
    guard var id = known.value(of: bytes, hash: hash) else {
      known.set(0, of: bytes, hash: hash)
      return 0
    }
    if id == 0 {
      id = try FrameRows.row(of: template.parts, hash, connection)
      known.set(id, of: bytes, hash: hash)
    }
    return id
  }
}

/// The rows of `frame`.
enum FrameRows {
  /// The row of a template, which is made when there is none.
  static func row(
    of parts: FrameTemplate.Parts, _ hash: UInt64, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    let keys = (0..<FrameMark.valueCount).map { $0 < parts.keys.count ? parts.keys[$0] : nil }
    let columns = (0..<FrameMark.valueCount).map { "k\($0)" }
    let select = try connection.prepare(
      """
      SELECT id FROM frame WHERE hash = ?1 AND head = ?2 AND tail = ?3 AND shift = ?4
        AND digits = ?5 AND \(columns.enumerated().map { "\($1) IS ?\($0 + 6)" }
          .joined(separator: " AND "))
      """)
    bind(parts, hash, keys, select)
    if try select.step() { return select.integer(0) }
    let insert = try connection.prepare(
      """
      INSERT INTO frame (hash, head, tail, shift, digits, places, \(columns.joined(separator: ", ")))
      VALUES (?1, ?2, ?3, ?4, ?5, \(parts.keys.count), \(columns.indices.map { "?\($0 + 6)" }.joined(separator: ", ")))
      RETURNING id
      """)
    bind(parts, hash, keys, insert)
    return try insert.step() ? insert.integer(0) : 0
  }

  private static func bind(
    _ parts: FrameTemplate.Parts, _ hash: UInt64, _ keys: [String?],
    _ statement: borrowing Statement
  ) {
    statement.bind(1, Int64(bitPattern: hash))
    statement.bind(2, parts.head)
    statement.bind(3, parts.tail)
    statement.bind(4, parts.shift)
    statement.bind(5, parts.digits)
    for (index, key) in keys.enumerated() { statement.bind(Int32(index + 6), key) }
  }
}
