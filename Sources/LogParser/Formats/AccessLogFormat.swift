// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Access logs of nginx, Apache and others: common, combined and vhost_combined, with whatever
/// fields follow. The body is the request with its status, the severity is derived from the status.
enum AccessLogFormat: LogFormat {
  static let info = FormatInfo(
    name: "access-log", family: "web-server",
    summary: "access logs, common and combined, with extra fields",
    example:
      #"192.0.2.1 - - [30/Nov/2026:07:12:32 +0100] "GET / HTTP/1.1" 200 6 "-" "curl/7.88.1""#)

  /// Where the fields lie; indices into the line.
  private struct Header {
    /// The bracket before the time.
    var bracket = 0
    /// The opening quote of the request.
    var quote = 0
  }

  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    // A logger's name before it, as Python's `basicConfig` writes it.
    if line.at(0).isUpper, LevelFirstFormat.begins(line) { return false }
    // A logger's own time and level before it (Hypercorn).
    if line.at(0) == Byte.openBracket, line.at(5) == Byte.dash, TimestampedFormat.isDistinct(line) {
      return false
    }
    var header = Header()
    return readHeader(line, &header)
  }

  /// Finds ` [dd/MMM/yyyy:HH:mm:ss ±hhmm] "`.
  @inline(__always)
  private static func readHeader(_ line: Line, _ header: inout Header) -> Bool {
    // A relay's header before it: the line is read by that first.
    if line.count > 20, line[12] == Byte.colon || line[13] == Byte.colon, isRelayed(line) {
      return false
    }
    var from = 1
    for _ in 0..<4 {
      guard let bracket = line.index(of: Byte.openBracket, from: from), bracket < 600,
        bracket &+ 24 < line.count
      else { return false }
      if line[bracket &- 1] == Byte.space, line[bracket &+ 3] == Byte.slash,
        line[bracket &+ 7] == Byte.slash, line[bracket &+ 1].isDigit,
        line[bracket &+ 15] == Byte.colon
      {
        // werkzeug leaves the zone out.
        var close = line[bracket &+ 21] == Byte.closeBracket ? bracket &+ 21 : bracket &+ 27
        // WEBrick names its zone.
        if line[bracket &+ 21] == Byte.dot || line[bracket &+ 22].isLetter {
          close = line.index(of: Byte.closeBracket, from: bracket &+ 22) ?? close
        }
        guard line.at(close) == Byte.closeBracket, line.at(close &+ 1) == Byte.space,
          line.at(close &+ 2) == Byte.quote || isCode(line, close &+ 2)
        else { return false }
        header.bracket = bracket
        header.quote = close &+ 2
        return true
      }
      if line[bracket &+ 5] == Byte.dash, isISO(line, bracket, &header) { return true }
      if line[bracket &+ 3] == Byte.slash, isMonthFirst(line, bracket, &header) { return true }
      from = bracket &+ 1
    }
    return false
  }

  /// `host - user [yyyy-MM-ddTHH:mm:ss+hh:mm] "request" status` of nginx' `$time_iso8601`.
  @inline(never)
  private static func isISO(_ line: Line, _ bracket: Int, _ header: inout Header) -> Bool {
    guard line[bracket &- 1] == Byte.space, line[bracket &+ 11] == 0x54,
      let close = line.slice(0, min(line.count, bracket + 40)).index(
        of: Byte.closeBracket, from: bracket),
      line.at(close + 1) == Byte.space, line.at(close + 2) == Byte.quote
    else { return false }
    header.bracket = bracket
    header.quote = close + 2
    return true
  }

  /// `code 404, message File not found`: what Python's `http.server` says of a request that fails.
  @inline(never)
  private static func isCode(_ line: Line, _ start: Int) -> Bool {
    line.has("code ", at: start) && line.skipDigits(start + 5) == start + 8
      && line.has(", message ", at: start + 8)
  }

