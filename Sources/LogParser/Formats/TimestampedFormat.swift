// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Any line that begins with a time: log4j, logback, Python's logging, spdlog, NSLog and what
/// people print themselves. A level among the first words, a thread in brackets, a process with its
/// pid and a logger before ` - ` or `: ` are taken where they are obvious.
enum TimestampedFormat: LogFormat {
  static let info = FormatInfo(
    name: "timestamped", family: "generic",
    summary: "lines that begin with a time: log4j, logback, Python, spdlog, NSLog and others",
    example: "2026-03-01 10:00:00,123 INFO [main] shop.orders - accepted")

  /// Where the time lies, and a level that stands before it.
  struct Lead {
    var stamp = Stamp()
    /// The index after the time and the bracket that closes around it.
    var end = 0
    var levelStart = 0
    /// 0 when no level precedes the time.
    var levelEnd = 0
    var severity = Severity.unspecified
    /// A thread in brackets between that level and the time; an end of 0 for none.
    var threadStart = 0
    var threadEnd = 0
    /// The bracket around the time goes on behind it.
    var isOpen = false
  }

  /// Finds the time at the beginning of `line`.
  @inline(__always)
  static func findTime(_ line: Line, _ lead: inout Lead) -> Bool {
    let start = Bom.length(line)
    let isBracketed = line.at(start) == Byte.openBracket
    let at = isBracketed ? start &+ 1 : start
    if StampScanner.scan(line, at: at, into: &lead.stamp) {
      lead.end = lead.stamp.end
      if isBracketed {
        if line.at(lead.end) == Byte.closeBracket { lead.end &+= 1 } else { lead.isOpen = true }
      }
      return true
    }
    if line.at(at).isLetter {
      if isBracketed, line.at(at &+ 1).isUpper, findTimeAfterZone(line, at, &lead) { return true }
      return findTimeAfterLevel(line, start, at, &lead) || findTimeAfterName(line, start, at, &lead)
    }
    guard ArabicDigits.begin(line, at), ArabicDigits.scan(line, at: at, into: &lead.stamp) else {
      return findTimeAfterMark(line, start, &lead)
    }
    lead.end = lead.stamp.end
    if isBracketed, line.at(lead.end) == Byte.closeBracket { lead.end &+= 1 }
    return true
  }

  /// Whether the line begins a record in a file whose times have the shape `expected`.
  ///
  /// A date with a time of day begins one anywhere; less does so only where the file's other
  /// records begin the same way, because a message may quote a time.
  @inline(__always)
  static func begins(_ line: Line, _ expected: Stamp.Shape) -> Bool {
    var lead = Lead()
    if findTime(line, &lead) {
      return lead.stamp.shape == .full || lead.stamp.shape == expected
    }
    return expected == .epoch && isNumberLine(line)
  }

  static func begins(_ line: Line) -> Bool { begins(line, .full) }

  static func fits(_ line: Line) -> Bool {
    var lead = Lead()
    return findTime(line, &lead)
  }

  /// Whether the line begins with a time and a level, or with a time and a process behind its host:
  /// enough in a file of another format.
  static func isDistinct(_ line: Line) -> Bool {
    var lead = Lead()
    guard findTime(line, &lead), lead.stamp.shape == .full else { return false }
    if lead.levelEnd > 0 { return true }
    var header = TimestampedHeader()
    header.read(line, from: lead.end)
    return header.levelEnd > 0 || header.processEnd > 0 && header.bodyStart > header.processEnd
  }

  /// In a file of epochs a number of another size begins a record too; it is just no time.
  private static func isNumberLine(_ line: Line) -> Bool {
    let start = line.at(0) == Byte.dash ? 1 : 0
    let end = line.skipDigits(start)
    return end > start && (line.at(end).isBlank || line.at(end) == Byte.colon)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var lead = Lead()
    guard findTime(line, &lead) else { return false }
    if !clock.set(&lead.stamp, from: line, of: &record) { clock.inherit(&record) }
    var header = TimestampedHeader()
    header.hasDecimalThreads = lead.stamp.zone == .offset
    header.hasRegularLevels = clock.levels.isRegular
    if lead.levelEnd > 0 {
      header.levelStart = lead.levelStart
      header.levelEnd = lead.levelEnd
      header.severity = lead.severity
      if lead.threadEnd > 0 { header.setThread(line, lead.threadStart, lead.threadEnd) }
      if !(lead.isOpen && header.readRestOfBracket(line, from: lead.end)) {
        header.readAfterLevel(line, from: lead.end)
      }
    } else if !(lead.isOpen && header.readInsideBracket(line, from: lead.end)),
      !header.readColons(line, from: lead.end)
    {
      header.read(line, from: lead.end)
    }
    if lead.threadEnd > 0, header.pid < 0, line.skipDigits(lead.threadStart) == lead.threadEnd {
      header.pid = line.decimal(lead.threadStart, lead.threadEnd) ?? -1
    }
    header.fill(&record, text)
    clock.levels.note(hasLevel: header.levelEnd > 0 || header.hasDoubtfulLevel)
    if header.levelEnd == 0 {
      if isEnvelope(line, lead), openPayload(text, &clock, &record) { return true }
      if lead.stamp.end == 25, line[0] == Byte.openBracket, readKernel(text, &record) {
        return true
      }
      TimestampedBody.annotate(&record, text)
    }
    if header.processEnd > 0, header.levelEnd == 0 { EmbeddedFatal.annotate(&record, text.arena) }
    if header.isMultiline(text) { StackTraceText.annotate(&record, text.arena) }
    return true
  }

