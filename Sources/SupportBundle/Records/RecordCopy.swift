// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogQuery
internal import SQLite

/// Copies the records of a bundle: into its database, and as lines of `logs.jsonl`.
///
/// One pass does both, in the order of the lines. Masking and making lines is this thread's work;
/// one inserts the rows, another compresses the lines.
struct RecordCopy {
  let store: Connection
  let connection: Connection
  let rows: RowRedactor?
  let words: MaskedNames
  let files: MaskedNames
  let contexts: RecordContexts
  let lines: CompressedContent

  /// - Parameters:
  ///   - condition: on `record`.
  ///   - note: told the records that are copied, now and then; throws to end it.
  /// - Returns: the lines, and their digest.
  /// - Throws: `SQLiteError`, `FileError`, what `note` throws.
  func run(
    where condition: String, note: (Int64) throws -> Void
  ) throws -> (records: Int64, sha256: String) {
    let order = "time, (SELECT source FROM file WHERE file.id = record.file), file, byte_offset, id"
    // Only the ids are sorted; what they stand for may be large.
    let ids = try store.prepare("SELECT id FROM record WHERE \(condition) ORDER BY \(order)")
    // Without frames, all texts as they are: what is masked is then masked in each record.
    let names = try columnNames()
    let select = try store.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM record_text WHERE id = ?", persistent: true)
    let inserter = RowInserter(
      connection, RangeDatabase.insertion(into: "record", names), columns: names.count)
    let columns = RowRedactor.RecordColumns(names)
    let encoder = try RecordLine(names, words, files, contexts, store)
    let row = RowValues()
    var hash = SHA256()
    var piece: [UInt8] = []
    var records: Int64 = 0
    var count: Int64 = 0
    while try ids.step() {
      select.bind(1, ids.integer(0))
      guard try select.step() else {
        select.reset()
        continue
      }
      row.load(select)
      select.reset()
      rows?.rewrite(record: row, columns)
      try inserter.add(row)
      try encoder.use(row)
      if !encoder.isCrash(row) {
        try encoder.append(row, to: &piece)
        records += 1
        if piece.count >= 128 << 10 {
          try piece.withUnsafeBytes {
            hash.update($0)
            try lines.append($0)
          }
          piece.removeAll(keepingCapacity: true)
        }
      }
      count += 1
      if count % 1024 == 0 { try note(count) }
    }
    try piece.withUnsafeBytes {
      hash.update($0)
      try lines.append($0)
    }
    try lines.finish()
    try inserter.finish()
    return (records, hash.finish())
  }

  private func columnNames() throws(SQLiteError) -> [String] {
    let row = try connection.prepare(
      "SELECT name FROM pragma_table_info('record') WHERE name <> 'frame' ORDER BY cid")
    var names: [String] = []
    while try row.step() { names.append(row.text(0)) }
    return names
  }
}
