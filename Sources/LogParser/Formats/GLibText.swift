// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// GLib's messages on standard error: `(program:pid): Domain-LEVEL **: text`, without a program's name
/// `** LEVEL **: text`, and without the stars for what is no warning.
enum GLibText {
  struct Found {
    var severity: Severity
    var level: Range<Int>
    /// Empty where the message has none.
    var domain: Range<Int>
    var bodyStart: Int
  }

  static func find(_ line: Line) -> Found? {
    var start = 0
    if line.has("** ", at: 0) { start = 3 }
    if line.at(start) == UInt8(ascii: "(") {
      guard let end = programEnd(line, start) else { return nil }
      start = end
    } else if start == 0, !line.at(0).isUpper {
      return nil
    }
    var level = start
    var end = start
    while line.at(end).isWord || line.at(end) == Byte.dash || line.at(end) == Byte.dot {
      if line[end] == Byte.dash { level = end + 1 }
      end += 1
    }
    let hasStars = line.has(" **: ", at: end)
    guard end > level, hasStars || start > 0 && line.has(": ", at: end),
      let severity = severity(line.slice(level, end))
    else { return nil }
    return Found(
      severity: severity, level: level..<end, domain: start..<max(start, level - 1),
      bodyStart: end + (hasStars ? 5 : 2))
  }

  /// Takes the program and its number.
  static func readProgram(_ text: Text, _ record: inout LogRecord) {
    let start = text.bytes.has("** ", at: 0) ? 3 : 0
    guard text.bytes.at(start) == UInt8(ascii: "("), let end = programEnd(text.bytes, start) else {
      return
    }
    var colon = end - 4
    while text.bytes[colon].isDigit { colon -= 1 }
    record.process = text.slice(start + 1, colon)
    record.pid = text.bytes.decimal(colon + 1, end - 3) ?? -1
  }

  /// The index behind `(program:pid): `.
  private static func programEnd(_ line: Line, _ start: Int) -> Int? {
    guard let close = line.slice(0, min(line.count, start + 80)).index(of: "): ", from: start)
    else {
      return nil
    }
    var colon = close - 1
    while colon > start, line[colon].isDigit { colon -= 1 }
    return colon > start + 1 && colon < close - 1 && line[colon] == Byte.colon ? close + 3 : nil
  }

  /// As GLib hands its levels to the journal; its errors end the program.
  private static func severity(_ word: Line) -> Severity? {
    if word.isEqual("ERROR") { return .fatal }
    if word.isEqual("CRITICAL") || word.isEqual("WARNING") { return .warn }
    if word.isEqual("Message") { return .notice }
    return word.isEqual("INFO") ? .info : word.isEqual("DEBUG") ? .debug : nil
  }
}
