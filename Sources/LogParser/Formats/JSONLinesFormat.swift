// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// One JSON object for each line, by whatever library: pino, bunyan, zap, zerolog, slog, logrus,
/// structlog, ECS, hclog, GELF, log4j2, Google Cloud and their relatives (see `JSONKeys.swift`).
///
/// The body is the message, the attributes are the members that are not columns of their own; the
/// line itself stays as the original.
enum JSONLinesFormat: LogFormat {
  static let info = FormatInfo(
    name: "json-lines", family: "json",
    summary: "JSON objects, one a line: pino, bunyan, zap, slog, ECS, GELF and others",
    example: #"{"level":30,"time":1772359200123,"pid":7,"hostname":"h","msg":"started"}"#)

  /// Whether the line looks like a whole object: its ends only.
  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    guard line.count >= 2 else { return false }
    let start = line[0] == 0xef ? Bom.length(line) : line[0].isBlank ? line.skipBlanks(0) : 0
    guard line.at(start) == Byte.openBrace else { return false }
    var end = line.count
    while end > start, line[end - 1].isBlank { end -= 1 }
    return line[end - 1] == Byte.closeBrace && !(line.count < 64 && OSLogFormat.isFooter(line))
  }

  static func isDistinct(_ line: Line) -> Bool { isLogLine(line) }

  /// Whether the line is a valid object with a time, a level or a message.
  static func isLogLine(_ line: Line) -> Bool {
    guard begins(line), let brace = line.index(of: Byte.openBrace, from: 0) else { return false }
    var members = JSONMembers(line, from: brace)
    var isKnown = false
    while members.next() {
      switch JSONKey.lookUp(line, members.keyStart, members.keyEnd).role {
      case .time, .level, .message: isKnown = true
      default: break
      }
    }
    return isKnown && members.isComplete && line.skipBlanks(members.index) == line.count
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    let start = JSONScanner.skipSpace(line, Bom.length(line))
    guard line.at(start) == Byte.openBrace else { return false }
    var object = JSONRecord(text)
    guard let end = object.read(from: start) else { return false }
    object.fill(&record, &clock)
    // What states no level of its own, or a relay's, may be the envelope of another line.
    if object.isEnvelope {
      Payload.openObvious(of: text.slice(0, text.count), in: text.arena, &clock, &record)
    }
    if end < text.count { append(text.slice(end, text.count), of: text, to: &record) }
    return true
  }

  /// Lines behind the object belong to its message.
  private static func append(_ rest: ByteSlice, of text: Text, to record: inout LogRecord) {
    let arena = text.arena
    arena.reserve(Int(record.body.count) + Int(rest.count))
    let start = arena.count
    arena.append(copyOf: record.body)
    arena.append(copyOf: rest)
    (record.head, record.tail) = (.empty, .empty)
    record.original = text.slice(0, text.count)
    record.body = ByteSlice(start: start, count: arena.count - start)
  }

  static let samples = [
    FormatSample(
      #"{"level":"error","time":"2026-03-01T10:00:01Z","msg":"failed"}"# + "\n\tat a.b(C:1)",
      time: "2026-03-01T10:00:01Z", offset: 0, severity: 17, severityText: "error",
      body: "failed\n\tat a.b(C:1)"),
    FormatSample(
      #"{"@t":"2026-03-01T10:00:00Z","@mt":"order {Id}","Id":7}"#, time: "2026-03-01T10:00:00Z",
      offset: 0, severity: 9, body: "order {Id}", attributes: #"{"Id":7}"#),
    FormatSample(
      #"{"eventMessage":"m","subsystem":"a.b","processImagePath":"\/Applications\/Shop","#
        + #""timestamp":"2026-03-01 10:00:00.5+0100","messageType":"Fault","processID":4}"#,
      time: "2026-03-01T09:00:00.5Z", offset: 60, severity: 21, severityText: "Fault",
      process: "Shop", pid: 4, scope: "a.b", body: "m",
      attributes: #"{"process.executable.path":"/Applications/Shop"}"#),
    FormatSample(
      #"{"level":30,"time":1772359200123,"pid":7,"hostname":"h","req":{"id":"r1"},"msg":"a\tb"}"#,
      time: "2026-03-01T10:00:00.123Z", severity: 9, severityText: "30", pid: 7, body: "a\tb",
      attributes: #"{"host.name":"h","req":{"id":"r1"}}"#),
    FormatSample(
      #"{"name":"shop","hostname":"h","pid":1,"level":50,"err":{"message":"x","name":"E","#
        + #""stack":"E: x\n at y"},"msg":"failed","time":"2026-11-30T06:29:59.358Z","v":0}"#,
      time: "2026-11-30T06:29:59.358Z", offset: 0, severity: 17, severityText: "50", pid: 1,
      scope: "shop", body: "failed",
      attributes: #"{"host.name":"h","exception.message":"x","exception.type":"E","#
        + #""exception.stacktrace":"E: x\n at y","v":0}"#),
    FormatSample(
      #"{"level":"dpanic","ts":1796019152.1627996,"logger":"api","caller":"shop/a.go:42","msg":"m"}"#,
      time: "2026-11-30T06:12:32.1627996Z", severity: 18, severityText: "dpanic", scope: "api",
      body: "m", attributes: #"{"code.file.path":"shop/a.go","code.line.number":42}"#),
    FormatSample(
      #"{"@timestamp":"2025-01-13T09:58:13.631Z","log.level":"error","message":"m","log":"#
        + #"{"logger":"root"},"process":{"pid":9,"thread":{"name":"main"}},"trace":{"id":"4bf9"}}"#,
      time: "2025-01-13T09:58:13.631Z", offset: 0, severity: 17, severityText: "error", pid: 9,
      scope: "root", body: "m", attributes: #"{"thread.name":"main","trace_id":"4bf9"}"#),
    FormatSample(
      #"{"version":"1.1","host":"web","short_message":"cut","full_message":"cut\nand more","#
        + #""timestamp":1796019152.5,"level":3,"_thread":"main"}"#,
      time: "2026-11-30T06:12:32.5Z", severity: 17, severityText: "3", body: "cut\nand more",
      attributes:
        #"{"version":"1.1","host.name":"web","short_message":"cut","thread.name":"main"}"#),
    FormatSample(
      #"{"time":"2026-11-30T07:12:32+01:00","remote_addr":"::1","request":"GET / HTTP/1.1","#
        + #""status":502}"#,
      time: "2026-11-30T06:12:32Z", offset: 60, severity: 17, body: "GET / HTTP/1.1",
      attributes: #"{"client.address":"::1","http.response.status_code":502}"#),
  ]
}

/// The byte order mark of UTF-8, which some writers put before the first line.
enum Bom {
  /// 3 when the line begins with one, else 0.
  @inline(__always)
  static func length(_ line: Line) -> Int {
    line.at(0) == 0xef && line.at(1) == 0xbb && line.at(2) == 0xbf ? 3 : 0
  }
}
