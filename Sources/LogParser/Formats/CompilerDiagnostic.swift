// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// `file:line:column: error: text` of compilers, in text without levels of its own.
enum CompilerDiagnostic {
  /// Adds the severity and the place that the text names from `start` on.
  static func annotate(_ text: Text, from start: Int, _ record: inout LogRecord) {
    let line = text.bytes
    guard let colon = line.index(of: Byte.colon, from: start + 1), line.at(colon + 1).isDigit,
      !line[start].isDigit
    else { return }
    let lineEnd = line.skipDigits(colon + 1)
    let columnEnd = line.skipDigits(lineEnd + 1)
    guard line.at(lineEnd) == Byte.colon, columnEnd > lineEnd + 1, line.has(": ", at: columnEnd)
    else { return }
    let word = columnEnd + 2
    guard let (severity, end) = level(line, word) else { return }
    record.severity = severity
    record.severityText = text.slice(word, end)
    var writer = JSONWriter(text, after: record.attributes)
    writer.member("code.file.path", text: text.slice(start, colon))
    if let number = line.decimal(colon + 1, lineEnd) {
      writer.member("code.line.number", number: number)
    }
    record.attributes = writer.finish(text)
  }

  private static func level(_ line: Line, _ word: Int) -> (Severity, Int)? {
    if line.has("error: ", at: word) { return (.error, word + 5) }
    if line.has("warning: ", at: word) { return (.warn, word + 7) }
    if line.has("fatal error: ", at: word) { return (.fatal, word + 11) }
    return line.has("note: ", at: word) ? (.info, word + 4) : nil
  }
}
