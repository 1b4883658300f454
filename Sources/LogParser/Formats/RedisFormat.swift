// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Redis and Valkey: `pid:role dd MMM yyyy HH:mm:ss.SSS level text`, before Redis 5 without the year,
/// before 3 with `[pid]` or without any. A crash report, from its START
/// to its END line, is one record with the line before it, whatever its lines look like.
enum RedisFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "redis", family: "database", summary: "Redis and Valkey server log, with crash reports",
    example: "20346:M 30 Nov 2026 06:13:39.779 * Ready to accept connections")

  private struct Header {
    var stamp = Stamp()
    var pid: Int64 = -1
    var role = 0
    var level = 0
    /// 0 for the form of a signal handler, which has no level.
    var bodyStart = 0
  }

  private static func read(_ line: Line, _ header: inout Header) -> Bool {
    let colon = line.skipDigits(0)
    guard colon > 0, colon <= 10, line.at(colon) == Byte.colon else {
      return readOld(line, &header)
    }
    if line.has("signal-handler (", at: colon + 1) {
      let start = colon + 17
      let end = line.skipDigits(start)
      guard EpochTime.field(line, start, end, into: &header.stamp), line.has(") ", at: end) else {
        return false
      }
      header.pid = line.decimal(0, colon) ?? -1
      header.bodyStart = end + 2
      return true
    }
    guard line.at(colon + 1).isUpper, line.at(colon + 2) == Byte.space,
      readTime(line, colon + 3, &header)
    else { return false }
    header.pid = line.decimal(0, colon) ?? -1
    header.role = colon + 1
    return true
  }

  private static func readOld(_ line: Line, _ header: inout Header) -> Bool {
    guard line.at(0) == Byte.openBracket else { return readTime(line, 0, &header) }
    let end = line.skipDigits(1)
    guard end > 1, end <= 11, line.has("] ", at: end), readTime(line, end + 2, &header) else {
      return false
    }
    header.pid = line.decimal(1, end) ?? -1
    return true
  }

  /// The time at `start`, and the level behind it.
  private static func readTime(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    guard
      StampScanner.dayFirst(line, at: start, into: &header.stamp)
        || StampScanner.dayAndMonth(line, at: start, into: &header.stamp)
    else { return false }
    let level = header.stamp.end + 1
    guard line.at(level - 1) == Byte.space, severity(line.at(level)) != nil,
      line.at(level + 1) == Byte.space || level + 1 == line.count
    else { return false }
    header.level = level
    header.bodyStart = line.afterBlank(level + 1)
    return true
  }

  private static func severity(_ mark: UInt8) -> Severity? {
    switch mark {
    case Byte.dot: .debug
    case Byte.dash: .info
    case UInt8(ascii: "*"): .notice
    case UInt8(ascii: "#"): .warn
    default: nil
    }
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header)
  }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if line.has("=== REDIS BUG REPORT START", at: 0) {
      let answer = state.begin()
      state.isOpen = true
      return answer
    }
    if line.has("=== REDIS BUG REPORT END", at: 0) { state.isOpen = false }
    if !state.isFirst, state.isOpen { return .continues }
    return begins(line) ? state.begin() : nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    if line.has("=== REDIS BUG REPORT START", at: 0) {
      clock.inherit(&record)
      record.severity = .fatal
      text.setBody(0, text.count, of: &record)
      return true
    }
    var header = Header()
    guard read(line, &header) else { return false }
    if !clock.set(header.stamp, from: line, of: &record) { clock.inherit(&record) }
    record.pid = header.pid
    text.setBody(header.bodyStart, text.count, of: &record)
    guard header.level > 0 else { return true }
    record.severity = severity(line[header.level]) ?? .unspecified
    record.severityText = text.slice(header.level, header.level + 1)
    guard header.role > 0 else { return true }
    var writer = JSONWriter(text)
    writer.member("redis.role", text: text.slice(header.role, header.role + 1))
    record.attributes = writer.finish(text)
    return true
  }

  static let samples = [
    FormatSample(
      "20346:M 30 Nov 2026 06:13:39.779 # Server initialized", time: "2026-11-30T06:13:39.779Z",
      severity: 13, severityText: "#", pid: 20346, body: "Server initialized",
      attributes: #"{"redis.role":"M"}"#),
    FormatSample(
      "20346:M 30 Nov 06:13:39.779 * Ready", time: "2026-11-30T06:13:39.779Z", severity: 10,
      severityText: "*", pid: 20346, body: "Ready", attributes: #"{"redis.role":"M"}"#,
      modified: 1_796_100_000),
    FormatSample(
      "[77] 30 Nov 06:13:39 - DB 0: 1 keys", time: "2026-11-30T06:13:39Z", severity: 9,
      severityText: "-", pid: 77, body: "DB 0: 1 keys", modified: 1_796_100_000),
    FormatSample(
      "1:signal-handler (1714024483) Received SIGTERM", time: "2024-04-25T05:54:43Z", pid: 1,
      body: "Received SIGTERM"),
  ]
}
