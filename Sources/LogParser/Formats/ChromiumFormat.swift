// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Chromium, Electron and CEF: `[pid:tid:MMdd/HHmmss.µs:LEVEL:file(line)] text`, where pid, tid and
/// decimals may be left out.
enum ChromiumFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "chromium", family: "c++", summary: "Chromium, Electron and other programs with its base",
    example: "[1234:259:0301/100000.123456:ERROR:gpu_init.cc(523)] Passthrough is not supported")

  struct Header: RecordHeader {
    var stamp = Stamp()
    var pid: Int64 = -1
    var thread: Int64 = -1
    var levelStart = 0
    var levelEnd = 0
    var severity = Severity.unspecified
    var bracket = 0
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    guard line.at(0) == Byte.openBracket else { return false }
    var index = 1
    var end = line.skipDigits(index)
    while line.at(end) == Byte.colon, end > index, header.thread < 0 {
      let number = line.decimal(index, end) ?? -1
      if header.pid < 0 { header.pid = number } else { header.thread = number }
      index = end + 1
      end = line.skipDigits(index)
    }
    guard end == index + 4, line.at(end) == Byte.slash, line.skipDigits(end + 1) == end + 7,
      readTime(line, index, &header.stamp), line.at(header.stamp.end) == Byte.colon
    else { return false }
    header.levelStart = header.stamp.end + 1
    header.levelEnd = header.levelStart
    while line.at(header.levelEnd).isUpper { header.levelEnd += 1 }
    let level = line.slice(header.levelStart, header.levelEnd)
    // "VERBOSE2" has its number.
    guard line.at(line.skipDigits(header.levelEnd)) == Byte.colon,
      let severity = LevelWords.severity(of: level),
      let bracket = line.index(of: "] ", from: header.levelEnd), bracket < 300
    else { return false }
    header.severity = severity
    header.bracket = bracket
    return true
  }

  private static func readTime(_ line: Line, _ start: Int, _ stamp: inout Stamp) -> Bool {
    // Any leap year: whether the day exists in its own year is seen when the year is known.
    (stamp.year, stamp.month, stamp.day) = (2000, line.two(start), line.two(start + 2))
    (stamp.hour, stamp.minute) = (line.two(start + 5), line.two(start + 7))
    stamp.second = line.two(start + 9)
    stamp.end = start + 11
    StampScanner.fraction(line, into: &stamp)
    stamp.shape = .withoutYear
    stamp.zone = .absent
    stamp.close()
    return true
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    let line = text.bytes
    record.severity = header.severity
    record.severityText = text.slice(header.levelStart, header.levelEnd)
    record.pid = header.pid
    record.threadID = header.thread
    text.setBody(min(header.bracket + 2, line.count), line.count, of: &record)
    // "file(line)", and since 2024 "file:line".
    let file = line.skipDigits(header.levelEnd) + 1
    var number = header.bracket
    if line[number - 1] == 0x29 { number -= 1 }
    let numberEnd = number
    while number > file, line[number - 1].isDigit { number -= 1 }
    guard number < numberEnd, number > file + 1 else { return }
    var writer = JSONWriter(text)
    writer.member("code.file.path", text: text.slice(file, number - 1))
    writer.member("code.line.number", number: line.decimal(number, numberEnd) ?? 0)
    record.attributes = writer.finish(text)
  }

  static let samples = [
    FormatSample(
      "[77:259:0301/100000.123456:ERROR:gpu_init.cc(523)] not supported",
      time: "2026-03-01T10:00:00.123456Z", severity: 17, severityText: "ERROR", pid: 77,
      thread: 259,
      body: "not supported",
      attributes: #"{"code.file.path":"gpu_init.cc","code.line.number":523}"#,
      modified: 1_796_100_000),
    FormatSample(
      "[0301/100001.5:WARNING:a/b.cc:7] slow", time: "2026-03-01T10:00:01.5Z", severity: 13,
      severityText: "WARNING", body: "slow",
      attributes: #"{"code.file.path":"a/b.cc","code.line.number":7}"#, modified: 1_796_100_000),
  ]
}