  /// `[MM/dd/yyyy:HH:mm:ss -0000] "request"` of cPanel's server; no other writes that zone.
  @inline(never)
  private static func isMonthFirst(_ line: Line, _ bracket: Int, _ header: inout Header) -> Bool {
    guard line[bracket - 1] == Byte.space, line[bracket + 6] == Byte.slash,
      line[bracket + 11] == Byte.colon, line.has(" -0000] \"", at: bracket + 20)
    else { return false }
    header.bracket = bracket
    header.quote = bracket + 28
    return true
  }

  /// Whether the line begins with the time of syslog: `Mar  1 10:00:00`, `2026-03-01T10:00:00`.
  @inline(never)
  private static func isRelayed(_ line: Line) -> Bool {
    line[9] == Byte.colon && StampScanner.month(line, at: 0) > 0
      || line[10] == 0x54 && line[4] == Byte.dash && line[7] == Byte.dash
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var header = Header()
    var stamp = Stamp()
    guard readHeader(line, &header) else { return false }
    let time = header.bracket &+ 1
    guard clock.minute.common(line, at: time, into: &stamp, { readTime(line, time, &$0) }) else {
      return false
    }
    if !clock.set(&stamp, from: line, of: &record) { clock.inherit(&record) }
    if line[header.quote] != Byte.quote {
      parseCode(text, header, &record)
      return true
    }
    let requestEnd = quotedEnd(line, header.quote)
    let status = requestEnd &+ 2
    var statusEnd = requestEnd &+ 1
    if line.at(requestEnd &+ 1) == Byte.space, line.at(status).isDigit {
      statusEnd = line.skipToken(status)
      record.severity = HTTPStatus.severity(line[status])
      record.flags.add(.severityDerived)
    }
    text.setBody(header.quote, min(statusEnd, line.count), of: &record)
    var writer = JSONWriter(text)
    AccessFields.writeClient(text, header.bracket &- 1, &writer)
    AccessFields.writeRequest(text, header.quote &+ 1, requestEnd, &writer)
    if statusEnd > status {
      writer.member("http.response.status_code", digits: text.slice(status, statusEnd))
    }
    AccessFields.writeRest(text, statusEnd, &writer)
    record.attributes = writer.finish(text)
    return true
  }

  private static func parseCode(_ text: Text, _ header: Header, _ record: inout LogRecord) {
    let code = header.quote + 5
    record.severity = HTTPStatus.severity(text.bytes[code])
    record.flags.add(.severityDerived)
    text.setBody(header.quote, text.count, of: &record)
    var writer = JSONWriter(text)
    AccessFields.writeClient(text, header.bracket - 1, &writer)
    writer.member("http.response.status_code", digits: text.slice(code, code + 3))
    record.attributes = writer.finish(text)
  }

  /// The fast path: every digit stands where it must, or the general one decides.
  @inline(__always)
  private static func readTime(_ line: Line, _ start: Int, _ stamp: inout Stamp) -> Bool {
    let month = StampScanner.month(line, at: start &+ 3)
    let century = line.two(start &+ 7)
    let years = line.two(start &+ 9)
    stamp.day = line.two(start)
    guard month > 0, century | years | stamp.day < 128, line[start &+ 11] == Byte.colon,
      StampScanner.timeOfDay(line, at: start &+ 12, into: &stamp)
    else {
      return StampScanner.dayFirst(line, at: start, into: &stamp)
        || StampScanner.iso(line, at: start, into: &stamp) || monthFirst(line, start, &stamp)
    }
    stamp.month = month
    stamp.year = century &* 100 &+ years
    StampZone.scan(line, into: &stamp)
    stamp.close()
    return true
  }

  private static func monthFirst(_ line: Line, _ start: Int, _ stamp: inout Stamp) -> Bool {
    guard let year = StampScanner.fourDigits(line, at: start + 6),
      StampScanner.timeOfDay(line, at: start + 11, into: &stamp)
    else { return false }
    (stamp.year, stamp.month, stamp.day) = (year, line.two(start), line.two(start + 3))
    stamp.shape = .full
    StampZone.scan(line, into: &stamp)
    stamp.close()
    return true
  }

