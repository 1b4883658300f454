// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Ruby's `Logger`: `I, [2026-03-01T10:00:00.123456 #1234]  INFO -- program: text`.
enum RubyLoggerFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "ruby-logger", family: "ruby", summary: "Ruby's Logger, also that of Rails and Sidekiq",
    example: "I, [2026-03-01T10:00:00.123456 #1234]  INFO -- : started")

  /// Where the parts lie; indices into the line.
  struct Header: RecordHeader {
    var stamp = Stamp()
    var pid: Int64 = -1
    var levelStart = 0
    var levelEnd = 0
    var programStart = 0
    var programEnd = 0
    var bodyStart = 0
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    guard line.at(0).isUpper, line.has(", [", at: 1),
      StampScanner.iso(line, at: 4, into: &header.stamp), line.has(" #", at: header.stamp.end)
    else { return false }
    let pid = header.stamp.end + 2
    let pidEnd = line.skipDigits(pid)
    guard pidEnd > pid, line.at(pidEnd) == Byte.closeBracket else { return false }
    header.pid = line.decimal(pid, pidEnd) ?? -1
    header.levelStart = line.skipBlanks(pidEnd + 1)
    header.levelEnd = line.skipToken(header.levelStart)
    guard line.has(" -- ", at: header.levelEnd),
      let colon = line.index(of: Byte.colon, from: header.levelEnd + 4)
    else { return false }
    header.programStart = header.levelEnd + 4
    header.programEnd = colon
    header.bodyStart = line.afterBlank(colon + 1)
    return true
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    let line = text.bytes
    record.pid = header.pid
    let level = line.slice(header.levelStart, header.levelEnd)
    // "ANY" is what a program logs whatever the level is.
    record.severity = LevelWords.severity(of: level) ?? .unspecified
    record.severityText = text.slice(header.levelStart, header.levelEnd)
    record.scope = text.slice(header.programStart, header.programEnd)
    text.setBody(header.bodyStart, line.count, of: &record)
  }

  static let samples = [
    FormatSample(
      "W, [2026-03-01T10:00:02.223456 #1234]  WARN -- worker: slow: 3 s\nand more",
      time: "2026-03-01T10:00:02.223456Z", severity: 13, severityText: "WARN", pid: 1234,
      scope: "worker", body: "slow: 3 s\nand more"),
    FormatSample(
      "E, [2026-03-01T10:00:00+01:00 #7] ERROR -- : failed", time: "2026-03-01T09:00:00Z",
      offset: 60, severity: 17, severityText: "ERROR", pid: 7, body: "failed"),
  ]
}
