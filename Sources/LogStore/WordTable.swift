// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Rows of `word` by their text, without making a `String` of bytes that are known.
struct WordTable {
  private struct Entry {
    var hash: UInt64
    var id: Int64
    var bytes: ByteSlice
  }

  private var slots: [Int32]
  private var entries: [Entry] = []
  private var text = ByteArena(capacity: 16 << 10)

  /// Words beyond this are forgotten together and looked up again: memory stays bounded.
  private static let limit = 4096

  init() { slots = [Int32](repeating: -1, count: Self.limit * 2) }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    text.removeAll()
    for index in slots.indices { slots[index] = -1 }
  }

  /// The row of a word, which is made when it is new.
  mutating func id(
    of bytes: UnsafeBufferPointer<UInt8>, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    let hash = FrameHash.hash(bytes)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let entry = entries[Int(slots[slot])]
      if entry.hash == hash, Int(entry.bytes.count) == bytes.count,
        ByteSearch.areEqual(text.bytes(entry.bytes), bytes)
      {
        return entry.id
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let id = try Self.row(of: String(decoding: bytes, as: UTF8.self), connection)
    if entries.count == Self.limit {
      removeAll()
      slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    }
    let start = text.count
    text.append(bytes)
    slots[slot] = Int32(entries.count)
    entries.append(
      Entry(hash: hash, id: id, bytes: ByteSlice(start: start, count: bytes.count)))
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