  /// The index of the quote that closes the one at `start`; a backslash protects a quote.
  @inline(__always)
  static func quotedEnd(_ line: Line, _ start: Int) -> Int {
    var from = start &+ 1
    while let quote = line.index(of: Byte.quote, from: from) {
      var slashes = 0
      while quote &- 1 &- slashes > start, line[quote &- 1 &- slashes] == Byte.backslash {
        slashes &+= 1
      }
      if slashes & 1 == 0 { return quote }
      from = quote &+ 1
    }
    return line.count
  }

  static let samples = [
    FormatSample(
      #"192.0.2.1 - bob [30/Nov/2026:07:12:32 +0100] "GET /a?b=c HTTP/1.1" 404 153 "-" "curl/7""#,
      time: "2026-11-30T06:12:32Z", offset: 60, severity: 13,
      body: #""GET /a?b=c HTTP/1.1" 404"#,
      attributes: #"{"client.address":"192.0.2.1","user.name":"bob","http.request.method":"GET","#
        + #""url.path":"/a","url.query":"b=c","network.protocol.version":"1.1","#
        + #""http.response.status_code":404,"http.response.body.size":153,"#
        + #""user_agent.original":"curl/7"}"#),
    FormatSample(
      #"www.example.test:80 ::1 - - [30/Nov/2026:01:13:08 -0500] "GARBAGE" 500 - "-" "a \"q\"""#,
      time: "2026-11-30T06:13:08Z", offset: -300, severity: 17, body: #""GARBAGE" 500"#,
      attributes: #"{"server.address":"www.example.test","server.port":80,"#
        + #""client.address":"::1","http.response.status_code":500,"#
        + #""user_agent.original":"a \\\"q\\\""}"#),
    FormatSample(
      #"127.0.0.1 - - [30/Nov/2026:07:12:32 +0100] "GET / HTTP/2.0" 200 6 "-" "-" rt=0.1 id="7""#,
      time: "2026-11-30T06:12:32Z", offset: 60, severity: 9, body: #""GET / HTTP/2.0" 200"#,
      attributes: #"{"client.address":"127.0.0.1","http.request.method":"GET","url.path":"/","#
        + #""network.protocol.version":"2.0","http.response.status_code":200,"#
        + #""http.response.body.size":6,"rt":"0.1","id":"7"}"#),
    FormatSample(
      #"127.0.0.1 - - [30/Nov/2026:07:12:32 UTC] "GET / HTTP/1.1" 200 6"#,
      time: "2026-11-30T07:12:32Z", offset: 0, severity: 9, body: #""GET / HTTP/1.1" 200"#,
      attributes: #"{"client.address":"127.0.0.1","http.request.method":"GET","url.path":"/","#
        + #""network.protocol.version":"1.1","http.response.status_code":200,"#
        + #""http.response.body.size":6}"#),
    FormatSample(
      "127.0.0.1 - - [30/Nov/2026 07:12:32] code 404, message File not found",
      time: "2026-11-30T07:12:32Z", severity: 13, body: "code 404, message File not found",
      attributes: #"{"client.address":"127.0.0.1","http.response.status_code":404}"#),
    FormatSample(
      #"192.0.2.1 - bob [03/01/2026:10:00:00 -0000] "GET /login HTTP/1.1" 401 0 "-" "-" "-""#,
      time: "2026-03-01T10:00:00Z", offset: 0, severity: 13, body: #""GET /login HTTP/1.1" 401"#,
      attributes: #"{"client.address":"192.0.2.1","user.name":"bob","http.request.method":"GET","#
        + #""url.path":"/login","network.protocol.version":"1.1","#
        + #""http.response.status_code":401,"http.response.body.size":0}"#),
  ]
}
