// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Alerts of OSSEC and Wazuh (`alerts.log`): a line `** Alert EPOCH.ID:…`, then place, rule and the
/// lines that raised it.
///
/// Severities are those of Wazuh's own classes: levels to 6 are low, to 11 medium, to 14 high.
enum OssecAlertFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "ossec-alerts", family: "security", summary: "alerts of OSSEC and Wazuh",
    example: "** Alert 1772359200.353: mail  - pam,syslog,authentication_failed,")

  private static let start: StaticString = "** Alert "

  static func begins(_ line: Line) -> Bool {
    let number = start.utf8CodeUnitCount
    let dot = line.skipDigits(number)
    return line.has(start, at: 0) && dot > number && line.at(dot) == Byte.dot
  }

  /// The lines that raised an alert have formats of their own.
  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if begins(line) { return state.begin() }
    return state.isFirst ? nil : .continues
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    let number = start.utf8CodeUnitCount
    var stamp = Stamp()
    if !EpochTime.scan(line, number, line.skipDigits(number), into: &stamp)
      || !clock.set(stamp, from: line, of: &record)
    {
      clock.inherit(&record)
    }
    text.setBody(0, text.count, of: &record)
    guard let rule = line.index(of: "\nRule: ", from: 0) else { return true }
    let id = rule + 7
    let idEnd = line.skipDigits(id)
    guard line.has(" (level ", at: idEnd),
      let level = line.decimal(idEnd + 8, line.skipDigits(idEnd + 8))
    else { return true }
    record.severityText = text.slice(idEnd + 8, line.skipDigits(idEnd + 8))
    record.severity =
      switch level {
      case ...6: .info
      case ...11: .warn
      case ...14: .error
      default: .critical
      }
    var writer = JSONWriter(text)
    writer.member("ossec.rule", number: line.decimal(id, idEnd) ?? 0)
    if let arrow = line.index(of: "->", from: line.firstLineEnd), arrow < rule {
      writer.member("ossec.location", text: text.slice(arrow + 2, line.lineEnd(from: arrow)))
    }
    record.attributes = writer.finish(text)
    text.setBody(rule + 1, text.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "** Alert 1772359200.353: mail  - pam,syslog,\n2026 Mar 01 10:00:00 web1->/var/log/auth.log\n"
        + "Rule: 5503 (level 10) -> 'User login failed.'\nUser: root",
      time: "2026-03-01T10:00:00Z", severity: 13, severityText: "10",
      body: "Rule: 5503 (level 10) -> 'User login failed.'\nUser: root",
      attributes: #"{"ossec.rule":5503,"ossec.location":"/var/log/auth.log"}"#)
  ]
}
