// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Collects the grams of the texts of each block of 4,096 records, and keeps those of a block that
/// is full. A block that was not seen from its beginning has no row, and is always looked through.
final class GramFilter {
  private var block: Int64 = -1
  /// Every text of the block was seen.
  private var isComplete = false
  private let bits: UnsafeMutableBufferPointer<UInt8>
  /// As it was when the transaction began.
  private var saved: (block: Int64, isComplete: Bool) = (-1, false)
  private let savedBits: UnsafeMutableBufferPointer<UInt8>
  private let text = ByteArena(capacity: 4096)
  private let insert: StatementBox

  init(_ connection: Connection) throws(SQLiteError) {
    bits = .allocate(capacity: GramHash.blockBytes)
    bits.initialize(repeating: 0)
    savedBits = .allocate(capacity: GramHash.blockBytes)
    savedBits.initialize(repeating: 0)
    insert = StatementBox(
      try connection.prepare("INSERT OR REPLACE INTO gram_filter VALUES (?, ?)", persistent: true))
  }

  deinit {
    bits.deallocate()
    savedBits.deallocate()
  }

  /// Remembers the state for `rollBack`.
  func begin() {
    saved = (block, isComplete)
    _ = savedBits.update(fromContentsOf: UnsafeBufferPointer(bits))
  }

  /// Goes back to the state at `begin`.
  func rollBack() {
    (block, isComplete) = saved
    _ = bits.update(fromContentsOf: UnsafeBufferPointer(savedBits))
  }

  /// Adds a record that is stored under `id`.
  func add(
    _ record: LogRecord, id: Int64, _ arena: ByteArena, _ connection: Connection
  ) throws(SQLiteError) {
    let place = id >> GramHash.blockShift
    if place < block {
      // It has grown since its block was full.
      return try forget(id, connection)
    }
    if place != block {
      try keep()
      block = place
      // The first id of all is 1.
      isComplete = id & (1 << GramHash.blockShift - 1) == 0 || id == 1
      bits.update(repeating: 0)
    }
    guard isComplete else { return }
    if !record.original.isEmpty {
      GramHash.add(arena.bytes(record.original), to: bits)
    } else if record.head.end == Int(record.body.start) || record.head.isEmpty,
      record.tail.isEmpty || record.body.end == Int(record.tail.start)
    {
      let start = record.head.isEmpty ? record.body.start : record.head.start
      let end = record.tail.isEmpty ? record.body.end : record.tail.end
      GramHash.add(
        arena.bytes(ByteSlice(start: Int(start), count: end - Int(start))), to: bits)
    } else {
      text.removeAll()
      for part in [record.head, record.body, record.tail] { text.append(arena.bytes(part)) }
      GramHash.add(text.bytes(ByteSlice(start: 0, count: text.count)), to: bits)
    }
  }

  /// The text of a record changes in a way that is not seen here: its block is looked through.
  func forget(_ id: Int64, _ connection: Connection) throws(SQLiteError) {
    let place = id >> GramHash.blockShift
    if place == block { isComplete = false }
    try connection.execute("DELETE FROM gram_filter WHERE block = \(place)")
  }

  private func keep() throws(SQLiteError) {
    guard isComplete else { return }
    insert.value.bind(1, block)
    insert.value.bindStatic(2, blob: UnsafeBufferPointer(bits))
    try insert.value.run()
  }
}
