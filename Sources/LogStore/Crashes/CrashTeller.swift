// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// What records of logs tell of deaths: the last words of a runtime, a line of the kernel, what
/// `logagent exec` saw, and the last severe record before a crash that left no words.
struct CrashTeller {
  let connection: Connection

  /// The logger of the records that `logagent exec` writes.
  static let execLogger: StaticString = "logagent.exec"

  init(_ connection: Connection) { self.connection = connection }

  /// Whether a record may tell of a death or a run; asked of each one.
  @inline(__always)
  static func concerns(_ record: LogRecord, _ arena: ByteArena) -> Bool {
    if record.severity >= .fatal { return true }
    guard record.scope.count == execLogger.utf8CodeUnitCount else { return false }
    return isExec(record, arena)
  }

  private static func isExec(_ record: LogRecord, _ arena: ByteArena) -> Bool {
    record.scope.count == execLogger.utf8CodeUnitCount
      && execLogger.withUTF8Buffer { arena.bytes(record.scope).elementsEqual($0) }
  }

  /// Takes in what a record that is stored as `row` tells.
  func tell(_ record: LogRecord, row: Int64, _ arena: ByteArena) throws(SQLiteError) {
    if Self.isExec(record, arena) { return try tellRun(record, row: row, arena) }
    guard record.flags.contains(.lastWords) else {
      return try tellSevere(record, row: row, arena)
    }
    let facts = try RecordFacts(record, arena, connection)
    if let crash = try crash(toldBy: row) {
      // It was told before, and the record has grown since.
      let report = facts.report
      try CrashRows.takeReason(
        report, rank: report.reason == nil ? 0 : ReasonRank.lastWords, of: crash, connection)
      return try CrashSummary.refresh(crash, connection)
    }
    var evidence = CrashEvidence(
      facts.report, record: row, time: record.time.nanoseconds,
      observed: record.observedTime.nanoseconds, generation: record.generation,
      byteOffset: record.byteOffset, path: facts.path, size: record.byteLength)
    evidence.names += facts.names.filter { !evidence.names.contains($0) }
    evidence.reasonRank = facts.reasonRank
    evidence.owner = facts.owner
    // A line without a time of its own happened after the one before it, and before it was read.
    if record.timeQuality == .inherited { evidence.latest = record.observedTime.nanoseconds }
    try add(evidence)
  }

  private func add(_ evidence: CrashEvidence) throws(SQLiteError) {
    let outcome = try CrashBook(connection: connection).add(evidence)
    if outcome.isNew {
      // The record itself stands for the crash; it is not repeated.
      return
    }
    try CrashSummary.refresh(outcome.crash, connection)
  }

