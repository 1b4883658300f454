// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Levels that something else precedes in a line without a time.
extension LevelFirstFormat {
  /// `[thread] LEVEL logger - text` (SLF4J's simple logger), also behind the milliseconds since the
  /// start (log4j's TTCC layout).
  static func readThread(_ line: Line, _ header: inout Header) -> Bool {
    let digits = line.skipDigits(0)
    let open = digits > 0 ? digits + 1 : 0
    guard digits == 0 || digits <= 12 && line.at(digits) == Byte.space,
      line.at(open) == Byte.openBracket,
      let close = TimestampedHeader.closingBracket(line, open, line.count),
      line.at(close + 1) == Byte.space, readLevel(line, close + 2, &header)
    else { return false }
    // A number alone, or a time, is no thread.
    var hasLetter = false
    for index in open + 1..<close where line[index].isLetter { hasLetter = true }
    let name = line.skipBlanks(header.levelEnd)
    let nameEnd = line.skipToken(name)
    guard hasLetter, !hasTime(line, open), nameEnd > name,
      let dash = line.slice(0, min(line.firstLineEnd, nameEnd + 80)).index(
        of: " - ", from: nameEnd)
    else { return false }
    (header.nameStart, header.nameEnd) = (name, nameEnd)
    header.bodyStart = line.skipBlanks(dash + 3)
    return true
  }

  /// `pid=1 tid=a LEVEL: text` of Sidekiq where the host adds the time.
  static func readPairs(_ line: Line, _ header: inout Header) -> Bool {
    guard line.has("pid=", at: 0) else { return false }
    var index = 0
    for _ in 0..<8 {
      let end = line.skipToken(index)
      guard line.slice(0, end).index(of: Byte.equals, from: index) != nil else { break }
      index = line.skipBlanks(end)
    }
    if line.has("ANY:", at: index) {
      // Ruby's word for a message without a level.
      (header.levelStart, header.levelEnd) = (index, index + 3)
    } else {
      guard readLevel(line, index, &header), line.at(header.levelEnd) == Byte.colon else {
        return false
      }
    }
    header.bodyStart = line.skipBlanks(header.levelEnd + 1)
    return true
  }

  /// Levels that blanks put at the right of their column: ` INFO  Name : text` (Ruby's logging),
  /// `  INFO[0012] text` (apex).
  static func readIndented(_ line: Line, _ header: inout Header) -> Bool {
    let start = line.skipBlanks(0)
    guard start <= 2, readLevel(line, start, &header) else { return false }
    return readSeconds(line, &header) || readColumn(line, &header)
  }

  /// `info: text` of winston's simple format.
  static func readLowercase(_ line: Line, _ header: inout Header) -> Bool {
    var end = 0
    while line.at(end).isLetter { end += 1 }
    guard end >= 4, end <= 7, line.has(": ", at: end), line.at(end + 2) > Byte.space,
      let severity = LevelWords.severity(of: line.slice(0, end))
    else { return false }
    // What winston calls its levels.
    switch line[0] {
    case UInt8(ascii: "e"), UInt8(ascii: "w"), UInt8(ascii: "i"), UInt8(ascii: "v"): break
    case UInt8(ascii: "d") where end == 5, UInt8(ascii: "s") where end == 5: break
    case UInt8(ascii: "h") where end == 4: break
    default: return false
    }
    header.severity = severity
    header.levelEnd = end
    header.bodyStart = end + 2
    return true
  }

  /// Reads the level in capitals at `start`.
  private static func readLevel(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    var end = start
    while line.at(end).isUpper { end += 1 }
    guard end >= start + 4, end <= start + 9,
      let severity = LevelWords.severity(of: line.slice(start, end))
    else { return false }
    (header.levelStart, header.levelEnd) = (start, end)
    header.severity = severity
    return true
  }

  /// `LEVEL[0012] text`: seconds since the start (logrus and apex on a terminal).
  static func readSeconds(_ line: Line, _ header: inout Header) -> Bool {
    let end = header.levelEnd
    guard line.at(end) == Byte.openBracket else { return false }
    let digits = line.skipDigits(end + 1)
    header.bodyStart = line.afterBlank(digits + 1)
    return digits >= end + 5 && line.has("] ", at: digits)
  }

  /// `LEVEL - text` (log4j's SimpleLayout), `LEVEL   : text` (log4cpp), `LEVEL  Name : text`.
  static func readColumn(_ line: Line, _ header: inout Header) -> Bool {
    let end = header.levelEnd
    guard line.at(end) == Byte.space else { return false }
    var mark = line.skipBlanks(end)
    if line.at(mark) != Byte.dash, line.at(mark) != Byte.colon {
      guard mark == end + 2 else { return false }
      header.nameStart = mark
      while line.at(mark).isName || line.at(mark) == Byte.colon { mark += 1 }
      header.nameEnd = mark
      guard mark > header.nameStart, line.has(" : ", at: mark) else { return false }
      mark += 1
    }
    header.bodyStart = line.skipBlanks(mark + 1)
    return line.at(mark + 1) == Byte.space && !hasTime(line, header.bodyStart)
  }
}
