// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Vapor's console logger: `[ label ] [ LEVEL ] text [key: value, …] (Module/File.swift:line)`. The
/// label and the place are printed at debug and trace level only; metadata and place end the last
/// line of a message.
enum VaporFormat: LogFormat {
  static let info = FormatInfo(
    name: "vapor", family: "swift", summary: "Vapor's console logger (ConsoleKit)",
    example: "[ INFO ] GET /todos [request-id: 0B7F4B1E-53E1-4B54-A7E5-6E6D3D8C1B1A]")

  private struct Header {
    var labelEnd = 0
    var levelStart = 0
    var levelEnd = 0
    var severity = Severity.unspecified
    var bodyStart = 0
  }

  private static func read(_ line: Line, _ header: inout Header) -> Bool {
    guard line.at(0) == Byte.openBracket, line.at(1) == Byte.space else { return false }
    if level(line, 0, &header) { return true }
    guard let close = line.index(of: " ] [ ", from: 2), close < line.firstLineEnd else {
      return false
    }
    header.labelEnd = close
    return level(line, close + 3, &header)
  }

  private static func level(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    var end = start + 2
    while line.at(end).isUpper { end += 1 }
    guard line.has("[ ", at: start), line.has(" ]", at: end),
      let severity = LevelWords.severity(of: line.slice(start + 2, end))
    else { return false }
    (header.levelStart, header.levelEnd, header.severity) = (start + 2, end, severity)
    header.bodyStart = line.afterBlank(end + 2)
    return true
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var header = Header()
    guard read(text.bytes, &header) else { return false }
    clock.inherit(&record)
    record.severity = header.severity
    record.severityText = text.slice(header.levelStart, header.levelEnd)
    if header.labelEnd > 0 { record.scope = text.slice(2, header.labelEnd) }
    var writer = JSONWriter(text)
    var end = readPlace(text, header.bodyStart, &writer)
    end = readMetadata(text, header.bodyStart, end, &writer)
    record.attributes = writer.finish(text)
    text.setBody(header.bodyStart, end, of: &record)
    return true
  }

  /// ` (Module/File.swift:line)` at the end; the index before it.
  private static func readPlace(_ text: Text, _ start: Int, _ writer: inout JSONWriter) -> Int {
    let line = text.bytes
    guard line.count > start + 10, line[line.count - 1] == UInt8(ascii: ")") else {
      return line.count
    }
    var colon = line.count - 2
    while colon > start, line[colon].isDigit { colon -= 1 }
    guard line[colon] == Byte.colon, line.has(".swift", at: colon - 6),
      let number = line.decimal(colon + 1, line.count - 1)
    else { return line.count }
    var open = colon
    while open > start, line[open] != UInt8(ascii: "(") { open -= 1 }
    guard open > start, line[open - 1] == Byte.space else { return line.count }
    writer.member("code.file.path", text: text.slice(open + 1, colon))
    writer.member("code.line.number", number: number)
    return open - 1
  }

  /// The last balanced ` [key: value, …]` before `end`; the index before it.
  private static func readMetadata(
    _ text: Text, _ start: Int, _ end: Int, _ writer: inout JSONWriter
  ) -> Int {
    let line = text.bytes
    guard end > start + 4, line[end - 1] == Byte.closeBracket else { return end }
    var depth = 0
    var open = end - 1
    while open >= start {
      if line[open] == Byte.closeBracket { depth += 1 }
      if line[open] == Byte.openBracket {
        depth -= 1
        if depth == 0 { break }
      }
      open -= 1
    }
    guard open >= start, let first = keyEnd(line, open + 1, end - 1) else { return end }
    var key = open + 1
    var colon = first
    while true {
      let next = pairEnd(line, colon + 2, end - 1)
      writer.member(key: text.slice(key, colon), text: text.slice(colon + 2, next))
      guard next < end - 1, let following = keyEnd(line, next + 2, end - 1) else { break }
      key = next + 2
      colon = following
    }
    return open > start && line[open - 1] == Byte.space ? open - 1 : open
  }

  /// The colon behind the key at `start`.
  private static func keyEnd(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    var index = start
    while index < end, line[index].isName { index += 1 }
    return index > start && line.has(": ", at: index) ? index : nil
  }

  /// The comma before the next key, or `end`.
  private static func pairEnd(_ line: Line, _ start: Int, _ end: Int) -> Int {
    var depth = 0
    var index = start
    while index < end {
      if line[index] == Byte.openBracket { depth += 1 }
      if line[index] == Byte.closeBracket { depth -= 1 }
      if depth == 0, line.has(", ", at: index), keyEnd(line, index + 2, end) != nil { return index }
      index += 1
    }
    return end
  }

  static let samples = [
    FormatSample(
      "[ ERROR ] Abort.500: Error\nServer: reset (errno: 104) [hosts: [a, b], request-id: R1]",
      severity: 17, severityText: "ERROR",
      body: "Abort.500: Error\nServer: reset (errno: 104)",
      attributes: #"{"hosts":"[a, b]","request-id":"R1"}"#),
    FormatSample(
      "[ codes.vapor.application ] [ DEBUG ] SELECT * [] [db: psql] (App/vap.swift:14)",
      severity: 5, severityText: "DEBUG", scope: "codes.vapor.application", body: "SELECT * []",
      attributes: #"{"code.file.path":"App/vap.swift","code.line.number":14,"db":"psql"}"#),
    FormatSample("[ NOTICE ] a [x]", severity: 10, severityText: "NOTICE", body: "a [x]"),
  ]
}