  private func crash(toldBy row: Int64) throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT crash FROM crash_evidence WHERE record = \(row)")
  }

  // MARK: Runs

  private func tellRun(
    _ record: LogRecord, row: Int64, _ arena: ByteArena
  ) throws(SQLiteError) {
    let select = try connection.prepare(
      """
      SELECT json_extract(?1, '$."event.name"'), json_extract(?1, '$."process.executable.name"'),
        json_extract(?1, '$."process.start.unix_nano"'), json_extract(?1, '$."process.exit.code"'),
        json_extract(?1, '$."process.exit.signal"'), json_extract(?1, '$."process.core_dumped"'),
        json_extract(?1, '$."process.last_words"'), json_extract(?1, '$."process.command_line"')
      """)
    select.bind(1, "{" + String(decoding: arena.bytes(record.attributes), as: UTF8.self) + "}")
    let name = String(decoding: arena.bytes(record.process), as: UTF8.self)
    guard try select.step(), record.pid > 0, !name.isEmpty,
      let start = select.optionalInteger(2)
    else { return }
    let isEnd = select.text(0) == "process.exit"
    let run = RunBook.Report(
      process: name, program: select.optionalText(1), pid: record.pid, start: start,
      end: isEnd ? record.time.nanoseconds : nil, exitStatus: select.optionalInteger(3),
      signal: select.optionalText(4), coreDumped: select.optionalInteger(5).map { $0 != 0 },
      lastWords: select.optionalText(6), command: select.optionalText(7))
    try RunBook(connection).add(run)
    guard isEnd, run.outcome == .crash, try crash(toldBy: row) == nil else { return }
    var report = CrashReport(format: "exec")
    report.kind = .signal
    report.signal = run.signal
    report.process = name
    report.pid = run.pid
    CrashFingerprint.apply(to: &report)
    let file = try RecordFacts.file(of: record, connection)
    var evidence = CrashEvidence(
      report, record: row, time: record.time.nanoseconds,
      observed: record.observedTime.nanoseconds, generation: record.generation,
      byteOffset: record.byteOffset, path: file.path, size: record.byteLength)
    if let program = run.program { evidence.names.append(program) }
    evidence.start = run.start
    try add(evidence)
  }

  // MARK: Severe records

  /// A severe record may say why a process died whose report has no words for it.
  private func tellSevere(
    _ record: LogRecord, row: Int64, _ arena: ByteArena
  ) throws(SQLiteError) {
    let time = record.time.nanoseconds
    let select = try connection.prepare(
      """
      SELECT id, pid, names FROM crash
      WHERE time BETWEEN ?1 - 2000000000 AND ?1 + 10000000000 AND reason_rank < ?2
      ORDER BY time LIMIT 64
      """)
    select.bind(1, time)
    select.bind(2, ReasonRank.severeRecord)
    var file: RecordFacts.File?
    while try select.step() {
      let names = select.text(2).split(separator: "\n").map(String.init)
      let isSame: Bool
      if let pid = select.optionalInteger(1), record.pid >= 0 {
        isSame = pid == record.pid
      } else {
        if file == nil { file = try RecordFacts.file(of: record, connection) }
        isSame = ProcessNames.haveCommon(
          names, RecordFacts.names(of: record, arena, file ?? RecordFacts.File()))
      }
      guard isSame else { continue }
      var words = CrashReport(format: "log")
      let body = String(decoding: arena.bytes(record.body), as: UTF8.self)
      words.reason = String(body.prefix { $0 != "\n" }.prefix(500))
      let crash = select.integer(0)
      try CrashRows.takeReason(words, rank: ReasonRank.severeRecord, of: crash, connection)
      return try CrashSummary.refresh(crash, connection)
    }
  }

  /// The same, when the record came first.
  func findSevere(for crash: Int64) throws(SQLiteError) {
    let row = try connection.prepare(
      "SELECT time, pid, names FROM crash WHERE id = ? AND reason_rank < ?")
    row.bind(1, crash)
    row.bind(2, ReasonRank.severeRecord)
    guard try row.step() else { return }
    let select = try connection.prepare(
      """
      SELECT r.body, r.pid, COALESCE(w.text, NULLIF(f.process, '')), f.path
      FROM record_text r JOIN file f ON f.id = r.file
      LEFT JOIN word w ON w.id = r.process
      LEFT JOIN word s ON s.id = r.scope
      WHERE s.text IS NOT 'logagent.exec' AND r.severity >= 21 AND r.severity >= 17 AND r.crash IS NULL
        AND r.time BETWEEN ?1 - 10000000000 AND ?1 + 2000000000
        AND NOT EXISTS (SELECT 1 FROM crash_evidence e WHERE e.record = r.id)
      ORDER BY r.time DESC LIMIT 256
      """)
    select.bind(1, row.integer(0))
    let names = row.text(2).split(separator: "\n").map(String.init)
    while try select.step() {
      let isSame: Bool
      if let pid = row.optionalInteger(1), let other = select.optionalInteger(1) {
        isSame = pid == other
      } else {
        let own = [select.optionalText(2) ?? ProcessNames.stem(ofPath: select.text(3))]
        isSame = ProcessNames.haveCommon(names, own.compactMap { $0 })
      }
      guard isSame else { continue }
      var words = CrashReport(format: "log")
      words.reason = String(select.text(0).prefix { $0 != "\n" }.prefix(500))
      return try CrashRows.takeReason(
        words, rank: ReasonRank.severeRecord, of: crash, connection)
    }
  }
}
