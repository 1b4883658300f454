// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Makes crashes out of evidence: all that tells of one death becomes one row.
///
/// Two pieces tell of one death when the process's id is the same, its names agree as far as they
/// are known (the kernel cuts one to 15 bytes), and the times are at most ten seconds apart; ten
/// seconds exclude another boot. Where a line of a log knows no id, its process's name must agree,
/// and it comes at most two seconds after the death. Two ids are never one death, nor are two
/// reports of one form: a restarted container has the same id again.
struct CrashBook {
  let connection: Connection

  private static let window: Int64 = 10_000_000_000
  /// How long after a death a line without an id may come.
  private static let lag: Int64 = 2_000_000_000
  /// How coarse the clock of a file system may be.
  private static let grain: Int64 = 20_000_000
  /// Crashes of one window that are looked at.
  private static let limit = 64

  /// A stored crash, as far as it takes part in matching.
  struct Candidate {
    var id: Int64
    var time: Int64
    var latest: Int64?
    var pid: Int64?
    var names: [String]
    var rank: Int64

    func distance(to time: Int64) -> Int64 { abs(self.time &- time) }
  }

  /// What became of a piece of evidence.
  struct Outcome {
    var crash: Int64
    /// Whether it made a new row, or another one of its reports or words its cause.
    var isNew: Bool
  }

  /// Adds a piece of evidence to the crash that it tells of, or makes one of it.
  func add(_ given: CrashEvidence) throws(SQLiteError) -> Outcome {
    var evidence = given
    try RunBook(connection).complete(&evidence)
    let matches = try candidates(for: evidence)
    guard let best = matches.first else {
      let crash = try CrashRows.insert(evidence, connection)
      try addEvidence(evidence, to: crash)
      try RunBook(connection).note(crash: crash)
      return Outcome(crash: crash, isNew: true)
    }
    let takesOver = evidence.rank > best.rank
    if takesOver { try moveReport(of: best.id) }
    try CrashRows.merge(evidence, into: best.id, names: best.names, takesOver, connection)
    try addEvidence(evidence, to: best.id)
    try keep(evidence, of: best.id, isMain: takesOver)
    // Lines that came before the id was known may have made a crash of their own.
    if let other = matches.dropFirst().first(where: { $0.pid == nil && best.pid != nil }),
      try !haveSameWitness(best.id, other.id)
    {
      try absorb(other, into: best)
    }
    try RunBook(connection).note(crash: best.id)
    return Outcome(crash: best.id, isNew: false)
  }

  // MARK: Matching

  /// The crashes that may be the one told of: those with its process's id first, then the nearest.
  private func candidates(for evidence: CrashEvidence) throws(SQLiteError) -> [Candidate] {
    guard evidence.report.kind != .hang else { return [] }
    let first = evidence.time &- Self.window
    let last = (evidence.latest ?? evidence.time) &+ Self.window
    // Each part is bounded: a log may hold any number of last words without a time.
    let columns = "SELECT id, time, latest, pid, names, rank FROM crash WHERE kind <> 'hang'"
    let others = evidence.report.pid == nil ? "" : "AND pid IS NULL"
    let select = try connection.prepare(
      """
      SELECT * FROM (\(columns) AND pid = ?3 AND time BETWEEN ?1 AND ?2
        ORDER BY time DESC LIMIT \(Self.limit))
      UNION
      SELECT * FROM (\(columns) AND time BETWEEN ?1 AND ?2 \(others)
        ORDER BY time DESC LIMIT \(Self.limit))
      UNION
      SELECT * FROM (\(columns) AND latest IS NOT NULL AND latest >= ?1 AND time <= ?2
        ORDER BY latest LIMIT \(Self.limit))
      """)
    select.bind(1, first)
    select.bind(2, last)
    select.bind(3, evidence.report.pid)
    var found: [Candidate] = []
    while try select.step() {
      let candidate = Candidate(
        id: select.integer(0), time: select.integer(1), latest: select.optionalInteger(2),
        pid: select.optionalInteger(3),
        names: select.text(4).split(separator: "\n").map(String.init), rank: select.integer(5))
      if try isSame(evidence, candidate) { found.append(candidate) }
    }
    let pid = evidence.report.pid
    found.sort {
      let isFirst = $0.pid != nil && $0.pid == pid
      let isSecond = $1.pid != nil && $1.pid == pid
      if isFirst != isSecond { return isFirst }
      return $0.distance(to: evidence.time) < $1.distance(to: evidence.time)
    }
    // The best, and one that it may absorb; in a loop of deaths the nearest have it all already.
    var fitting: [Candidate] = []
    for candidate in found.prefix(8) where fitting.count < 2 {
      if try !isRepeated(evidence, candidate) { fitting.append(candidate) }
    }
    return fitting
  }

