// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Lines without a time that begin with a level in capitals and a colon: Python's `basicConfig`
/// (`LEVEL:logger:text`), uvicorn (`INFO:     text`), logrus on a
/// terminal (`WARN[0012] text`) and what many programs print.
enum LevelFirstFormat: LogFormat {
  static let info = FormatInfo(
    name: "level-first", family: "python",
    summary: "a level and no time: Python's basicConfig, uvicorn",
    example: "WARNING:shop.orders:retry 1 of 3")

  struct Header {
    var levelStart = 0
    var levelEnd = 0
    var severity = Severity.unspecified
    var nameStart = 0
    var nameEnd = 0
    var bodyStart = 0
  }

  private static func read(_ line: Line, _ header: inout Header) -> Bool {
    switch line.at(0) {
    case Byte.openBracket: return readBracket(line, &header) || readThread(line, &header)
    case 0x30...0x39: return readThread(line, &header)
    case Byte.space: return readIndented(line, &header)
    case UInt8(ascii: "p"): return readPairs(line, &header)
    case 0x61...0x7a where line.at(0) != UInt8(ascii: "n"): return readLowercase(line, &header)
    default: break
    }
    if line.at(0) == UInt8(ascii: "n") { return readNpm(line, &header) }
    if let found = GLibText.find(line) {
      (header.levelStart, header.levelEnd) = (found.level.lowerBound, found.level.upperBound)
      header.severity = found.severity
      (header.nameStart, header.nameEnd) = (found.domain.lowerBound, found.domain.upperBound)
      header.bodyStart = found.bodyStart
      return true
    }
    var end = 0
    while line.at(end).isUpper { end += 1 }
    if line.has("Level ", at: 0) {
      end = line.skipDigits(6)
      guard end > 6, end < 9, let number = line.decimal(6, end) else { return false }
      header.severity = LevelWords.severity(ofTens: number, fatal: 50)
    } else {
      guard end >= 4, end <= 9, let severity = LevelWords.severity(of: line.slice(0, end)) else {
        return false
      }
      header.severity = severity
    }
    header.levelEnd = end
    if end == 4, readSeconds(line, &header) { return true }
    guard line.at(end) == Byte.colon else {
      if readColumn(line, &header) { return true }
      // A symbol takes the place of the colon.
      header.bodyStart = end + 1
      return line.at(end) == Byte.space && line.at(end + 1) >= 0xe2
    }
    header.bodyStart = line.skipBlanks(end + 1)
    guard header.bodyStart == end + 1 else { return !hasTime(line, header.bodyStart) }
    var name = end + 1
    while line.at(name).isName { name += 1 }
    guard name > end + 1, line.at(name) == Byte.colon else { return false }
    (header.nameStart, header.nameEnd) = (end + 1, name)
    header.bodyStart = name + 1
    return true
  }

  /// `npm ERR! text`, `npm WARN text`: what npm prints before version 10 (it says `npm error` since).
  private static func readNpm(_ line: Line, _ header: inout Header) -> Bool {
    guard line.has("npm ", at: 0) else { return false }
    var end = 4
    while line.at(end).isLetter { end += 1 }
    let word = line.slice(4, end)
    // "npm audit" and "npm failed" are sentences.
    guard
      line.at(4).isUpper || word.isEqual("error") || word.isEqual("warn")
        || word.isEqual("notice"),
      let severity = LevelWords.severity(of: word)
    else { return false }
    (header.nameEnd, header.levelStart, header.levelEnd) = (3, 4, end)
    header.severity = severity
    if line.at(end) == UInt8(ascii: "!") { end += 1 }
    header.bodyStart = line.skipBlanks(end)
    return header.bodyStart > end || end == line.count
  }

  /// `[LEVEL] text` (Maven, sbt, CoreDNS), `[LEVEL target] text` (Rust).
  private static func readBracket(_ line: Line, _ header: inout Header) -> Bool {
    var end = 1
    while line.at(end).isLetter { end += 1 }
    guard end >= 5, let severity = LevelWords.severity(of: line.slice(1, end)) else { return false }
    (header.levelStart, header.levelEnd) = (1, end)
    header.severity = severity
    var close = line.skipBlanks(end)
    if close > end {
      header.nameStart = close
      while line.at(close).isName || line.at(close) == Byte.colon { close += 1 }
      header.nameEnd = close > header.nameStart ? close : 0
    }
    header.bodyStart = line.skipBlanks(close + 1)
    return line.at(close) == Byte.closeBracket
      && (line.at(close + 1).isBlank || close + 1 == line.count)
      && !hasTime(line, header.bodyStart)
  }

