// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// Writes records as a person reads them.
struct RecordPrinter {
  enum Form: String, CaseIterable {
    /// One line: time, severity, source, process, body.
    case short
    /// What was logged, a field a line.
    case full
    /// An object a line.
    case json
    /// The body alone.
    case cat
    /// Every field, also those that prove where the record came from.
    case verbose
  }

  let form: Form
  let usesColor: Bool
  /// The zone of the times; `nil` for UTC.
  let zone: LocalZone?
  /// Made for the first row.
  private var encoder: RecordJSON?
  /// What short lines go to on a terminal.
  private var terminal: TerminalPrinter?

  /// - Parameters:
  ///   - form: how a record looks.
  ///   - usesColor: whether colours may be used.
  ///   - zone: of the times; `nil` for UTC.
  ///   - width: columns of the terminal, for aligned and wrapped lines; `nil` for plain ones.
  init(form: Form, usesColor: Bool, zone: LocalZone?, width: Int? = nil) {
    if let width, form == .short {
      terminal = TerminalPrinter(width: width, usesColor: usesColor, zone: zone)
    }
    self.form = form
    self.usesColor = usesColor
    self.zone = zone
  }

  /// What to select from `logs` for `write`.
  var columns: String {
    switch form {
    case .json: RecordJSON.columns
    case .full: Self.shortColumns + ", " + Self.furtherColumns
    case .verbose:
      Self.shortColumns + ", " + Self.furtherColumns + ", " + Self.provenanceColumns
    case .short, .cat: Self.shortColumns
    }
  }

  private static let shortColumns = """
    id, time_unix_nano, severity, severity_number, source, process, pid, body, exception_stacktrace
    """
  private static let furtherColumns = """
    time_quality, severity_text, thread_id, thread_name, scope_name, code_file_path, \
    code_line_number, code_function_name, log_file_path, crash_id, attributes
    """
  private static let provenanceColumns = """
    observed_time_unix_nano, utc_offset_minutes, file_generation, byte_offset, byte_length, \
    line_break, record_flags, original
    """

  /// Writes one record.
  ///
  /// - Parameters:
  ///   - row: of a statement that selects `columns`.
  ///   - mark: stands before the first line.
  ///   - writer: where it goes.
  mutating func write(_ row: borrowing Statement, mark: String = "", to writer: ByteWriter) {
    switch form {
    case .short: writeShort(row, mark, writer)
    case .full, .verbose: writeFull(row, writer)
    case .cat: writer.append(SafeText.escaped(row.text(7), keepsNewlines: true) + "\n")
    case .json:
      if encoder == nil { encoder = RecordJSON(row) }
      writer.edit { encoder?.append(row, to: &$0) }
      writer.append("\n")
    }
  }

  /// Writes what still waits for its place.
  mutating func flush(to writer: ByteWriter) { terminal?.flush(to: writer) }

  private mutating func writeShort(
    _ row: borrowing Statement, _ mark: String, _ writer: ByteWriter
  ) {
    if terminal != nil {
      terminal?.write(Self.terminalRecord(row), to: writer)
      return
    }
    let color = usesColor ? Self.color(row.integer(3)) : ""
    writer.append(mark)
    writer.edit { appendTime(Timestamp(nanoseconds: row.integer(1)), to: &$0) }
    writer.append(" " + paint(row.text(2).uppercased().padded(to: 5), color) + " ")
    writer.append(Self.name(of: row) + ": ")
    if color.isEmpty, row.isNull(8), row.withText(7, SafeText.isPlain) {
      row.withText(7) { body in writer.edit { $0.append(contentsOf: body) } }
    } else {
      writer.append(paint(Self.indented(Self.text(of: row)), color))
    }
    writer.append("\n")
  }

  private static func terminalRecord(_ row: borrowing Statement) -> TerminalPrinter.Record {
    TerminalPrinter.Record(
      time: Timestamp(nanoseconds: row.integer(1)), severity: row.text(2).uppercased(),
      severityColor: color(row.integer(3)), name: name(of: row),
      text: lines(of: text(of: row)).joined(separator: "\n"))
  }

  /// The source, the process where it is called otherwise, and its number.
  private static func name(of row: borrowing Statement) -> String {
    let source = row.text(4)
    var name = SafeText.escaped(source)
    let process = row.text(5)
    if !process.isEmpty, process != source { name += " " + SafeText.escaped(process) }
    if !row.isNull(6) { name += "[\(row.integer(6))]" }
    return name
  }

  /// The body, and the stack of an exception where it is not part of it.
  private static func text(of row: borrowing Statement) -> String {
    let body = row.text(7)
    let trace = row.text(8)
    return trace.isEmpty || body.contains(trace) ? body : body + "\n" + trace
  }

  /// The text with its further lines under each other, behind four blanks.
  private static func indented(_ text: String) -> String {
    lines(of: text).joined(separator: "\n    ")
  }

  private static func lines(of text: String) -> [String] {
    // Carriage returns before line ends are the file's business, not the reader's.
    text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
      .map { SafeText.escaped(String($0).replacing("\t", with: "    ")) }
  }

  private func writeFull(_ row: borrowing Statement, _ writer: ByteWriter) {
    let moment = Timestamp(nanoseconds: row.integer(1))
    writer.append("\(zone == nil ? moment.description : time(moment)) (record \(row.integer(0)))\n")
    for index in 2..<row.columnCount where !row.isNull(index) {
      let name = row.columnName(index)
      if name == "observed_time_unix_nano" {
        writer.append("    observed_time = \(Timestamp(nanoseconds: row.integer(index)))\n")
      } else {
        let text = SafeText.escaped(row.text(index), keepsNewlines: true)
        let value = text.replacing("\n", with: "\n        ")
        writer.append("    \(name) = \(value)\n")
      }
    }
  }

  private func time(_ moment: Timestamp) -> String {
    var bytes: [UInt8] = []
    appendTime(moment, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// RFC 3339 with milliseconds, all of one width.
  private func appendTime(_ moment: Timestamp, to bytes: inout [UInt8]) {
    let utc = CivilTime(utc: moment)
    guard let zone else {
      Self.append(utc, to: &bytes)
      return bytes.append(UInt8(ascii: "Z"))
    }
    let civil = zone.civil(moment)
    Self.append(civil, to: &bytes)
    let minutes = Int(civil.secondsSince1970 - utc.secondsSince1970) / 60
    bytes.append(UInt8(ascii: minutes < 0 ? "-" : "+"))
    Self.append(abs(minutes) / 60, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    Self.append(abs(minutes) % 60, 2, to: &bytes)
  }

  private static func append(_ civil: CivilTime, to bytes: inout [UInt8]) {
    append(civil.year, 4, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(civil.month, 2, to: &bytes)
    bytes.append(UInt8(ascii: "-"))
    append(civil.day, 2, to: &bytes)
    bytes.append(UInt8(ascii: "T"))
    append(civil.hour, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(civil.minute, 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(civil.second, 2, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    append(civil.nanosecond / 1_000_000, 3, to: &bytes)
  }

  private static func append(_ value: Int, _ width: Int, to bytes: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / divisor % 10))
      divisor /= 10
    }
  }

  private func paint(_ text: String, _ color: String) -> String {
    color.isEmpty ? text : "\u{1b}[\(color)m\(text)\u{1b}[0m"
  }

  private static func color(_ severity: Int64) -> String {
    switch severity {
    case 21...: "1;31"
    case 17...: "31"
    case 13...: "33"
    case 1...8: "2"
    default: ""
    }
  }
}

extension String {
  /// With blanks behind it, up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
