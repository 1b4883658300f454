// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// IBM MQ's error logs (`AMQERR01.LOG`): a local time, `- Process(pid.thread) …`, details in
/// parentheses, the message with its number, and what it means.
///
/// The local time has the host's own order of day and month; `Time(…)` among the details has UTC.
enum IBMMQFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "ibm-mq", family: "message-queue", summary: "IBM MQ's error logs",
    example: "11/10/2018 10:46:25 - Process(16776.1) User(mqm) Program(strmqm)")

  private static let mark: StaticString = " - Process("
  /// The farthest the mark is looked for: a time with AM.
  private static let maxTime = 32

  private static func process(_ line: Line) -> Int? {
    guard line.at(0).isDigit else { return nil }
    return line.slice(0, min(line.count, maxTime + mark.utf8CodeUnitCount)).index(of: mark, from: 0)
  }

  static func begins(_ line: Line) -> Bool { process(line) != nil }

  /// What explains a message is prose, and never a record of its own.
  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if begins(line) { return state.begin() }
    return state.isFirst ? nil : .continues
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard let start = process(line.slice(0, line.firstLineEnd)) else { return false }
    if !readTime(line, &clock, &record) { clock.inherit(&record) }
    let pid = start + mark.utf8CodeUnitCount
    record.pid = line.decimal(pid, line.skipDigits(pid)) ?? -1
    if let program = line.index(of: " Program(", from: pid) {
      let close = line.index(of: 0x29, from: program) ?? line.count
      record.process = text.slice(program + 9, close)
    }
    let message = messageStart(line)
    text.setBody(message ?? 0, line.count, of: &record)
    guard let message else { return true }
    let letter = line.skipDigits(message + 3)
    switch line.at(letter) {
    case UInt8(ascii: "I"): record.severity = .info
    case UInt8(ascii: "W"): record.severity = .warn
    case UInt8(ascii: "E"): record.severity = .error
    case UInt8(ascii: "S"): record.severity = .critical
    case UInt8(ascii: "T"): record.severity = .fatal
    default: return true
    }
    record.severityText = text.slice(letter, letter + 1)
    return true
  }

  private static func readTime(
    _ line: Line, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    var stamp = Stamp()
    if let time = line.index(of: " Time(", from: 0),
      StampScanner.iso(line, at: time + 6, into: &stamp),
      clock.set(stamp, from: line, of: &record)
    {
      return true
    }
    stamp = Stamp()
    return StampScanner.scan(line, at: 0, into: &stamp) && clock.set(stamp, from: line, of: &record)
  }

  /// The line that begins with `AMQ` and digits.
  private static func messageStart(_ line: Line) -> Int? {
    var from = 0
    while let found = line.index(of: "\nAMQ", from: from) {
      if line.at(found + 4).isDigit { return found + 1 }
      from = found + 4
    }
    return nil
  }

  static let samples = [
    FormatSample(
      "11/10/2018 10:46:26 - Process(8480.1) User(mqm) Program(amqzxma0.exe)\n"
        + "          Time(2018-10-11T08:46:26.343Z)\n\nAMQ6776E: Log not configured.",
      time: "2018-10-11T08:46:26.343Z", offset: 0, severity: 17, severityText: "E",
      process: "amqzxma0.exe", pid: 8480, body: "AMQ6776E: Log not configured.")
  ]
}
