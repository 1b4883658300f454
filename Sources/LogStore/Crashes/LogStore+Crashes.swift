// SPDX-License-Identifier: Apache-2.0

package import LogModel
internal import SQLite

extension LogStore {
  /// Stores what a report tells: a crash with a record of severity fatal that stands for it in the
  /// logs, or more about a crash that is known. Nothing when this report is stored already: one
  /// with this content, or with the same id in the same form.
  func insert(_ collected: CollectedReport) throws(SQLiteError) {
    if let known = try reportWithID(of: collected.report) {
      // One that was incomplete gives way to one that is not.
      let isBetter = known.isIncomplete && !collected.report.flags.contains(.incomplete)
      guard isBetter else { return }
      try remove(known)
    }
    let same = try connection.prepare("SELECT 1 FROM crash_evidence WHERE sha256 = ?")
    same.bind(1, collected.sha256)
    if try same.step() { return }
    let evidence = CrashEvidence(collected)
    let outcome = try CrashBook(connection: connection).add(evidence)
    try CrashTeller(connection).findSevere(for: outcome.crash)
    try CrashSummary.refresh(outcome.crash, connection)
    if try connection.integer("SELECT record FROM crash WHERE id = \(outcome.crash)") == nil {
      try addRecord(of: evidence, crash: outcome.crash)
    }
  }

  /// What is known of the crash that a stored report tells of: why may be known from elsewhere.
  ///
  /// - Returns: `nil` when it was stored before, under another name.
  package func crash(toldBy collected: CollectedReport) -> CrashReport? {
    var report = collected.report
    guard
      let select = try? connection.prepare(
        """
        SELECT c.process, c.pid, c.kind, c.signal, c.reason FROM crash_evidence e
        JOIN crash c ON c.id = e.crash WHERE e.sha256 = ? AND e.path = ?
        """)
    else { return nil }
    select.bind(1, collected.sha256)
    select.bind(2, collected.path)
    guard (try? select.step()) == true else { return nil }
    report.process = select.optionalText(0) ?? report.process
    report.pid = select.optionalInteger(1) ?? report.pid
    report.kind = CrashKind(rawValue: select.text(2)) ?? report.kind
    report.signal = select.optionalText(3) ?? report.signal
    report.reason = select.optionalText(4) ?? report.reason
    return report
  }

  private struct KnownReport {
    var evidence: Int64
    var crash: Int64
    var isIncomplete: Bool
  }

  private func reportWithID(of report: CrashReport) throws(SQLiteError) -> KnownReport? {
    guard let id = report.reportID, !id.isEmpty else { return nil }
    let select = try connection.prepare(
      "SELECT id, crash, flags FROM crash_evidence WHERE report_id = ? AND format = ?")
    select.bind(1, id)
    select.bind(2, report.format)
    guard try select.step() else { return nil }
    let flags = CrashReportFlags(rawValue: UInt32(truncatingIfNeeded: select.integer(2)))
    return KnownReport(
      evidence: select.integer(0), crash: select.integer(1),
      isIncomplete: flags.contains(.incomplete))
  }

  /// Takes a report back, and the crash with it when nothing else tells of it.
  private func remove(_ known: KnownReport) throws(SQLiteError) {
    let (evidence, crash) = (known.evidence, known.crash)
    try connection.execute(
      """
      DELETE FROM crash_evidence WHERE id = \(evidence);
      DELETE FROM evidence_report WHERE evidence = \(evidence);
      """)
    let rest = try connection.integer(
      "SELECT count(*) FROM crash_evidence WHERE crash = \(crash)")
    if rest != 0 {
      try connection.execute("UPDATE crash SET rank = 0 WHERE id = \(crash)")
      return
    }
    if let record = try connection.integer("SELECT record FROM crash WHERE id = \(crash)") {
      try Rollup.remove(record: record, connection)
      try connection.execute("DELETE FROM record WHERE id = \(record)")
    }
    try connection.execute(
      """
      DELETE FROM crash_report WHERE crash = \(crash);
      DELETE FROM run WHERE crash = \(crash) AND start IS NULL;
      DELETE FROM crash WHERE id = \(crash);
      """)
  }

