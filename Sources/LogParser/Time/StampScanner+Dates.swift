// SPDX-License-Identifier: Apache-2.0

extension StampScanner {
  /// The number of the month whose three-letter English name stands at `start`; 0 for none.
  @inline(__always)
  static func month(_ line: Line, at start: Int) -> Int {
    guard start &+ 3 <= line.count else { return 0 }
    let first = UInt32(line[start] | 0x20) &<< 16
    let name = first | UInt32(line[start &+ 1] | 0x20) &<< 8 | UInt32(line[start &+ 2] | 0x20)
    switch name {
    case 0x6a616e: return 1  // jan
    case 0x666562: return 2  // feb
    case 0x6d6172: return 3  // mar
    case 0x617072: return 4  // apr
    case 0x6d6179: return 5  // may
    case 0x6a756e: return 6  // jun
    case 0x6a756c: return 7  // jul
    case 0x617567: return 8  // aug
    case 0x736570: return 9  // sep
    case 0x6f6374: return 10  // oct
    case 0x6e6f76: return 11  // nov
    case 0x646563: return 12  // dec
    default: return 0
    }
  }

  /// `MMM d HH:mm:ss[.fff]` with an optional year after it, `MMM d yyyy HH:mm:ss`, and
  /// `MMM d, yyyy h:mm:ss AM`.
  @inline(__always)
  static func named(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let month = month(line, at: start)
    guard month > 0 else { return false }
    if line.at(start &+ 3) == Byte.dash { return dashed(line, at: start, month, into: &stamp) }
    let nameEnd =
      line.at(start &+ 3) == Byte.space ? start &+ 3 : longMonthEnd(line, at: start, month)
    guard line.at(nameEnd) == Byte.space else { return false }
    let digits = line.skipBlanks(nameEnd &+ 1)
    let digitsEnd = line.skipDigits(digits)
    guard digitsEnd > digits, digitsEnd &- digits <= 2 else { return false }
    stamp.month = month
    stamp.day = Int(line.decimal(digits, digitsEnd) ?? 0)
    var next = digitsEnd
    if line.at(next) == Byte.comma { next &+= 1 }
    guard line.at(next) == Byte.space else { return false }
    next &+= 1
    if let year = fourDigits(line, at: next), line.at(next &+ 4) == Byte.space {
      stamp.year = year
      return finishFull(line, at: next &+ 5, into: &stamp)
    }
    guard timeOfDay(line, at: next, into: &stamp) else { return false }
    if line.at(stamp.end) == Byte.space, let year = fourDigits(line, at: stamp.end &+ 1),
      !line.at(stamp.end &+ 5).isWord, line.at(stamp.end &+ 5) != Byte.dash
    {
      stamp.year = year
      stamp.end &+= 5
      stamp.shape = .full
      StampZone.scan(line, into: &stamp)
    } else if !zoneAndYear(line, into: &stamp) {
      stamp.shape = .withoutYear
      // Any leap year: whether the day exists in its own year is seen when the year is known.
      stamp.year = 2000
    }
    stamp.close()
    return true
  }

  /// `MMM-dd-yy HH:mm:ss` of the mail proxy ASSP.
  @inline(never)
  private static func dashed(
    _ line: Line, at start: Int, _ month: Int, into stamp: inout Stamp
  ) -> Bool {
    guard line.skipDigits(start + 4) == start + 6, line.at(start + 6) == Byte.dash,
      line.skipDigits(start + 7) == start + 9, line.at(start + 9) == Byte.space
    else { return false }
    (stamp.year, stamp.month, stamp.day) = (2000 + line.two(start + 7), month, line.two(start + 4))
    return finishFull(line, at: start + 10, into: &stamp)
  }

  /// ` CET 2026` behind a time, ` AM CET 2026` and ` -03 2026`, as `date` prints them.
  private static func zoneAndYear(_ line: Line, into stamp: inout Stamp) -> Bool {
    let next = line.at(stamp.end + 1)
    guard line.at(stamp.end) == Byte.space,
      next.isUpper || next == Byte.plus || next == Byte.dash
    else { return false }
    var whole = stamp
    if next == 0x41 || next == 0x50 { _ = half(line, into: &whole) }
    StampZone.abbreviation(line, from: whole.end, into: &whole)
    guard whole.zone != .absent, line.at(whole.end) == Byte.space,
      let year = fourDigits(line, at: whole.end + 1), !line.at(whole.end + 5).isWord
    else { return false }
    stamp = whole
    stamp.year = year
    stamp.end += 5
    stamp.shape = .full
    return true
  }

