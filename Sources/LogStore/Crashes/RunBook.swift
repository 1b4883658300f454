// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Keeps the runs of processes: those that `logagent exec` started and saw end, and those that are
/// known only by the crash that ended them.
struct RunBook {
  let connection: Connection
  /// An end that was seen and a crash are one event when they are that near, in nanoseconds.
  private static let window: Int64 = 10_000_000_000

  init(_ connection: Connection) { self.connection = connection }

  /// What `logagent exec` says of a run.
  struct Report {
    var process: String
    var program: String?
    var pid: Int64
    var start: Int64
    /// `nil` while it runs.
    var end: Int64?
    var exitStatus: Int64?
    var signal: String?
    var coreDumped: Bool?
    var lastWords: String?
    var command: String?

    var outcome: RunOutcome {
      if let signal { return RunOutcome.crashSignals.contains(signal) ? .crash : .killed }
      guard let exitStatus else { return .unknown }
      return exitStatus == 0 ? .clean : .exit
    }
  }

  /// Adds a run, or its end.
  func add(_ report: Report) throws(SQLiteError) {
    let find = try connection.prepare(
      "SELECT id FROM run WHERE pid = ? AND start = ? AND start IS NOT NULL")
    find.bind(1, report.pid)
    find.bind(2, report.start)
    let known: Int64? = try find.step() ? find.integer(0) : nil
    find.reset()
    let sql =
      known == nil
      ? """
      INSERT INTO run (process, program, pid, start, "end", outcome, exit_status, signal,
        core_dumped, last_words, command) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """
      // What ended it may be known better: a crash that its report told of.
      : """
      UPDATE run SET "end" = COALESCE(?5, "end"), program = COALESCE(?2, program),
        outcome = CASE WHEN outcome = 'unknown' THEN ?6 ELSE outcome END,
        exit_status = COALESCE(?7, exit_status), signal = COALESCE(?8, signal),
        core_dumped = COALESCE(?9, core_dumped), last_words = COALESCE(?10, last_words),
        command = COALESCE(?11, command)
      WHERE pid = ?3 AND start = ?4 AND start IS NOT NULL
      """
    let statement = try connection.prepare(sql)
    if known == nil { statement.bind(1, report.process) }
    statement.bind(2, report.program)
    statement.bind(3, report.pid)
    statement.bind(4, report.start)
    statement.bind(5, report.end)
    statement.bind(6, report.outcome.rawValue)
    statement.bind(7, report.exitStatus)
    statement.bind(8, report.signal)
    statement.bind(9, report.coreDumped.map { $0 ? 1 : 0 })
    statement.bind(10, report.lastWords)
    statement.bind(11, report.command)
    try statement.run()
    try claim(report)
  }

  /// A crash that was told before its run has a run of its own until then.
  private func claim(_ report: Report) throws(SQLiteError) {
    let select = try connection.prepare(
      """
      SELECT crash FROM run WHERE process IN (?5, ?6) AND "end" BETWEEN ?2 - ?4 AND ?3 + ?4
        AND pid = ?1 AND start IS NULL AND crash NOT NULL
      """)
    select.bind(1, report.pid)
    select.bind(2, report.start)
    select.bind(3, report.end ?? report.start)
    select.bind(4, Self.window)
    select.bind(5, report.process)
    select.bind(6, report.program)
    var crashes: [Int64] = []
    while try select.step() { crashes.append(select.integer(0)) }
    for crash in crashes { try note(crash: crash) }
  }

