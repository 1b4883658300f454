// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// Writes records as a person reads them.
struct RecordPrinter {
  enum Form: String, CaseIterable {
    /// One line: time, severity, source, process, body.
    case short
    /// Every field on a line of its own.
    case full
    /// An object a line.
    case json
    /// The body alone.
    case cat
  }

  let form: Form
  let usesColor: Bool
  /// The zone of the times; `nil` for UTC.
  let zone: LocalZone?

  /// What to select from `logs`; `full` and `short` read these by number.
  var columns: String { form == .json ? RecordJSON.columns : Self.columns }

  static let columns = """
    id, time_unix_nano, severity, severity_number, source, process, pid, body, \
    exception_stacktrace, observed_time_unix_nano, time_quality, severity_text, thread_id, \
    scope_name, log_file_path, file_generation, byte_offset, byte_length, line_break, crash_id, \
    attributes
    """

  /// Writes one record.
  ///
  /// - Parameters:
  ///   - row: of a statement that selects `columns`.
  ///   - mark: stands before the first line.
  ///   - writer: where it goes.
  func write(_ row: borrowing Statement, mark: String = "", to writer: ByteWriter) {
    switch form {
    case .short: writeShort(row, mark, writer)
    case .full: writeFull(row, writer)
    case .cat: writer.append(SafeText.escaped(row.text(7), keepsNewlines: true) + "\n")
    case .json:
      writer.edit { RecordJSON.append(row, to: &$0) }
      writer.append("\n")
    }
  }

  private func writeShort(_ row: borrowing Statement, _ mark: String, _ writer: ByteWriter) {
    let number = row.integer(3)
    var line = mark + time(Timestamp(nanoseconds: row.integer(1))) + " "
    line += paint(row.text(2).uppercased().padded(to: 5), number) + " "
    line += SafeText.escaped(row.text(4))
    let process = SafeText.escaped(row.text(5))
    if !process.isEmpty, process != row.text(4) { line += " " + process }
    if !row.isNull(6) { line += "[\(row.integer(6))]" }
    var body = row.text(7)
    let trace = row.text(8)
    if !trace.isEmpty, !body.contains(trace) { body += "\n" + trace }
    writer.append(line + ": " + paint(Self.indented(body), number) + "\n")
  }

  /// The text with its further lines under each other, behind four blanks.
  private static func indented(_ text: String) -> String {
    // Carriage returns before line ends are the file's business, not the reader's.
    let lines = text.replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    return lines.map { SafeText.escaped(String($0)) }.joined(separator: "\n    ")
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

  /// RFC 3339 with milliseconds, all of one width.
  private func time(_ moment: Timestamp) -> String {
    guard let zone else { return Self.text(CivilTime(utc: moment)) + "Z" }
    let civil = zone.civil(moment)
    let minutes = (civil.secondsSince1970 - CivilTime(utc: moment).secondsSince1970) / 60
    let size = abs(minutes)
    let sign = minutes < 0 ? "-" : "+"
    return Self.text(civil) + sign + Self.digits(Int(size / 60), 2) + ":"
      + Self.digits(Int(size % 60), 2)
  }

  private static func text(_ civil: CivilTime) -> String {
    let date = "\(digits(civil.year, 4))-\(digits(civil.month, 2))-\(digits(civil.day, 2))"
    let clock = "\(digits(civil.hour, 2)):\(digits(civil.minute, 2)):\(digits(civil.second, 2))"
    return "\(date)T\(clock).\(digits(civil.nanosecond / 1_000_000, 3))"
  }

  private static func digits(_ value: Int, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  private func paint(_ text: String, _ severity: Int64) -> String {
    guard usesColor else { return text }
    let code =
      switch severity {
      case 21...: "1;31"
      case 17...: "31"
      case 13...: "33"
      case 1...8: "2"
      default: ""
      }
    return code.isEmpty ? text : "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }
}

extension String {
  /// With blanks behind it, up to `width` characters.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
