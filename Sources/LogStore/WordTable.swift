// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Rows of `word` by their text.
struct WordTable {
  private var known = ByteTable(textBytes: 16 << 10)

  mutating func removeAll() { known.removeAll() }

  /// The row of a word, which is made when it is new.
  mutating func id(
    of bytes: UnsafeBufferPointer<UInt8>, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    let hash = ByteHash.hash(bytes)
    if let id = known.value(of: bytes, hash: hash) { return id }
    let id = try Self.row(of: String(decoding: bytes, as: UTF8.self), connection)
    known.set(id, of: bytes, hash: hash)
    return id
  }

  private static func row(
    of word: String, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    let insert = try connection.prepare("INSERT OR IGNORE INTO word (text) VALUES (?)")
    insert.bind(1, word)
    try insert.run()
    let select = try connection.prepare("SELECT id FROM word WHERE text = ?")
    select.bind(1, word)
    guard try select.step() else { return 0 }
    return select.integer(0)
  }
}
