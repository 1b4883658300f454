// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// `dmesg`: `[seconds.micros] text`, the seconds since the machine started; `[seconds.micross] LEVEL
/// ThreadId(n) text` of Rust's tracing and `[seconds.milliss][level][tags] text` of the JVM, since the
/// program started. They are no time of day, so the record gets none from them; `dmesg --ctime` has one.
enum KernelFormat: LogFormat {
  static let info = FormatInfo(
    name: "kernel", family: "linux", summary: "dmesg and Xorg's log with seconds since the start",
    example: "[   12.345678] EXT4-fs (vda1): mounted filesystem")

  /// Where the bracket stands: behind `facility:level: ` of `dmesg --decode`.
  private static func bracket(_ line: Line) -> Int {
    guard line.at(6) == Byte.colon, line.has(": [", at: 13), line.at(0).isLetter else { return 0 }
    return 15
  }

  private static func uptime(_ line: Line) -> Range<Int>? {
    let open = bracket(line)
    guard line.at(open) == Byte.openBracket else { return nil }
    let start = line.skipBlanks(open + 1)
    let dot = line.skipDigits(start)
    guard dot > start, line.at(dot) == Byte.dot else { return nil }
    let end = line.skipDigits(dot + 1)
    guard end == dot + 7 || end == dot + 4, dot - start < 9,
      line.at(end) == Byte.closeBracket || line.has("s]", at: end)
    else { return nil }
    return start..<end
  }

  /// The time in the bracket behind a facility and a level: `dmesg --decode --ctime`.
  private static func time(_ line: Line, _ stamp: inout Stamp) -> Bool {
    bracket(line) > 0 && StampScanner.scan(line, at: bracket(line) + 1, into: &stamp)
      && stamp.shape == .full && line.at(stamp.end) == Byte.closeBracket
  }

  static func begins(_ line: Line) -> Bool {
    if uptime(line) != nil { return true }
    var stamp = Stamp()
    return time(line, &stamp)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    guard let uptime = uptime(text.bytes) else {
      var stamp = Stamp()
      guard time(text.bytes, &stamp) else { return false }
      if !clock.set(&stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
      text.setBody(text.bytes.afterBlank(stamp.end + 1), text.count, of: &record)
      readDecoded(text, &record)
      KernelDeath.annotate(&record, text.arena)
      return true
    }
    clock.inherit(&record)
    var writer = JSONWriter(text)
    writer.member("kernel.uptime", text: text.slice(uptime.lowerBound, uptime.upperBound))
    record.attributes = writer.finish(text)
    text.setBody(text.bytes.afterBlank(uptime.upperBound + 1), text.count, of: &record)
    if text.bytes.at(0) != Byte.openBracket { readDecoded(text, &record) }
    if text.bytes.at(uptime.upperBound) != Byte.closeBracket {
      readTracing(text, uptime.upperBound + 2, &record)
      return true
    }
    if uptime.count > 4, text.bytes[uptime.upperBound - 4] == Byte.dot {
      readMark(text, &record)
    } else {
      KernelDeath.annotate(&record, text.arena)
    }
    return true
  }

  /// `facility:level: `, both filled up to six letters.
  private static func readDecoded(_ text: Text, _ record: inout LogRecord) {
    var end = 7
    while text.bytes.at(end).isLetter { end += 1 }
    guard let severity = LevelWords.severity(of: text.bytes.slice(7, end), .syslog) else { return }
    record.severity = severity
    record.severityText = text.slice(7, end)
  }

  /// `LEVEL ThreadId(n) text`, as linkerd's proxy has it; `[level ][tags] text` of the JVM.
  private static func readTracing(_ text: Text, _ start: Int, _ record: inout LogRecord) {
    let line = text.bytes
    let isBracketed = line.at(start) == Byte.openBracket
    let level = isBracketed ? start + 1 : line.skipBlanks(start)
    var end = level
    while line.at(end).isLetter { end += 1 }
    let mark = line.skipBlanks(end)
    guard let severity = LevelWords.severity(of: line.slice(level, end)),
      isBracketed ? line.at(mark) == Byte.closeBracket : mark > end || mark == line.count
    else { return }
    record.severity = severity
    record.severityText = text.slice(level, end)
    if isBracketed { end = mark + 1 }
    let digits = line.skipDigits(end + 10)
    if line.has(" ThreadId(", at: end), line.at(digits) == 0x29 {
      record.threadID = line.decimal(end + 10, digits) ?? -1
      end = digits + 1
    }
    text.setBody(min(line.skipBlanks(end), line.count), line.count, of: &record)
  }

  /// `(EE) text` of the X server.
  private static func readMark(_ text: Text, _ record: inout LogRecord) {
    let start = Int(record.body.start) - text.start
    let line = text.bytes
    guard line.at(start) == 0x28, line.at(start + 3) == 0x29, line[start + 1] == line[start + 2]
    else { return }
    switch line[start + 1] {
    case UInt8(ascii: "E"): record.severity = .error
    case UInt8(ascii: "W"): record.severity = .warn
    case UInt8(ascii: "I"): record.severity = .info
    default: return
    }
    record.severityText = text.slice(start + 1, start + 3)
  }

  static let samples = [
    FormatSample(
      "[12.345s][warning][gc,heap] low", severity: 13, severityText: "warning",
      body: "[gc,heap] low", attributes: #"{"kernel.uptime":"12.345"}"#),
    FormatSample(
      "[    12.005211s]  WARN ThreadId(01) outbound: a::b: refused", severity: 13,
      severityText: "WARN", thread: 1, body: "outbound: a::b: refused",
      attributes: #"{"kernel.uptime":"12.005211"}"#),
    FormatSample(
      "kern  :warn  : [    2.123456] ACPI: no table", severity: 13, severityText: "warn",
      body: "ACPI: no table", attributes: #"{"kernel.uptime":"2.123456"}"#),
    FormatSample(
      "kern  :warn  : [Mon Nov 30 01:19:22 2026] ACPI: no table", time: "2026-11-30T01:19:22Z",
      severity: 13, severityText: "warn", body: "ACPI: no table"),
    FormatSample(
      "[   12.345678] EXT4-fs (vda1): mounted", body: "EXT4-fs (vda1): mounted",
      attributes: #"{"kernel.uptime":"12.345678"}"#),
    FormatSample(
      "[  400.000001] shop[99]: segfault at 0 ip 0000 sp 0000 error 4 in shop[400000+1000]",
      severity: 21, body: "shop[99]: segfault at 0 ip 0000 sp 0000 error 4 in shop[400000+1000]",
      attributes: #"{"kernel.uptime":"400.000001","exception.type":"SIGSEGV","#
        + #""exception.message":"shop[99]: segfault at 0 ip 0000 sp 0000 error 4 in "#
        + #"shop[400000+1000]","process.executable.name":"shop","process.pid":99}"#),
  ]
}
