// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Reports of Erlang's SASL and of old RabbitMQ: `=ERROR REPORT==== 1-Mar-2026::10:00:01 ===`, then
/// the report's lines.
enum ErlangReportFormat: LogFormat {
  static let info = FormatInfo(
    name: "erlang-report", family: "erlang", summary: "reports of Erlang/OTP, and RabbitMQ to 3.6",
    example: "=INFO REPORT==== 1-Mar-2026::10:00:00 ===\naccepting AMQP connection")

  /// The end of the name behind the first `=`, and of the heading.
  private static func read(_ line: Line, _ stamp: inout Stamp) -> (name: Int, end: Int)? {
    guard line.at(0) == Byte.equals, line.at(1).isUpper,
      let name = line.index(of: " REPORT==== ", from: 1), name < 40
    else { return nil }
    let date = name + 12
    // ejabberd's own.
    if line.at(date + 4) == Byte.dash, StampScanner.iso(line, at: date, into: &stamp) {
      return (name, line.firstLineEnd)
    }
    let dash = line.skipDigits(date)
    guard dash > date, dash - date <= 2, line.at(dash) == Byte.dash,
      line.has("::", at: dash + 9), let year = StampScanner.fourDigits(line, at: dash + 5),
      StampScanner.timeOfDay(line, at: dash + 11, into: &stamp)
    else { return nil }
    let month = StampScanner.month(line, at: dash + 1)
    guard month > 0 else { return nil }
    (stamp.year, stamp.month) = (year, month)
    stamp.day = Int(line.decimal(date, dash) ?? 0)
    stamp.shape = .full
    StampZone.scan(line, into: &stamp)
    stamp.close()
    return (name, line.firstLineEnd)
  }

  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    return read(line, &stamp) != nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var stamp = Stamp()
    guard let heading = read(line, &stamp) else { return false }
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    record.severityText = text.slice(1, heading.name)
    record.severity = severity(line.slice(1, heading.name))
    let body = min(heading.end + 1, line.count)
    text.setBody(body < line.count ? body : 0, line.count, of: &record)
    return true
  }

  /// OTP's own names: a process that crashes, and a supervisor that tells of it, are errors.
  private static func severity(_ name: Line) -> Severity {
    if name.isEqual("CRASH") || name.isEqual("SUPERVISOR") { return .error }
    if name.isEqual("PROGRESS") { return .info }
    return LevelWords.severity(of: name) ?? .unspecified
  }

  static let samples = [
    FormatSample(
      "=ERROR REPORT==== 1-Mar-2026::10:00:01 ===\nclosing AMQP connection\n{error,x}",
      time: "2026-03-01T10:00:01Z", severity: 17, severityText: "ERROR",
      body: "closing AMQP connection\n{error,x}")
  ]
}
