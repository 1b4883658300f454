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
  /// The oldest record to take, when not all are: by time, then by order of storage.
  struct Cutoff {
    var time: Int64
    var id: Int64
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
  ///   - range: of times, in nanoseconds.
  ///   - cutoff: where to begin within the range.
  ///   - redactor: masks what the rows hold before they are written, so that no page of the file
  ///     ever holds it; `nil` for none.
  ///   - shouldStop: asked now and then.
  /// - Throws: `FileError`, `SQLiteError`, `BundleError` when it is stopped.
  init(
    from store: Connection, at path: String, range: ClosedRange<Int64>, cutoff: Cutoff?,
    redactor: Redactor?, shouldStop: () -> Bool
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
    try copyRecords(store, range, cutoff, shouldStop)
    try copy("crash", from: store, where: "time BETWEEN ?1 AND ?2", range, order: "id")
    try copy(
      "crash_evidence", from: store,
      where: "crash IN (SELECT id FROM crash WHERE time BETWEEN ?1 AND ?2)", range, order: "id")
    try copy(
      "run", from: store, where: "COALESCE(\"end\", ?2) >= ?1 AND COALESCE(start, \"end\") <= ?2",
      range, order: "id")
    try copy(
      "crash_pruned", from: store,
      where: "?1 <= ?2 AND fingerprint IN (SELECT fingerprint "
        + "FROM crash WHERE time BETWEEN ?1 AND ?2)", range, order: "fingerprint")
    try copy(
      "rollup", from: store, where: "minute BETWEEN ?1 / 60000000000 AND ?2 / 60000000000", range,
      order: "minute, source, severity")
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

  /// The records of the range. Those whose own time can't be right count by their arrival; such a
  /// time lies before 2000 or after the arrival, so the index on time still finds them.
  static let condition = """
    (time >= ?1 OR time < 946684800000000000)
    AND (CASE WHEN flags >> 8 & 32 THEN observed_time ELSE time END) BETWEEN ?1 AND ?2
    """

  private func copyRecords(
    _ store: Connection, _ range: ClosedRange<Int64>, _ cutoff: Cutoff?, _ shouldStop: () -> Bool
  ) throws {
    // The record of a crash goes with its crash, which is listed in any case.
    let later = cutoff.map {
      " AND (crash NOT NULL OR (time, id) >= (\($0.time), \($0.id)))"
    }
    try copy(
      "record", from: store, where: Self.condition + (later ?? ""), range, order: "id",
      shouldStop: shouldStop)
  }

  private func copy(
    _ table: String, from store: Connection, where condition: String, _ range: ClosedRange<Int64>,
    order: String, shouldStop: () -> Bool = { false }
  ) throws {
    // With head and tail as texts: what is masked is then masked in each record.
    let view = table == "record" ? "record_text" : table
    let select = try store.prepare("SELECT * FROM \(view) WHERE \(condition) ORDER BY \(order)")
    select.bind(1, range.lowerBound)
    select.bind(2, range.upperBound)
    let insert = try insertion(into: table, of: select)
    let columns = RowRedactor.RecordColumns(select)
    var count = 0
    while try select.step() {
      insert.bindAll(of: select)
      if table == "record" {
        rows?.rewrite(record: select, columns, insert)
      } else {
        rows?.rewrite(table, select, insert)
      }
      try insert.run()
      count += 1
      if count % 1024 == 0, shouldStop() { throw BundleError(.interrupted, "interrupted") }
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
