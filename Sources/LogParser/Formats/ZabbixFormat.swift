// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Zabbix's server, proxy and agent: `pid:yyyyMMdd:HHmmss.SSS text`, the pid set right in six
/// columns. The text has no level.
enum ZabbixFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "zabbix", family: "monitoring", summary: "Zabbix server, proxy and agent",
    example: "  1234:20260301:100000.123 Starting Zabbix Server.")

  struct Header: RecordHeader {
    var stamp = Stamp()
    var pid: Int64 = -1
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    let start = line.skipBlanks(0)
    let colon = line.skipDigits(start)
    guard colon > start, start < 6, line.at(colon) == Byte.colon,
      line.skipDigits(colon + 1) == colon + 9, line.at(colon + 9) == Byte.colon,
      line.skipDigits(colon + 10) == colon + 16
    else { return false }
    header.pid = line.decimal(start, colon) ?? -1
    header.stamp.year = StampScanner.fourDigits(line, at: colon + 1) ?? 0
    (header.stamp.month, header.stamp.day) = (line.two(colon + 5), line.two(colon + 7))
    (header.stamp.hour, header.stamp.minute) = (line.two(colon + 10), line.two(colon + 12))
    header.stamp.second = line.two(colon + 14)
    header.stamp.end = colon + 16
    StampScanner.fraction(line, into: &header.stamp)
    header.stamp.close()
    return line.at(header.stamp.end) == Byte.space
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    record.pid = header.pid
    text.setBody(min(header.stamp.end + 1, text.count), text.count, of: &record)
  }

  static let samples = [
    FormatSample(
      "  1234:20260301:100000.123 server #0 started [main process]",
      time: "2026-03-01T10:00:00.123Z", pid: 1234, body: "server #0 started [main process]"),
    FormatSample(
      "123456:20260301:100001.500 cannot connect", time: "2026-03-01T10:00:01.5Z", pid: 123456,
      body: "cannot connect"),
  ]
}
