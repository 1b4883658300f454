// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogParser
internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent explain ID`: where a record came from, and how each column came out of its bytes.
  static let explain: Command = {
    var command = Command("explain", "tell where a record came from, and why it is as it is") {
      try runExplain($0)
    }
    command.operands = "ID"
    command.operandCount = 1...1
    command.examples = [
      Example("logagent explain 4711", "File, bytes, format, and the rule behind each column")
    ]
    command.flags = [Invocation.databaseFlag]
    command.notes = ["ID is the column id of the view 'logs'; 'show -o json' prints it."]
    return command
  }()

  private static func runExplain(_ call: Invocation) throws -> ExitStatus {
    let text = call.arguments.operands[0]
    guard let id = Int64(text) else {
      throw CommandError.usage("explain: expected the id of a record, got '\(text)'")
    }
    let store = try call.openStore()
    guard let record = try ExplainedRecord(id: id, store.connection) else {
      throw CommandError(.nothingFound, "there is no record \(id), or not any more")
    }
    for (label, lines) in record.facts {
      for (index, line) in lines.enumerated() {
        let head = index == 0 ? label : ""
        call.output.append(
          head.padded(to: 12) + SafeText.escaped(line) + "\n")
      }
    }
    return .ok
  }
}

/// A record with what is known of its making.
private struct ExplainedRecord {
  /// Each label with its lines.
  private(set) var facts: [(label: String, lines: [String])] = []

  init?(id: Int64, _ connection: Connection) throws {
    let row = try connection.prepare(
      """
      SELECT l.time, l.time_quality, l.utc_offset_minutes, l.severity, l.severity_number,
        l.severity_text, l.process, l.pid, l.thread_id, l.scope_name, l.source, l.log_file_path,
        l.file_generation, l.byte_offset, l.byte_length, l.line_break, l.record_flags,
        l.crash_id, l.original, f.format, f.process, f.state, r.head, r.body, r.tail,
        r.original IS NOT NULL, l.attributes, f.inode
      FROM logs l JOIN record_text r ON r.id = l.id JOIN file f ON f.id = l.file_generation
      WHERE l.id = ?
      """)
    row.bind(1, id)
    guard try row.step() else { return nil }
    let flags = RecordFlags(rawValue: UInt32(truncatingIfNeeded: row.integer(16)))
    let start = row.integer(13)
    let length = row.integer(14)
    add("record", "\(id)" + (row.optionalInteger(17).map { ", stands for crash \($0)" } ?? ""))
    add(
      "file",
      "\(row.text(11)) (generation \(row.integer(12)), inode \(row.integer(27)), source "
        + "\(row.text(10)))",
      Self.state(row.text(11), inode: row.integer(27), start: start, length: length))
    add(
      "bytes",
      "\(start) to \(start + length) (\(length)), ended by \(row.text(15))")
    add(
      "format", row.text(19).isEmpty ? "none recognised" : row.text(19),
      "'logagent formats FILE' tells why")
    explainTime(row, flags)
    explainSeverity(row, flags)
    explainProcess(row)
    explainText(row, flags)
  }

  private mutating func add(_ label: String, _ lines: String?...) {
    facts.append((label, lines.compactMap(\.self)))
  }

  private static func state(
    _ path: String, inode: Int64, start: Int64, length: Int64
  ) -> String? {
    guard let status = try? FileStatus(path: path) else { return "not on disk any more" }
    guard Int64(bitPattern: status.inode) == inode else { return "its name is another file's now" }
    return path.hasSuffix(".gz") || status.size >= start + length
      ? nil : "on disk it is shorter by now"
  }

  private mutating func explainTime(_ row: borrowing Statement, _ flags: RecordFlags) {
    let how: String
    switch row.text(1) {
    case "zoned": how = "stated, with its zone"
    case "assumed_zone": how = "stated without a zone; that of the source or the host was taken"
    case "inferred_year": how = "stated without a date or year; inferred from order and file times"
    case "inherited": how = "not stated; the last time of its file was taken"
    default: how = "not stated, nor by any record before it: when it was read or written"
    }
    let offset = row.optionalInteger(2).map { "the text says \($0) minutes east of UTC" }
    add(
      "time", "\(row.text(0)): \(how)", offset,
      flags.contains(.timeAssumed) ? "a part of it was guessed" : nil,
      flags.contains(.timeSuspect) ? "it can't be right: long ago, or in the future" : nil,
      flags.contains(.zoneUnknown) ? "the zone that it names is unknown or ambiguous" : nil)
  }

  private mutating func explainSeverity(_ row: borrowing Statement, _ flags: RecordFlags) {
    guard let severity = row.optionalText(3) else {
      return add("severity", "none stated")
    }
    let word = row.optionalText(5).map { "the source's word is '\($0)'" }
    add(
      "severity", "\(severity) (\(row.integer(4)))", word,
      flags.contains(.severityDerived) ? "derived, as from an HTTP status" : nil,
      flags.contains(.lastWords) ? "the text tells of a process's death" : nil)
  }

  private mutating func explainProcess(_ row: borrowing Statement) {
    if let process = row.optionalText(6) {
      let isFromFile = process == row.text(20)
      add("process", process + (isFromFile ? ": by the file's name or first lines" : ""))
    }
    if let pid = row.optionalInteger(7) { add("pid", "\(pid)") }
    if let thread = row.optionalInteger(8) { add("thread", "\(thread)") }
    if let scope = row.optionalText(9) { add("scope", scope) }
  }

  private mutating func explainText(_ row: borrowing Statement, _ flags: RecordFlags) {
    if let head = row.optionalText(22) { add("before body", head) }
    add("body", row.text(23))
    if let tail = row.optionalText(24) { add("after body", tail) }
    if row.integer(25) != 0 { add("original", row.text(18)) }
    if let attributes = row.optionalText(26) { add("attributes", attributes) }
    let notes = [
      (RecordFlags.continued, "cut at limits.max_record_lines or max_record_bytes; it goes on"),
      (.continuation, "goes on from the record before, which was cut"),
      (.replaced, "bytes that were no UTF-8 became U+FFFD"),
      (.hole, "NUL bytes before it were passed over"),
      (.ansi, "colour sequences were taken out of the body"),
      (.utf16, "the file is UTF-16"),
    ]
    for (flag, note) in notes where flags.contains(flag) { add("note", note) }
    if row.text(15) == "length_limit" {
      add("note", "longer than limits.max_line_bytes: only its beginning is stored")
    }
  }
}