  /// Gives a line that knows no process id that of the run which wrote it, if one is known.
  func complete(_ evidence: inout CrashEvidence) throws(SQLiteError) {
    if evidence.isSoft, evidence.report.pid == nil {
      for name in evidence.names {
        let select = try connection.prepare(
          """
          SELECT pid FROM (
            SELECT * FROM run WHERE process = ?1 AND start IS NOT NULL
              AND start <= ?3 + 1000000000 ORDER BY start DESC LIMIT 64)
          WHERE "end" IS NULL OR "end" >= ?2 - ?4
          ORDER BY ?2 BETWEEN start AND COALESCE("end", ?2) + 200000000 DESC,
            abs(COALESCE("end", ?2) - ?2), start DESC
          LIMIT 1
          """)
        select.bind(1, name)
        select.bind(2, evidence.time)
        select.bind(3, evidence.latest ?? evidence.time)
        select.bind(4, Self.window)
        guard try select.step() else { continue }
        evidence.report.pid = select.integer(0)
        break
      }
    }
    guard let pid = evidence.report.pid else { return }
    // A run has two names: the one that it was given, and its program's.
    let select = try connection.prepare(
      """
      SELECT process, program FROM run
      WHERE pid = ?1 AND start IS NOT NULL AND start <= ?3 + ?4
        AND ("end" IS NULL OR "end" >= ?2 - ?4)
      ORDER BY start DESC LIMIT 64
      """)
    select.bind(1, pid)
    select.bind(2, evidence.time)
    select.bind(3, evidence.latest ?? evidence.time)
    select.bind(4, Self.window)
    while try select.step() {
      let names = [select.text(0), select.text(1)].filter { !$0.isEmpty }
      guard evidence.names.isEmpty || ProcessNames.haveCommon(names, evidence.names) else {
        continue
      }
      evidence.names += names.filter { !evidence.names.contains($0) }
    }
  }

  /// Notes that a crash ended a run: one that was seen, or one that is only known by it.
  func note(crash: Int64) throws(SQLiteError) {
    let row = try connection.prepare(
      "SELECT process, pid, time, kind, signal, names FROM crash WHERE id = ?")
    row.bind(1, crash)
    guard try row.step() else { return }
    let kind = row.text(3)
    guard kind != CrashKind.hang.rawValue, let process = row.optionalText(0), !process.isEmpty
    else { return }
    let outcome: RunOutcome = kind == CrashKind.outOfMemory.rawValue ? .outOfMemory : .crash
    let time = row.integer(2)
    let names = row.text(5).split(separator: "\n").map(String.init)
    let own = try connection.integer("SELECT id FROM run WHERE crash = \(crash)")
    if let pid = row.optionalInteger(1), let seen = try seenRun(pid, time, names) {
      if let own, own != seen { try connection.execute("DELETE FROM run WHERE id = \(own)") }
      // The name that its starter gave it is the one that people ask for.
      try connection.execute(
        """
        UPDATE run SET crash = \(crash), outcome = '\(outcome.rawValue)' WHERE id = \(seen);
        UPDATE crash SET process = (SELECT process FROM run WHERE id = \(seen)) WHERE id = \(crash);
        """)
      return
    }
    let sql =
      own == nil
      ? "INSERT INTO run (process, pid, \"end\", outcome, signal, crash) "
        + "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
      : "UPDATE run SET process = ?1, pid = ?2, \"end\" = COALESCE(\"end\", ?3), outcome = ?4, "
        + "signal = COALESCE(signal, ?5) WHERE crash = ?6 AND start IS NULL"
    let statement = try connection.prepare(sql)
    statement.bind(1, process)
    statement.bind(2, row.optionalInteger(1))
    statement.bind(3, time)
    statement.bind(4, outcome.rawValue)
    statement.bind(5, row.optionalText(4))
    statement.bind(6, crash)
    try statement.run()
  }

  private func seenRun(
    _ pid: Int64, _ time: Int64, _ names: [String]
  ) throws(SQLiteError) -> Int64? {
    let select = try connection.prepare(
      """
      SELECT id, process, program FROM run
      WHERE pid = ?1 AND start IS NOT NULL AND start <= ?2 + ?3
        AND ("end" IS NULL OR "end" BETWEEN ?2 - ?3 AND ?2 + ?3)
      ORDER BY start DESC LIMIT 64
      """)
    select.bind(1, pid)
    select.bind(2, time)
    select.bind(3, Self.window)
    while try select.step() {
      let runNames = [select.text(1), select.text(2)]
      if names.isEmpty || ProcessNames.haveCommon(runNames, names) { return select.integer(0) }
    }
    return nil
  }
}
