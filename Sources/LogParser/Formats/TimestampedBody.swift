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
    case UInt8(ascii: "%"): mnemonic(line, start, text, &record)
    case UInt8(ascii: "#") where line.has("##[", at: start): command(line, start + 3, text, &record)
    default:
      let host = line.skipToken(start)
      if line.has(" : %", at: host) {
        mnemonic(line, host + 3, text, &record)
      } else if line.has(" %", at: host) {
        mnemonic(line, host + 1, text, &record)
      }
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
