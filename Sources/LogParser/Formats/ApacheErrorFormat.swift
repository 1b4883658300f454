// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Apache's error log: `[Day Mon dd HH:mm:ss.µs yyyy] [module:level] [pid N:tid M] [client …] text`
/// (2.4), or with a level alone and no pid (2.2), in local time.
enum ApacheErrorFormat: LogFormat {
  static let info = FormatInfo(
    name: "apache-error", family: "web-server", summary: "Apache httpd 2.2 and 2.4 error log",
    example:
      "[Mon Nov 30 01:13:07.829448 2026] [mpm_event:notice] [pid 197:tid 198] AH00489: resuming")

  /// The time in its bracket, and the bracket of the level: where it begins.
  @inline(__always)
  private static func readHeader(_ line: Line, _ stamp: inout Stamp) -> Int? {
    if line.at(5) == Byte.dash { return readISOHeader(line, &stamp) }
    guard line.at(0) == Byte.openBracket, line.at(4) == Byte.space, line.count > 30,
      StampScanner.named(line, at: 5, into: &stamp), stamp.shape == .full,
      line.has("] [", at: stamp.end)
    else { return nil }
    return stamp.end &+ 3
  }

  /// `[yyyy-MM-dd HH:mm:ss.µs] [module:level] [pid N` of `%{cu}t`; others begin so, too.
  @inline(never)
  private static func readISOHeader(_ line: Line, _ stamp: inout Stamp) -> Int? {
    guard line.at(0) == Byte.openBracket, StampScanner.iso(line, at: 1, into: &stamp),
      line.has("] [", at: stamp.end),
      let close = line.slice(0, min(line.count, stamp.end + 60)).index(
        of: "] [pid ", from: stamp.end + 3),
      line.slice(0, close).index(of: Byte.colon, from: stamp.end) != nil
    else { return nil }
    return stamp.end + 3
  }

  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    return readHeader(line, &stamp) != nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var stamp = Stamp()
    guard let module = readHeader(line, &stamp),
      let moduleEnd = line.index(of: Byte.closeBracket, from: module)
    else { return false }
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    var level = module
    if let colon = line.index(of: Byte.colon, from: module), colon < moduleEnd {
      if colon > module { record.scope = text.slice(module, colon) }
      level = colon + 1
    }
    record.severity = severity(line.slice(level, moduleEnd))
    record.severityText = text.slice(level, moduleEnd)
    var index = moduleEnd + 1
    readProcess(line, &index, &record)
    var writer = JSONWriter(text)
    index = readClient(text, index, &writer)
    let body = min(line.skipBlanks(index), line.count)
    var bodyEnd = line.count
    if let referer = line.index(of: ", referer: ", from: body) {
      bodyEnd = referer
      writer.member("http.request.header.referer", text: text.slice(referer + 11, text.count))
    }
    text.setBody(body, bodyEnd, of: &record)
    record.attributes = writer.finish(text)
    return true
  }

  private static func severity(_ word: Line) -> Severity {
    if word.has("trace", at: 0), word.count == 6 { return .trace }
    return LevelWords.severity(of: word, .syslog) ?? .unspecified
  }

  /// ` [pid N]` or ` [pid N:tid M]`.
  private static func readProcess(_ line: Line, _ index: inout Int, _ record: inout LogRecord) {
    guard line.has(" [pid ", at: index) else { return }
    let pidEnd = line.skipDigits(index + 6)
    record.pid = line.decimal(index + 6, pidEnd) ?? -1
    var end = pidEnd
    if line.has(":tid ", at: pidEnd) {
      end = line.skipDigits(pidEnd + 5)
      record.threadID = line.decimal(pidEnd + 5, end) ?? -1
    }
    if line.at(end) == Byte.closeBracket { index = end + 1 }
  }

  /// ` [client address[:port]]`; the index behind it. The text of an errno may stand before it, then
  /// the client stays in the message.
  private static func readClient(_ text: Text, _ start: Int, _ writer: inout JSONWriter) -> Int {
    let line = text.bytes
    guard line.has(" [client ", at: start),
      let close = line.index(of: Byte.closeBracket, from: start + 9)
    else { return start }
    var port = close
    while port > start + 9, line[port - 1].isDigit { port -= 1 }
    var addressEnd = close
    if port < close, line[port - 1] == Byte.colon, isSocket(line, start + 9, port - 1) {
      addressEnd = port - 1
    }
    writer.member("client.address", text: text.slice(start + 9, addressEnd))
    if addressEnd < close, let number = line.decimal(port, close) {
      writer.member("client.port", number: number)
    }
    return close + 1
  }

  /// 2.2 writes the address alone: an IPv6 address has no port then.
  private static func isSocket(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    line.index(of: Byte.dot, from: start).map { $0 < end } ?? false
      || line[end - 1] == Byte.closeBracket
  }

  static let samples = [
    FormatSample(
      "[Mon Nov 30 01:13:08.849808 2026] [core:info] [pid 197:tid 198] [client 127.0.0.1:38654] "
        + "AH00128: File does not exist: /x, referer: http://a/",
      time: "2026-11-30T01:13:08.849808Z",
      severity: 9, severityText: "info", pid: 197, thread: 198, scope: "core",
      body: "AH00128: File does not exist: /x",
      attributes: #"{"client.address":"127.0.0.1","client.port":38654,"#
        + #""http.request.header.referer":"http://a/"}"#),
    FormatSample(
      "[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok", time: "2005-12-04T04:47:44Z",
      severity: 10, severityText: "notice", body: "workerEnv.init() ok"),
    FormatSample(
      "[Mon Nov 30 01:13:08 2026] [ssl:trace4] [pid 5] x", time: "2026-11-30T01:13:08Z",
      severity: 1, severityText: "trace4", pid: 5, scope: "ssl", body: "x"),
  ]
}
