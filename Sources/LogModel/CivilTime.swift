// SPDX-License-Identifier: Apache-2.0

/// A date and time of day in the proleptic Gregorian calendar, without a zone.
public struct CivilTime: Hashable, Sendable {
  public var year: Int
  /// 1 to 12.
  public var month: Int
  /// 1 to 31.
  public var day: Int
  public var hour: Int
  public var minute: Int
  /// 0 to 60: a leap second is accepted.
  public var second: Int
  /// 0 to 999,999,999.
  public var nanosecond: Int

  public init(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    nanosecond: Int = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
  }

  /// The civil time of `timestamp` in UTC.
  public init(utc timestamp: Timestamp) {
    let (seconds, nanosecond) = Self.floorDivide(timestamp.nanoseconds, 1_000_000_000)
    let (days, secondOfDay) = Self.floorDivide(seconds, 86_400)
    let date = Self.date(daysSince1970: Int(days))
    self.init(
      year: date.year, month: date.month, day: date.day,
      hour: Int(secondOfDay) / 3600, minute: Int(secondOfDay) / 60 % 60,
      second: Int(secondOfDay) % 60, nanosecond: Int(nanosecond))
  }

  /// Whether every field is in its range and the day exists in its month.
  public var isValid: Bool {
    guard month >= 1, month <= 12, day >= 1, hour >= 0, hour <= 23 else { return false }
    guard minute >= 0, minute <= 59, second >= 0, second <= 60 else { return false }
    return day <= Self.daysInMonth(month, year: year)
  }

  /// Seconds since 1970 when this is read as UTC; a leap second counts as the second after :59.
  public var secondsSince1970: Int64 {
    let days = Int64(Self.daysSince1970(year: year, month: month, day: day))
    let secondOfDay = Int64(hour &* 3600 &+ minute &* 60 &+ second)
    return days &* 86_400 &+ secondOfDay
  }

  /// The instant when this is read with `offset` seconds east of UTC; `nil` beyond 1678 to 2262.
  public func timestamp(utcOffset offset: Int = 0) -> Timestamp? {
    Timestamp(seconds: secondsSince1970 &- Int64(offset), nanoseconds: Int64(nanosecond))
  }

  /// Days from 1970-01-01 to the given date (Hinnant's days_from_civil).
  @inlinable
  public static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let y = month <= 2 ? year &- 1 : year
    let era = (y >= 0 ? y : y &- 399) / 400
    let yearOfEra = y &- era &* 400
    let shifted = month > 2 ? month &- 3 : month &+ 9
    let dayOfYear = (153 &* shifted &+ 2) / 5 &+ day &- 1
    let dayOfEra = yearOfEra &* 365 &+ yearOfEra / 4 &- yearOfEra / 100 &+ dayOfYear
    return era &* 146_097 &+ dayOfEra &- 719_468
  }

  /// The date `days` after 1970-01-01 (Hinnant's civil_from_days).
  public static func date(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
    let z = days &+ 719_468
    let era = (z >= 0 ? z : z &- 146_096) / 146_097
    let dayOfEra = z &- era &* 146_097
    let leap = dayOfEra / 1460 &- dayOfEra / 36_524 &+ dayOfEra / 146_096
    let yearOfEra = (dayOfEra &- leap) / 365
    let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
    let shifted = (5 &* dayOfYear &+ 2) / 153
    let day = dayOfYear &- (153 &* shifted &+ 2) / 5 &+ 1
    let month = shifted < 10 ? shifted &+ 3 : shifted &- 9
    return (yearOfEra &+ era &* 400 &+ (month <= 2 ? 1 : 0), month, day)
  }

  /// 28 to 31; 0 for a month that does not exist.
  public static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 0
    }
  }

  /// Quotient and rest, rounded down also below zero: the rest is never negative.
  @inlinable
  public static func floorDivide(_ value: Int64, _ by: Int64) -> (quotient: Int64, rest: Int64) {
    let rest = value % by
    return rest < 0 ? (value / by - 1, rest + by) : (value / by, rest)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC with as many decimals as the time has, as in `2026-11-30T06:03:22.5Z`.
  public var description: String {
    let civil = CivilTime(utc: self)
    var text = ""
    text.reserveCapacity(30)
    Self.append(civil.year, width: 4, to: &text)
    for (separator, value) in [("-", civil.month), ("-", civil.day), ("T", civil.hour)] {
      text += separator
      Self.append(value, width: 2, to: &text)
    }
    for value in [civil.minute, civil.second] {
      text += ":"
      Self.append(value, width: 2, to: &text)
    }
    if civil.nanosecond != 0 {
      var digits = ""
      Self.append(civil.nanosecond, width: 9, to: &digits)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  private static func append(_ value: Int, width: Int, to text: inout String) {
    let digits = String(value)
    text += String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
