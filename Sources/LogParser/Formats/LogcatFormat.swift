// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Android's logcat: `threadtime` (`MM-dd HH:mm:ss.SSS pid tid L tag: text`), `time` and `brief`
/// (`L/tag(pid): text`), with a year or a user where `-v` adds them; `long`, with the text on the lines
/// behind `[ MM-dd HH:mm:ss.SSS pid: tid L/tag ]`.
enum LogcatFormat: LogFormat {
  static let info = FormatInfo(
    name: "logcat", family: "android", summary: "Android logcat: threadtime, time, brief, long",
    example: "03-17 16:13:38.811  1702  2395 D WindowManager: opening app")

  private struct Header {
    var stamp = Stamp()
    var hasTime = false
    var pid: Int64 = -1
    var thread: Int64 = -1
    var letter = 0
    var tagStart = 0
    var tagEnd = 0
    var bodyStart = 0
  }

  private static func read(_ line: Line, _ header: inout Header) -> Bool {
    if line.at(0) == Byte.openBracket { return readLong(line, &header) }
    var index = 0
    if line.at(0).isDigit {
      guard readTime(line, at: 0, &header) else { return false }
      index = line.skipBlanks(header.stamp.end)
    }
    if line.at(index).isDigit { return readThreadTime(line, index, &header) }
    return readBrief(line, index, &header)
  }

  /// `[ time  pid: tid L/tag ]`, the whole line.
  private static func readLong(_ line: Line, _ header: inout Header) -> Bool {
    let end = line.firstLineEnd
    guard line.at(1) == Byte.space, line.has(" ]", at: end - 2),
      readTime(line, at: 2, &header)
    else { return false }
    let pid = line.skipBlanks(header.stamp.end)
    let colon = line.skipDigits(pid)
    let thread = line.skipBlanks(colon + 1)
    let threadEnd = line.skipDigits(thread)
    let letter = line.skipBlanks(threadEnd)
    guard colon > pid, line.at(colon) == Byte.colon, threadEnd > thread,
      isLevel(line.at(letter)), line.at(letter + 1) == Byte.slash
    else { return false }
    header.pid = line.decimal(pid, colon) ?? -1
    header.thread = line.decimal(thread, threadEnd) ?? -1
    header.letter = letter
    header.tagStart = letter + 2
    header.tagEnd = end - 2
    while header.tagEnd > header.tagStart, line[header.tagEnd - 1].isBlank { header.tagEnd -= 1 }
    header.bodyStart = min(end + 1, line.count)
    return true
  }

  private static func readTime(_ line: Line, at start: Int, _ header: inout Header) -> Bool {
    header.hasTime = true
    if StampScanner.iso(line, at: start, into: &header.stamp) { return true }
    guard line.count > start + 18, line[start + 2] == Byte.dash, line[start + 5] == Byte.space
    else { return false }
    header.stamp.month = line.two(start)
    header.stamp.day = line.two(start + 3)
    guard header.stamp.month | header.stamp.day < 128,
      StampScanner.timeOfDay(line, at: start + 6, into: &header.stamp)
    else { return false }
    header.stamp.shape = .withoutYear
    header.stamp.year = 2000
    StampZone.scan(line, into: &header.stamp)
    header.stamp.close()
    return true
  }

  private static func readThreadTime(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    var numbers: (Int64, Int64, Int64) = (-1, -1, -1)
    var index = start
    var count = 0
    // A user may stand before process and thread.
    while count < 3, line.at(index).isDigit {
      let end = line.skipDigits(index)
      guard line.at(end) == Byte.space else { return false }
      numbers = (numbers.1, numbers.2, line.decimal(index, end) ?? -1)
      index = line.skipBlanks(end)
      count += 1
    }
    guard count >= 2, isLevel(line.at(index)), line.at(index + 1) == Byte.space else {
      return false
    }
    (header.pid, header.thread) = (numbers.1, numbers.2)
    header.letter = index
    header.tagStart = line.skipBlanks(index + 2)
    return readTag(line, header.tagStart, &header)
  }

  private static func readTag(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    let limit = min(line.firstLineEnd, start + 200)
    var colon = start
    while colon < limit {
      if line[colon] == Byte.colon, line.at(colon + 1) == Byte.space || colon + 1 >= limit { break }
      colon += 1
    }
    guard colon < limit else { return false }
    var end = colon
    while end > start, line[end - 1].isBlank { end -= 1 }
    header.tagEnd = end
    header.bodyStart = line.afterBlank(colon + 1)
    return true
  }

  /// `L/tag( pid): text`.
  private static func readBrief(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    guard isLevel(line.at(start)), line.at(start + 1) == Byte.slash else { return false }
    var from = start + 2
    while let open = line.index(of: UInt8(ascii: "("), from: from), open < start + 200 {
      let digits = line.skipBlanks(open + 1)
      var end = line.skipDigits(digits)
      var pid = digits
      if end > digits, line.at(end) == Byte.colon {
        // A user before the process.
        pid = line.skipBlanks(end + 1)
        end = line.skipDigits(pid)
      }
      if end > pid, line.has("):", at: end) {
        header.letter = start
        header.pid = line.decimal(pid, end) ?? -1
        header.tagStart = start + 2
        var tagEnd = open
        while tagEnd > header.tagStart, line[tagEnd - 1].isBlank { tagEnd -= 1 }
        header.tagEnd = tagEnd
        header.bodyStart = line.afterBlank(end + 2)
        return true
      }
      from = open + 1
    }
    return false
  }

  private static func isLevel(_ letter: UInt8) -> Bool {
    LevelWords.severity(ofLetter: letter) != nil && letter != UInt8(ascii: "T")
      || letter == UInt8(ascii: "A") || letter == UInt8(ascii: "S")
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header) || line.has("--------- beginning of ", at: 0)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var header = Header()
    guard read(line, &header) else { return false }
    if !header.hasTime || !clock.set(header.stamp, from: line, of: &record) {
      clock.inherit(&record)
    }
    let letter = line[header.letter]
    let isAssert = letter == UInt8(ascii: "A")
    record.severity = isAssert ? .fatal : LevelWords.severity(ofLetter: letter) ?? .unspecified
    record.severityText = text.slice(header.letter, header.letter + 1)
    record.pid = header.pid
    record.threadID = header.thread
    record.scope = text.slice(header.tagStart, header.tagEnd)
    text.setBody(header.bodyStart, text.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "[ 03-17 16:13:38.811  1702: 2395 E/shop     ]\nno tea\nno cups",
      time: "2026-03-17T16:13:38.811Z", severity: 17, severityText: "E", pid: 1702, thread: 2395,
      scope: "shop", body: "no tea\nno cups"),
    FormatSample(
      "03-17 16:13:38.811  1702  2395 D WindowManager: opening app",
      time: "2026-03-17T16:13:38.811Z", severity: 5, severityText: "D", pid: 1702, thread: 2395,
      scope: "WindowManager", body: "opening app"),
    FormatSample(
      "2026-03-17 16:13:38.811 +0100 1000  1702  2395 E tag : a: b",
      time: "2026-03-17T15:13:38.811Z",
      offset: 60, severity: 17, severityText: "E", pid: 1702, thread: 2395, scope: "tag",
      body: "a: b"),
    FormatSample(
      "W/ActivityManager( 1702): slow", severity: 13, severityText: "W", pid: 1702,
      scope: "ActivityManager", body: "slow"),
  ]
}
