// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// How many of the records a bundle's database gets.
///
/// One that would be too large for a bundle is not filled: only the rows that `report.html` shows
/// are taken, the newest.
struct DatabaseShare {
  /// Lines that the bundle will have.
  let records: Int64
  /// Lines that the page shows.
  let pageRows: Int64
  /// The bytes that the file may need in the bundle; `nil` when all rows are wanted, or none.
  let room: Int64?
  /// Whether the file is a member at all.
  let isWanted: Bool
  /// About the bytes that the file needs in a bundle as it is now.
  let compressedSize: () throws -> Int64

  /// So many rows tell how large the whole will be.
  private static let sample: Int64 = 20_000
  /// What they tell can be wrong: one that may just fit is made, and then measured.
  private static let doubt: Int64 = 3

  /// The first line that the database gets.
  var firstRow: Int64 { isWanted ? 0 : firstRowOfPage }

  var firstRowOfPage: Int64 { max(0, records - pageRows) }

  /// The number of rows after which `isTooLarge` is to be asked; 0 for never.
  var sampleRows: Int64 {
    isWanted && room != nil && firstRowOfPage > Self.sample * 4 ? Self.sample : 0
  }

  /// Whether all rows would surely need more than there is room for. If so, those that are there are
  /// taken out again.
  ///
  /// - Throws: `SQLiteError`, `FileError`.
  func isTooLarge(_ connection: Connection, after rows: Int64) throws -> Bool {
    guard let room else { return false }
    // Into the file, where it can be measured.
    try connection.execute("COMMIT; BEGIN")
    let whole = try Double(compressedSize()) * Double(records) / Double(rows)
    guard whole > Double(room * Self.doubt) else { return false }
    try connection.execute("DELETE FROM record WHERE crash IS NULL")
    return true
  }
}
