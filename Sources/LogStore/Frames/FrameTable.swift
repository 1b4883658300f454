// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Rows of `frame` for the templates of a batch.
struct FrameTable {
  private var known = ByteTable(limit: 256, textBytes: 32 << 10)
  /// Of the batch at hand.
  private var rows: [Int64] = []

  /// Rows that records were given, while that is noted.
  var uses: Set<Int64>?

  /// Forgets everything, as when rows were rolled back.
  mutating func removeAll() { known.removeAll() }

  /// Finds or makes the rows of the batch's templates.
  ///
  /// - Throws: `SQLiteError`.
  mutating func load(_ batch: RecordBatch, _ connection: Connection) throws(SQLiteError) {
    rows.removeAll(keepingCapacity: true)
    for template in batch.templates {
      let bytes = batch.arena.bytes(template.text)
      var id = known.value(of: bytes, hash: template.hash) ?? 0
      if id == 0 {
        id = try FrameRows.row(of: FrameLayout(bytes).parts(of: bytes), template.hash, connection)
        known.set(id, of: bytes, hash: template.hash)
      }
      uses?.insert(id)
      rows.append(id)
    }
  }

  /// The row for a record of the batch; 0 when its text and attributes are stored as they are.
  func row(of template: UInt32) -> Int64 { template == 0 ? 0 : rows[Int(template) - 1] }
}
