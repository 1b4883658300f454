// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What the text behind a time tells of itself where no level stands there.
enum TimestampedBody {
  static func annotate(_ record: inout LogRecord, _ text: Text) {
    let start = Int(record.body.start) - text.start
    let line = text.bytes
    switch line.at(start) {
    case Byte.quote: request(line, start, text, &record)
    case 0x31...0x35 where line.has(" | ", at: start + 3): ginRequest(line, start, &record)
    case UInt8(ascii: "P") where line.has("PHP ", at: start): php(line, start + 4, text, &record)
    case UInt8(ascii: "h") where line.has("heroku[router]: at=", at: start):
      router(line, start + 19, text, &record)
    case Byte.slash: CompilerDiagnostic.annotate(text, from: start, &record)
    case UInt8(ascii: "c") where line.has("cpu", at: start): esx(line, start, text, &record)
    case Byte.less: zypp(line, start, text, &record)
    case UInt8(ascii: "I") where line.at(start + 1).isDigit: db2(line, start, text, &record)
    case UInt8(ascii: "E") where line.at(start + 1).isDigit: db2(line, start, text, &record)
    case Byte.openBracket where PacemakerLine.read(line, start, text, &record): break
    case Byte.openBracket: sssd(line, start, text, &record)
    case UInt8(ascii: "%"): mnemonic(line, start, text, &record)
    case UInt8(ascii: "I") where line.has("InnoDB: Assertion failure ", at: start),
      UInt8(ascii: "m") where line.has("mysqld got signal ", at: start):
      record.severity = .fatal
    case UInt8(ascii: "#") where line.has("##[", at: start): command(line, start + 3, text, &record)
    default:
      if line.at(0) == Byte.openBracket {
        behindBracket(line, start, text, &record)
      } else {
        behindHost(line, start, text, &record)
      }
    }
  }

  private static func behindHost(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    let host = line.skipToken(start)
    if line.has(" : %", at: host) {
      mnemonic(line, host + 3, text, &record)
    } else if line.has(" %", at: host) {
      mnemonic(line, host + 1, text, &record)
    } else if line.has(" kernel: ", at: host), line.at(3) == Byte.space, line.at(8) == Byte.dash {
      // `journalctl -o short-full`.
      record.process = text.slice(host + 1, host + 7)
      text.setBody(host + 9, text.count, of: &record)
      KernelDeath.annotate(&record, text.arena)
    } else if line.has("Error: ", at: line.skipBlanks(host)) {
      sqlServer(line, line.skipBlanks(host) + 7, text, &record)
    } else if line.at(host) == Byte.space {
      if PacemakerLine.read(line, start, text, &record) { return }
      structured(line, host + 1, text, &record)
    }
  }

