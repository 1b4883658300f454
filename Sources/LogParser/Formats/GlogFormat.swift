// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// glog and klog: `LMMdd HH:mm:ss.µs thread file:line] text`, since glog 0.6 with the year. The lines
/// at the head of a glog file tell the year where the records do not.
enum GlogFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "glog", family: "c++",
    summary: "glog and Kubernetes' klog, with the year of the file's head",
    example: "I1130 07:29:59.179234   25675 cart.go:17] Starting controller")

  private struct Header {
    var stamp = Stamp()
    var thread: Int64 = -1
    var fileStart = 0
    var colon = 0
    var bracket = 0
  }

  private static let heading: StaticString = "Log file created at: "

  private static func read(_ line: Line, at start: Int, _ header: inout Header) -> Bool {
    guard LevelWords.severity(ofLetter: line.at(start)) != nil, line.at(start + 1).isDigit else {
      return false
    }
    let digits = line.skipDigits(start + 1)
    guard line.at(digits) == Byte.space else { return false }
    switch digits - start - 1 {
    case 4: header.stamp.shape = .withoutYear
    case 8: header.stamp.shape = .full
    default: return false
    }
    let hasYear = header.stamp.shape == .full
    header.stamp.year = hasYear ? Int(line.decimal(start + 1, start + 5) ?? 0) : 2000
    header.stamp.month = line.two(digits - 4)
    header.stamp.day = line.two(digits - 2)
    guard StampScanner.timeOfDay(line, at: digits + 1, into: &header.stamp) else { return false }
    header.stamp.close()
    let thread = line.skipBlanks(header.stamp.end)
    let threadEnd = line.skipDigits(thread)
    guard threadEnd > thread, line.at(threadEnd) == Byte.space,
      let bracket = line.index(of: Byte.closeBracket, from: threadEnd)
    else { return false }
    header.thread = line.decimal(thread, threadEnd) ?? -1
    header.fileStart = threadEnd + 1
    header.bracket = bracket
    var colon = bracket - 1
    while colon > threadEnd, line[colon].isDigit { colon -= 1 }
    header.colon = colon
    return line[colon] == Byte.colon && colon > header.fileStart
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, at: 0, &header)
  }

  static func fits(_ line: Line) -> Bool { begins(line) || line.has(heading, at: 0) }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if begins(line) { return state.header() }
    if line.has(heading, at: 0) { return state.begin(isHeading: true) }
    if state.isHeading { return .continues }
    // The report that follows a failed check has no header.
    return line.has("*** Check failure stack trace: ***", at: 0) ? .continues : nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var start = 0
    if line.has(heading, at: 0) {
      var stamp = Stamp()
      if StampScanner.iso(line, at: heading.utf8CodeUnitCount, into: &stamp), stamp.isValid {
        clock.note(year: stamp.year)
      }
      start = headingEnd(line)
    }
    var header = Header()
    guard read(line, at: start, &header) else {
      guard line.has(heading, at: 0) else { return false }
      clock.inherit(&record)
      text.setBody(0, text.count, of: &record)
      return true
    }
    if !clock.set(header.stamp, from: line, of: &record) { clock.inherit(&record) }
    record.severity = LevelWords.severity(ofLetter: line[start]) ?? .unspecified
    record.severityText = text.slice(start, start + 1)
    record.threadID = header.thread
    text.setBody(line.afterBlank(header.bracket + 1), text.count, of: &record)
    var writer = JSONWriter(text)
    writer.member("code.file.path", text: text.slice(header.fileStart, header.colon))
    writer.member(
      "code.line.number", number: line.decimal(header.colon + 1, header.bracket) ?? 0)
    record.attributes = writer.finish(text)
    return true
  }

  /// The start of the first line that is a record, or 0.
  private static func headingEnd(_ line: Line) -> Int {
    var from = 0
    while let newline = line.index(of: Byte.newline, from: from) {
      var header = Header()
      if read(line, at: newline + 1, &header) { return newline + 1 }
      from = newline + 1
    }
    return 0
  }

  static let samples = [
    FormatSample(
      "E1130 07:29:59.179234   25675 cart.go:17] failed:\ndial tcp",
      time: "2026-11-30T07:29:59.179234Z",
      severity: 17, severityText: "E", thread: 25675, body: "failed:\ndial tcp",
      attributes: #"{"code.file.path":"cart.go","code.line.number":17}"#),
    FormatSample(
      "F20261130 07:30:06.467440 25768 g.cpp:3] Check failed: a == 2",
      time: "2026-11-30T07:30:06.46744Z", severity: 21, severityText: "F", thread: 25768,
      body: "Check failed: a == 2",
      attributes: #"{"code.file.path":"g.cpp","code.line.number":3}"#),
    FormatSample(
      "Log file created at: 2019/07/18 06:07:40\nRunning on machine: m\n"
        + "I1231 23:59:59.000001 12345 a.py:65] b",
      time: "2019-12-31T23:59:59.000001Z", severity: 9, severityText: "I", thread: 12345, body: "b",
      attributes: #"{"code.file.path":"a.py","code.line.number":65}"#),
  ]
}
