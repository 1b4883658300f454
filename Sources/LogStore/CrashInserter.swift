// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Inserts crashes: a row with what is known, and the report's bytes as they were.
enum CrashInserter {
  /// Returns the new row's id; `nil` when this report is stored already: one with this content, or
  /// with the same id in the same form. One that was incomplete gives way to one that is not.
  static func insert(
    _ collected: CollectedReport, _ connection: Connection
  ) throws(SQLiteError) -> Int64? {
    if let known = try row(sameAs: collected.report, connection) {
      let isBetter = known.isIncomplete && !collected.report.flags.contains(.incomplete)
      guard isBetter else { return nil }
      try remove(known.id, connection)
    }
    let statement = try connection.prepare(
      """
      INSERT OR IGNORE INTO crash
        (file, byte_offset, time, time_from_report, observed_time, process, pid, executable_path,
         bundle_identifier, version, build, os_name, os_version, device, architecture, kind,
         signal, signal_code, fault_address, exception_type, reason, thread, thread_name,
         fingerprint, top_frame, frames, flags, note, format, report_id, path, size, sha256)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
        ?, ?, ?, ?, ?)
      """)
    bindOrigin(collected, statement)
    bindFacts(collected.report, statement)
    statement.bind(31, collected.path)
    statement.bind(32, collected.size)
    statement.bind(33, collected.sha256)
    try statement.run()
    guard connection.changes == 1 else { return nil }
    let id = try connection.integer("SELECT last_insert_rowid()") ?? 0
    let content = try connection.prepare("INSERT INTO crash_report VALUES (?, ?)")
    content.bind(1, id)
    content.bind(2, blob: collected.content)
    try content.run()
    return id
  }

  private static func row(
    sameAs report: CrashReport, _ connection: Connection
  ) throws(SQLiteError) -> (id: Int64, isIncomplete: Bool)? {
    guard let id = report.reportID, !id.isEmpty else { return nil }
    let select = try connection.prepare(
      "SELECT id, flags FROM crash WHERE report_id = ? AND format = ?")
    select.bind(1, id)
    select.bind(2, report.format)
    guard try select.step() else { return nil }
    let flags = CrashReportFlags(rawValue: UInt32(truncatingIfNeeded: select.integer(1)))
    return (select.integer(0), flags.contains(.incomplete))
  }

  private static func remove(_ crash: Int64, _ connection: Connection) throws(SQLiteError) {
    // Its record is among the severe ones, for which there is an index.
    try connection.execute(
      """
      DELETE FROM crash WHERE id = \(crash);
      DELETE FROM crash_report WHERE crash = \(crash);
      DELETE FROM record WHERE crash = \(crash) AND severity >= 17;
      """)
  }

  private static func bindOrigin(_ collected: CollectedReport, _ statement: borrowing Statement) {
    let report = collected.report
    statement.bind(1, Int64(collected.generation))
    statement.bind(2, Int64(report.byteRange?.lowerBound ?? 0))
    statement.bind(3, (report.time ?? collected.modified).nanoseconds)
    statement.bind(4, report.time == nil ? 0 : 1)
    statement.bind(5, collected.observed.nanoseconds)
  }

  private static func bindFacts(_ report: CrashReport, _ statement: borrowing Statement) {
    statement.bind(6, report.process)
    statement.bind(7, report.pid)
    statement.bind(8, report.executablePath)
    statement.bind(9, report.bundleIdentifier)
    statement.bind(10, report.version)
    statement.bind(11, report.build)
    statement.bind(12, report.osName)
    statement.bind(13, report.osVersion)
    statement.bind(14, report.device)
    statement.bind(15, report.architecture)
    statement.bind(16, report.kind.rawValue)
    statement.bind(17, report.signal)
    statement.bind(18, report.signalCode)
    statement.bind(19, report.faultAddress.map { Int64(bitPattern: $0) })
    statement.bind(20, report.exceptionType)
    statement.bind(21, report.reason)
    statement.bind(22, report.crashedThread.map(Int64.init))
    statement.bind(23, report.crashedThreadName)
    statement.bind(24, report.fingerprint)
    statement.bind(25, report.topFrame)
    statement.bind(26, frames(of: report))
    statement.bind(27, Int64(report.flags.rawValue))
    statement.bind(28, report.note)
    statement.bind(29, report.format)
    statement.bind(30, report.reportID)
  }

  /// The crash in one line, as the body of its record.
  static func summary(of report: CrashReport) -> String {
    var text = report.kind == .hang ? "hang" : "crash"
    let what = [report.signal, report.exceptionType].compactMap { $0 }
    if !what.isEmpty { text += " " + what.joined(separator: " ") }
    if let reason = report.reason, !reason.isEmpty { text += ": " + reason }
    if let frame = report.topFrame { text += " at " + frame }
    return text
  }

  /// What the record of a crash says beside its body: a JSON object without its braces.
  static func attributes(of report: CrashReport) -> String {
    var members: [String] = ["\"event.name\":\"app.crash\""]
    func add(_ key: String, _ value: String?) {
      if let value { members.append("\(JSONText.quoted(key)):\(JSONText.quoted(value))") }
    }
    add("exception.type", report.exceptionType ?? report.signal)
    add("exception.message", report.reason)
    add("app.crash.id", report.reportID)
    add("service.version", report.version)
    add("thread.name", report.crashedThreadName)
    return members.joined(separator: ",")
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