  private func isSame(
    _ evidence: CrashEvidence, _ crash: Candidate
  ) throws(SQLiteError) -> Bool {
    let namesAgree = ProcessNames.haveCommon(evidence.names, crash.names)
    if let pid = evidence.report.pid, let other = crash.pid {
      guard pid == other, namesAgree || evidence.names.isEmpty || crash.names.isEmpty else {
        return false
      }
    } else {
      guard namesAgree, isNear(evidence, crash), try !isForeign(evidence, to: crash.id) else {
        return false
      }
      if !evidence.isSoft {
        guard try isSoft(crash.id) else { return false }
      }
    }
    return true
  }

  /// Whether a line stands in the file of another run of the same program.
  private func isForeign(
    _ evidence: CrashEvidence, to crash: Int64
  ) throws(SQLiteError) -> Bool {
    guard !evidence.owner.isEmpty else { return false }
    let run = try connection.text(
      "SELECT process FROM run WHERE crash = \(crash) AND start IS NOT NULL")
    return run.map { $0 != evidence.owner } ?? false
  }

  /// Whether a line without an id is near enough: before the death, or a little after it.
  private func isNear(_ evidence: CrashEvidence, _ crash: Candidate) -> Bool {
    let isEarlier = evidence.time <= crash.time
    let gap = abs(evidence.time &- crash.time)
    // What a captured program said stands between its start and its end.
    if let start = evidence.start {
      return (crash.latest ?? crash.time) >= start &- Self.grain
        && crash.time <= evidence.time &+ Self.grain
    }
    if evidence.latest != nil || crash.latest != nil { return true }
    // The side that knows no id is the line.
    let lineIsEarlier = evidence.report.pid == nil ? isEarlier : !isEarlier
    return gap <= (lineIsEarlier || gap == 0 ? Self.window : Self.lag)
  }

  private func isSoft(_ crash: Int64) throws(SQLiteError) -> Bool {
    let texts = CrashEvidence.texts.map { "'\($0)'" }.joined(separator: ", ")
    return try connection.integer(
      """
      SELECT NOT EXISTS (SELECT 1 FROM crash_evidence WHERE crash = \(crash)
        AND record IS NULL AND format NOT IN (\(texts)))
      """) == 1
  }

  /// Whether the crash has that already: then it is the next death.
  private func isRepeated(
    _ evidence: CrashEvidence, _ crash: Candidate
  ) throws(SQLiteError) -> Bool {
    let select = try connection.prepare(
      """
      SELECT e.time, e.note, e.file, f.process FROM crash_evidence e
      LEFT JOIN file f ON f.id = e.file
      WHERE e.crash = ? AND e.format = ? AND (e.record IS NULL) = ?
      """)
    select.bind(1, crash.id)
    select.bind(2, evidence.report.format)
    select.bind(3, evidence.isLine ? 0 : 1)
    while try select.step() {
      guard evidence.isLine else { return true }
      // Another thing said by the same death, or the same thing in another log.
      let isSameFile = select.integer(2) == Int64(evidence.generation)
      let isSameText = select.optionalText(1) == evidence.note
      let isAtOnce = abs(select.integer(0) &- evidence.time) <= Self.lag
      // A program that is captured has a file for each run.
      let isOtherRun =
        !isSameFile && !evidence.owner.isEmpty && select.optionalText(3) == evidence.owner
      if (isSameFile && isSameText) || !isAtOnce || isOtherRun { return true }
    }
    return false
  }

