// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Text without a format that we know: each line is a record, unless it is indented or belongs to
/// a stack trace. Nothing is lost, nothing is guessed.
enum PlainFormat: LogFormat {
  static let info = FormatInfo(
    name: "plain", family: "generic", summary: "any text: one record a line",
    example: "configuration reloaded")

  /// Whether the line begins a record when it follows another one.
  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    guard line.count > 0 else { return false }
    return !line[0].isBlank && !line.has("Caused by: ", at: 0)
  }

  static func isDistinct(_ line: Line) -> Bool { false }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    clock.inherit(&record)
    let start = Bom.length(text.bytes)
    text.setBody(start, text.count, of: &record)
    diagnose(text, &record)
    return true
  }

  /// `file:line:column: error: text` of compilers.
  private static func diagnose(_ text: Text, _ record: inout LogRecord) {
    let line = text.bytes
    guard let colon = line.index(of: Byte.colon, from: 1), line.at(colon + 1).isDigit else {
      return
    }
    let lineEnd = line.skipDigits(colon + 1)
    let columnEnd = line.skipDigits(lineEnd + 1)
    guard line.at(lineEnd) == Byte.colon, columnEnd > lineEnd + 1, line.has(": ", at: columnEnd),
      !line[0].isDigit
    else { return }
    let word = columnEnd + 2
    let severity: Severity
    var end = word + 5
    if line.has("error: ", at: word) {
      severity = .error
    } else if line.has("warning: ", at: word) {
      (severity, end) = (.warn, word + 7)
    } else if line.has("fatal error: ", at: word) {
      (severity, end) = (.fatal, word + 11)
    } else if line.has("note: ", at: word) {
      (severity, end) = (.info, word + 4)
    } else {
      return
    }
    record.severity = severity
    record.severityText = text.slice(word, end)
    var writer = JSONWriter(text)
    writer.member("code.file.path", text: text.slice(0, colon))
    if let number = line.decimal(colon + 1, lineEnd) {
      writer.member("code.line.number", number: number)
    }
    record.attributes = writer.finish(text)
  }

  static let samples = [
    FormatSample("configuration reloaded", body: "configuration reloaded"),
    FormatSample("an error occurred\n  and more", body: "an error occurred\n  and more"),
    FormatSample(
      "Sources/Shop/Cart.swift:3:5: error: cannot find 'x' in scope", severity: 17,
      severityText: "error", body: "Sources/Shop/Cart.swift:3:5: error: cannot find 'x' in scope",
      attributes: #"{"code.file.path":"Sources/Shop/Cart.swift","code.line.number":3}"#),
  ]
}
