// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension StampScanner {
  /// `yyyy-MM-dd_HH:mm:ss`, also with `-`, `|`, `,`, a tab or `][` between, and
  /// `yyyy-MM-dd-HH.mm.ss.ffffff` (Blue Gene, DB2 with its minutes from UTC).
  static func isoVariant(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    var time = start + 11
    switch line.at(start + 10) {
    case Byte.dash, 0x5f, 0x7c: break
    case Byte.comma: time = line.skipBlanks(time)
    case Byte.closeBracket where line.at(time) == Byte.openBracket: time += 1
    default: return false
    }
    let mark = line.at(time + 2)
    guard line.count - time >= 8, mark == Byte.colon || mark == Byte.dot || mark == Byte.dash,
      line.at(time + 5) == mark, line.two(time) < 25, line.two(time + 3) < 60,
      line.two(time + 6) <= 60
    else { return false }
    stamp.shape = .full
    stamp.year = line.two(start) * 100 + line.two(start + 2)
    (stamp.month, stamp.day) = (line.two(start + 5), line.two(start + 8))
    (stamp.hour, stamp.minute) = (line.two(time), line.two(time + 3))
    stamp.second = line.two(time + 6)
    stamp.end = time + 8
    fraction(line, into: &stamp)
    if mark != Byte.dot || !minutesFromUTC(line, into: &stamp) {
      StampZone.scan(line, into: &stamp)
    }
    stamp.close()
    return true
  }

  /// `yyyy-DDD`, the day of the year, then `T` or a blank and the time of day.
  static func ordinal(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let separator = line.at(start + 8)
    guard separator == 0x54 || separator == Byte.space, line.skipDigits(start + 5) == start + 8,
      let day = line.decimal(start + 5, start + 8),
      timeOfDay(line, at: start + 9, into: &stamp)
    else { return false }
    stamp.shape = .full
    stamp.year = line.two(start) * 100 + line.two(start + 2)
    (stamp.month, stamp.day) = (1, Int(day))
    while stamp.month < 12, stamp.day > CivilTime.daysInMonth(stamp.month, year: stamp.year) {
      stamp.day -= CivilTime.daysInMonth(stamp.month, year: stamp.year)
      stamp.month += 1
    }
    StampZone.scan(line, into: &stamp)
    stamp.close()
    return true
  }

  /// `±mmm`, the minutes east of UTC.
  private static func minutesFromUTC(_ line: Line, into stamp: inout Stamp) -> Bool {
    let sign = line.at(stamp.end)
    let end = line.skipDigits(stamp.end + 1)
    guard sign == Byte.plus || sign == Byte.dash, end - stamp.end == 4,
      let minutes = line.decimal(stamp.end + 1, end)
    else { return false }
    stamp.zone = .offset
    stamp.offset = Int(minutes) * (sign == Byte.dash ? -60 : 60)
    stamp.end = end
    return true
  }

  /// `- HH:mm:ss` behind a whole date (Gin).
  static func dashedTime(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    line.has("- ", at: start) && timeOfDay(line, at: start + 2, into: &stamp)
  }

  /// `HH:mm` behind a whole date: a time without seconds.
  static func minutes(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    guard line.count - start >= 6, line.two(start) < 25, line[start + 2] == Byte.colon,
      line.two(start + 3) < 60
    else { return false }
    let next = line[start + 5]
    guard next.isBlank || next == Byte.closeBracket || next == 0x5a || next == Byte.plus else {
      return false
    }
    (stamp.hour, stamp.minute, stamp.second) = (line.two(start), line.two(start + 3), 0)
    stamp.nanosecond = 0
    stamp.end = start + 5
    return true
  }

  /// `h:mmAM` as Go's kitchen clock has it.
  static func kitchen(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let end = line.skipDigits(start)
    let letter = line.at(end + 3)
    guard end > start, end - start <= 2, line.count - end >= 5, line.two(end + 1) < 60,
      letter == 0x41 || letter == 0x50, line.at(end + 4) == 0x4d, !line.at(end + 5).isWord,
      let hour = line.decimal(start, end), hour >= 1, hour <= 12
    else { return false }
    stamp.hour = Int(hour) % 12 + (letter == 0x50 ? 12 : 0)
    (stamp.minute, stamp.second, stamp.nanosecond) = (line.two(end + 1), 0, 0)
    stamp.end = end + 5
    return true
  }

  /// `dd.MM.yyyy HH:mm:ss`, also with a comma between, and `MM.dd HH:mm:ss` without a year
  /// (Proxifier).
  static func dotted(
    _ line: Line, at start: Int, _ firstEnd: Int, into stamp: inout Stamp
  ) -> Bool {
    let secondEnd = line.skipDigits(firstEnd + 1)
    guard secondEnd - firstEnd - 1 >= 1, secondEnd - firstEnd - 1 <= 2 else { return false }
    let first = Int(line.decimal(start, firstEnd) ?? 0)
    let second = Int(line.decimal(firstEnd + 1, secondEnd) ?? 0)
    if line.at(secondEnd) == Byte.dot, let year = fourDigits(line, at: secondEnd + 1) {
      var time = secondEnd + 5
      if line.at(time) == Byte.comma { time += 1 }
      guard line.at(time) == Byte.space, timeOfDay(line, at: time + 1, into: &stamp) else {
        return false
      }
      (stamp.year, stamp.month, stamp.day) = (year, second, first)
      stamp.shape = .full
      StampZone.scan(line, into: &stamp)
      stamp.close()
      return true
    }
    // "1.2 10:00:00" is a version before a time as well.
    guard firstEnd - start == 2, secondEnd - firstEnd == 3, line.at(secondEnd) == Byte.space,
      timeOfDay(line, at: secondEnd + 1, into: &stamp)
    else { return false }
    // Any leap year: whether the day exists in its own year is seen when the year is known.
    (stamp.year, stamp.month, stamp.day) = (2000, first, second)
    stamp.shape = .withoutYear
    stamp.zone = .absent
    stamp.close()
    return true
  }

  /// `yyyyMMddTHHmmss` and `yyyyMMdd HH:mm:ss`, with `T`, a blank, `-`, `_` or `.` between; an hour of
  /// one digit as HealthApp's.
  static func basic(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let century = line.two(start)
    let separator = line.at(start + 8)
    guard century == 19 || century == 20 || century == 21,
      separator == 0x54 || separator == Byte.space || separator == Byte.dash || separator == 0x5f
        || separator == Byte.dot
    else { return false }
    let time = start + 9
    let digits = line.skipDigits(time) - time
    guard digits == 6 || separator != Byte.dot else { return false }
    if digits == 6 {
      (stamp.hour, stamp.minute) = (line.two(time), line.two(time + 2))
      stamp.second = line.two(time + 4)
      stamp.end = time + 6
      fraction(line, into: &stamp)
    } else if !looseTime(line, at: time, into: &stamp), !timeOfDay(line, at: time, into: &stamp) {
      return false
    }
    stamp.year = century * 100 + line.two(start + 2)
    (stamp.month, stamp.day) = (line.two(start + 4), line.two(start + 6))
    stamp.shape = .full
    StampZone.scan(line, into: &stamp)
    stamp.close()
    return true
  }

  /// `@40000000…`, TAI64N of daemontools and s6: seconds since 1970 and ten more, and nanoseconds.
  static func tai(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    guard line.has("40000000", at: start + 1), line.skipHexDigits(start + 1) == start + 25,
      let seconds = line.hexadecimal(start + 9, start + 17),
      let nanoseconds = line.hexadecimal(start + 17, start + 25), nanoseconds < 1_000_000_000
    else { return false }
    stamp.shape = .epoch
    stamp.zone = .offset
    stamp.seconds = seconds - 10
    stamp.nanosecond = Int(nanoseconds)
    stamp.end = start + 25
    return true
  }

  /// `H:m:s:fff` without leading zeros.
  private static func looseTime(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    var fields: [Int] = []
    var index = start
    for _ in 0..<3 {
      let end = line.skipDigits(index)
      guard end > index, end - index <= 2, line.at(end) == Byte.colon,
        let value = line.decimal(index, end)
      else { return false }
      fields.append(Int(value))
      index = end + 1
    }
    let end = line.skipDigits(index)
    guard end > index, end - index <= 3, let millis = line.decimal(index, end) else { return false }
    (stamp.hour, stamp.minute, stamp.second) = (fields[0], fields[1], fields[2])
    stamp.nanosecond = Int(millis) * 1_000_000
    stamp.end = end
    return true
  }

  /// The end of a month's full English name that begins at `start`; `start` when it is none.
  static func longMonthEnd(_ line: Line, at start: Int, _ month: Int) -> Int {
    let names: [StaticString] = [
      "uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember",
    ]
    let rest = names[month - 1]
    return line.has(rest, at: start + 3) ? start + 3 + rest.utf8CodeUnitCount : start
  }

  /// The index behind a weekday's full English name and its comma.
  static func skipLongWeekday(_ line: Line, at start: Int) -> Int? {
    let names: [StaticString] = [
      "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    for name in names where line.has(name, at: start) {
      var next = start + name.utf8CodeUnitCount
      if line.at(next) == Byte.comma { next += 1 }
      return line.at(next) == Byte.space ? line.skipBlanks(next) : nil
    }
    return nil
  }
}
