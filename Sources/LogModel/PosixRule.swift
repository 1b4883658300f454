// SPDX-License-Identifier: Apache-2.0

/// The rule at the end of a TZif file, such as `CET-1CEST,M3.5.0,M10.5.0/3`: POSIX's TZ value with
/// the extension of RFC 9636 (hours from -167 to 167).
struct PosixRule: Sendable {
  private var standard: LocalTimeType
  private var summer: LocalTimeType?
  private var start = ChangeDay()
  private var end = ChangeDay()

  /// The rule that `text` states, or `nil` when it states none.
  init?(_ text: [UInt8]) {
    var reader = RuleReader(text: text)
    guard let name = reader.name(), let west = reader.duration() else { return nil }
    standard = LocalTimeType(offset: -west, abbreviation: name)
    guard let summerName = reader.name() else { return }
    let summerWest = reader.duration() ?? west - 3600
    summer = LocalTimeType(offset: -summerWest, abbreviation: summerName)
    guard let start = reader.changeDay(), let end = reader.changeDay() else { return nil }
    self.start = start
    self.end = end
  }

  /// What holds at `seconds` since 1970 UTC.
  func type(at seconds: Int64) -> LocalTimeType {
    guard let summer else { return standard }
    let local = seconds + Int64(standard.offset)
    let days = Int((local >= 0 ? local : local - 86_399) / 86_400)
    let year = CivilTime.date(daysSince1970: days).year
    let begins = start.seconds(year: year) - Int64(standard.offset)
    let ends = end.seconds(year: year) - Int64(summer.offset)
    let isSummer =
      begins < ends
      ? seconds >= begins && seconds < ends : !(seconds >= ends && seconds < begins)
    return isSummer ? summer : standard
  }
}

/// A day of every year, and the seconds after its midnight, at which the clock changes.
struct ChangeDay: Sendable {
  enum Kind: Sendable { case monthWeekDay, withoutLeapDay, withLeapDay }

  var kind = Kind.withLeapDay
  var month = 0
  var week = 0
  var day = 0
  var secondOfDay = 7200

  /// Seconds since 1970 by the clock that runs before the change.
  func seconds(year: Int) -> Int64 {
    Int64(daysSince1970(year: year)) * 86_400 + Int64(secondOfDay)
  }

  private func daysSince1970(year: Int) -> Int {
    let january = CivilTime.daysSince1970(year: year, month: 1, day: 1)
    switch kind {
    case .withLeapDay: return january + day
    case .withoutLeapDay:
      let isLeap = CivilTime.daysInMonth(2, year: year) == 29
      return january + day - 1 + (isLeap && day >= 60 ? 1 : 0)
    case .monthWeekDay:
      let first = CivilTime.daysSince1970(year: year, month: month, day: 1)
      // 1970-01-01 was a Thursday (4, where Sunday is 0).
      let weekday = ((first + 4) % 7 + 7) % 7
      var date = 1 + (day - weekday + 7) % 7 + (week - 1) * 7
      while date > CivilTime.daysInMonth(month, year: year) { date -= 7 }
      return first + date - 1
    }
  }
}

/// Reads the parts of a rule from left to right.
private struct RuleReader {
  var text: [UInt8]
  var index = 0

  private var next: UInt8 { index < text.count ? text[index] : 0 }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  mutating func name() -> [UInt8]? {
    let quoted = take(UInt8(ascii: "<"))
    let start = index
    while index < text.count {
      let letter = (next | 0x20) >= 97 && (next | 0x20) <= 122
      if quoted ? next == UInt8(ascii: ">") : !letter { break }
      index += 1
    }
    let name = Array(text[start..<index])
    if quoted, !take(UInt8(ascii: ">")) { return nil }
    return name.count >= 3 ? name : nil
  }

  private mutating func number() -> Int? {
    var value = 0
    let start = index
    while next >= 48, next <= 57, index - start < 4 {
      value = value * 10 + Int(next) - 48
      index += 1
    }
    return index > start ? value : nil
  }

  /// `[+-]hh[:mm[:ss]]` in seconds.
  mutating func duration() -> Int? {
    let isNegative = take(UInt8(ascii: "-"))
    if !isNegative { _ = take(UInt8(ascii: "+")) }
    guard var seconds = number().map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where take(UInt8(ascii: ":")) {
      guard let part = number() else { return nil }
      seconds += part * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func changeDay() -> ChangeDay? {
    guard take(UInt8(ascii: ",")) else { return nil }
    var result = ChangeDay()
    if take(UInt8(ascii: "M")) {
      result.kind = .monthWeekDay
      guard let month = number(), take(UInt8(ascii: ".")), let week = number(),
        take(UInt8(ascii: ".")), let day = number()
      else { return nil }
      guard (1...12).contains(month), (1...5).contains(week), day <= 6 else { return nil }
      (result.month, result.week, result.day) = (month, week, day)
    } else {
      if take(UInt8(ascii: "J")) { result.kind = .withoutLeapDay }
      guard let day = number(), day <= 366 else { return nil }
      result.day = day
    }
    if take(UInt8(ascii: "/")) {
      guard let seconds = duration() else { return nil }
      result.secondOfDay = seconds
    }
    return result
  }
}
