// SPDX-License-Identifier: Apache-2.0

/// Times as numbers since 1970, told apart by their digits, never through a Double: a Double has no
/// room for nanoseconds.
enum EpochTime {
  /// Reads the decimal number in `start..<end` as it stands in front of a line: exactly 10, 13, 16
  /// or 19 digits, so that a count or an id is not taken for a time.
  static func scan(_ line: Line, _ start: Int, _ end: Int, into stamp: inout Stamp) -> Bool {
    let whole = line.skipDigits(start) - start
    guard whole == 10 || whole == 13 || whole == 16 || whole == 19 else { return false }
    guard let (seconds, nanosecond) = parts(line, start, end) else { return false }
    fill(&stamp, seconds, nanosecond)
    return true
  }

  /// Reads the number in `start..<end` as a field that is known to be a time: up to 11 digits are
  /// seconds, up to 14 milli-, up to 17 micro- and up to 19 nanoseconds.
  static func field(_ line: Line, _ start: Int, _ end: Int, into stamp: inout Stamp) -> Bool {
    let isNegative = line.at(start) == Byte.dash
    guard let (seconds, nanosecond) = parts(line, isNegative ? start + 1 : start, end) else {
      return false
    }
    if isNegative {
      fill(
        &stamp, nanosecond == 0 ? -seconds : -seconds - 1,
        (1_000_000_000 - nanosecond) % 1_000_000_000)
    } else {
      fill(&stamp, seconds, nanosecond)
    }
    return true
  }

  /// Whether a number that is called "time" is one since 1970, not how long something took: it is
  /// of 1973 or later.
  static func isLikely(_ stamp: Stamp) -> Bool { stamp.seconds >= 100_000_000 }

  /// Reads `d.ddd` in `start..<end` as a number of billions of seconds.
  static func billions(_ line: Line, _ start: Int, _ end: Int, into stamp: inout Stamp) -> Bool {
    var value = Int64(line[start] - Byte.zero)
    var digits = 0
    // Nine decimals are the seconds, nine more the nanoseconds.
    for index in start + 2..<start + 20 {
      let digit = index < end ? Int64(line[index] - Byte.zero) : 0
      guard digits < 18 else { break }
      value = value * 10 + digit
      digits += 1
    }
    fill(&stamp, value / 1_000_000_000, Int(value % 1_000_000_000))
    return true
  }

  private static func fill(_ stamp: inout Stamp, _ seconds: Int64, _ nanosecond: Int) {
    stamp.shape = .epoch
    stamp.zone = .offset
    stamp.offset = 0
    stamp.isValid = true
    stamp.seconds = seconds
    stamp.nanosecond = nanosecond
  }

  private static func parts(_ line: Line, _ start: Int, _ end: Int) -> (Int64, Int)? {
    let wholeEnd = line.skipDigits(start)
    let whole = wholeEnd - start
    guard whole >= 1, whole <= 19 else { return nil }
    // The unit as digits after the seconds' point.
    let shift = whole <= 11 ? 0 : whole <= 14 ? 3 : whole <= 17 ? 6 : 9
    guard let seconds = shift < whole ? line.decimal(start, wholeEnd - shift) : 0 else {
      return nil
    }
    var nanosecond = 0
    var digits = 0
    var index = wholeEnd - min(shift, whole)
    while index < wholeEnd {
      nanosecond = nanosecond * 10 + Int(line[index] - 48)
      digits += 1
      index += 1
    }
    if index < end {
      guard line[index] == Byte.dot else { return nil }
      index += 1
      while index < end {
        guard line[index].isDigit else { return nil }
        if digits < 9 {
          nanosecond = nanosecond * 10 + Int(line[index] - 48)
          digits += 1
        }
        index += 1
      }
    }
    while digits < 9 {
      nanosecond *= 10
      digits += 1
    }
    return (seconds, nanosecond)
  }
}
