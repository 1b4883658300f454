// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogQuery
internal import SQLite

/// One crash of a store, to be shown.
struct CrashView {
  private let id: Int64
  private let store: QueryStore
  /// Nanoseconds before the crash whose records are shown.
  private let before: Int64
  private let time: Int64
  private let process: String?
  private let pid: Int64?
  /// Nanoseconds after it: those who wait for the dead process complain then.
  private static let after: Int64 = 5_000_000_000

  /// The crash with this id; `nil` when there is none.
  init?(id: Int64, store: QueryStore, before: Int64) throws {
    var found: (time: Int64, process: String?, pid: Int64?)?
    try store.forEach("SELECT time_unix_nano, process, pid FROM crashes WHERE id = \(id)") {
      found = ($0.integer(0), $0.optionalText(1), $0.optionalInteger(2))
    }
    guard let found else { return nil }
    self.id = id
    self.store = store
    self.before = before
    (time, process, pid) = found
  }

  /// The report's bytes as they were.
  func report() throws -> [UInt8] {
    var content: [UInt8]?
    try store.forEach("SELECT content FROM crash_report WHERE crash = \(id)") {
      content = $0.blob(0)
    }
    guard let content else {
      throw CommandError(
        .nothingFound,
        "crash \(id): its report is not in this store: only records tell of it, or it is neither "
          + "among the first nor the last 5 of its kind, or the store is that of a bundle")
    }
    do throws(CompressionError) {
      return try Zlib.inflate(content, limit: 1 << 30)
    } catch {
      throw CommandError(.dataError, "crash \(id): its report cannot be read: \(error)")
    }
  }

  /// The crash as a text in Apple's layout.
  func appleText() throws -> String {
    // Without the report's bytes only its images are missing.
    let bytes = (try? report()) ?? []
    return try AppleCrashText(id: id, store: store, report: bytes)?.text ?? ""
  }

  // MARK: Text

  func writeText(_ call: Invocation) throws {
    call.output.append(try CrashList.entry(of: id, from: store) + "\n")
    try store.forEach("SELECT * FROM crashes WHERE id = \(id)") { row in
      for index in 0..<row.columnCount where !row.isNull(index) {
        let name = row.columnName(index)
        if Self.hidden.contains(name) { continue }
        if name == "acknowledged", row.integer(index) == 0 { continue }
        let value =
          name == "fault_address"
          ? CrashList.hexadecimal(row.integer(index))
          : SafeText.escaped(row.text(index), keepsNewlines: true)
        let label = name.replacing("_", with: " ").padded(to: 20)
        let indent = "\n" + String(repeating: " ", count: 20)
        call.output.append(label + value.replacing("\n", with: indent) + "\n")
      }
    }
    try writeFrames(call)
    try writeEvidence(call)
    try writeRecords(call)
  }

  /// All that tells of the crash, when it is more than the report above.
  private func writeEvidence(_ call: Invocation) throws {
    var lines: [String] = []
    try store.forEach(
      "SELECT format, path, note FROM crash_evidences WHERE crash_id = \(id) ORDER BY time, id"
    ) { row in
      let note = row.optionalText(2).map { ": " + SafeText.escaped($0) } ?? ""
      lines.append("  \(row.text(0).padded(to: 20))  \(SafeText.escaped(row.text(1)))\(note)\n")
    }
    guard lines.count > 1 else { return }
    call.output.append("\nEvidence:\n" + lines.joined())
  }

  private static let hidden: Set<String> = [
    "frames", "time_unix_nano", "observed_time_unix_nano", "time_from_report", "report_flags",
    "file_generation", "byte_offset", "top_frame", "evidence",
  ]

  private func writeFrames(_ call: Invocation) throws {
    let sql = """
      SELECT json_extract(f.value, '$.image'), json_extract(f.value, '$.symbol'),
        json_extract(f.value, '$.offset'), json_extract(f.value, '$.file'),
        json_extract(f.value, '$.line'), json_extract(f.value, '$.address')
      FROM crash c, json_each(CASE WHEN json_valid(c.frames) THEN c.frames ELSE '[]' END) f
      WHERE c.id = \(id)
      """
    var number = 0
    try store.forEach(sql) { row in
      if number == 0 { call.output.append("\nStack, innermost first:\n") }
      var line = String(number).leftPadded(to: 4) + "  "
      let symbol = row.optionalText(1).map(SymbolName.readable) ?? row.optionalText(5) ?? "?"
      line += SafeText.escaped(symbol)
      if let offset = row.optionalInteger(2), offset > 0 { line += " + \(offset)" }
      if let image = row.optionalText(0) { line += " in " + SafeText.escaped(image) }
      if let file = row.optionalText(3), !file.hasSuffix("<compiler-generated>") {
        line += " at " + SafeText.escaped(file)
        if let number = row.optionalInteger(4), number > 0 { line += ":\(number)" }
      }
      call.output.append(line + "\n")
      number += 1
    }
  }

  /// The log files in which the process itself left evidence: their lines are its own, also where
  /// they name no process.
  private func ownFiles() throws -> Set<Int64> {
    var files: Set<Int64> = []
    try store.forEach(
      "SELECT file_generation FROM crash_evidences WHERE crash_id = \(id) AND format = 'log'"
    ) { files.insert($0.integer(0)) }
    return files
  }

  private func writeRecords(_ call: Invocation) throws {
    let files = try ownFiles()
    var printer = RecordPrinter(form: .short, usesColor: call.usesColor, zone: nil)
    var isFirst = true
    try store.forEach(recordsSQL(printer.columns + ", file_generation"), limits: call.limits) {
      row in
      if isFirst { call.output.append("\nRecords around it:\n") }
      isFirst = false
      let isOwn = pid != nil && row.optionalInteger(6) == pid
      let isNamed = pid == nil && process != nil && row.optionalText(5) == process
      let isInOwnFile =
        row.isNull(6) && (row.isNull(5) || row.optionalText(5) == process)
        && files.contains(row.integer(row.columnCount - 1))
      printer.write(row, mark: isOwn || isNamed || isInOwnFile ? "> " : "  ", to: call.output)
      try call.output.endOfRow()
    }
    if isFirst { call.output.append("\nNo records around it.\n") }
  }

  private func recordsSQL(_ columns: String) -> String {
    """
    SELECT \(columns) FROM logs
    WHERE time_unix_nano BETWEEN \(time &- before) AND \(time &+ Self.after)
    ORDER BY \(RecordJSON.order)
    """
  }

  // MARK: JSON

  /// One object: the crash's columns, and the records around it under `records`.
  func writeJSON(_ call: Invocation) throws {
    try store.forEach("SELECT * FROM crashes WHERE id = \(id)") { row in
      var object: [UInt8] = []
      RecordJSON(row).append(row, to: &object)
      call.output.append(contentsOf: object.dropLast())
    }
    call.output.append(",\"records\":[")
    var isFirst = true
    var encoder: RecordJSON?
    try store.forEach(recordsSQL(RecordJSON.columns), limits: call.limits) { row in
      if !isFirst { call.output.append(UInt8(ascii: ",")) }
      isFirst = false
      if encoder == nil { encoder = RecordJSON(row) }
      call.output.edit { encoder?.append(row, to: &$0) }
      try call.output.endOfRow()
    }
    call.output.append("]}\n")
  }
}

extension String {
  /// With blanks before it, up to `width` characters.
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
