// SPDX-License-Identifier: Apache-2.0

/// Recognises the ways in which logs write a time (the date first, then the rest).
enum StampScanner {
  /// Reads a stamp at `start`.
  ///
  /// - Returns: whether there is one; it may still be invalid.
  static func scan(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    let first = line.at(start)
    if first.isDigit {
      // The common case first: all others have a separator earlier or none at all.
      if iso(line, at: start, into: &stamp) { return true }
      return otherNumeric(line, at: start, into: &stamp)
    }
    guard first.isLetter else { return false }
    if let weekday = skipWeekday(line, at: start) ?? skipLongWeekday(line, at: start) {
      if named(line, at: weekday, into: &stamp) { return true }
      guard iso(line, at: weekday, into: &stamp) || dayFirst(line, at: weekday, into: &stamp)
      else { return false }
      // `journalctl -o short-full` and `date` write the zone, which may have no letters.
      if stamp.zone == .absent { _ = StampZone.hours(line, from: stamp.end, into: &stamp) }
      return true
    }
    return named(line, at: start, into: &stamp)
  }

  /// `yyyy-MM-dd`, `yyyy/MM/dd`, `yyyy.MM.dd` or `yyyy:MM:dd` (Sophos, DirectAdmin), then `T` or blanks, then the time of day.
  @inline(__always)
  static func iso(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    guard line.count &- start >= 19 else { return false }
    let dash = line[start &+ 4]
    guard
      dash == Byte.dash || dash == Byte.slash || dash == Byte.dot
        || dash == Byte.colon && line[start &+ 10] == Byte.dash,
      line[start &+ 7] == dash
    else { return false }
    let century = line.two(start)
    let years = line.two(start &+ 2)
    let month = line.two(start &+ 5)
    let day = line.two(start &+ 8)
    guard century | years | month | day < 128 else { return false }
    let separator = line[start &+ 10]
    guard separator == 0x54 || separator == Byte.space || separator == 0x74 else {
      return isoVariant(line, at: start, into: &stamp)
    }
    stamp.shape = .full
    stamp.year = century &* 100 &+ years
    stamp.month = month
    stamp.day = day
    let time = separator == Byte.space ? line.skipBlanks(start &+ 11) : start &+ 11
    guard
      timeOfDay(line, at: time, into: &stamp) || minutes(line, at: time, into: &stamp)
        || dashedTime(line, at: time, into: &stamp)
    else { return false }
    StampZone.scan(line, into: &stamp)
    stamp.close()
    return true
  }

  /// `HH:mm:ss` or `H:mm:ss`, then a fraction after a dot or comma, or three digits after a colon.
  @inline(__always)
  static func timeOfDay(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    guard line.count &- start >= 8 else { return shortTimeOfDay(line, at: start, into: &stamp) }
    let hour = line.two(start)
    let minute = line.two(start &+ 3)
    let second = line.two(start &+ 6)
    guard hour | minute | second < 128, line[start &+ 2] == Byte.colon,
      line[start &+ 5] == Byte.colon
    else { return shortTimeOfDay(line, at: start, into: &stamp) }
    stamp.hour = hour
    stamp.minute = minute
    stamp.second = second
    stamp.end = start &+ 8
    fraction(line, into: &stamp)
    return true
  }

  private static func shortTimeOfDay(
    _ line: Line, at start: Int, into stamp: inout Stamp
  ) -> Bool {
    guard line.count &- start >= 7, line[start].isDigit, line[start &+ 1] == Byte.colon,
      line[start &+ 4] == Byte.colon
    else { return false }
    stamp.hour = Int(line[start]) - 48
    stamp.minute = line.two(start &+ 2)
    stamp.second = line.two(start &+ 5)
    guard stamp.minute | stamp.second < 128 else { return false }
    stamp.end = start &+ 7
    fraction(line, into: &stamp)
    return true
  }

  /// Digits beyond the ninth are cut, not rounded: rounding could reach the next second.
  @inline(__always)
  static func fraction(_ line: Line, into stamp: inout Stamp) {
    stamp.nanosecond = 0
    let mark = line.at(stamp.end)
    guard mark == Byte.dot || mark == Byte.comma || mark == Byte.colon else { return }
    var index = stamp.end &+ 1
    var value = 0
    var digits = 0
    while index < line.count, line[index].isDigit {
      if digits < 9 { value = value &* 10 &+ Int(line[index] &- 48) }
      digits &+= 1
      index &+= 1
    }
    guard digits > 0, mark != Byte.colon || digits == 3 || digits == 6 else { return }
    // "10:00:00,1,5" is a table.
    if digits < 3, mark == Byte.comma, line.at(index) == Byte.comma { return }
    switch digits {
    case 1: value &*= 100_000_000
    case 2: value &*= 10_000_000
    case 3: value &*= 1_000_000
    case 4: value &*= 100_000
    case 5: value &*= 10_000
    case 6: value &*= 1_000
    case 7: value &*= 100
    case 8: value &*= 10
    default: break
    }
    stamp.nanosecond = value
    stamp.end = index
  }

  private static func skipWeekday(_ line: Line, at start: Int) -> Int? {
    guard line.count - start > 8 else { return nil }
    let names: StaticString = "MonTueWedThuFriSatSun"
    for index in 0..<7 {
      let name = names.utf8Start + index * 3
      guard line[start] == name[0], line[start + 1] == name[1], line[start + 2] == name[2]
      else { continue }
      var next = start + 3
      if line[next] == Byte.comma { next += 1 }
      return line[next] == Byte.space ? line.skipBlanks(next) : nil
    }
    return nil
  }
}
