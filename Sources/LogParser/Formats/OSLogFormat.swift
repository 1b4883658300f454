// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Apple's unified log as `log show` and `log stream` print it: the styles default, syslog and
/// compact. What the tool prints before the first and behind the last entry belongs to these.
enum OSLogFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "os-log", family: "swift", summary: "log show and log stream: default, syslog, compact",
    example: "2026-03-01 10:00:00.123456+0100 0x1a2b3c   Default     0x0                  4242   0"
      + "    Shop: [com.example.shop:cart] added sku-1")

  private struct Header {
    var stamp = Stamp()
    var severity = Severity.unspecified
    var levelStart = 0
    var levelEnd = 0
    var pid: Int64 = -1
    var thread: Int64 = -1
    var activity: Int64 = 0
    var processStart = 0
    var processEnd = 0
    var hostStart = 0
    var hostEnd = 0
    var bodyStart = 0
  }

  private static func read(_ line: Line, at start: Int, _ header: inout Header) -> Bool {
    guard line.at(start).isDigit, StampScanner.iso(line, at: start, into: &header.stamp) else {
      return false
    }
    let next = header.stamp.end
    if line.has(" 0x", at: next) { return readDefault(line, next + 1, &header) }
    if line.has("  ", at: next) { return readSyslog(line, next + 2, &header) }
    return readCompact(line, next + 1, &header)
  }

  /// `0xthread Type 0xactivity pid ttl process: text`.
  private static func readDefault(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    let threadEnd = line.skipToken(start)
    let type = line.skipBlanks(threadEnd)
    let typeEnd = line.skipToken(type)
    guard let severity = severity(line.slice(type, typeEnd)) else { return false }
    header.thread = line.hexadecimal(start + 2, threadEnd) ?? -1
    (header.levelStart, header.levelEnd) = (type, typeEnd)
    header.severity = severity
    var index = line.skipBlanks(typeEnd)
    if line.has("0x", at: index) {
      let end = line.skipToken(index)
      header.activity = line.hexadecimal(index + 2, end) ?? 0
      index = line.skipBlanks(end)
    }
    let pidEnd = line.skipDigits(index)
    guard pidEnd > index else { return false }
    header.pid = line.decimal(index, pidEnd) ?? -1
    let ttl = line.skipBlanks(pidEnd)
    let process = line.skipBlanks(line.skipDigits(ttl))
    guard process > ttl else { return false }
    header.bodyStart = process
    if let colon = line.index(of: ": ", from: process), colon < line.lineEnd(from: process) {
      (header.processStart, header.processEnd) = (process, colon)
      header.bodyStart = colon + 2
    }
    return true
  }

  private static func severity(_ type: Line) -> Severity? {
    switch type.count {
    case 7 where type.isEqual("Default"): .notice
    case 4 where type.isEqual("Info"): .info
    case 5 where type.isEqual("Debug"): .debug
    case 5 where type.isEqual("Error"): .error
    case 5 where type.isEqual("Fault"): .fatal
    case 8 where type.isEqual("Activity"), 6 where type.isEqual("<lose>"): .unspecified
    default: nil
    }
  }

  /// `host process[pid]: text`.
  private static func readSyslog(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    let hostEnd = line.skipToken(start)
    let end = line.lineEnd(from: start)
    var from = hostEnd + 1
    while let open = line.index(of: Byte.openBracket, from: from), open < end {
      let digits = line.skipDigits(open + 1)
      if digits > open + 1, line.has("]: ", at: digits), open > hostEnd + 1 {
        (header.hostStart, header.hostEnd) = (start, hostEnd)
        (header.processStart, header.processEnd) = (hostEnd + 1, open)
        header.pid = line.decimal(open + 1, digits) ?? -1
        header.bodyStart = digits + 3
        return true
      }
      from = open + 1
    }
    return false
  }

  /// `Ty process[pid:thread] text`.
  private static func readCompact(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    let typeEnd = line.skipToken(start)
    let type = line.slice(start, min(typeEnd, line.count))
    let severity: Severity
    switch type.at(0) {
    case UInt8(ascii: "D") where type.isEqual("Df"): severity = .notice
    case UInt8(ascii: "D") where type.isEqual("Db"): severity = .debug
    case UInt8(ascii: "I") where type.count == 1: severity = .info
    case UInt8(ascii: "E") where type.count == 1: severity = .error
    case UInt8(ascii: "F") where type.count == 1: severity = .fatal
    case UInt8(ascii: "A") where type.count == 1: severity = .unspecified
    default: return false
    }
    let process = line.skipBlanks(typeEnd)
    guard let open = line.index(of: Byte.openBracket, from: process), open > process,
      open < line.lineEnd(from: process), open - process < 100
    else { return false }
    let colon = line.skipDigits(open + 1)
    guard colon > open + 1, line.at(colon) == Byte.colon,
      let close = line.index(of: Byte.closeBracket, from: colon), close - colon < 18
    else { return false }
    header.severity = severity
    (header.levelStart, header.levelEnd) = (start, typeEnd)
    (header.processStart, header.processEnd) = (process, open)
    header.pid = line.decimal(open + 1, colon) ?? -1
    header.thread = line.hexadecimal(colon + 1, close) ?? -1
    header.bodyStart = line.afterBlank(close + 1)
    return true
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, at: 0, &header)
  }

  private static func isHeading(_ line: Line) -> Bool {
    line.has("Filtering the log data using ", at: 0)
      || line.has("Skipping info and debug messages", at: 0)
      || line.has("Timestamp    ", at: 0)
  }

  static func fits(_ line: Line) -> Bool { begins(line) || isHeading(line) }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if begins(line) { return state.header() }
    return isHeading(line) ? state.heading() : nil
  }

  /// Whether the line is the object that `log show --style ndjson` prints last.
  static func isFooter(_ line: Line) -> Bool {
    line.has(#"{"count":"#, at: 0) && line.index(of: #""finished":1}"#, from: 9) != nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var start = 0
    while isHeading(line.slice(start, line.count)) {
      start = min(line.lineEnd(from: start) + 1, line.count)
    }
    var header = Header()
    guard read(line, at: start, &header) else { return false }
    if !clock.set(header.stamp, from: line, of: &record) { clock.inherit(&record) }
    record.severity = header.severity
    record.severityText = text.slice(header.levelStart, header.levelEnd)
    record.pid = header.pid
    record.threadID = header.thread
    record.process = text.slice(header.processStart, header.processEnd)
    var writer = JSONWriter(text)
    if header.hostEnd > 0 {
      writer.member("host.name", text: text.slice(header.hostStart, header.hostEnd))
    }
    if header.activity > 0 { writer.member("os_log.activity", number: header.activity) }
    let body = readSender(text, header.bodyStart, &record, &writer)
    record.attributes = writer.finish(text)
    text.setBody(body, text.count, of: &record)
    EmbeddedFatal.annotate(&record, text.arena)
    return true
  }

  /// `(sender) [subsystem:category] `, both optional; the index behind them.
  private static func readSender(
    _ text: Text, _ start: Int, _ record: inout LogRecord, _ writer: inout JSONWriter
  ) -> Int {
    let line = text.bytes
    var index = start
    if line.at(index) == UInt8(ascii: "("), let close = line.index(of: ") ", from: index),
      close < line.lineEnd(from: index), close - index < 200
    {
      writer.member("os_log.sender", text: text.slice(index + 1, close))
      index = close + 2
    }
    if line.at(index) == Byte.openBracket, let close = line.index(of: "] ", from: index),
      let colon = line.index(of: Byte.colon, from: index), colon < close,
      line.slice(index, close).index(of: Byte.space, from: 0) == nil
    {
      record.scope = text.slice(index + 1, colon)
      writer.member("os_log.category", text: text.slice(colon + 1, close))
      index = close + 2
    }
    return min(index, line.count)
  }

  static let samples = [
    FormatSample(
      "2026-03-01 10:00:00.323456+0100 0x1a2b3d   Error       0x5f3a               4242   0    "
        + "Shop Helper (R): (Network) [com.example.shop:http] failed\nUserInfo={}",
      time: "2026-03-01T09:00:00.323456Z", offset: 60, severity: 17, severityText: "Error",
      process: "Shop Helper (R)", pid: 4242, thread: 0x1a2b3d, scope: "com.example.shop",
      body: "failed\nUserInfo={}",
      attributes: #"{"os_log.activity":24378,"os_log.sender":"Network","os_log.category":"http"}"#),
    FormatSample(
      "2026-03-01 10:00:00.123456+0100  localhost Shop[4242]: [a.b:c] GET -> 200",
      time: "2026-03-01T09:00:00.123456Z", offset: 60, process: "Shop", pid: 4242, scope: "a.b",
      body: "GET -> 200", attributes: #"{"host.name":"localhost","os_log.category":"c"}"#),
    FormatSample(
      "2026-03-01 10:00:00.123 Df Shop[4242:1a2b3c] [a.b:c] ready",
      time: "2026-03-01T10:00:00.123Z", severity: 10, severityText: "Df", process: "Shop",
      pid: 4242, thread: 0x1a2b3c, scope: "a.b", body: "ready",
      attributes: #"{"os_log.category":"c"}"#),
  ]
}
