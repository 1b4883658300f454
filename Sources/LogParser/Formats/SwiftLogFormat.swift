// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// swift-log's `StreamLogHandler`, of all versions: `TIME level[ label]:[ metadata] [source] text`.
///
/// Metadata values are not quoted, so a pair ends where the next ` name=` begins, and the metadata
/// end at the first ` [identifier] `. Versions before 1.5 print no source; what cannot be told from
/// the message then stays in it.
enum SwiftLogFormat: LogFormat {
  static let info = FormatInfo(
    name: "swift-log", family: "swift",
    summary: "swift-log StreamLogHandler, all versions",
    example:
      "2026-11-30T07:03:22+0100 info com.example.Shop: size=16 [Shop] pool warmed")

  /// Where the header's parts lie; indices into the line.
  private struct Header {
    var levelStart = 25
    var levelEnd = 0
    var severity = Severity.unspecified
    /// The index of the colon before which the label ends.
    var colon = 0
  }

  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return readHeader(line, &header)
  }

  /// `yyyy-MM-ddTHH:mm:ss±hhmm` and a blank: only the marks, as digits are read later anyway.
  @inline(__always)
  private static func readHeader(_ line: Line, _ header: inout Header) -> Bool {
    guard line.count > 30, line[10] == 0x54, line[24] == Byte.space,
      line[19] == Byte.plus || line[19] == Byte.dash,
      line[4] == Byte.dash, line[13] == Byte.colon, line[0].isDigit, line[23].isDigit
    else { return false }
    var end = 25
    while line.at(end) &- 97 < 26 { end &+= 1 }
    guard let severity = severity(line, 25, end) else { return false }
    header.levelEnd = end
    header.severity = severity
    if line.at(end) == Byte.colon {
      header.colon = end
      return isColonEnd(line, end)
    }
    guard line.at(end) == Byte.space else { return false }
    var colon = end
    while let found = line.index(of: Byte.colon, from: colon &+ 1) {
      if isColonEnd(line, found) {
        header.colon = found
        return true
      }
      colon = found
    }
    return false
  }

  @inline(__always)
  private static func isColonEnd(_ line: Line, _ colon: Int) -> Bool {
    colon &+ 1 == line.count || line[colon &+ 1] == Byte.space
      || line[colon &+ 1] == Byte.newline
  }

  @inline(__always)
  private static func severity(_ line: Line, _ start: Int, _ end: Int) -> Severity? {
    switch (line[start], end &- start) {
    case (UInt8(ascii: "i"), 4): line.has("info", at: start) ? .info : nil
    case (UInt8(ascii: "d"), 5): line.has("debug", at: start) ? .debug : nil
    case (UInt8(ascii: "n"), 6): line.has("notice", at: start) ? .notice : nil
    case (UInt8(ascii: "w"), 7): line.has("warning", at: start) ? .warn : nil
    case (UInt8(ascii: "e"), 5): line.has("error", at: start) ? .error : nil
    case (UInt8(ascii: "c"), 8): line.has("critical", at: start) ? .fatal : nil
    case (UInt8(ascii: "t"), 5): line.has("trace", at: start) ? .trace : nil
    default: nil
    }
  }

  /// Parses a record that begins with the header; false when it does not.
  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var header = Header()
    guard readHeader(line, &header) else { return false }
    // The label ends before the colon; versions before 1.6 put a blank between them.
    guard header.colon < line.firstLineEnd else { return false }
    var stamp = Stamp()
    guard clock.minute.iso(line, at: 0, into: &stamp) else { return false }
    if !clock.set(&stamp, from: line, of: &record) { clock.inherit(&record) }
    record.severity = header.severity
    record.severityText = text.slice(header.levelStart, header.levelEnd)
    var labelEnd = header.colon
    if labelEnd > header.levelEnd, line[labelEnd &- 1] == Byte.space { labelEnd &-= 1 }
    if labelEnd > header.levelEnd &+ 1 {
      record.scope = text.slice(header.levelEnd &+ 1, labelEnd)
    }
    let rest = min(header.colon &+ 2, line.count)
    let firstEquals = pairEnd(line, rest)
    guard let source = findSource(line, from: rest, hasPairs: firstEquals != nil) else {
      text.setBody(rest, line.count, of: &record)
      return true
    }
    text.setBody(min(source.end &+ 2, line.count), line.count, of: &record)
    writeAttributes(text, rest, firstEquals, source, &record)
    return true
  }

  /// The identifier in the first `[identifier]` after the metadata, without its brackets.
  @inline(__always)
  private static func findSource(
    _ line: Line, from rest: Int, hasPairs: Bool
  ) -> (start: Int, end: Int)? {
    if line.at(rest) == Byte.openBracket { return source(line, at: rest) }
    guard hasPairs else { return nil }
    var from = rest
    while let bracket = line.index(of: Byte.openBracket, from: from) {
      if line[bracket &- 1] == Byte.space, let found = source(line, at: bracket) { return found }
      from = bracket &+ 1
    }
    return nil
  }

  @inline(__always)
  private static func source(_ line: Line, at bracket: Int) -> (start: Int, end: Int)? {
    let start = bracket &+ 1
    guard line.at(start).isLetter || line.at(start) == 0x5f else { return nil }
    let end = nameEnd(line, start)
    guard line.at(end) == Byte.closeBracket else { return nil }
    let after = line.at(end &+ 1)
    guard after == Byte.space || after == Byte.newline || end &+ 1 == line.count else { return nil }
    return (start, end)
  }

  @inline(__always)
  private static func nameEnd(_ line: Line, _ start: Int) -> Int {
    var end = start
    while end < line.count, line[end].isName { end &+= 1 }
    return end
  }

  /// The index of the `=` when a `name=` begins at `start`.
  @inline(__always)
  private static func pairEnd(_ line: Line, _ start: Int) -> Int? {
    guard line.at(start).isLetter || line.at(start) == 0x5f else { return nil }
    let end = nameEnd(line, start)
    return line.at(end) == Byte.equals ? end : nil
  }

  private static func writeAttributes(
    _ text: Text, _ rest: Int, _ firstEquals: Int?, _ source: (start: Int, end: Int),
    _ record: inout LogRecord
  ) {
    let line = text.bytes
    var writer = JSONWriter(text)
    writer.member("swift_log.source", text: text.slice(source.start, source.end))
    // The metadata end before the blank and the bracket.
    let end = source.start &- 2
    if rest < end, var equals = firstEquals {
      var start = rest
      while let next = nextPair(line, equals &+ 1, end) {
        pair(text, start, equals, next.start &- 1, &writer)
        start = next.start
        equals = next.equals
      }
      pair(text, start, equals, end, &writer)
    }
    record.attributes = writer.finish(text)
  }

  /// The next `name=` behind a blank: looked for by its `=`, which is rarer than a blank.
  @inline(__always)
  private static func nextPair(
    _ line: Line, _ value: Int, _ end: Int
  ) -> (start: Int, equals: Int)? {
    var from = value
    while let equals = line.index(of: Byte.equals, from: from), equals < end {
      var start = equals
      while start > value, line[start &- 1].isName { start &-= 1 }
      if start > value, start < equals, line[start &- 1] == Byte.space,
        line[start].isLetter || line[start] == 0x5f
      {
        return (start, equals)
      }
      from = equals &+ 1
    }
    return nil
  }

  @inline(__always)
  private static func pair(
    _ text: Text, _ start: Int, _ equals: Int, _ end: Int, _ writer: inout JSONWriter
  ) {
    let value = text.slice(equals &+ 1, end)
    let key = text.bytes.slice(start, equals)
    switch key.count {
    case 7 where key.isEqual("span_id"), 12 where key.isEqual("otel_span_id"):
      writer.member("span_id", text: value)
    case 8 where key.isEqual("trace_id") || key.isEqual("trace-id"),
      13 where key.isEqual("otel_trace_id"):
      writer.member("trace_id", text: value)
    default: writer.member(key: text.slice(start, equals), text: value)
    }
  }

  static let samples = [
    FormatSample(
      "2026-11-30T07:03:22+0100 warning my app:worker 1: path=/a b.log q=a=b [Orders] slow: 3 s",
      time: "2026-11-30T06:03:22Z", offset: 60, severity: 13, severityText: "warning",
      scope: "my app:worker 1", body: "slow: 3 s",
      attributes: #"{"swift_log.source":"Orders","path":"/a b.log","q":"a=b"}"#),
    FormatSample(
      "2026-11-30T07:03:22+0100 info: [Orders] an empty label", time: "2026-11-30T06:03:22Z",
      offset: 60, severity: 9, severityText: "info", body: "an empty label",
      attributes: #"{"swift_log.source":"Orders"}"#),
    FormatSample(
      "2020-11-30T07:03:22+0000 critical db : pool=2 out of connections",
      time: "2020-11-30T07:03:22Z", offset: 0, severity: 21, severityText: "critical",
      scope: "db", body: "pool=2 out of connections"),
    FormatSample(
      "2021-11-30T07:03:22-0330 error db : pool=2 [Shop] failed\nwith a second line",
      time: "2021-11-30T10:33:22Z", offset: -210, severity: 17, severityText: "error",
      scope: "db", body: "failed\nwith a second line",
      attributes: #"{"swift_log.source":"Shop","pool":"2"}"#),
    FormatSample(
      "2019-11-30T07:03:22+0000 info: started", time: "2019-11-30T07:03:22Z", offset: 0,
      severity: 9, severityText: "info", body: "started"),
  ]
}