  // MARK: The record that stands for a crash

  private func addRecord(
    of evidence: CrashEvidence, crash: Int64
  ) throws(SQLiteError) {
    let report = evidence.report
    let words = try CrashSummary.text(of: crash, connection)
    let arena = ByteArena(capacity: 4096)
    var record = LogRecord()
    record.generation = evidence.generation
    record.observedTime = Timestamp(nanoseconds: evidence.observed)
    record.time = Timestamp(nanoseconds: evidence.time)
    record.timeQuality = report.time == nil ? .observed : .zoned
    record.severity = .fatal
    record.byteOffset = evidence.byteOffset
    record.byteLength = report.byteRange.map { Int64($0.count) } ?? evidence.size
    record.pid = report.pid ?? -1
    record.body = arena.copy(words.body)
    record.process = arena.copy(report.process ?? "")
    record.attributes = AttributeList(text: arena.copy(words.attributes))
    // The report itself is the original; it is kept with the crash.
    var key = RowKeys(id: nextRecordID, crash: crash)
    key.context = try contexts.row(
      of: RecordContext(record, flags: ContextFinder.packedFlags(record)), arena, connection)
    try observations.note(record.observedTime, of: key.id)
    try inserter.store([record], [key], arena, replacing: false)
    rollup.add(
      time: evidence.time, source: try source(of: evidence.generation),
      severity: record.severity.number)
    try connection.execute("UPDATE crash SET record = \(nextRecordID) WHERE id = \(crash)")
    nextRecordID += 1
  }
}

/// What the record of a crash says.
enum CrashSummary {
  /// The crash in one line, and what its record says beside that: a JSON object without braces.
  static func text(
    of crash: Int64, _ connection: Connection
  ) throws(SQLiteError) -> (body: String, attributes: String) {
    let row = try connection.prepare(
      """
      SELECT kind, signal, exception_type, reason, top_frame, report_id, version, thread_name
      FROM crash WHERE id = ?
      """)
    row.bind(1, crash)
    guard try row.step() else { return ("crash", "") }
    var text = row.text(0) == CrashKind.hang.rawValue ? "hang" : "crash"
    let reason = row.optionalText(3) ?? ""
    // "Fatal error: Fatal error: …" says it twice.
    let type = row.optionalText(2).flatMap { reason.hasPrefix($0) ? nil : $0 }
    let what = [row.optionalText(1), type].compactMap { $0 }
    if !what.isEmpty { text += " " + what.joined(separator: " ") }
    if !reason.isEmpty { text += ": " + reason }
    if let frame = row.optionalText(4) { text += " at " + frame }
    var members: [String] = ["\"event.name\":\"app.crash\""]
    func add(_ key: String, _ value: String?) {
      if let value { members.append("\(JSONText.quoted(key)):\(JSONText.quoted(value))") }
    }
    add("exception.type", row.optionalText(2) ?? row.optionalText(1))
    add("exception.message", row.optionalText(3))
    add("app.crash.id", row.optionalText(5))
    add("service.version", row.optionalText(6))
    add("thread.name", row.optionalText(7))
    return (text, members.joined(separator: ","))
  }

  /// Writes what is known by now into the record that stands for a crash, if there is one.
  static func refresh(_ crash: Int64, _ connection: Connection) throws(SQLiteError) {
    guard let record = try connection.integer("SELECT record FROM crash WHERE id = \(crash)")
    else { return }
    let words = try text(of: crash, connection)
    let update = try connection.prepare(
      "UPDATE record SET body = ?, attributes = ? WHERE id = ?")
    update.bind(1, words.body)
    update.bind(2, "{" + words.attributes + "}")
    update.bind(3, record)
    try update.run()
  }
}

extension ByteArena {
  fileprivate func copy(_ text: String) -> ByteSlice {
    let start = count
    append(text)
    return ByteSlice(start: start, count: count - start)
  }
}