  /// A line with a time has another format.
  static func hasTime(_ line: Line, _ start: Int) -> Bool {
    var stamp = Stamp()
    let isBracketed = line.at(start) == Byte.openBracket
    // PerfectLogger writes an event's UUID before it.
    let time = isBracketed && line.has("] [", at: start + 37) ? start + 40 : start
    return StampScanner.scan(
      line, at: isBracketed && time == start ? start + 1 : time, into: &stamp)
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header)
  }

  /// `error: text` is as often a tool's word to its user: a file of such lines is known by the others.
  static func fits(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header)
      && (header.levelStart > 0 || line[0].isUpper
        || header.severity.number <= 9 && line[0] != UInt8(ascii: "h"))
  }

  /// Whether the line is one of npm or GLib, which are rarely alone in a file.
  static func isStray(_ line: Line) -> Bool {
    line.at(0) == UInt8(ascii: "n") || GLibText.find(line) != nil
  }

  /// "ERROR: text" may be part of a message.
  static func isDistinct(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header) && header.nameEnd > 0
      && (header.levelStart == 0 || header.nameEnd == 3 && line[header.levelStart].isUpper)
      || GLibText.find(line) != nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var header = Header()
    guard read(line, &header) else { return false }
    clock.inherit(&record)
    record.severity = header.severity
    record.severityText = text.slice(header.levelStart, header.levelEnd)
    GLibText.readProgram(text, &record)
    if header.nameEnd > header.nameStart {
      record.scope = text.slice(header.nameStart, header.nameEnd)
    }
    text.setBody(min(header.bodyStart, line.count), line.count, of: &record)
    readAccess(text, header.bodyStart, &clock, &record)
    StackTraceText.annotate(&record, text.arena)
    return true
  }

  /// `address:port - "request" status reason` of uvicorn, and `address - - [time] "request" status`
  /// of Werkzeug, behind its logger's name.
  private static func readAccess(
    _ text: Text, _ start: Int, _ clock: inout Clock, _ record: inout LogRecord
  ) {
    let line = text.bytes
    let end = line.skipToken(start)
    guard end > start, line[end - 1].isHexDigit else { return }
    var quote = end + 3
    var addressEnd = end
    if line.has(" - - [", at: end) {
      var stamp = Stamp()
      guard StampScanner.scan(line, at: end + 6, into: &stamp), line.has("] \"", at: stamp.end)
      else { return }
      _ = clock.set(stamp, from: line, of: &record)
      quote = stamp.end + 2
    } else {
      while addressEnd > start, line[addressEnd - 1].isDigit { addressEnd -= 1 }
      guard line.has(" - \"", at: end), addressEnd > start + 1, addressEnd < end,
        line[addressEnd - 1] == Byte.colon
      else { return }
    }
    let close = AccessLogFormat.quotedEnd(line, quote)
    var writer = JSONWriter(text)
    let port = addressEnd
    if port < end { addressEnd -= 1 }
    writer.member("client.address", text: text.slice(start, addressEnd))
    if let number = line.decimal(port, end) { writer.member("client.port", number: number) }
    AccessFields.writeRequest(text, quote + 1, close, &writer)
    if let status = line.decimal(close + 2, close + 5) {
      writer.member("http.response.status_code", number: status)
    }
    record.attributes = writer.finish(text)
  }

  static let samples = [
    FormatSample(
      "ERROR:shop.orders:failed\nTraceback (most recent call last):\n  File \"a.py\", line 1\n"
        + "KeyError: 'x'\nmore",
      severity: 17, severityText: "ERROR", scope: "shop.orders",
      body: "failed\nTraceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'x'\n"
        + "more",
      attributes: #"{"exception.type":"KeyError","exception.message":"'x'\nmore","#
        + #""exception.stacktrace":"Traceback (most recent call last):\n  File \"a.py\", line 1\n"#
        + #"KeyError: 'x'\nmore"}"#),
    FormatSample(
      "WARN[0012] slow   n=3", severity: 13, severityText: "WARN", body: "slow   n=3"),
    FormatSample("DEBU[0000] tick", severity: 5, severityText: "DEBU", body: "tick"),
    FormatSample("ERROR - no route", severity: 17, severityText: "ERROR", body: "no route"),
    FormatSample("NOTICE  : ready", severity: 10, severityText: "NOTICE", body: "ready"),
    FormatSample(
      "976 [main] WARN shop.Cart - slow [3 ms]", severity: 13, severityText: "WARN",
      scope: "shop.Cart", body: "slow [3 ms]"),
    FormatSample(
      "[worker-1] ERROR shop.Cart - no route", severity: 17, severityText: "ERROR",
      scope: "shop.Cart", body: "no route"),
    FormatSample(
      "pid=42 tid=ox1 WARN: queue is long", severity: 13, severityText: "WARN",
      body: "queue is long"),
    FormatSample(
      #"INFO:werkzeug:192.0.2.7 - - [01/Mar/2026 10:00:05] "GET /cart HTTP/1.1" 200 -"#,
      time: "2026-03-01T10:00:05Z", severity: 9, severityText: "INFO", scope: "werkzeug",
      body: #"192.0.2.7 - - [01/Mar/2026 10:00:05] "GET /cart HTTP/1.1" 200 -"#,
      attributes: #"{"client.address":"192.0.2.7","http.request.method":"GET","url.path":"/cart","#
        + #""network.protocol.version":"1.1","http.response.status_code":200}"#),
    FormatSample(
      "Level 15:shop:between", severity: 5, severityText: "Level 15", scope: "shop",
      body: "between"),
    FormatSample(
      #"INFO:     192.0.2.1:52782 - "POST /login HTTP/1.1" 401 Unauthorized"#, severity: 9,
      severityText: "INFO", body: #"192.0.2.1:52782 - "POST /login HTTP/1.1" 401 Unauthorized"#,
      attributes: #"{"client.address":"192.0.2.1","client.port":52782,"#
        + #""http.request.method":"POST","url.path":"/login","network.protocol.version":"1.1","#
        + #""http.response.status_code":401}"#),
  ]
}
