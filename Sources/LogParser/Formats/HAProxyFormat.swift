// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// HAProxy: `client:port [accept time] frontend backend/server timers status …` of httplog and
/// tcplog, with an ISO time before it or in a syslog envelope, and `[LEVEL]  (pid) : text` of stderr.
///
/// The accept time has no zone; where a time stands before it, that one is the record's.
enum HAProxyFormat: LogFormat {
  static let info = FormatInfo(
    name: "haproxy", family: "web-server", summary: "HAProxy httplog, tcplog and stderr",
    example: "192.0.2.1:47816 [30/Nov/2026:11:43:47.487] web app/s1 0/0/0/0/0 200 126 - - ---- "
      + #"1/1/0/0/0 0/0 "GET /app/x HTTP/1.1""#)

  private struct Header {
    var outer = Stamp()
    var hasOuter = false
    var start = 0
    var clientEnd = 0
    var accept = Stamp()
  }

  /// Finds `client:port [time] `.
  private static func read(_ line: Line, _ header: inout Header) -> Bool {
    if line.at(10) == 0x54, StampScanner.iso(line, at: 0, into: &header.outer) {
      header.hasOuter = true
      header.start = line.afterBlank(header.outer.end)
    }
    return readConnection(line, &header)
  }

  private static func readConnection(_ line: Line, _ header: inout Header) -> Bool {
    let end = line.skipToken(header.start)
    guard line.has(" [", at: end), end > header.start + 1, line[end - 1].isDigit,
      line.at(end + 4) == Byte.slash
    else { return false }
    guard StampScanner.dayFirst(line, at: end + 2, into: &header.accept),
      line.has("] ", at: header.accept.end),
      header.accept.nanosecond > 0 || line.at(end + 22) == 0x2e
    else { return false }
    header.clientEnd = end
    return true
  }

  private static func stderrLevel(_ line: Line) -> Range<Int>? {
    guard line.at(0) == Byte.openBracket, let close = line.index(of: Byte.closeBracket, from: 1),
      close < 12
    else { return nil }
    let open = stderrPid(line, close)
    guard line.at(open) == UInt8(ascii: "(") else { return nil }
    let digits = line.skipDigits(open + 1)
    return digits > open + 1 && line.has(") : ", at: digits) ? 1..<close : nil
  }

  /// Where the bracket of the pid is; HAProxy to 2.2 writes day of year and time before it.
  private static func stderrPid(_ line: Line, _ close: Int) -> Int {
    let next = line.skipBlanks(close + 1)
    let day = line.skipDigits(next)
    guard day == next + 3, line.at(day) == Byte.slash, line.skipDigits(day + 1) == day + 7 else {
      return next
    }
    return line.skipBlanks(day + 7)
  }

  static func begins(_ line: Line) -> Bool {
    if line.at(0) == Byte.openBracket { return stderrLevel(line) != nil }
    var header = Header()
    // In a file of HAProxy's, events about servers have the time and nothing else.
    return read(line, &header) || header.hasOuter
  }

  static func fits(_ line: Line) -> Bool {
    var header = Header()
    return stderrLevel(line) != nil || read(line, &header)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    if let level = stderrLevel(text.bytes) { return parseStderr(text, level, &clock, &record) }
    var header = Header()
    let isConnection = read(text.bytes, &header)
    guard isConnection || header.hasOuter else { return false }
    let stamp = header.hasOuter ? header.outer : header.accept
    if !clock.set(stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    text.setBody(min(header.start, text.count), text.count, of: &record)
    if isConnection {
      readConnection(text, header, &record)
    } else if AccessLogFormat.begins(text.bytes.slice(header.start, text.count)) {
      // "option httplog clf".
      Payload.open(
        record.body, of: text.slice(0, text.count), isZoned: stamp.zone == .offset, in: text.arena,
        &clock, &record)
    }
    return true
  }

  /// Sets the time of a connection whose line begins at `start`, with only a priority before it.
  static func setAcceptTime(
    _ line: Line, _ start: Int, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    var header = Header()
    header.start = start
    return readConnection(line, &header)
      && clock.set(header.accept, from: line, of: &record)
  }

  private static func parseStderr(
    _ text: Text, _ level: Range<Int>, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    clock.inherit(&record)
    record.severityText = text.slice(level.lowerBound, level.upperBound)
    record.severity =
      LevelWords.severity(of: line.slice(level.lowerBound, level.upperBound), .syslog)
      ?? .unspecified
    let pid = stderrPid(line, level.upperBound) + 1
    let pidEnd = line.skipDigits(pid)
    record.pid = line.decimal(pid, pidEnd) ?? -1
    text.setBody(min(pidEnd + 4, line.count), line.count, of: &record)
    return true
  }

  /// Adds what the body of a syslog record of HAProxy's tells of a connection.
  ///
  /// - Returns: the year in which it was accepted, but for the last days of one.
  @discardableResult
  static func annotate(_ record: inout LogRecord, _ arena: ByteArena) -> Int? {
    let body = Text(record.body, in: arena)
    var header = Header()
    guard readConnection(body.bytes, &header) else { return nil }
    readConnection(body, header, &record)
    let isLate = header.accept.month == 12 && header.accept.day > 30
    return header.accept.isValid && !isLate ? header.accept.year : nil
  }

  private static func readConnection(
    _ text: Text, _ header: Header, _ record: inout LogRecord
  ) {
    let line = text.bytes
    var writer = JSONWriter(text, after: record.attributes)
    var port = header.clientEnd
    while port > header.start, line[port - 1].isDigit { port -= 1 }
    if port > header.start + 1 {
      writer.member("client.address", text: text.slice(header.start, port - 1))
      writer.member("client.port", number: line.decimal(port, header.clientEnd) ?? 0)
    }
    let frontend = header.accept.end + 2
    let frontendEnd = line.skipToken(frontend)
    let backend = line.afterBlank(frontendEnd)
    let backendEnd = line.skipToken(backend)
    writer.member("haproxy.frontend", text: text.slice(frontend, frontendEnd))
    writer.member("haproxy.backend", text: text.slice(backend, backendEnd))
    let timers = line.afterBlank(backendEnd)
    let status = line.afterBlank(line.skipToken(timers))
    let statusEnd = line.skipToken(status)
    // httplog has five timers, tcplog three and no status.
    let slashes = line.slice(timers, line.skipToken(timers)).reduce(0) {
      $0 + ($1 == Byte.slash ? 1 : 0)
    }
    if slashes >= 4, statusEnd == status + 3, let code = line.decimal(status, statusEnd) {
      writer.member("http.response.status_code", number: code)
      if record.severity == .unspecified {
        record.severity = HTTPStatus.severity(line[status])
        record.flags.add(.severityDerived)
      }
      let end = line.lineEnd(from: 0)
      if let quote = line.index(of: " \"", from: statusEnd), quote < end {
        AccessFields.writeRequest(
          text, quote + 2, AccessLogFormat.quotedEnd(line, quote + 1), &writer)
      }
    }
    record.attributes = writer.finish(text)
  }

  static let samples = [
    FormatSample(
      "2026-11-30T11:43:48.296297+05:30 192.0.2.1:47824 [30/Nov/2026:11:43:47.494] web app/s1 "
        + #"0/0/0/-1/802 504 198 - - sH-- 1/1/0/0/0 0/0 {curl} "GET /slow HTTP/1.1""#,
      time: "2026-11-30T06:13:48.296297Z", offset: 330, severity: 17,
      body: "192.0.2.1:47824 [30/Nov/2026:11:43:47.494] web app/s1 "
        + #"0/0/0/-1/802 504 198 - - sH-- 1/1/0/0/0 0/0 {curl} "GET /slow HTTP/1.1""#,
      attributes: #"{"client.address":"192.0.2.1","client.port":47824,"haproxy.frontend":"web","#
        + #""haproxy.backend":"app/s1","http.response.status_code":504,"#
        + #""http.request.method":"GET","url.path":"/slow","network.protocol.version":"1.1"}"#),
    FormatSample(
      "[ALERT]    (20500) : backend 'down' has no server available!", severity: 19,
      severityText: "ALERT", pid: 20500, body: "backend 'down' has no server available!"),
    FormatSample(
      "[WARNING] 059/100000 (77) : Server b/s is DOWN", severity: 13, severityText: "WARNING",
      pid: 77, body: "Server b/s is DOWN"),
  ]
}
