// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// The rows of `crash`: what is known of a crash, and the report's bytes as they were.
enum CrashRows {
  /// The columns that one report after another can fill in.
  private static let facts = [
    "process", "pid", "executable_path", "bundle_identifier", "version", "build", "os_name",
    "os_version", "device", "architecture", "signal", "signal_code", "fault_address",
    "exception_type", "thread", "thread_name",
  ]
  /// The columns of the one report, or record, that the row is made from.
  private static let own = [
    "fingerprint", "top_frame", "frames", "flags", "note", "format", "report_id", "file",
    "byte_offset", "path", "size", "sha256", "rank",
  ]

  /// Makes a row; returns its id.
  static func insert(
    _ evidence: CrashEvidence, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    let columns =
      facts + own
      + [
        "kind", "reason", "reason_rank", "time", "time_from_report", "latest", "observed_time",
        "names",
      ]
    let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let insert = try connection.prepare(
      "INSERT INTO crash (\(columns.joined(separator: ", "))) VALUES (\(marks))")
    bindFacts(evidence.report, insert)
    bindOwn(evidence, insert)
    let next = Int32(facts.count + own.count)
    insert.bind(next + 1, evidence.report.kind.rawValue)
    insert.bind(next + 2, evidence.report.reason)
    insert.bind(next + 3, evidence.reasonRank)
    insert.bind(next + 4, evidence.time)
    insert.bind(next + 5, evidence.report.time == nil ? 0 : 1)
    insert.bind(next + 6, evidence.latest)
    insert.bind(next + 7, evidence.observed)
    insert.bind(next + 8, evidence.names.joined(separator: "\n"))
    try insert.run()
    let id = try connection.integer("SELECT last_insert_rowid()") ?? 0
    if let content = evidence.content { try keep(content, of: id, connection) }
    return id
  }

  /// Adds what a further piece of evidence knows.
  ///
  /// - Parameter takesOver: the row is made from it from now on, and earlier facts fill its gaps.
  static func merge(
    _ evidence: CrashEvidence, into crash: Int64, names: [String], _ takesOver: Bool,
    _ connection: Connection
  ) throws(SQLiteError) {
    var changes = facts.enumerated().map { index, column in
      let mark = "?\(index + 1)"
      return "\(column) = COALESCE(" + (takesOver ? "\(mark), \(column))" : "\(column), \(mark))")
    }
    if takesOver {
      changes += own.enumerated().map { "\($1) = ?\(facts.count + $0 + 1)" }
      if evidence.report.time != nil || evidence.latest == nil {
        let isStated = evidence.report.time == nil ? 0 : 1
        changes.append(
          "time = \(evidence.time), latest = NULL, time_from_report = \(isStated)")
      }
    } else if evidence.latest == nil {
      // A time that is exact replaces one that is not.
      changes.append("time = CASE WHEN latest NOT NULL THEN \(evidence.time) ELSE time END")
      changes.append("latest = NULL")
    }
    let update = try connection.prepare(
      "UPDATE crash SET \(changes.joined(separator: ", ")) WHERE id = \(crash)")
    bindFacts(evidence.report, update)
    if takesOver { bindOwn(evidence, update) }
    try update.run()
    try takeReason(evidence.report, rank: evidence.reasonRank, of: crash, connection)
    try addNames(evidence.names, to: crash, connection)
  }

  /// Takes a reason when it comes from a better witness, and a kind when it says more.
  static func takeReason(
    _ report: CrashReport, rank: Int64, of crash: Int64, _ connection: Connection
  ) throws(SQLiteError) {
    let update = try connection.prepare(
      """
      UPDATE crash SET
        reason = CASE WHEN ?1 > reason_rank THEN COALESCE(?2, reason) ELSE reason END,
        reason_rank = max(reason_rank, ?1),
        kind = CASE WHEN kind IN ('unknown', 'signal', 'exit') AND ?3 NOT IN ('unknown', 'exit')
          THEN ?3 ELSE kind END,
        exception_type = COALESCE(exception_type, ?4)
      WHERE id = ?5
      """)
    update.bind(1, rank)
    update.bind(2, report.reason)
    update.bind(3, report.kind.rawValue)
    update.bind(4, report.exceptionType)
    update.bind(5, crash)
    try update.run()
    try CrashGroup.refresh(crash, connection)
  }

