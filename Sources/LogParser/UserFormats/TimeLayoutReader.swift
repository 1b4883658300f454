// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension TimeLayout {
  /// Reads the text in `start..<end`, all of it.
  ///
  /// - Returns: `nil` when it is read; else the index at which it does not follow the layout. A time
  ///   that does not exist is read, but not valid.
  func read(_ line: Line, _ start: Int, _ end: Int, into stamp: inout Stamp) -> Int? {
    let text = line.slice(0, end)
    var reader = TimeLayoutReader(text, at: start)
    for step in steps where !reader.take(step) { return reader.index }
    guard reader.index == end else { return reader.index }
    reader.finish(&stamp, shape)
    // The letters of a zone are looked up by where they end.
    if stamp.zone != .letters { stamp.end = end }
    return nil
  }
}

/// Reads one time after its layout.
private struct TimeLayoutReader {
  private let text: Line
  private(set) var index: Int
  private var stamp = Stamp()
  private var isAfternoon: Bool?
  private var dayOfYear = 0

  init(_ text: Line, at start: Int) {
    self.text = text
    index = start
    (stamp.year, stamp.month, stamp.day) = (1970, 1, 1)
  }

  mutating func take(_ step: TimeLayout.Step) -> Bool {
    switch step {
    case .byte(let byte): return take(byte)
    case .blanks:
      index = text.skipBlanks(index)
      return true
    case .year: return set(\.year, number(4))
    case .shortYear: return shortYear()
    case .month: return set(\.month, number(2))
    case .monthName: return monthName()
    case .day: return set(\.day, paddedNumber())
    case .dayOfYear:
      dayOfYear = number(3) ?? 0
      return dayOfYear > 0
    case .weekday: return word()
    case .hour, .hour12: return set(\.hour, paddedNumber())
    case .half: return half()
    case .minute: return set(\.minute, number(2))
    case .second: return set(\.second, number(2))
    case .fraction: return fraction()
    case .offset: return offset()
    case .zoneName: return zoneName()
    case .epoch(let digits): return epoch(fractionDigits: digits)
    case .hexadecimalEpoch: return hexadecimalEpoch()
    case .tai: return tai()
    }
  }

  mutating func finish(_ result: inout Stamp, _ shape: Stamp.Shape) {
    stamp.shape = shape
    if let isAfternoon {
      // Such a clock has no other hours.
      if stamp.hour < 1 || stamp.hour > 12 {
        stamp.hour = 99
      } else {
        stamp.hour = stamp.hour % 12 + (isAfternoon ? 12 : 0)
      }
    }
    if dayOfYear > 0 { setDayOfYear() }
    if shape == .epoch {
      if stamp.zone == .absent { (stamp.zone, stamp.offset) = (.offset, 0) }
    } else {
      stamp.close()
    }
    result = stamp
  }

