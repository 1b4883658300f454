// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Monolog's line formatter, as Laravel and Symfony use it: `[time] channel.LEVEL: text {context}`.
/// The levels are syslog's. A stack trace follows in lines of its own.
enum MonologFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "monolog", family: "php", summary: "Monolog line formatter: Laravel, Symfony",
    example: #"[2025-01-02 11:19:06] production.ERROR: order failed {"id":7} []"#)

  struct Header: RecordHeader {
    var stamp = Stamp()
    var channel = 0
    var dot = 0
    var colon = 0
    var severity = Severity.unspecified
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    guard line.at(0) == Byte.openBracket, StampScanner.iso(line, at: 1, into: &header.stamp),
      line.has("] ", at: header.stamp.end)
    else { return false }
    header.channel = header.stamp.end + 2
    var end = header.channel
    while line.at(end).isName { end += 1 }
    guard line.has(": ", at: end) else { return false }
    var dot = end - 1
    while dot > header.channel, line[dot].isUpper { dot -= 1 }
    guard line[dot] == Byte.dot, dot > header.channel,
      let severity = LevelWords.severity(of: line.slice(dot + 1, end), .syslog)
    else { return false }
    (header.dot, header.colon, header.severity) = (dot, end, severity)
    return true
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    let line = text.bytes
    record.severity = header.severity
    record.severityText = text.slice(header.dot + 1, header.colon)
    record.scope = text.slice(header.channel, header.dot)
    text.setBody(header.colon + 2, line.count, of: &record)
    if let trace = line.index(of: "\n[stacktrace]\n", from: header.colon) {
      var writer = JSONWriter(text)
      writer.member("exception.stacktrace", text: text.slice(trace + 14, line.count))
      record.attributes = writer.finish(text)
    }
  }

  static let samples = [
    FormatSample(
      "[2025-01-02 11:19:06] laravel.CRITICAL: no disk {\"x\":1}\n[stacktrace]\n#0 /a.php(140)",
      time: "2025-01-02T11:19:06Z", severity: 18, severityText: "CRITICAL", scope: "laravel",
      body: "no disk {\"x\":1}\n[stacktrace]\n#0 /a.php(140)",
      attributes: ##"{"exception.stacktrace":"#0 /a.php(140)"}"##)
  ]
}