  /// Adds names by which the process goes.
  static func addNames(
    _ names: [String], to crash: Int64, _ connection: Connection
  ) throws(SQLiteError) {
    let known = try connection.text("SELECT names FROM crash WHERE id = \(crash)") ?? ""
    var all = known.split(separator: "\n").map(String.init)
    for name in names where !all.contains(name) { all.append(name) }
    let update = try connection.prepare("UPDATE crash SET names = ? WHERE id = ?")
    update.bind(1, all.joined(separator: "\n"))
    update.bind(2, crash)
    try update.run()
  }

  /// Reports of a fingerprint that are kept from its beginning, and as many from its end.
  private static let keptReports = 5

  /// Keeps the bytes of a crash's report: those of the first and of the last five crashes of a
  /// fingerprint stay, so that a crash loop can neither fill the store nor evict what came before.
  static func keep(
    _ content: [UInt8], of crash: Int64, _ connection: Connection
  ) throws(SQLiteError) {
    let insert = try connection.prepare("INSERT OR REPLACE INTO crash_report VALUES (?, ?)")
    insert.bind(1, crash)
    insert.bind(2, blob: content)
    try insert.run()
    try connection.execute("UPDATE crash SET has_report = 1 WHERE id = \(crash)")
    let select = try connection.prepare(
      """
      SELECT id FROM crash
      WHERE has_report AND fingerprint = (SELECT fingerprint FROM crash WHERE id = ?)
      ORDER BY time, id
      """)
    select.bind(1, crash)
    var kept: [Int64] = []
    while try select.step() { kept.append(select.integer(0)) }
    // What is neither first nor last of those that were kept is so of all.
    for middle in kept.dropFirst(keptReports).dropLast(keptReports) {
      try connection.execute(
        """
        DELETE FROM crash_report WHERE crash = \(middle);
        DELETE FROM evidence_report WHERE evidence IN
          (SELECT id FROM crash_evidence WHERE crash = \(middle));
        UPDATE crash SET has_report = 0, frames = '[]', note = COALESCE(note || '; ', '')
          || 'its report and stack are not kept: those of the first and the last \(keptReports) '
          || 'crashes with this fingerprint are' WHERE id = \(middle);
        """)
    }
  }

  private static func bindOwn(_ evidence: CrashEvidence, _ statement: borrowing Statement) {
    let report = evidence.report
    let first = Int32(facts.count)
    statement.bind(first + 1, report.fingerprint)
    statement.bind(first + 2, report.topFrame)
    statement.bind(first + 3, frames(of: report))
    statement.bind(first + 4, Int64(report.flags.rawValue))
    statement.bind(first + 5, report.note)
    statement.bind(first + 6, report.format)
    statement.bind(first + 7, report.reportID)
    statement.bind(first + 8, Int64(evidence.generation))
    statement.bind(first + 9, evidence.byteOffset)
    statement.bind(first + 10, evidence.path)
    statement.bind(first + 11, evidence.size)
    statement.bind(first + 12, evidence.sha256)
    statement.bind(first + 13, evidence.rank)
  }

  private static func bindFacts(_ report: CrashReport, _ statement: borrowing Statement) {
    statement.bind(1, report.process)
    statement.bind(2, report.pid)
    statement.bind(3, report.executablePath)
    statement.bind(4, report.bundleIdentifier)
    statement.bind(5, report.version)
    statement.bind(6, report.build)
    statement.bind(7, report.osName)
    statement.bind(8, report.osVersion)
    statement.bind(9, report.device)
    statement.bind(10, report.architecture)
    statement.bind(11, report.signal)
    statement.bind(12, report.signalCode)
    statement.bind(13, report.faultAddress.map { Int64(bitPattern: $0) })
    statement.bind(14, report.exceptionType)
    statement.bind(15, report.crashedThread.map(Int64.init))
    statement.bind(16, report.crashedThreadName)
  }

  private static func frames(of report: CrashReport) -> String {
    let frames = report.frames.map { frame in
      var members: [String] = []
      func add(_ key: String, _ value: String?) {
        if let value { members.append("\"\(key)\":\(JSONText.quoted(value))") }
      }
      add("address", frame.address.map { "0x" + String($0, radix: 16) })
      add("image", frame.image)
      add("symbol", frame.symbol)
      if let offset = frame.offset { members.append("\"offset\":\(offset)") }
      add("file", frame.file)
      if let line = frame.line { members.append("\"line\":\(line)") }
      if let column = frame.column { members.append("\"column\":\(column)") }
      return "{" + members.joined(separator: ",") + "}"
    }
    return "[" + frames.joined(separator: ",") + "]"
  }
}
