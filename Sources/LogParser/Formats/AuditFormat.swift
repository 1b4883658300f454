// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Linux audit: `type=T msg=audit(seconds.millis:serial): key=value…`; the lines of one event follow
/// each other and have its serial.
enum AuditFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "audit", family: "linux", summary: "Linux audit events, their lines joined",
    example: "type=LOGIN msg=audit(1684329817.579:2995): pid=27032 uid=0 res=1")

  private struct Header {
    var typeStart = 0
    var typeEnd = 0
    var stamp = Stamp()
    var serial: Int64 = -1
    var bodyStart = 0
  }

  private static func read(_ line: Line, at start: Int, _ header: inout Header) -> Bool {
    var index = start
    if line.has("node=", at: index) { index = line.afterBlank(line.skipToken(index)) }
    guard line.has("type=", at: index) else { return false }
    header.typeStart = index + 5
    header.typeEnd = line.skipToken(index)
    guard line.has(" msg=audit(", at: header.typeEnd) else { return false }
    let time = header.typeEnd + 11
    let dot = line.skipDigits(time)
    guard line.at(dot) == Byte.dot else { return false }
    let colon = line.skipDigits(dot + 1)
    let end = line.skipDigits(colon + 1)
    guard line.at(colon) == Byte.colon, line.has("):", at: end),
      EpochTime.field(line, time, colon, into: &header.stamp)
    else { return false }
    header.serial = line.decimal(colon + 1, end) ?? -1
    header.bodyStart = line.afterBlank(end + 2)
    return true
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, at: 0, &header)
  }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    var header = Header()
    guard read(line, at: 0, &header) else { return nil }
    if !state.isFirst, state.key == header.serial { return .continues }
    return state.begin(key: header.serial)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var header = Header()
    guard read(line, at: 0, &header) else { return false }
    if !clock.set(header.stamp, from: line, of: &record) { clock.inherit(&record) }
    text.setBody(min(header.bodyStart, line.count), line.count, of: &record)
    var writer = JSONWriter(text)
    writer.member("audit.type", text: text.slice(header.typeStart, header.typeEnd))
    writer.member("audit.serial", number: header.serial)
    readFields(text, header.bodyStart, line.firstLineEnd, &record, &writer)
    record.attributes = writer.finish(text)
    return true
  }

  private static func readFields(
    _ text: Text, _ start: Int, _ end: Int, _ record: inout LogRecord, _ writer: inout JSONWriter
  ) {
    let line = text.bytes.slice(0, end)
    var pair = LogfmtFormat.Pair()
    var index = start
    while index < end, LogfmtFormat.read(line, at: index, &pair) {
      index = pair.next
      let key = line.slice(pair.keyStart, pair.keyEnd)
      let value = text.slice(pair.valueStart, pair.valueEnd)
      if key.isEqual("pid"), record.pid < 0 {
        record.pid = line.decimal(pair.valueStart, pair.valueEnd) ?? -1
      } else if key.isEqual("comm"), pair.isQuoted {
        record.process = value
      } else if key.isEqual("exe"), pair.isQuoted {
        writer.member("process.executable.path", text: value)
      } else if key.isEqual("acct"), pair.isQuoted {
        writer.member("user.name", text: value)
      } else if key.isEqual("res") || key.isEqual("success") || key.isEqual("syscall")
        || key.isEqual("exit") || key.isEqual("uid") || key.isEqual("auid") || key.isEqual("sig")
      {
        writer.member(key: text.slice(pair.keyStart, pair.keyEnd), text: value)
      }
    }
  }

  static let samples = [
    FormatSample(
      #"type=SYSCALL msg=audit(1684329817.579:2995): syscall=59 pid=27 comm="sh" exe="/bin/sh""#
        + "\ntype=CWD msg=audit(1684329817.579:2995): cwd=\"/\"",
      time: "2023-05-17T13:23:37.579Z", process: "sh", pid: 27,
      body: #"syscall=59 pid=27 comm="sh" exe="/bin/sh""#
        + "\ntype=CWD msg=audit(1684329817.579:2995): cwd=\"/\"",
      attributes: #"{"audit.type":"SYSCALL","audit.serial":2995,"syscall":"59","#
        + #""process.executable.path":"/bin/sh"}"#)
  ]
}
