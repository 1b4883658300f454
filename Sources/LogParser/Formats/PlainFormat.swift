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
    if StackTraceText.isTraceback(text.bytes, at: start) {
      // An exception that reached nobody, or that somebody printed: an error at any rate.
      record.severity = .error
      StackTraceText.annotate(&record, text.arena)
      return true
    }
    CompilerDiagnostic.annotate(text, from: 0, &record)
    return true
  }

  static let samples = [
    FormatSample("configuration reloaded", body: "configuration reloaded"),
    FormatSample("an error occurred\n  and more", body: "an error occurred\n  and more"),
    FormatSample(
      "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'x'",
      severity: 17,
      body:
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'x'",
      attributes: #"{"exception.type":"KeyError","exception.message":"'x'","#
        + #""exception.stacktrace":"Traceback (most recent call last):\n  File \"a.py\", line 1, "#
        + #"in <module>\nKeyError: 'x'"}"#),
  ]
}