  /// `app procid msgid [name@number … level="INFO" …] text`: syslog's structured message as rsyslog
  /// writes it without the priority (VMware NSX).
  private static func structured(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    let procid = line.skipToken(start) + 1
    let msgid = line.skipToken(procid) + 1
    let data = line.skipToken(msgid) + 1
    guard line.at(data) == Byte.openBracket, let end = StructuredData.end(line, data),
      line.slice(0, end).index(of: "=\"", from: data) != nil
    else { return }
    record.process = text.slice(start, procid - 1)
    record.pid = line.decimal(procid, msgid - 1) ?? -1
    let element = line.slice(0, end)
    guard let level = element.index(of: #" level=""#, from: data),
      let close = element.index(of: Byte.quote, from: level + 8),
      let severity = LevelWords.severity(of: line.slice(level + 8, close), .syslog)
    else { return }
    record.severity = severity
    record.severityText = text.slice(level + 8, close)
  }

  /// `source  Error: 18456, Severity: 14, State: 8.` of SQL Server: to 10 it informs, from 20 on the
  /// connection ends.
  private static func sqlServer(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    let number = line.skipDigits(start)
    let level = number + 12
    let end = line.skipDigits(level)
    guard number > start, line.has(", Severity: ", at: number), line.has(", State: ", at: end),
      let severity = line.decimal(level, end)
    else { return }
    record.severity = severity <= 10 ? .info : severity < 20 ? .error : .fatal
    record.severityText = text.slice(level, end)
  }

  private static func behindBracket(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    if line.skipHexDigits(start) == start + 8 {
      webSphere(line, start, text, &record)
    } else if line.at(3) == Byte.slash,
      let quote = line.slice(0, min(line.count, start + 300)).index(of: " \"", from: start)
    {
      // The time of web servers, before all else.
      request(line, quote + 1, text, &record)
    } else if line.at(3) == Byte.slash {
      bareRequest(line, start, &record)
    }
  }

  /// `"METHOD target HTTP/version" status` of access logs that are like no other.
  private static func request(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    let end = AccessLogFormat.quotedEnd(line, start)
    let status = end + 2
    let statusEnd = line.skipDigits(status)
    guard line.at(end + 1) == Byte.space, statusEnd == status + 3,
      line.slice(start, min(end, line.count)).index(of: " HTTP/", from: 0) != nil,
      let code = line.decimal(status, statusEnd)
    else { return }
    record.severity = HTTPStatus.severity(line[status])
    record.flags.add(.severityDerived)
    var writer = JSONWriter(text, after: record.attributes)
    AccessFields.writeRequest(text, start + 1, end, &writer)
    writer.member("http.response.status_code", number: code)
    record.attributes = writer.finish(text)
  }

  /// `METHOD target HTTP/version status` without quotes (Confluence, Jira).
  private static func bareRequest(_ line: Line, _ start: Int, _ record: inout LogRecord) {
    guard let version = line.slice(0, line.firstLineEnd).index(of: " HTTP/", from: start) else {
      return
    }
    let status = line.skipToken(version + 6) + 1
    guard line.skipDigits(status) == status + 3, line.at(status + 3).isBlank else { return }
    record.severity = HTTPStatus.severity(line[status])
    record.flags.add(.severityDerived)
  }

  /// `[process] [function] (0x0020): text` of SSSD, with the bits of its debug levels.
  private static func sssd(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    guard let mark = line.slice(0, min(line.count, start + 200)).index(of: "] (0x", from: start),
      line.has("): ", at: mark + 9), let level = line.hexadecimal(mark + 5, mark + 9)
    else { return }
    record.severityText = text.slice(mark + 3, mark + 9)
    record.severity =
      switch level {
      case 0x10: .fatal
      case 0x20: .critical
      case 0x40: .error
      case 0x80: .warn
      case 0x100, 0x200: .info
      case 0x400, 0x800: .debug
      default: .trace
      }
  }

  /// `I1234E567  LEVEL: Warning` of DB2.
  private static func db2(_ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord) {
    let first = line.slice(0, line.firstLineEnd)
    guard let mark = first.index(of: " LEVEL: ", from: start) else { return }
    var end = mark + 8
    while line.at(end).isLetter { end += 1 }
    guard let severity = LevelWords.severity(of: line.slice(mark + 8, end)) else { return }
    record.severity = severity
    record.severityText = text.slice(mark + 8, end)
  }

  /// `<1> host(pid) …` of libzypp and YaST, whose levels count up from debug.
  private static func zypp(_ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord) {
    let levels: [Severity] = [.debug, .info, .warn, .error, .critical, .fatal]
    let level = Int(line.at(start + 1) &- Byte.zero)
    guard level < levels.count, line.has("> ", at: start + 2) else { return }
    let host = line.skipToken(start + 4)
    guard host > start + 5, line[host - 1] == 0x29 else { return }
    record.severity = levels[level]
    record.severityText = text.slice(start + 1, start + 2)
  }

  /// `threadid Logger  L text` of WebSphere, the thread in eight hexadecimal digits.
  private static func webSphere(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    let logger = line.skipBlanks(start + 8)
    let loggerEnd = line.skipToken(logger)
    let level = line.skipBlanks(loggerEnd)
    guard logger > start + 8, line.at(level + 1).isBlank else { return }
    switch line[level] {
    case UInt8(ascii: "F"): record.severity = .fatal
    case UInt8(ascii: "E"): record.severity = .error
    case UInt8(ascii: "W"): record.severity = .warn
    case UInt8(ascii: "A"), UInt8(ascii: "I"): record.severity = .info
    case UInt8(ascii: "C"), UInt8(ascii: "D"): record.severity = .debug
    case 0x31...0x33: record.severity = .trace
    // What the application prints has no level.
    case UInt8(ascii: "O"), UInt8(ascii: "R"): break
    default: return
    }
    record.threadID = line.hexadecimal(start, start + 8) ?? -1
    record.scope = text.slice(logger, loggerEnd)
    record.severityText = text.slice(level, level + 1)
    text.setBody(min(line.skipBlanks(level + 1), line.count), line.count, of: &record)
  }

  /// `cpu6:95227)WARNING: text` of ESX's kernel.
  static func esx(_ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord) {
    guard let mark = line.slice(0, min(line.count, start + 40)).index(of: 0x29, from: start) else {
      return
    }
    let isAlert = line.has("ALERT: ", at: mark + 1)
    guard isAlert || line.has("WARNING: ", at: mark + 1) else { return }
    record.severity = isAlert ? .alert : .warn
    record.severityText = text.slice(mark + 1, mark + (isAlert ? 6 : 8))
  }

  /// `##[error]text` of GitHub's and Azure's runners.
  private static func command(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    guard let close = line.index(of: Byte.closeBracket, from: start), close - start <= 10,
      let severity = LevelWords.severity(of: line.slice(start, close))
    else { return }
    record.severity = severity
    record.severityText = text.slice(start, close)
    text.setBody(min(line.skipBlanks(close + 1), line.count), line.count, of: &record)
  }

  /// `heroku[router]: at=level …`.
  private static func router(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    let end = min(line.skipToken(start), line.count)
    guard let severity = LevelWords.severity(of: line.slice(start, end)) else { return }
    record.severity = severity
    record.severityText = text.slice(start, end)
  }

  /// `status | duration | address | METHOD "target"` of Gin.
  private static func ginRequest(_ line: Line, _ start: Int, _ record: inout LogRecord) {
    guard line.decimal(start, start + 3) != nil,
      let bar = line.slice(0, min(line.count, start + 100)).index(of: " | ", from: start + 6),
      line.index(of: "| ", from: bar + 3) != nil
    else { return }
    record.severity = HTTPStatus.severity(line[start])
    record.flags.add(.severityDerived)
  }

  /// `PHP Kind of error:  text`: the kinds as PHP itself hands them to syslog, but its fatal errors
  /// end the program.
  private static func php(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) {
    guard let colon = line.slice(0, min(line.count, start + 32)).index(of: ":  ", from: start)
    else {
      return
    }
    let kind = line.slice(start, colon)
    if kind.isEqual("Fatal error") || kind.isEqual("Catchable fatal error")
      || kind.isEqual("Recoverable fatal error")
    {
      record.severity = .fatal
    } else if kind.isEqual("Parse error") || kind.isEqual("Core error")
      || kind.isEqual("Compile error")
    {
      record.severity = .error
    } else if kind.isEqual("Warning") || kind.isEqual("Core warning")
      || kind.isEqual("Compile warning")
    {
      record.severity = .warn
    } else if kind.isEqual("Notice") {
      record.severity = .notice
    } else if kind.isEqual("Deprecated") || kind.isEqual("Strict Standards") {
      record.severity = .info
    } else {
      return
    }
    record.severityText = text.slice(start, colon)
    text.setBody(min(line.skipBlanks(colon + 1), line.count), line.count, of: &record)
  }

  /// `%FACILITY-n-NAME:` of Cisco, with syslog's numbers.
  static func mnemonic(_ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord) {
    var end = start + 1
    while line.at(end).isWord || line.at(end) == Byte.dash {
      if line[end] == Byte.dash, line.at(end + 1) &- Byte.zero < 8, line.at(end + 2) == Byte.dash {
        record.severity = LevelWords.severity(ofSyslog: Int(line[end + 1] - Byte.zero))
        record.severityText = text.slice(end + 1, end + 2)
        return
      }
      end += 1
    }
  }
}
