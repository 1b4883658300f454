// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// AWS VPC flow logs in their default form (version 2), with or without the heading that names the
/// columns. Each line is a span of time; its record has the start.
enum VPCFlowFormat: LogFormat {
  static let info = FormatInfo(
    name: "aws-vpc-flow", family: "network", summary: "AWS VPC flow logs, the default columns",
    example:
      "2 123456789010 eni-0a1b 192.0.2.3 192.0.2.4 443 34892 6 20 4249 1772359200 1772359260 "
      + "ACCEPT OK")

  private static let heading: StaticString = "version account-id interface-id srcaddr "
  /// By column; those without a name are not kept.
  private static let names: [(Int, StaticString)] = [
    (1, "cloud.account.id"), (2, "network.interface.name"), (3, "source.address"),
    (4, "destination.address"), (5, "source.port"), (6, "destination.port"),
    (7, "network.iana_number"), (9, "network.bytes"), (12, "aws.vpc.action"),
    (13, "aws.vpc.status"),
  ]

  static func begins(_ line: Line) -> Bool {
    guard line.at(0).isDigit else { return line.has(heading, at: 0) }
    guard line.at(1) == Byte.space, line.skipDigits(2) == 14, line.has(" eni-", at: 14) else {
      return false
    }
    return column(line, 13) != nil
  }

  private static func column(_ line: Line, _ number: Int) -> Range<Int>? {
    var start = 0
    for _ in 0..<number {
      let end = line.skipToken(start)
      guard line.at(end) == Byte.space else { return nil }
      start = end + 1
    }
    return start..<line.skipToken(start)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    text.setBody(0, text.count, of: &record)
    var stamp = Stamp()
    guard let start = column(line, 10), line[0].isDigit,
      EpochTime.field(line, start.lowerBound, start.upperBound, into: &stamp),
      clock.set(stamp, from: line, of: &record)
    else {
      clock.inherit(&record)
      return true
    }
    var writer = JSONWriter(text)
    for (number, name) in names {
      guard let value = column(line, number), line.at(value.lowerBound) != Byte.dash else {
        continue
      }
      writer.member(name, text: text.slice(value.lowerBound, value.upperBound))
    }
    record.attributes = writer.finish(text)
    return true
  }

  static let samples = [
    FormatSample(
      "2 123456789010 eni-0a1b 192.0.2.3 192.0.2.4 443 34892 6 20 4249 1772359200 1772359260 REJECT OK",
      time: "2026-03-01T10:00:00Z",
      body:
        "2 123456789010 eni-0a1b 192.0.2.3 192.0.2.4 443 34892 6 20 4249 1772359200 1772359260 REJECT OK",
      attributes: #"{"cloud.account.id":"123456789010","network.interface.name":"eni-0a1b","#
        + #""source.address":"192.0.2.3","destination.address":"192.0.2.4","source.port":"443","#
        + #""destination.port":"34892","network.iana_number":"6","network.bytes":"4249","#
        + #""aws.vpc.action":"REJECT","aws.vpc.status":"OK"}"#)
  ]
}