  /// `d MMM yyyy HH:mm:ss` and `dd/MMM/yyyy:HH:mm:ss ±hhmm`.
  static func dayFirst(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let digitsEnd = line.skipDigits(start)
    guard digitsEnd > start, digitsEnd - start <= 2 else { return false }
    let separator = line.at(digitsEnd)
    guard separator == Byte.space || separator == Byte.slash || separator == Byte.dash,
      line.at(digitsEnd + 4) == separator
    else { return false }
    let month = month(line, at: digitsEnd + 1)
    guard month > 0, let year = fourDigits(line, at: digitsEnd + 5) else { return false }
    let after = line.at(digitsEnd + 9)
    guard after == Byte.space || after == Byte.colon else { return false }
    stamp.year = year
    stamp.month = month
    stamp.day = Int(line.decimal(start, digitsEnd) ?? 0)
    return finishFull(line, at: digitsEnd + 10, into: &stamp)
  }

  /// `d MMM HH:mm:ss`, without a year.
  static func dayAndMonth(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let digitsEnd = line.skipDigits(start)
    let month = month(line, at: digitsEnd + 1)
    guard digitsEnd > start, digitsEnd - start <= 2, month > 0, line.at(digitsEnd) == Byte.space,
      line.at(digitsEnd + 4) == Byte.space, timeOfDay(line, at: digitsEnd + 5, into: &stamp)
    else { return false }
    // Any leap year: whether the day exists in its own year is seen when the year is known.
    (stamp.year, stamp.month) = (2000, month)
    stamp.day = Int(line.decimal(start, digitsEnd) ?? 0)
    stamp.shape = .withoutYear
    stamp.zone = .absent
    stamp.close()
    return true
  }

  /// `yyMMdd HH:mm:ss` with an hour of one or two digits, as MySQL writes it.
  static func compactDate(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    guard line.skipDigits(start) == start + 6, line.at(start + 6) == Byte.space else {
      return false
    }
    let time = line.skipBlanks(start + 7)
    (stamp.year, stamp.month, stamp.day) = (
      2000 + line.two(start), line.two(start + 2), line.two(start + 4)
    )
    return finishFull(line, at: time, into: &stamp)
  }

  /// `yyMMdd HHmmss` before a number and a level, as old Hadoop writes it.
  private static func hadoop(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let time = start + 7
    let pid = time + 7
    guard line.skipDigits(time) == time + 6, line.at(time + 6) == Byte.space else { return false }
    let pidEnd = line.skipDigits(pid)
    guard pidEnd > pid, line.at(pidEnd) == Byte.space else { return false }
    let level = line.slice(pidEnd + 1, min(line.skipToken(pidEnd + 1), line.count))
    guard LevelWords.severity(of: level) != nil else { return false }
    (stamp.year, stamp.month, stamp.day) = (
      2000 + line.two(start), line.two(start + 2), line.two(start + 4)
    )
    (stamp.hour, stamp.minute, stamp.second) = (
      line.two(time), line.two(time + 2), line.two(time + 4)
    )
    stamp.nanosecond = 0
    stamp.shape = .full
    stamp.zone = .absent
    stamp.end = time + 6
    stamp.close()
    return true
  }

