// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// nginx's error log: `yyyy/MM/dd HH:mm:ss [level] pid#tid: [*conn ]text[, client: …, server: …]`,
/// in local time; and what nginx prints before it has a log, `nginx: [level] text`.
enum NginxErrorFormat: LogFormat {
  static let info = FormatInfo(
    name: "nginx-error", family: "web-server", summary: "nginx error log",
    example: "2026/11/30 07:12:31 [notice] 19294#19294: signal process started")

  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    if line.at(0) == UInt8(ascii: "n") { return line.has("nginx: ", at: 0) }
    guard line.count > 26, line[4] == Byte.slash, line[7] == Byte.slash, line[10] == Byte.space,
      line[19] == Byte.space, line[20] == Byte.openBracket, line[0].isDigit,
      let close = line.index(of: Byte.closeBracket, from: 21), close < 30
    else { return false }
    let pidEnd = line.skipDigits(close &+ 2)
    return pidEnd > close &+ 2 && line.at(pidEnd) == UInt8(ascii: "#")
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    if line[0] == UInt8(ascii: "n") { return parseStart(text, &clock, &record) }
    var stamp = Stamp()
    guard StampScanner.iso(line, at: 0, into: &stamp),
      let close = line.index(of: Byte.closeBracket, from: 21)
    else { return false }
    if !clock.set(&stamp, from: line, of: &record) { clock.inherit(&record) }
    record.severity = LevelWords.severity(of: line.slice(21, close), .syslog) ?? .unspecified
    record.severityText = text.slice(21, close)
    let pidEnd = line.skipDigits(close &+ 2)
    let threadEnd = line.skipDigits(pidEnd &+ 1)
    record.pid = line.decimal(close &+ 2, pidEnd) ?? -1
    record.threadID = line.decimal(pidEnd &+ 1, threadEnd) ?? -1
    var body = min(line.has(": ", at: threadEnd) ? threadEnd &+ 2 : threadEnd, line.count)
    var writer = JSONWriter(text)
    if line.at(body) == UInt8(ascii: "*") {
      let connectionEnd = line.skipDigits(body &+ 1)
      if let number = line.decimal(body &+ 1, connectionEnd) {
        writer.member("nginx.connection", number: number)
        body = line.afterBlank(connectionEnd)
      }
    }
    var bodyEnd = line.count
    if let client = lastClient(line, body) {
      bodyEnd = client
      writeContext(text, client, &writer)
    }
    text.setBody(body, bodyEnd, of: &record)
    record.attributes = writer.finish(text)
    return true
  }

  private static func parseStart(
    _ text: Text, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    clock.inherit(&record)
    record.process = text.slice(0, 5)
    guard line.at(7) == Byte.openBracket, let close = line.index(of: Byte.closeBracket, from: 8),
      close < 20
    else {
      text.setBody(7, line.count, of: &record)
      return true
    }
    record.severity = LevelWords.severity(of: line.slice(8, close), .syslog) ?? .unspecified
    record.severityText = text.slice(8, close)
    text.setBody(line.afterBlank(close + 1), line.count, of: &record)
    return true
  }

  /// The last `, client: `: the message before it may quote one.
  private static func lastClient(_ line: Line, _ start: Int) -> Int? {
    var last: Int?
    var from = start
    while let found = line.index(of: ", client: ", from: from) {
      last = found
      from = found + 10
    }
    return last
  }

  private static func writeContext(_ text: Text, _ start: Int, _ writer: inout JSONWriter) {
    var index = start
    while text.bytes.has(", ", at: index) {
      let line = text.bytes
      let name = index + 2
      guard let colon = line.index(of: ": ", from: name), colon - name < 16 else { return }
      let isQuoted = line.at(colon + 2) == Byte.quote
      let valueStart = isQuoted ? colon + 3 : colon + 2
      guard let valueEnd = isQuoted ? quoteEnd(line, valueStart) : plainEnd(line, valueStart)
      else { return }
      write(text, line.slice(name, colon), valueStart, valueEnd, &writer)
      index = isQuoted ? valueEnd + 1 : valueEnd
    }
  }

  private static func write(
    _ text: Text, _ name: Line, _ start: Int, _ end: Int, _ writer: inout JSONWriter
  ) {
    let value = text.slice(start, end)
    if name.isEqual("client") {
      writer.member("client.address", text: value)
    } else if name.isEqual("server") {
      if end > start { writer.member("server.address", text: value) }
    } else if name.isEqual("request") {
      AccessFields.writeRequest(text, start, end, &writer)
    } else if name.isEqual("upstream") {
      writer.member("nginx.upstream", text: value)
    } else if name.isEqual("host") {
      writer.member("http.request.header.host", text: value)
    } else if name.isEqual("referrer") {
      writer.member("http.request.header.referer", text: value)
    }
  }

  /// Values are quoted but not escaped: a quote ends one only before `, ` or at the end.
  private static func quoteEnd(_ line: Line, _ start: Int) -> Int? {
    var from = start
    while let quote = line.index(of: Byte.quote, from: from) {
      if quote + 1 == line.count || line.has(", ", at: quote + 1) { return quote }
      from = quote + 1
    }
    return nil
  }

  private static func plainEnd(_ line: Line, _ start: Int) -> Int? {
    line.index(of: ", ", from: start) ?? line.count
  }

  static let samples = [
    FormatSample(
      #"2026/11/30 07:12:32 [error] 7#8: *3 open() "/x" failed (2: No such file), client: ::1, "#
        + #"server: web, request: "GET /a HTTP/1.1", host: "localhost""#,
      time: "2026-11-30T07:12:32Z", severity: 17, severityText: "error", pid: 7, thread: 8,
      body: #"open() "/x" failed (2: No such file)"#,
      attributes: #"{"nginx.connection":3,"client.address":"::1","server.address":"web","#
        + #""http.request.method":"GET","url.path":"/a","network.protocol.version":"1.1","#
        + #""http.request.header.host":"localhost"}"#),
    FormatSample(
      "2026/11/30 07:12:31 [crit] 7#7: no space", time: "2026-11-30T07:12:31Z", severity: 18,
      severityText: "crit", pid: 7, thread: 7, body: "no space"),
    FormatSample(
      "nginx: [emerg] bind() failed", severity: 21, severityText: "emerg", process: "nginx",
      body: "bind() failed"),
  ]
}
