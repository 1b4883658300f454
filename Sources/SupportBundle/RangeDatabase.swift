// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogQuery
internal import Redaction
internal import SQLite

/// The `logs.db` of a bundle: the store's tables and views with the rows of a range.
///
/// It holds what is ours by name, so nothing that a person added to the store. Reports are not in
/// it, as they are members of the bundle by themselves. The file has no name from the moment it is
/// open, so nothing of it is left however the process ends.
final class RangeDatabase {
  /// The record that is taken last, when not all are: those around crashes come first, then the
  /// newest, by time and by order of storage.
  struct Cutoff {
    var isContext: Int64
    var time: Int64
    var id: Int64

    static let nothing = Cutoff(isContext: 1, time: Int64.max, id: Int64.max)
  }

  let connection: Connection
  private let file: FileDescriptor
  private let rows: RowRedactor?

  private static let tables = [
    "meta", "word", "file", "record", "frame", "crash", "crash_report", "crash_evidence",
    "crash_acknowledged", "crash_pruned", "rollup", "run",
  ]
  private static let views = [
    "record_text", "logs", "crashes", "crash_evidences", "runs", "files", "sources", "histogram",
  ]
  private static let indexes = [
    "record_time", "record_severe", "crash_time", "crash_fingerprint", "crash_evidence_crash",
  ]

  /// Copies the range from the store.
  ///
  /// - Parameters:
  ///   - store: a connection inside a read transaction.
  ///   - path: a name that is free, in a folder without links.
  ///   - selected: the rows to take.
  ///   - cutoff: where to end among them.
  ///   - redactor: masks what the rows hold before they are written, so that no page of the file
  ///     ever holds it; `nil` for none.
  ///   - note: told the records that are copied, now and then; throws to end it.
  /// - Throws: `FileError`, `SQLiteError`, what `note` throws.
  init(
    from store: Connection, at path: String, selected: SelectedRows, cutoff: Cutoff?,
    redactor: Redactor?, note: (Int64) throws -> Void
  ) throws {
    rows = redactor.map(RowRedactor.init)
    do {
      // SQLite opens what is there, and so keeps the mode 0600.
      _ = try FileDescriptor.create(path)
      file = try FileDescriptor.openForReading(path)
      connection = try Connection(path: path, mode: .readWrite)
      // In memory it holds only pages that were there before, and there are none.
      try connection.execute(
        "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE")
      try FileSystem.remove(path)
    } catch {
      _ = try? FileSystem.remove(path)
      throw error
    }
    try connection.execute("BEGIN")
    try makeObjects(Self.tables, of: store)
    // The record of a crash goes with its crash, which is listed in any case.
    let later = cutoff.map {
      """
       AND (crash NOT NULL
        OR (\(selected.isContext), time, id) >= (\($0.isContext), \($0.time), \($0.id)))
      """
    }
    try copy("record", from: store, where: selected.records + (later ?? ""), note: note)
    try copy("crash", from: store, where: selected.crashes)
    try copy(
      "crash_evidence", from: store,
      where: "crash IN (SELECT id FROM crash WHERE \(selected.crashes))")
    try copy("run", from: store, where: selected.runs)
    try copy(
      "crash_pruned", from: store,
      where: "fingerprint IN (SELECT fingerprint FROM crash WHERE \(selected.crashes))",
      order: "fingerprint")
    try copy(
      "rollup", from: store, where: selected.minutes, order: "minute, source, severity")
    try copyUsed(
      "word", from: store,
      """
      SELECT severity_text FROM record UNION SELECT process FROM record
      UNION SELECT scope FROM record UNION SELECT source FROM rollup
      """)
    try copyUsed("file", from: store, "SELECT file FROM record UNION SELECT file FROM crash")
    try makeObjects(Self.indexes + Self.views, of: store)
    let version = try store.integer("PRAGMA user_version") ?? 0
    let application = try store.integer("PRAGMA application_id") ?? 0
    try connection.execute(
      "PRAGMA user_version = \(version); PRAGMA application_id = \(application); COMMIT")
  }

  private func makeObjects(_ names: [String], of store: Connection) throws {
    let select = try store.prepare("SELECT sql FROM sqlite_schema WHERE name = ? AND sql NOT NULL")
    for name in names {
      select.bind(1, name)
      if try select.step() { try connection.execute(select.text(0)) }
      select.reset()
    }
  }

  private func copy(
    _ table: String, from store: Connection, where condition: String, order: String = "id",
    note: (Int64) throws -> Void = { _ in }
  ) throws {
    // With head and tail as texts: what is masked is then masked in each record.
    let view = table == "record" ? "record_text" : table
    let select = try store.prepare("SELECT * FROM \(view) WHERE \(condition) ORDER BY \(order)")
    let insert = try insertion(into: table, of: select)
    let columns = RowRedactor.RecordColumns(select)
    var count: Int64 = 0
    while try select.step() {
      insert.bindAll(of: select)
      if table == "record" {
        rows?.rewrite(record: select, columns, insert)
      } else {
        rows?.rewrite(table, select, insert)
      }
      try insert.run()
      count += 1
      if count % 1024 == 0 { try note(count) }
    }
  }

  /// Copies the rows of `table` whose ids `used` selects from what has been copied.
  private func copyUsed(_ table: String, from store: Connection, _ used: String) throws {
    let ids = try connection.prepare("SELECT * FROM (\(used)) ORDER BY 1")
    let select = try store.prepare("SELECT * FROM \(table) WHERE id = ?")
    let insert = try insertion(into: table, of: select)
    while try ids.step() {
      if ids.isNull(0) { continue }
      select.bind(1, ids.integer(0))
      if try select.step() {
        insert.bindAll(of: select)
        rows?.rewrite(table, select, insert)
        try insert.run()
      }
      select.reset()
    }
  }

  private func insertion(into table: String, of select: borrowing Statement) throws -> Statement {
    let names = (0..<select.columnCount).map { "\"" + select.columnName($0) + "\"" }
    let places = names.map { _ in "?" }.joined(separator: ", ")
    // Two words that are one when masked: the second becomes NULL in its records.
    return try connection.prepare(
      "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(places))",
      persistent: true)
  }

  // MARK: Reading

  /// The size of the file, which is complete now.
  func size() throws -> Int64 { try file.status().size }

  /// About the bytes that it needs in a bundle, from a sample; its size when that is not above
  /// `limit`.
  func compressedSize(ifAbove limit: Int64) throws -> Int64 {
    let size = try size()
    if size <= limit { return size }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var sampled = 0.0
    var compressed = 0.0
    for offset in stride(from: 0, to: size, by: Int(max(64 << 10, size / 64))) {
      let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
      sampled += Double(count)
      compressed += Double(Zlib.deflate(Array(buffer[..<count])).count)
    }
    return Int64(Double(size) * compressed / max(1, sampled))
  }

  /// Calls `body` with the file's bytes, piece by piece.
  func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var offset: Int64 = 0
    while true {
      let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
      if count == 0 { return }
      try buffer[..<count].withUnsafeBytes { try body($0) }
      offset += Int64(count)
    }
  }
}