  /// Whether both are told of by the same kind of witness: then they are two deaths.
  private func haveSameWitness(_ one: Int64, _ other: Int64) throws(SQLiteError) -> Bool {
    try connection.integer(
      """
      SELECT EXISTS (SELECT 1 FROM crash_evidence a JOIN crash_evidence b ON a.format = b.format
        WHERE a.crash = \(one) AND b.crash = \(other))
      """) == 1
  }

  // MARK: Rows

  private func addEvidence(_ evidence: CrashEvidence, to crash: Int64) throws(SQLiteError) {
    let insert = try connection.prepare(
      """
      INSERT INTO crash_evidence
        (crash, file, byte_offset, record, time, format, path, size, sha256, report_id, flags, note)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    insert.bind(1, crash)
    insert.bind(2, Int64(evidence.generation))
    insert.bind(3, evidence.byteOffset)
    insert.bind(4, evidence.record)
    insert.bind(5, evidence.time)
    insert.bind(6, evidence.report.format)
    insert.bind(7, evidence.path)
    insert.bind(8, evidence.size)
    insert.bind(9, evidence.sha256)
    insert.bind(10, evidence.report.reportID)
    insert.bind(11, Int64(evidence.report.flags.rawValue))
    insert.bind(12, evidence.note)
    try insert.run()
  }

  /// Keeps a report's bytes: with the crash that is made from it, or beside it.
  private func keep(
    _ evidence: CrashEvidence, of crash: Int64, isMain: Bool
  ) throws(SQLiteError) {
    guard let content = evidence.content else { return }
    if isMain { return try CrashRows.keep(content, of: crash, connection) }
    let insert = try connection.prepare(
      """
      INSERT INTO evidence_report (evidence, content)
      SELECT id, ? FROM crash_evidence WHERE sha256 = ?
      """)
    insert.bind(1, blob: content)
    insert.bind(2, evidence.sha256)
    try insert.run()
  }

  /// Another report becomes the crash's own: the present one goes beside it.
  private func moveReport(of crash: Int64) throws(SQLiteError) {
    try connection.execute(
      """
      INSERT INTO evidence_report (evidence, content)
        SELECT e.id, r.content FROM crash_report r JOIN crash c ON c.id = r.crash
        JOIN crash_evidence e ON e.sha256 = c.sha256 WHERE c.id = \(crash);
      DELETE FROM crash_report WHERE crash = \(crash);
      """)
  }

  /// Two rows turn out to be one death: a line that knew no id, and what brought the id.
  private func absorb(_ other: Candidate, into crash: Candidate) throws(SQLiteError) {
    let select = try connection.prepare(
      "SELECT reason, reason_rank, kind, record, exception_type FROM crash WHERE id = ?")
    select.bind(1, other.id)
    guard try select.step() else { return }
    var words = CrashReport(format: "log")
    words.reason = select.optionalText(0)
    words.kind = CrashKind(rawValue: select.text(2)) ?? .unknown
    words.exceptionType = select.optionalText(4)
    let rank = select.integer(1)
    let record = select.optionalInteger(3)
    try CrashRows.takeReason(words, rank: rank, of: crash.id, connection)
    try CrashRows.addNames(other.names, to: crash.id, connection)
    try connection.execute(
      """
      UPDATE crash_evidence SET crash = \(crash.id) WHERE crash = \(other.id);
      UPDATE run SET crash = \(crash.id) WHERE crash = \(other.id) AND start NOT NULL;
      DELETE FROM run WHERE crash = \(other.id);
      DELETE FROM crash_report WHERE crash = \(other.id);
      DELETE FROM crash_acknowledged WHERE crash = \(other.id);
      DELETE FROM crash WHERE id = \(other.id);
      """)
    if let record {
      try Rollup.remove(record: record, connection)
      try connection.execute("DELETE FROM record WHERE id = \(record)")
    }
  }
}
