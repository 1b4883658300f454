// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Files of syslog daemons: `TIME host tag[pid]: text`, with the time of RFC 3164, or that of
/// rsyslog's file format (ISO with offset), and messages as they are sent, with `<PRI>`.
enum SyslogFormat: LogFormat {
  static let info = FormatInfo(
    name: "syslog", family: "syslog", summary: "syslog files and messages (RFC 3164, rsyslog)",
    example: "Nov 30 01:19:22 web1 sshd[1234]: Accepted publickey for alice")

  /// What stands between the time and the message; an end of 0 means that there is none.
  struct Header {
    var hostStart = 0
    var hostEnd = 0
    var tagStart = 0
    var tagEnd = 0
    var pid: Int64 = -1
    var bodyStart = 0
    /// FreeBSD's `<4.6>` or `<auth.info>`.
    var priorityEnd = 0
    /// Apple's `<Error>` behind the tag; an end of 0 for none.
    var levelStart = 0
    var levelEnd = 0
  }

  /// Whether the line has a syslog time and something behind it.
  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    let priorityEnd = SyslogPriority.end(line)
    if priorityEnd > 0 { return true }
    guard readTime(line, Bom.length(line), &stamp) else { return false }
    return line.at(stamp.end) == Byte.space || stamp.end == line.count
  }

  /// Whether the line has the whole header: also a tag, which most other lines with a time lack.
  static func fits(_ line: Line) -> Bool {
    var stamp = Stamp()
    let priorityEnd = SyslogPriority.end(line)
    if SyslogPriority.value(line, priorityEnd) != nil { return true }
    guard readTime(line, Bom.length(line), &stamp), line.at(stamp.end) == Byte.space else {
      return false
    }
    var header = Header()
    readHeader(line, stamp.end + 1, &header)
    if line.has("last message repeated ", at: header.bodyStart) { return true }
    if header.hostEnd > header.hostStart, CEFFormat.begins(line, header.bodyStart) { return true }
    guard header.tagEnd > 0, header.hostEnd > header.hostStart,
      line[header.hostStart].isWord || line[header.hostStart] == Byte.colon
    else { return false }
    // A host may be called "db".
    return header.hostEnd - header.hostStart == 2
      || LevelWords.severity(of: line.slice(header.hostStart, header.hostEnd)) == nil
        && LevelWords.severity(of: line.slice(header.tagStart, header.tagEnd)) == nil
  }

  @inline(__always)
  private static func readTime(_ line: Line, _ start: Int, _ stamp: inout Stamp) -> Bool {
    if line.at(start).isLetter {
      return StampScanner.named(line, at: start, into: &stamp) && stamp.shape == .withoutYear
    }
    return line.at(start &+ 10) == 0x54 && StampScanner.iso(line, at: start, into: &stamp)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    let priorityEnd = SyslogPriority.end(line)
    if priorityEnd > 0, line.at(priorityEnd &+ 1) == Byte.space, RFC5424Format.fits(line) {
      // A relay takes both.
      return RFC5424Format.parse(text, &clock, &record)
    }
    var stamp = Stamp()
    var header = Header()
    var isConnection = false
    if readTime(line, priorityEnd &+ Bom.length(line), &stamp)
      || priorityEnd > 0 && StampScanner.named(line, at: priorityEnd, into: &stamp)
    {
      if !clock.set(&stamp, from: line, of: &record) { clock.inherit(&record) }
      readHeader(line, line.skipBlanks(stamp.end), &header)
    } else {
      // A priority without the rest: all of it is content (RFC 3164, 4.3.3).
      guard SyslogPriority.value(line, priorityEnd) != nil else { return false }
      header.bodyStart = priorityEnd
      // "log stdout format short" of HAProxy.
      isConnection = HAProxyFormat.setAcceptTime(line, priorityEnd, &clock, &record)
      if !isConnection { clock.inherit(&record) }
    }
    var facility: Int64 = -1
    if let priority = SyslogPriority.value(line, priorityEnd) {
      record.severity = LevelWords.severity(ofSyslog: priority)
      facility = Int64(priority >> 3)
    } else if header.priorityEnd > 0 {
      facility = readBSDPriority(text, stamp.end + 2, header.priorityEnd - 1, &record)
    }
    // rsyslog's mark of a JSON message.
    if line.has("@cee:", at: header.bodyStart) {
      header.bodyStart = line.skipBlanks(header.bodyStart + 5)
    }
    record.pid = header.pid
    if header.tagEnd > 0 { record.process = text.slice(header.tagStart, header.tagEnd) }
    text.setBody(min(header.bodyStart, text.count), text.count, of: &record)
    if header.hostEnd > header.hostStart || facility >= 0 {
      var writer = JSONWriter(text)
      if header.hostEnd > header.hostStart {
        writer.member("host.name", text: text.slice(header.hostStart, header.hostEnd))
      }
      if facility >= 0 { writer.member("syslog.facility", number: facility) }
      record.attributes = writer.finish(text)
    }
    let tag = line.slice(header.tagStart, header.tagEnd)
    if header.tagEnd > header.tagStart, tag.isEqual("kernel") {
      KernelDeath.annotate(&record, text.arena)
    }
    if Payload.mayBegin(line, header.bodyStart, hasUserFormats: clock.hasPayloadFormats),
      Payload.isObvious(
        text.bytes.slice(header.bodyStart, text.bytes.firstLineEnd), in: record, clock)
    {
      Payload.open(
        record.body, of: text.slice(0, text.count), isZoned: stamp.zone == .offset,
        in: text.arena, &clock, &record)
    } else if isConnection
      || header.tagEnd - header.tagStart == 7
        && line.has("haproxy", at: header.tagStart)
    {
      if let year = HAProxyFormat.annotate(&record, text.arena), stamp.shape == .withoutYear,
        stamp.isValid
      {
        clock.know(year: year, of: stamp)
        _ = clock.set(&stamp, from: line, of: &record)
      }
    } else if record.severity == .unspecified, !SyslogLevel.read(text, header, &clock, &record) {
      EmbeddedFatal.annotate(&record, text.arena)
    }
    return true
  }

  @inline(__always)
  private static func readHeader(_ line: Line, _ start: Int, _ header: inout Header) {
    var index = start
    header.bodyStart = index
    if line.at(index) == Byte.less, let close = line.index(of: Byte.greater, from: index),
      close - index < 20
    {
      header.priorityEnd = close
      index = line.skipBlanks(close + 1)
    }
    // macOS writes the repetition of a message without host and tag.
    if line.has("--- last message", at: index) {
      header.bodyStart = index
      return
    }
    let hostEnd = line.skipToken(index)
    guard hostEnd > index, line.at(hostEnd) == Byte.space, line[hostEnd - 1] != Byte.colon else {
      header.bodyStart = index
      if hostEnd > index { readTag(line, index, &header) }
      return
    }
    header.hostStart = index
    header.hostEnd = hostEnd
    header.bodyStart = line.skipBlanks(hostEnd)
    readTag(line, header.bodyStart, &header)
    if header.tagEnd == 0 { readTagBehindPriority(line, header.bodyStart, &header) }
  }

  /// `facility.severity tag: `, as templates of rsyslog have it (`%syslogpriority-text%`).
  @inline(never)
  private static func readTagBehindPriority(_ line: Line, _ start: Int, _ header: inout Header) {
    var dot = start
    while line.at(dot).isLetter || line.at(dot).isDigit { dot += 1 }
    var end = dot + 1
    while line.at(end).isLetter { end += 1 }
    guard dot >= start + 3, dot <= start + 8, line.at(dot) == Byte.dot, line.at(end) == Byte.space,
      LevelWords.severity(of: line.slice(dot + 1, end), .syslog) != nil
    else { return }
    readTag(line, end + 1, &header)
    if header.tagEnd > 0 { (header.levelStart, header.levelEnd) = (dot + 1, end) }
  }

  /// `tag[pid]:`, `tag:`, `tag[pid] (label):`; without these the rest is the message.
  @inline(__always)
  private static func readTag(_ line: Line, _ start: Int, _ header: inout Header) {
    var end = start
    while end < line.count {
      let byte = line[end]
      if byte == Byte.colon, line.at(end &+ 1).isBlank || end &+ 1 == line.count { break }
      if byte == Byte.openBracket || byte == Byte.space || byte == Byte.newline { break }
      end &+= 1
    }
    guard end > start else { return }
    var next = end
    if line.at(end) == Byte.openBracket {
      let digits = line.skipDigits(end &+ 1)
      guard digits > end &+ 1, line.at(digits) == Byte.closeBracket else { return }
      header.pid = line.decimal(end &+ 1, digits) ?? -1
      next = digits &+ 1
    }
    if line.has(" (", at: next), let close = line.index(of: "):", from: next), close - next < 200 {
      next = close + 1
    }
    if header.pid >= 0, line.has(" <", at: next), let close = line.index(of: ">:", from: next),
      close - next < 14
    {
      (header.levelStart, header.levelEnd) = (next + 2, close)
      next = close + 1
    }
    // "tag[pid] text" is written by relays that lost the colon.
    guard line.at(next) == Byte.colon || header.pid >= 0 else { return }
    header.tagStart = start
    header.tagEnd = end
    if line.at(next) == Byte.colon { next &+= 1 }
    header.bodyStart = line.at(next) == Byte.space ? next &+ 1 : next
  }

  /// `facility.severity` in numbers or words; the facility's number, or -1.
  private static func readBSDPriority(
    _ text: Text, _ start: Int, _ end: Int, _ record: inout LogRecord
  ) -> Int64 {
    let line = text.bytes
    guard let dot = line.index(of: Byte.dot, from: start), dot < end + 1 else { return -1 }
    if let number = line.decimal(dot + 1, end + 1), number <= 7 {
      record.severity = LevelWords.severity(ofSyslog: Int(number))
      return line.decimal(start, dot) ?? -1
    }
    if let severity = LevelWords.severity(of: line.slice(dot + 1, end + 1), .syslog) {
      record.severity = severity
      record.severityText = text.slice(dot + 1, end + 1)
    }
    return -1
  }

  static let samples = [
    FormatSample(
      "Nov 30 01:19:22 web1 sshd[1234]: Accepted publickey", time: "2026-11-30T01:19:22Z",
      process: "sshd", pid: 1234, body: "Accepted publickey",
      attributes: #"{"host.name":"web1"}"#, modified: 1_796_100_000),
    FormatSample(
      "2026-11-30T01:19:22.350945-05:00 vm multi: line one", time: "2026-11-30T06:19:22.350945Z",
      offset: -300, process: "multi", body: "line one", attributes: #"{"host.name":"vm"}"#),
    FormatSample(
      "<34>Oct 11 22:14:15 mymachine su: 'su root' failed", time: "2026-10-11T22:14:15Z",
      severity: 18, process: "su", body: "'su root' failed",
      attributes: #"{"host.name":"mymachine","syslog.facility":4}"#, modified: 1_796_100_000),
    FormatSample(
      "Apr  2 17:51:27 <4.3> pancake sshd[55624]: error: PAM", time: "2026-04-02T17:51:27Z",
      severity: 17, process: "sshd", pid: 55624, body: "error: PAM",
      attributes: #"{"host.name":"pancake","syslog.facility":4}"#, modified: 1_796_100_000),
    FormatSample(
      "2026-11-30T01:19:22.5Z web1 auth.info sshd[55]: listening", time: "2026-11-30T01:19:22.5Z",
      offset: 0, severity: 9, severityText: "info", process: "sshd", pid: 55, body: "listening",
      attributes: #"{"host.name":"web1"}"#),
    FormatSample(
      "Jul  1 09:00:55 mac com.apple.xpc.launchd[1] (com.apple.x[99]): exited",
      time: "2026-07-01T09:00:55Z", process: "com.apple.xpc.launchd", pid: 1, body: "exited",
      attributes: #"{"host.name":"mac"}"#, modified: 1_796_100_000),
    FormatSample(
      #"2026-11-30T01:19:22.5Z web1 shopd[7]: {"time":"2026-11-30T01:19:22Z","level":"warn","#
        + #""msg":"slow","n":1}"#,
      time: "2026-11-30T01:19:22Z", offset: 0, severity: 13, severityText: "warn",
      process: "shopd", pid: 7, body: "slow",
      attributes: #"{"n":1,"host.name":"web1","logagent.envelope_time":"2026-11-30T01:19:22.5Z"}"#),
  ]
}