  /// What begins with a digit and is no ISO date.
  static func otherNumeric(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let digitsEnd = line.skipDigits(start)
    switch line.at(digitsEnd) {
    case Byte.colon where digitsEnd - start <= 2:
      guard timeOfDay(line, at: start, into: &stamp) || kitchen(line, at: start, into: &stamp)
      else { return false }
      stamp.shape = .withoutDate
      (stamp.year, stamp.month, stamp.day) = (1970, 1, 1)
      StampZone.scan(line, into: &stamp)
      stamp.close()
      return true
    case Byte.dot where digitsEnd - start <= 2:
      return dotted(line, at: start, digitsEnd, into: &stamp)
        || epoch(line, at: start, digitsEnd, into: &stamp)
    case _ where digitsEnd - start == 8:
      return basic(line, at: start, into: &stamp)
    case Byte.slash where digitsEnd - start <= 2:
      return dayFirst(line, at: start, into: &stamp) || numericDate(line, at: start, into: &stamp)
    case Byte.space where digitsEnd - start == 6:
      return compactDate(line, at: start, into: &stamp) || hadoop(line, at: start, into: &stamp)
    case Byte.dash where digitsEnd - start == 4:
      return ordinal(line, at: start, into: &stamp)
    case Byte.dash where digitsEnd - start <= 2:
      return dayFirst(line, at: start, into: &stamp) || numericDate(line, at: start, into: &stamp)
    case Byte.space where digitsEnd - start <= 2:
      return dayFirst(line, at: start, into: &stamp)
    case 0x41...0x53 where digitsEnd - start == 2:
      return joinedDate(line, at: start, into: &stamp)
    default:
      return epoch(line, at: start, digitsEnd, into: &stamp)
    }
  }

  /// `ddMMMyyyy HH:mm:ss`.
  private static func joinedDate(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let month = month(line, at: start + 2)
    guard month > 0, let year = fourDigits(line, at: start + 5), line.at(start + 9) == Byte.space
    else { return false }
    (stamp.year, stamp.month, stamp.day) = (year, month, line.two(start))
    return finishFull(line, at: start + 10, into: &stamp)
  }

  /// Seconds (10 digits, perhaps with decimals), milli- (13), micro- (16) or nanoseconds (19)
  /// since 1970, up to a blank, a colon or a closing bracket; also `1.772359200123e+09` as zap
  /// writes seconds.
  static func epoch(
    _ line: Line, at start: Int, _ digitsEnd: Int, into stamp: inout Stamp
  ) -> Bool {
    if digitsEnd == start &+ 1 { return scientific(line, at: start, into: &stamp) }
    var end = digitsEnd
    if line.at(end) == Byte.dot, line.at(end + 1).isDigit { end = line.skipDigits(end + 1) }
    let next = line.at(end)
    guard next.isBlank || next == Byte.colon || next == Byte.closeBracket || end == line.count
    else { return false }
    guard EpochTime.scan(line, start, end, into: &stamp) else { return false }
    stamp.end = end
    return true
  }

  private static func scientific(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    guard line.at(start + 1) == Byte.dot else { return false }
    let digitsEnd = line.skipDigits(start + 2)
    let end = line.has("e+09", at: digitsEnd) ? digitsEnd + 4 : digitsEnd
    guard end > digitsEnd, line.at(end).isBlank,
      EpochTime.billions(line, start, digitsEnd, into: &stamp)
    else { return false }
    stamp.end = end
    return true
  }

  static func finishFull(_ line: Line, at time: Int, into stamp: inout Stamp) -> Bool {
    guard timeOfDay(line, at: time, into: &stamp) else { return false }
    stamp.shape = .full
    _ = half(line, into: &stamp)
    StampZone.scan(line, into: &stamp)
    stamp.close()
    return true
  }

  /// Takes `AM` or `PM` after the time, with a blank, a narrow one of Unicode, or none before it; an
  /// hour that such a clock does not have is invalid.
  static func half(_ line: Line, into stamp: inout Stamp) -> Bool {
    var start = stamp.end
    if line.at(start) == Byte.space {
      start += 1
    } else if line.has("\u{202F}", at: start) {
      start += 3
    }
    let letter = line.at(start) | 0x20
    guard letter == 0x61 || letter == 0x70, line.at(start + 1) | 0x20 == 0x6d,
      !line.at(start + 2).isWord
    else { return false }
    if stamp.hour < 1 || stamp.hour > 12 {
      // "am" is a word as well.
      guard line[start].isUpper else { return false }
      stamp.hour = 99
    } else {
      stamp.hour = stamp.hour % 12 + (letter == 0x70 ? 12 : 0)
    }
    stamp.end = start + 2
    return true
  }

  @inline(__always)
  static func fourDigits(_ line: Line, at start: Int) -> Int? {
    guard start &+ 4 <= line.count else { return nil }
    let high = line.two(start)
    let low = line.two(start &+ 2)
    return high | low < 128 ? high &* 100 &+ low : nil
  }
}
