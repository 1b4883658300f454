// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Syslog messages of RFC 5424: `<PRI>1 TIME HOST APP PROCID MSGID [structured data] text`.
enum RFC5424Format: LogFormat {
  static let info = FormatInfo(
    name: "rfc5424", family: "syslog", summary: "syslog messages (RFC 5424), one a line",
    example: #"<165>1 2026-03-01T10:00:00Z web1 shopd 8710 ID47 [a@1 k="v"] accepted"#)

  /// Whether the line has a priority: where messages are of this kind, those of the older one and
  /// malformed ones begin records too.
  @inline(__always)
  static func begins(_ line: Line) -> Bool { SyslogPriority.end(line) > 0 }

  /// Whether the line has a priority, version 1 and a time or `-`.
  static func fits(_ line: Line) -> Bool {
    let end = SyslogPriority.end(line)
    guard end > 0, line.at(end) == UInt8(ascii: "1"), line.at(end + 1) == Byte.space else {
      return false
    }
    return line.at(end + 2).isDigit || line.has("- ", at: end + 2)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    let priorityEnd = SyslogPriority.end(line)
    guard fits(line), let priority = SyslogPriority.value(line, priorityEnd) else { return false }
    record.severity = LevelWords.severity(ofSyslog: priority)
    let time = priorityEnd + 2
    var stamp = Stamp()
    let hasTime = StampScanner.iso(line, at: time, into: &stamp)
    if !hasTime || !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    var index = line.skipToken(time)
    let host = field(line, &index)
    let app = field(line, &index)
    let process = field(line, &index)
    let message = field(line, &index)
    if app.count > 0 { record.process = text.slice(app.lowerBound, app.upperBound) }
    record.pid = line.decimal(process.lowerBound, process.upperBound) ?? -1
    var writer = JSONWriter(text)
    if host.count > 0 {
      writer.member("host.name", text: text.slice(host.lowerBound, host.upperBound))
    }
    writer.member("syslog.facility", number: Int64(priority >> 3))
    if process.count > 0, record.pid < 0 {
      writer.member("syslog.procid", text: text.slice(process.lowerBound, process.upperBound))
    }
    if message.count > 0 {
      writer.member("syslog.msgid", text: text.slice(message.lowerBound, message.upperBound))
    }
    var body = line.afterBlank(index)
    if let end = StructuredData.end(line, body) {
      StructuredData.write(text, body, end, &writer)
      body = line.afterBlank(end)
    }
    record.attributes = writer.finish(text)
    if text.bytes.has("\u{FEFF}", at: body) { body += 3 }
    text.setBody(body, text.count, of: &record)
    if Payload.mayBegin(text.bytes, body, hasUserFormats: clock.hasPayloadFormats),
      Payload.isObvious(text.bytes.slice(body, text.count), in: record, clock)
    {
      Payload.open(
        record.body, of: text.slice(0, text.count), isZoned: stamp.zone == .offset,
        in: text.arena, &clock, &record)
    } else if app.count == 7, text.bytes.has("haproxy", at: app.lowerBound) {
      HAProxyFormat.annotate(&record, text.arena)
    }
    return true
  }

  /// The next word; empty for the nil value `-`. `index` stands before its blank, then behind it.
  private static func field(_ line: Line, _ index: inout Int) -> Range<Int> {
    guard line.at(index) == Byte.space else { return index..<index }
    let start = index + 1
    let end = line.skipToken(start)
    index = end
    if end == start + 1, line[start] == Byte.dash { return start..<start }
    return start..<end
  }

  static let samples = [
    FormatSample(
      #"<165>1 2003-10-11T22:14:15.003Z web1 shopd 8710 ID47 [a@1 k="v \"q\" \]"][b@1] accepted"#,
      time: "2003-10-11T22:14:15.003Z", offset: 0, severity: 10, process: "shopd", pid: 8710,
      body: "accepted",
      attributes: #"{"host.name":"web1","syslog.facility":20,"syslog.msgid":"ID47","#
        + #""syslog.structured_data":{"a@1":{"k":"v \"q\" ]"},"b@1":{}}}"#),
    FormatSample(
      "<13>1 - - - - - -", severity: 10, body: "", attributes: #"{"syslog.facility":1}"#),
  ]
}

/// The structured data of RFC 5424.
enum StructuredData {
  /// The index after the data that begin at `start` (`-` or `[…]…`); `nil` when they are malformed.
  static func end(_ line: Line, _ start: Int) -> Int? {
    if line.at(start) == Byte.dash {
      return start + 1 == line.count || line.at(start + 1).isBlank ? start + 1 : nil
    }
    var index = start
    while line.at(index) == Byte.openBracket {
      guard let close = elementEnd(line, index) else { return nil }
      index = close + 1
    }
    return index > start ? index : nil
  }

  private static func elementEnd(_ line: Line, _ start: Int) -> Int? {
    var index = start + 1
    var isQuoted = false
    while index < line.count {
      switch line[index] {
      case Byte.quote: isQuoted.toggle()
      case Byte.backslash where isQuoted: index += 1
      case Byte.closeBracket where !isQuoted: return index
      case Byte.newline where !isQuoted: return nil
      default: break
      }
      index += 1
    }
    return nil
  }

  static func write(_ text: Text, _ start: Int, _ end: Int, _ writer: inout JSONWriter) {
    guard text.bytes.at(start) == Byte.openBracket, writer.beginObject("syslog.structured_data")
    else { return }
    var index = start
    while index < end, text.bytes.at(index) == Byte.openBracket,
      let close = elementEnd(text.bytes, index)
    {
      writeElement(text, index + 1, close, &writer)
      index = close + 1
    }
    writer.endObject()
  }

  private static func writeElement(
    _ text: Text, _ start: Int, _ end: Int, _ writer: inout JSONWriter
  ) {
    var index = start
    while index < end, text.bytes[index] != Byte.space { index += 1 }
    guard writer.beginObject(key: text.slice(start, index)) else { return }
    while index < end {
      let name = text.bytes.skipBlanks(index)
      guard let equals = text.bytes.index(of: Byte.equals, from: name), equals < end,
        text.bytes.at(equals + 1) == Byte.quote
      else { break }
      var stop = equals + 2
      while stop < end, text.bytes[stop] != Byte.quote {
        stop += text.bytes[stop] == Byte.backslash ? 2 : 1
      }
      guard stop < end else { break }
      writer.member(key: text.slice(name, equals), quoted: text.slice(equals + 2, stop))
      index = stop + 1
    }
    writer.endObject()
  }
}