  /// Whether the time is one that `docker logs -t`, `kubectl logs --timestamps` and the runners of
  /// GitHub put before each line: with seven decimals or more, in UTC.
  @inline(__always)
  private static func isEnvelope(_ line: Line, _ lead: Lead) -> Bool {
    lead.stamp.end >= 28 && lead.end == lead.stamp.end && line[lead.end &- 1] == 0x5a
      && line[10] == 0x54 && line.at(lead.end) == Byte.space
  }

  /// `[Mon Nov 30 12:00:03 2026] text` of `dmesg -T`, where the kernel tells of a death.
  private static func readKernel(_ text: Text, _ record: inout LogRecord) -> Bool {
    let line = text.bytes.slice(0, text.bytes.firstLineEnd)
    guard line.has("] ", at: 25), KernelDeath.begins(line.slice(27, line.count)) else {
      return false
    }
    (record.process, record.pid, record.threadID) = (.empty, -1, -1)
    text.setBody(27, text.count, of: &record)
    KernelDeath.annotate(&record, text.arena)
    return true
  }

  private static func openPayload(
    _ text: Text, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    let start = Int(record.body.start) - text.start
    let first = line.slice(start, line.firstLineEnd)
    guard !first.isEmpty, Payload.isObvious(first, in: record, clock) else { return false }
    Payload.open(
      record.body, of: text.slice(0, text.count), isZoned: true, in: text.arena, &clock, &record)
    return true
  }

  /// Reads a line of a file of epochs whose number is no time.
  static func parseNumberLine(
    _ text: Text, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    guard isNumberLine(text.bytes) else { return false }
    clock.inherit(&record)
    var header = TimestampedHeader()
    header.read(text.bytes, from: text.bytes.skipDigits(text.bytes.at(0) == Byte.dash ? 1 : 0))
    header.fill(&record, text)
    return true
  }

