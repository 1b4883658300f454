// SPDX-License-Identifier: Apache-2.0

/// Dates whose day and month are both numbers. `03/04/2026` is a day of March or of April, so it
/// is no time by itself; in a file of which another line has a number beyond twelve it is.
extension StampScanner {
  /// `d/M/yyyy` or `M/d/yyyy` with `/` or `-`, years of two digits, and `yy/MM/dd` of log4j.
  static func numericDate(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let firstEnd = line.skipDigits(start)
    let mark = line.at(firstEnd)
    let secondEnd = line.skipDigits(firstEnd + 1)
    guard secondEnd > firstEnd + 1, secondEnd - firstEnd <= 3,
      let first = line.decimal(start, firstEnd), let second = line.decimal(firstEnd + 1, secondEnd)
    else { return false }
    (stamp.month, stamp.day) = (Int(first), Int(second))
    guard line.at(secondEnd) == mark else {
      return packetDate(line, at: start, secondEnd, into: &stamp)
    }
    if let year = fourDigits(line, at: secondEnd + 1) {
      stamp.year = year
      return finishUnordered(line, at: secondEnd + 5, mark, into: &stamp)
    }
    let lastEnd = line.skipDigits(secondEnd + 1)
    guard mark == Byte.slash, lastEnd - secondEnd == 3 else { return false }
    let last = line.two(secondEnd + 1)
    stamp.year = 2000 + last
    // A year before the day would be one before the programs that write it so.
    guard first > 12 else {
      return last > 12 && finishUnordered(line, at: lastEnd, mark, into: &stamp)
    }
    (stamp.year, stamp.month, stamp.day) = (2000 + Int(first), Int(second), last)
    return firstEnd - start == 2 && secondEnd - firstEnd == 3 && line.at(lastEnd) == Byte.space
      && finishFull(line, at: lastEnd + 1, into: &stamp) && isBeforeLevel(line, stamp.end)
  }

  /// The time of day behind such a date, whose end is `start`.
  private static func finishUnordered(
    _ line: Line, at start: Int, _ mark: UInt8, into stamp: inout Stamp
  ) -> Bool {
    var time = start
    switch line.at(time) {
    case Byte.comma where line.at(time + 1) == Byte.space: time += 2
    case Byte.space, Byte.colon: time += 1
    case Byte.dash where mark == Byte.slash:
      // Snort's: the month is first, whatever its user's country.
      return finishFull(line, at: time + 1, into: &stamp)
    default: return false
    }
    guard timeOfDay(line, at: time, into: &stamp) else { return false }
    stamp.isHalfDay = half(line, into: &stamp)
    stamp.shape = .full
    StampZone.scan(line, into: &stamp)
    // ZoneMinder puts its microseconds behind whatever its language writes.
    if stamp.nanosecond == 0, line.at(stamp.end) == Byte.dot,
      line.skipDigits(stamp.end + 1) == stamp.end + 7
    {
      fraction(line, into: &stamp)
    }
    stamp.isUnordered = true
    stamp.isValid = false
    if mark == Byte.dash, stamp.zone == .offset, isBeforeService(line, stamp.end) {
      stamp.settle(.dayFirst)
    }
    return true
  }

  /// ` PROXY.3128 `: 3proxy names its service and its port, and has the day first.
  private static func isBeforeService(_ line: Line, _ end: Int) -> Bool {
    var index = end + 1
    while line.at(index).isUpper || index > end + 1 && line.at(index).isDigit { index += 1 }
    let digits = line.skipDigits(index + 1)
    return index > end + 3 && line.at(index) == Byte.dot && digits > index + 1
      && line.at(digits) == Byte.space
  }

  /// `MM/dd-HH:mm:ss.ffffff` of Snort and `MM-dd|HH:mm:ss.fff` of Geth.
  private static func packetDate(
    _ line: Line, at start: Int, _ end: Int, into stamp: inout Stamp
  ) -> Bool {
    let mark = line.at(start + 2)
    guard end - start == 5,
      line.at(end) == (mark == Byte.slash ? Byte.dash : 0x7c),
      timeOfDay(line, at: end + 1, into: &stamp)
    else { return false }
    // Any leap year: whether the day exists in its own year is seen when the year is known.
    stamp.year = 2000
    stamp.shape = .withoutYear
    stamp.zone = .absent
    stamp.close()
    return true
  }

  private static func isBeforeLevel(_ line: Line, _ end: Int) -> Bool {
    let word = line.skipBlanks(end)
    var wordEnd = word
    while line.at(wordEnd).isLetter { wordEnd += 1 }
    return word > end && LevelWords.severity(of: line.slice(word, wordEnd)) != nil
  }
}
