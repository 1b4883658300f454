// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// CloudFront's access log where the directives that name its columns are missing: tabs between the
/// columns of version 1.0, date and time in UTC.
enum CloudFrontFormat: LogFormat {
  static let info = FormatInfo(
    name: "aws-cloudfront", family: "web-server", summary: "AWS CloudFront access log",
    example: "2024-03-12\t15:22:28\tCDG50-P2\t703\t192.0.2.4\tGET\td6.cloudfront.net\t/a\t400\t-")

  /// The columns that are kept, by number.
  private static let columns: [(Int, StaticString)] = [
    (4, "client.address"), (5, "http.request.method"), (6, "server.address"), (7, "url.path"),
    (10, "user_agent.original"), (11, "url.query"),
  ]

  static func begins(_ line: Line) -> Bool {
    guard line.count > 40, line[4] == Byte.dash, line[10] == Byte.tab, line[13] == Byte.colon,
      line[19] == Byte.tab, line[0].isDigit
    else { return false }
    return column(line, 8).map { line.decimal($0.lowerBound, $0.upperBound) != nil } ?? false
  }

  private static func column(_ line: Line, _ number: Int) -> Range<Int>? {
    var start = 0
    for _ in 0..<number {
      guard let tab = line.index(of: Byte.tab, from: start) else { return nil }
      start = tab + 1
    }
    return start..<(line.index(of: Byte.tab, from: start) ?? line.count)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    var stamp = Stamp()
    guard StampScanner.timeOfDay(line, at: 11, into: &stamp) else { return false }
    stamp.zone = .offset
    stamp.year = StampScanner.fourDigits(line, at: 0) ?? 0
    (stamp.month, stamp.day) = (line.two(5), line.two(8))
    stamp.close()
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    var writer = JSONWriter(text)
    for (number, name) in Self.columns {
      guard let value = column(line, number), !value.isEmpty else { continue }
      if value.count == 1, line[value.lowerBound] == Byte.dash { continue }
      writer.member(name, text: text.slice(value.lowerBound, value.upperBound))
    }
    if let status = column(line, 8), status.count == 3,
      let number = line.decimal(status.lowerBound, status.upperBound), number > 0
    {
      writer.member("http.response.status_code", number: number)
      record.severity = HTTPStatus.severity(line[status.lowerBound])
      record.flags.add(.severityDerived)
    }
    record.attributes = writer.finish(text)
    text.setBody(0, line.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "2024-03-12\t15:22:28\tCDG50-P2\t703\t192.0.2.4\tGET\td6.cloudfront.net\t/a\t400\t-\tcurl/7\tq=1",
      time: "2024-03-12T15:22:28Z", offset: 0, severity: 13,
      body:
        "2024-03-12\t15:22:28\tCDG50-P2\t703\t192.0.2.4\tGET\td6.cloudfront.net\t/a\t400\t-\tcurl/7\tq=1",
      attributes: #"{"client.address":"192.0.2.4","http.request.method":"GET","#
        + #""server.address":"d6.cloudfront.net","url.path":"/a","user_agent.original":"curl/7","#
        + #""url.query":"q=1","http.response.status_code":400}"#)
  ]
}