  static let samples = [
    FormatSample(
      "2026-03-01 10:00:00,123 INFO [main] shop.orders - accepted",
      time: "2026-03-01T10:00:00.123Z", severity: 9, severityText: "INFO", scope: "shop.orders",
      body: "accepted", attributes: #"{"thread.name":"main"}"#),
    FormatSample(
      "2026-11-30 07:29:02.919 ERROR 4242 --- [orker-1] c.e.s.Orders   : failed\na.B: no\n\tat a.b(C:1)",
      time: "2026-11-30T07:29:02.919Z", severity: 17, severityText: "ERROR", pid: 4242,
      scope: "c.e.s.Orders", body: "failed\na.B: no\n\tat a.b(C:1)",
      attributes: #"{"thread.name":"orker-1","exception.type":"a.B","exception.message":"no","#
        + #""exception.stacktrace":"a.B: no\n\tat a.b(C:1)"}"#),
    FormatSample(
      "2026-11-30 06:08:19,610 - shop.db - CRITICAL - lost - for good",
      time: "2026-11-30T06:08:19.61Z", severity: 21, severityText: "CRITICAL", scope: "shop.db",
      body: "lost - for good"),
    FormatSample(
      "[2026-11-30 06:08:19 +0000] [25] [WARNING] slow", time: "2026-11-30T06:08:19Z", offset: 0,
      severity: 13, severityText: "WARNING", pid: 25, body: "slow"),
    FormatSample(
      "2026-11-30 06:00:24.856 Shop[10653:e27ff6c0] hello", time: "2026-11-30T06:00:24.856Z",
      process: "Shop", pid: 10653, thread: 0xe27f_f6c0, body: "hello"),
    FormatSample(
      "2026-03-01 10:00:01.937708+0100 My Shop (beta)[42:5784198] Swift/A.swift:6: Fatal error: Bad",
      time: "2026-03-01T09:00:01.937708Z", offset: 60, severity: 21, process: "My Shop (beta)",
      pid: 42, thread: 5_784_198, body: "Swift/A.swift:6: Fatal error: Bad",
      attributes: #"{"exception.type":"Fatal error","exception.message":"Bad","#
        + #""code.file.path":"Swift/A.swift","code.line.number":6}"#),
    FormatSample(
      "ERRO[2026-03-01T10:00:00Z] failed", time: "2026-03-01T10:00:00Z", offset: 0, severity: 17,
      severityText: "ERRO", body: "failed"),
    FormatSample(
      "٢٠٢٦-٠٣-٠١ ١٠:٠٠:٠٠ ERROR x", time: "2026-03-01T10:00:00Z", severity: 17,
      severityText: "ERROR", body: "x"),
    FormatSample(
      "INFO  [main] 2026-03-01 10:00:00,123 Loader.java:89 - loaded",
      time: "2026-03-01T10:00:00.123Z", severity: 9, severityText: "INFO", scope: "Loader.java",
      body: "loaded", attributes: #"{"thread.name":"main","code.line.number":89}"#),
    FormatSample(
      "[2026-03-01 10:00:02,123: ERROR/ForkPoolWorker-1] Task a[1] failed",
      time: "2026-03-01T10:00:02.123Z", severity: 17, severityText: "ERROR",
      process: "ForkPoolWorker-1", body: "Task a[1] failed"),
    FormatSample(
      "nova.log.1.2017-05-16_13:53:08 2017-05-16 00:00:04.500 2931 INFO nova.manager [req-3e - -] up",
      time: "2017-05-16T00:00:04.5Z", severity: 9, severityText: "INFO", pid: 2931,
      scope: "nova.manager", body: "up", attributes: #"{"request_id":"req-3e"}"#),
    FormatSample(
      "2026-03-01T10:00:01.1234567Z ##[error]exit code 1", time: "2026-03-01T10:00:01.1234567Z",
      offset: 0, severity: 17, severityText: "error", body: "exit code 1"),
    FormatSample(
      #"[01/Mar/2026 10:00:01] "POST /x HTTP/1.1" 500 59"#, time: "2026-03-01T10:00:01Z",
      severity: 17, body: #""POST /x HTTP/1.1" 500 59"#,
      attributes: #"{"http.request.method":"POST","url.path":"/x","#
        + #""network.protocol.version":"1.1","http.response.status_code":500}"#),
    FormatSample(
      "[2026-03-01 10:00:01] WARNING[1234][C-01] pbx.c: no extension",
      time: "2026-03-01T10:00:01Z", severity: 13, severityText: "WARNING", thread: 1234,
      scope: "pbx.c", body: "no extension"),
    FormatSample(
      "2026-03-01 10:00:00.323 INFO  [svc,abc123,def456] 1234 --- [nio-1] c.e.A : hello",
      time: "2026-03-01T10:00:00.323Z", severity: 9, severityText: "INFO", pid: 1234,
      scope: "c.e.A", body: "hello",
      attributes: #"{"thread.name":"nio-1","service.name":"svc","trace_id":"abc123","#
        + #""span_id":"def456"}"#),
    FormatSample(
      "[2026-03-01T10:00:00,923][WARN ][o.e.c.Monitor  ] [node-1] high watermark [90%]",
      time: "2026-03-01T10:00:00.923Z", severity: 13, severityText: "WARN",
      scope: "o.e.c.Monitor", body: "[node-1] high watermark [90%]"),
    FormatSample(
      "2026-03-01 10:00:00.6234|WARN|main|c.e.A|hello", time: "2026-03-01T10:00:00.6234Z",
      severity: 13, severityText: "WARN", scope: "c.e.A", body: "hello",
      attributes: #"{"thread.name":"main"}"#),
    FormatSample(
      "2026-03-01 10:00:00.723 ERROR [c.e.A] (default task-1) hello",
      time: "2026-03-01T10:00:00.723Z", severity: 17, severityText: "ERROR", scope: "c.e.A",
      body: "hello", attributes: #"{"thread.name":"default task-1"}"#),
    FormatSample(
      "01-Mar-2026 10:00:01.123 SEVERE [main] org.apache.A.start failed to start",
      time: "2026-03-01T10:00:01.123Z", severity: 17, severityText: "SEVERE",
      scope: "org.apache.A.start", body: "failed to start",
      attributes: #"{"thread.name":"main"}"#),
    FormatSample(
      "2026-03-01 10:00:00.523 [main] ERROR c.e.A {requestId=r1} - hello",
      time: "2026-03-01T10:00:00.523Z", severity: 17, severityText: "ERROR", scope: "c.e.A",
      body: "hello", attributes: #"{"thread.name":"main","requestId":"r1"}"#),
    FormatSample(
      "01.03.2026 10:00:00,5 INFO started", time: "2026-03-01T10:00:00.5Z", severity: 9,
      severityText: "INFO", body: "started"),
    FormatSample(
      "1772359200.5: an error occurred", time: "2026-03-01T10:00:00.5Z", body: "an error occurred"
    ),
  ]
}