  private mutating func setDayOfYear() {
    stamp.day = dayOfYear
    stamp.month = 1
    while stamp.month < 12, stamp.day > CivilTime.daysInMonth(stamp.month, year: stamp.year) {
      stamp.day -= CivilTime.daysInMonth(stamp.month, year: stamp.year)
      stamp.month += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard text.at(index) == byte, index < text.count else { return false }
    index += 1
    return true
  }

  private mutating func set(_ field: WritableKeyPath<Stamp, Int>, _ value: Int?) -> Bool {
    guard let value else { return false }
    stamp[keyPath: field] = value
    return true
  }

  /// One to `digits` digits.
  private mutating func number(_ digits: Int) -> Int? {
    let end = min(text.skipDigits(index), index + digits)
    guard let number = text.decimal(index, end) else { return nil }
    index = end
    return Int(number)
  }

  /// Two places, of which the first may be blank.
  private mutating func paddedNumber() -> Int? {
    if text.at(index) == Byte.space { index += 1 }
    return number(2)
  }

  /// POSIX: 69 to 99 are of the twentieth century.
  private mutating func shortYear() -> Bool {
    guard let year = number(2) else { return false }
    stamp.year = year + (year < 69 ? 2000 : 1900)
    return true
  }

  private mutating func word() -> Bool {
    let start = index
    while text.at(index).isLetter || text.at(index) >= 0x80 { index += 1 }
    if index > start, text.at(index) == Byte.dot { index += 1 }
    return index > start
  }

  private mutating func monthName() -> Bool {
    let start = index
    guard word(), let month = Self.month(text.slice(start, index)) else {
      index = start
      return false
    }
    stamp.month = month
    return true
  }

  /// An English name, or its first three letters and what follows of it.
  private static func month(_ word: Line) -> Int? {
    var length = word.count
    if length > 0, word[length - 1] == Byte.dot { length -= 1 }
    guard length >= 3 else { return nil }
    return names.firstIndex { name in
      length <= name.utf8CodeUnitCount
        && (0..<length).allSatisfy { word[$0] | 0x20 == name.utf8Start[$0] }
    }.map { $0 + 1 }
  }

  private static let names: [StaticString] = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  private mutating func half() -> Bool {
    let letter = text.at(index) | 0x20
    guard letter == 0x61 || letter == 0x70 else { return false }
    var next = index + 1
    if text.at(next) == Byte.dot { next += 1 }
    guard text.at(next) | 0x20 == 0x6d else { return false }
    next += 1
    if text.at(next) == Byte.dot { next += 1 }
    isAfternoon = letter == 0x70
    index = next
    return true
  }

  /// Digits beyond the ninth are cut, not rounded.
  private mutating func fraction() -> Bool {
    let end = text.skipDigits(index)
    guard end > index else { return false }
    stamp.nanosecond = Self.nanosecond(text, index, end)
    index = end
    return true
  }

  private static func nanosecond(_ text: Line, _ start: Int, _ end: Int) -> Int {
    var value = 0
    for place in 0..<9 {
      value = value * 10 + (start + place < end ? Int(text[start + place] - Byte.zero) : 0)
    }
    return value
  }

  private mutating func offset() -> Bool {
    stamp.end = index
    StampZone.scan(text, into: &stamp)
    guard stamp.zone == .offset, stamp.end > index else { return false }
    index = stamp.end
    return true
  }

  private mutating func zoneName() -> Bool {
    guard text.at(index).isLetter else { return offset() }
    var end = index
    while text.at(end).isLetter { end += 1 }
    StampZone.name(text, index, end, into: &stamp)
    index = end
    return true
  }

  private mutating func epoch(fractionDigits: Int) -> Bool {
    let isNegative = text.at(index) == Byte.dash
    let start = isNegative ? index + 1 : index
    let end = text.skipDigits(start)
    let whole = end - start
    guard whole > 0, whole - fractionDigits <= 11 else { return false }
    let split = max(start, end - fractionDigits)
    var seconds = split > start ? text.decimal(start, split) ?? 0 : 0
    if fractionDigits > 0 {
      // Fewer digits than the fraction has stand for its last ones.
      var value = text.decimal(split, end) ?? 0
      for _ in fractionDigits..<9 { value *= 10 }
      stamp.nanosecond = Int(value)
    }
    if isNegative {
      seconds = -seconds
      if stamp.nanosecond > 0 {
        seconds -= 1
        stamp.nanosecond = 1_000_000_000 - stamp.nanosecond
      }
    }
    stamp.seconds = seconds
    index = end
    return true
  }

  private mutating func hexadecimalEpoch() -> Bool {
    var end = index
    while text.at(end).isHexDigit { end += 1 }
    guard end - index <= 9, let seconds = text.hexadecimal(index, end) else { return false }
    stamp.seconds = seconds
    index = end
    return true
  }

  /// `@`, 16 hexadecimal digits of seconds, 8 of nanoseconds; 2^62 and ten seconds stand for 1970.
  private mutating func tai() -> Bool {
    let start = text.at(index) == UInt8(ascii: "@") ? index + 1 : index
    guard text.at(start) == UInt8(ascii: "4"),
      let seconds = text.hexadecimal(start + 1, start + 16),
      let nanosecond = text.hexadecimal(start + 16, start + 24), nanosecond < 1_000_000_000
    else { return false }
    stamp.seconds = seconds - 10
    stamp.nanosecond = Int(nanosecond)
    index = start + 24
    return true
  }
}
