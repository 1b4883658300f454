// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// The rows of `frame`.
enum FrameRows {
  /// The row of a template, which is made when there is none.
  static func row(
    of parts: FrameLayout.Parts, _ hash: UInt64, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    let select = try connection.prepare(
      """
      SELECT id FROM frame WHERE hash = ?1 AND head = ?2 AND tail = ?3 AND shift = ?4
        AND digits = ?5 AND is_whole = ?6 AND body IS ?7 AND keys IS ?8
      """)
    let members = members(of: parts)
    bind(parts, members, hash, select)
    if try select.step() { return select.integer(0) }
    let columns = SchemaVersion1.attributeColumns
    let insert = try connection.prepare(
      """
      INSERT INTO frame (hash, head, tail, shift, digits, is_whole, body, keys, places
        \(columns.map { ", \($0.name)" }.joined()))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
        \(columns.indices.map { ", ?\($0 + 10)" }.joined()))
      RETURNING id
      """)
    bind(parts, members, hash, insert)
    insert.bind(9, places(parts))
    for (index, column) in columns.enumerated() {
      let place = members.first { $0.key == JSONText.quoted(column.key) }?.place
      insert.bind(Int32(index + 10), place.map { $0.hasPrefix("[") ? $0 : "$[\($0)]" })
    }
    return try insert.step() ? insert.integer(0) : 0
  }

  private static func bind(
    _ parts: FrameLayout.Parts, _ members: [Member], _ hash: UInt64,
    _ statement: borrowing Statement
  ) {
    statement.bind(1, Int64(bitPattern: hash))
    statement.bind(2, parts.head)
    statement.bind(3, parts.tail)
    statement.bind(4, parts.shift)
    statement.bind(5, parts.digits)
    statement.bind(6, parts.isWhole ? 1 : 0)
    statement.bind(7, parts.body)
    let keys = members.map { $0.key + ":" + $0.place }
    statement.bind(8, keys.isEmpty ? nil : "{" + keys.joined(separator: ",") + "}")
  }

  private typealias Member = (key: String, place: String)

  /// Keys as JSON strings, and for each its place in a record's array of values; for a constant,
  /// an array of its value.
  private static func members(of parts: FrameLayout.Parts) -> [Member] {
    var values = 0
    return parts.members.map { member in
      if let constant = member.constant { return (member.key, "[" + constant + "]") }
      values += 1
      return (member.key, String(values - 1))
    }
  }

  /// As many attributes as SQL has to look for in the texts: up to the last that has a place.
  private static func places(_ parts: FrameLayout.Parts) -> Int64 {
    let texts = [parts.head, parts.tail, parts.body ?? ""]
    let last = texts.flatMap(\.utf8).filter { $0 >= FrameMark.value && $0 < 32 }.max()
    return last.map { Int64($0 - FrameMark.value) + 1 } ?? 0
  }
}
