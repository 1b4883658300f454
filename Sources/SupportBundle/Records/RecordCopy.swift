// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// Copies the records of a bundle: into its database, and as lines of `logs.jsonl`.
///
/// One pass does both, in the order of the lines. Masking and making lines is this thread's work;
/// one inserts the rows, another compresses the lines, a third looks through them.
struct RecordCopy {
  let store: Connection
  let connection: Connection
  let rows: RowRedactor?
  let words: MaskedNames
  let files: MaskedNames
  let contexts: RecordContexts
  let lines: CompressedContent
  /// Looks through the lines; `nil` where nothing is masked.
  let proof: LineProof?
  let share: DatabaseShare

  private static let pieceBytes = 256 << 10

  /// What was copied.
  struct Result {
    /// Lines.
    var records: Int64 = 0
    /// Of the records that are lines.
    var times: ClosedRange<Int64>?
    /// The newest of them, or when it arrived, if its own time lies ahead of that.
    var newest: Int64 = 0
    var counts = RecordCounts()
    /// Whether the database has all of them.
    var isComplete = true
  }

  /// - Parameters:
  ///   - spans: of times, in order, in which the records lie.
  ///   - condition: on `record`.
  ///   - note: told the records that are copied, now and then; throws to end it.
  /// - Throws: `SQLiteError`, `FileError`, what `note` throws.
  func run(
    spans: [ClosedRange<Int64>], where condition: String, note: (Int64) throws -> Void
  ) throws -> Result {
    var ids = try RecordIDs(store, spans: spans, where: condition)
    // Without frames, all texts as they are: what is masked is then masked in each record.
    let columns = try RecordColumns(store)
    var select = try RecordSelect(store, columns)
    let insertion = RangeDatabase.insertion(into: "record", columns.names)
    var inserter = RowInserter(connection, insertion, columns: columns.names.count)
    let encoder = try RecordLine(columns, words, files, contexts, store)
    let row = RowValues()
    let piece = LineBuffer(capacity: Self.pieceBytes * 2)
    var result = Result()
    var first = share.firstRow
    var count: Int64 = 0
    while let id = try ids.next() {
      guard try select.load(id, into: row) else { continue }
      let isCrash = encoder.isCrash(row)
      let isRow = isCrash || result.records >= first
      rows?.rewrite(record: row, columns, isRow: isRow)
      if isRow { try inserter.add(row) }
      if isCrash {
        try encoder.use(row)
      } else {
        try encoder.append(row, to: piece)
        try encoder.count(row, in: &result)
        if piece.count >= Self.pieceBytes { try pass(piece) }
      }
      count += 1
      if count % 1024 == 0 { try note(count) }
      if count == share.sampleRows {
        try inserter.finish()
        if try share.isTooLarge(connection, after: count) { first = share.firstRowOfPage }
        inserter = RowInserter(connection, insertion, columns: columns.names.count)
      }
    }
    try pass(piece)
    try lines.finish()
    try inserter.finish()
    result.isComplete = first == 0
    return result
  }

  /// Passes whole lines on.
  private func pass(_ piece: LineBuffer) throws {
    if piece.count == 0 { return }
    let bytes = [UInt8](piece.bytes)
    piece.removeAll()
    try lines.append(bytes)
    proof?.append(bytes)
  }
}
