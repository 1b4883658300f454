// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Collects the grams of the texts of each block of 4,096 records, and keeps those of a block that
/// is full. A block that was not seen from its beginning has no row, and is always looked through.
final class GramFilter {
  /// So few records take less room than the grams of their block.
  private static let fewRecords = 256

  private var block: Int64 = -1
  /// Every text of the block was seen.
  private var isComplete = false
  private let bits: UnsafeMutableBufferPointer<UInt8>
  private let insert: StatementBox

  init(_ connection: Connection) throws(SQLiteError) {
    bits = .allocate(capacity: GramHash.blockBytes)
    bits.initialize(repeating: 0)
    insert = StatementBox(
      try connection.prepare("INSERT OR REPLACE INTO gram_filter VALUES (?, ?)", persistent: true))
  }

  deinit { bits.deallocate() }

  /// Forgets the block at hand, whose rows may be gone: it is looked through.
  func rollBack() {
    block = -1
    isComplete = false
  }

  /// Adds the grams of records that are stored under the new `ids`, one after the other.
  func add(_ grams: UnsafeBufferPointer<UInt8>, ids: ClosedRange<Int64>) throws(SQLiteError) {
    for place in (ids.lowerBound >> GramHash.blockShift)...(ids.upperBound >> GramHash.blockShift) {
      if place != block {
        try keep()
        block = place
        let first = max(ids.lowerBound, place << GramHash.blockShift)
        // The first id of all is 1.
        isComplete = first & (1 << GramHash.blockShift - 1) == 0 || first == 1
        bits.update(repeating: 0)
      }
      if isComplete { merge(grams) }
    }
  }

  /// Adds the grams of a record that has grown and keeps its `id`.
  func replace(
    _ grams: UnsafeBufferPointer<UInt8>, id: Int64, _ connection: Connection
  ) throws(SQLiteError) {
    guard id >> GramHash.blockShift == block else { return try forget(id, connection) }
    if isComplete { merge(grams) }
  }

  /// The text of a record changes in a way that is not seen here: its block is looked through.
  func forget(_ id: Int64, _ connection: Connection) throws(SQLiteError) {
    let place = id >> GramHash.blockShift
    if place == block { isComplete = false }
    try connection.execute("DELETE FROM gram_filter WHERE block = \(place)")
  }

  /// Removes the grams of blocks in which little is left: old records that a crash needs, or a file
  /// that is open, must not keep those of all that came after them.
  ///
  /// - Parameter ids: from the first record that has gone to the last.
  static func removeSparse(
    afterDeleting ids: ClosedRange<Int64>, _ connection: Connection
  ) throws(SQLiteError) {
    let shift = GramHash.blockShift
    try connection.execute(
      """
      DELETE FROM gram_filter WHERE block < (SELECT min(id) FROM record) >> \(shift);
      DELETE FROM gram_filter
        WHERE block BETWEEN \(ids.lowerBound >> shift) AND \(ids.upperBound >> shift)
        AND \(fewRecords) > (
          SELECT count(*) FROM (SELECT 1 FROM record
            WHERE id >= block << \(shift) AND id < block + 1 << \(shift) LIMIT \(fewRecords)))
      """)
  }

  private func merge(_ grams: UnsafeBufferPointer<UInt8>) {
    for index in 0..<GramHash.blockBytes { bits[index] |= grams[index] }
  }

  private func keep() throws(SQLiteError) {
    guard isComplete else { return }
    insert.value.bind(1, block)
    insert.value.bindStatic(2, blob: UnsafeBufferPointer(bits))
    try insert.value.run()
  }
}
