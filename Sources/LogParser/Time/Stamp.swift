// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A time as a text writes it: which fields stand there, and where it ends.
struct Stamp {
  /// Which fields it has; decides what is inferred and whether a line can begin a record.
  enum Shape: UInt8 {
    case full
    /// Month, day and time of day.
    case withoutYear
    /// Only a time of day.
    case withoutDate
    /// Seconds or a fraction of them since 1970.
    case epoch
  }

  enum Zone: UInt8 {
    case absent
    /// `offset` says it.
    case offset
    /// The letters at `zoneStart` may mean several offsets, or none that we know.
    case letters
  }

  var shape = Shape.full
  /// False for a date or time that does not exist: no time, but still a stamp.
  var isValid = true
  var zone = Zone.absent
  /// The month and the day are numbers of which the text does not say which is which: `month` is the
  /// first of them, `day` the second. Then it is not valid before the order is known.
  var isUnordered = false
  /// The hour is one of twelve: where the order of month and day is not known, the month is first.
  var isHalfDay = false
  /// The index after its last byte.
  var end = 0
  var year = 0
  var month = 0
  var day = 0
  var hour = 0
  var minute = 0
  var second = 0
  var nanosecond = 0
  /// Seconds east of UTC.
  var offset = 0
  var zoneStart = 0
  /// Seconds since 1970 of an epoch, and before that of a local time.
  var seconds: Int64 = 0

  /// Sets `seconds` from the fields where there is a year, and `isValid` to whether that date and time exist.
  @inline(__always)
  mutating func close() {
    // Hour 24 names two days; the record keeps the time that it came at.
    let timeIsValid = hour < 24 && minute < 60 && second <= 60
    guard timeIsValid, month >= 1, month <= 12, day >= 1,
      day <= 28 || day <= CivilTime.daysInMonth(month, year: year)
    else {
      isValid = false
      return
    }
    if shape == .withoutYear { return }
    let days = Int64(CivilTime.daysSince1970(year: year, month: month, day: day))
    seconds = days &* 86_400 &+ Int64(secondOfDay)
  }

  /// Which of two numbers is the day.
  enum DayOrder: UInt8 {
    case dayFirst, monthFirst
  }

  /// The order of an unordered date that a number beyond twelve tells; `nil` for every other.
  var provenOrder: DayOrder? {
    guard isUnordered, month <= 12 || day <= 12 else { return nil }
    return month > 12 ? .dayFirst : day > 12 ? .monthFirst : nil
  }

  /// Takes the numbers of an unordered date in this order.
  mutating func settle(_ order: DayOrder) {
    if order == .dayFirst { (month, day) = (day, month) }
    isUnordered = false
    isValid = true
    close()
  }

  @inline(__always)
  var secondOfDay: Int { hour &* 3600 &+ minute &* 60 &+ second }
}
