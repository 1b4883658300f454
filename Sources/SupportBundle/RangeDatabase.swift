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
  /// `logs.jsonl`, compressed.
  let lines: CompressedContent
  /// What looks through them, while more are made.
  let proof: LineProof?
  /// What they and the database hold.
  private(set) var copied = RecordCopy.Result()
  private let file: FileDescriptor
  private let rows: RowRedactor?

  private static let tables = [
    "meta", "word", "file", "record", "context", "observation", "frame", "crash", "crash_report",
    "crash_evidence",
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
  ///   - linesPath: another one, for the lines.
  ///   - selected: the rows to take.
  ///   - cutoff: where to end among them.
  ///   - plan: how many records there are, and how many the page shows.
  ///   - choice: whether the database gets all of them.
  ///   - redactor: masks what the rows hold before they are written, so that no page of the file
  ///     ever holds it; `nil` for none.
  ///   - isProved: whether the lines are looked through again.
  ///   - note: told the records that are copied, now and then; throws to end it.
  /// - Throws: `FileError`, `SQLiteError`, what `note` throws.
  init(
    from store: Connection, at path: String, linesPath: String, selected: SelectedRows,
    cutoff: Cutoff?, plan: BundlePlan, choice: BundleRequest.DatabaseChoice, redactor: Redactor?,
    isProved: Bool, note: (Int64) throws -> Void
  ) throws {
    rows = redactor.map(RowRedactor.init)
    proof = isProved ? redactor.map { LineProof($0.rules) } : nil
    lines = try CompressedContent(path: linesPath)
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
    let tables = connection
    try Self.makeObjects(Self.tables, of: store, in: tables)
    // The record of a crash goes with its crash, which is listed in any case.
    let later = cutoff.map {
      """
       AND (crash NOT NULL
        OR (\(selected.isContext), time, id) >= (\($0.isContext), \($0.time), \($0.id)))
      """
    }
    let words = try MaskedNames("word", of: store, rows)
    let contexts = try RecordContexts(store)
    let files = try MaskedNames("file", of: store, rows)
    let share = DatabaseShare(
      records: plan.recordCount, pageRows: plan.pageRows,
      room: choice == .auto ? SupportBundle.databaseRoom : nil,
      isWanted: plan.databaseLeftOut == nil
    ) { try self.compressedSize(ifAbove: 0) }
    let copy = RecordCopy(
      store: store, connection: tables, rows: rows, words: words, files: files, contexts: contexts,
      lines: lines, proof: proof, share: share)
    copied = try copy.run(
      spans: selected.spans, where: selected.records + (later ?? ""), note: note)
    let used = contexts.used.keys.map(String.init).joined(separator: ", ")
    try copyRows("context", from: store, where: "id IN (\(used))")
    try copyObservations(from: store)
    try copyRows("crash", from: store, where: selected.crashes)
    try copyRows(
      "crash_evidence", from: store,
      where: "crash IN (SELECT id FROM crash WHERE \(selected.crashes))")
    try copyRows("run", from: store, where: selected.runs)
    try copyRows(
      "crash_pruned", from: store,
      where: "fingerprint IN (SELECT fingerprint FROM crash WHERE \(selected.crashes))",
      order: "fingerprint")
    try copyRows(
      "rollup", from: store, where: selected.minutes, order: "minute, source, severity")
    try insertUsed(words, "word", "SELECT DISTINCT source FROM rollup")
    try insertUsed(files, "file", "SELECT DISTINCT file FROM crash")
    try Self.makeObjects(Self.indexes + Self.views, of: store, in: connection)
    let version = try store.integer("PRAGMA user_version") ?? 0
    let application = try store.integer("PRAGMA application_id") ?? 0
    try connection.execute(
      "PRAGMA user_version = \(version); PRAGMA application_id = \(application); COMMIT")
  }

  private static func makeObjects(
    _ names: [String], of store: Connection, in connection: Connection
  ) throws {
    let select = try store.prepare("SELECT sql FROM sqlite_schema WHERE name = ? AND sql NOT NULL")
    for name in names {
      select.bind(1, name)
      if try select.step() { try connection.execute(select.text(0)) }
      select.reset()
    }
  }

  private func copyRows(
    _ table: String, from store: Connection, where condition: String, order: String = "id"
  ) throws {
    let select = try store.prepare("SELECT * FROM \(table) WHERE \(condition) ORDER BY \(order)")
    let names = (0..<select.columnCount).map { select.columnName($0) }
    let insert = try connection.prepare(Self.insertion(into: table, names), persistent: true)
    let row = RowValues()
    var bytes: [UInt8] = []
    while try select.step() {
      row.load(select)
      rows?.rewrite(table, row, names)
      bytes.removeAll(keepingCapacity: true)
      row.append(to: &bytes)
      try Self.run(insert, bytes, columns: names.count)
    }
  }

  /// Copies the times at which records were read, of those that are here.
  private func copyObservations(from store: Connection) throws {
    let last = try connection.integer("SELECT max(id) FROM record") ?? 0
    let first = try connection.integer("SELECT min(id) FROM record") ?? 1
    let select = try store.prepare(
      """
      SELECT record, time, lead(record, 1, \(Int64.max)) OVER (ORDER BY record) FROM observation
      WHERE record <= \(last)
        AND record >= (SELECT max(record) FROM observation WHERE record <= \(first))
      """)
    let isUsed = try connection.prepare("SELECT 1 FROM record WHERE id >= ? AND id < ? LIMIT 1")
    let insert = try connection.prepare("INSERT INTO observation VALUES (?, ?)")
    while try select.step() {
      isUsed.bind(1, select.integer(0))
      isUsed.bind(2, select.integer(2))
      defer { isUsed.reset() }
      guard try isUsed.step() else { continue }
      insert.bind(1, select.integer(0))
      insert.bind(2, select.integer(1))
      try insert.run()
    }
  }

  /// Inserts the rows that records point to, and those that other rows point to.
  private func insertUsed(_ names: MaskedNames, _ table: String, _ more: String) throws {
    let others = try connection.prepare(more)
    while try others.step() {
      if !others.isNull(0) { try names.use(others.integer(0)) }
    }
    let insert = try connection.prepare(Self.insertion(into: table, names.columns))
    for (_, bytes) in names.used.sorted(by: { $0.key < $1.key }) {
      try Self.run(insert, bytes, columns: names.columns.count)
    }
  }

  private static func run(
    _ insert: borrowing Statement, _ bytes: [UInt8], columns: Int
  ) throws {
    try bytes.withUnsafeBytes {
      _ = RowValues.bind($0, from: 0, columns: columns, to: insert)
      try insert.run()
    }
  }

  /// The insertion of a row with these columns.
  static func insertion(into table: String, _ names: [String]) -> String {
    let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = names.map { _ in "?" }.joined(separator: ", ")
    // Two words that are one when masked: the second becomes NULL in its records.
    return "INSERT OR IGNORE INTO \(table) (\(list)) VALUES (\(places))"
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
    for offset in stride(from: 0, to: size, by: Int(max(64 << 10, size / 16))) {
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
