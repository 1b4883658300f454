// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Turns stamps into times: zone, year and day where the text leaves them out. One for each file.
struct Clock {
  let zone: TimeZone
  /// When the file was last written, as far as known at the start.
  let modified: Timestamp
  /// The last time that was read, in the order of the file.
  private(set) var last: Timestamp?
  /// Of the part of the file that was looked at before reading: how often the year changes in it,
  /// and its last day, as month × 31 + day.
  var yearChanges = 0
  var lastSampledDay: Int?
  /// How far the days fall back there at most.
  var deepestFall = 0
  /// The midnights in the file, for times without a date.
  var days = DayCount()
  /// Whether the file's dates in numbers have the day first, as soon as one of them tells.
  var dayOrder: Stamp.DayOrder?

  /// For formats whose lines are many.
  var minute = MinuteCache()

  private var yearOfLast: Int?
  private var dayOfLast = 0
  /// A fall by more days than this is a new year.
  private var yearFall = Clock.usualYearFall
  /// The day of the last time without a year, and the local second at which it begins.
  private var midnight: (year: Int, month: Int, day: Int, seconds: Int64) = (0, 0, 0, 0)
  /// The day, and the second of the day, of the last time without a date.
  private var dateless: (day: Int, second: Int)?
  /// The quarter of an hour of local time for which `cachedOffset` holds.
  private var cachedQuarter = Int64.min
  private var cachedOffset = 0
  /// How many of the file's lines have a level behind their time.
  var levels = LevelCount()
  /// The last messages of each process of a PostgreSQL server.
  var postgres = PostgresMessages()
  /// Formats of the user's own that may stand in the envelopes of a container or a relay.
  var payloadFormats: [UserFormatReader] = [] {
    didSet { hasPayloadFormats = !payloadFormats.isEmpty }
  }
  private(set) var hasPayloadFormats = false
  /// What the payload opened last holds after its first record, until that is read.
  var payloadParts: PayloadParts?
  private let zoneNamed: @Sendable (String) -> TimeZone?
  /// The zone that a line named last.
  private var namedZone: TimeZone?

  init(_ context: FileContext) {
    zone = context.zone
    modified = context.modified
    last = context.lastTime
    zoneNamed = context.zoneNamed
  }

  /// Sets the record's time from `stamp`; `line` is what the stamp was read from.
  ///
  /// The stamp is lent, here and further on, not changed: a copy in pieces of sixteen bytes would wait
  /// for each of the fields that were just written.
  ///
  /// - Returns: whether the stamp gave a time.
  @inline(__always)
  mutating func set(_ stamp: inout Stamp, from line: Line, of record: inout LogRecord) -> Bool {
    guard stamp.isValid else { return setUnordered(&stamp, from: line, of: &record) }
    if stamp.shape == .withoutYear || stamp.shape == .withoutDate || stamp.zone == .letters {
      return setInferred(&stamp, from: line, of: &record)
    }
    if stamp.zone == .offset {
      if stamp.shape != .epoch {
        record.utcOffsetMinutes = Int16(truncatingIfNeeded: stamp.offset / 60)
      }
      return finish(stamp.seconds &- Int64(stamp.offset), stamp.nanosecond, .zoned, &record)
    }
    let offset = localOffset(stamp.seconds)
    return finish(stamp.seconds &- Int64(offset), stamp.nanosecond, .assumedZone, &record)
  }

  /// Sets the record's time from a stamp that is not at hand to be lent.
  mutating func set(_ stamp: Stamp, from line: Line, of record: inout LogRecord) -> Bool {
    var stamp = stamp
    return set(&stamp, from: line, of: &record)
  }

  /// Takes the year that the file's head names for the first time without one.
  mutating func note(year: Int) {
    if yearOfLast == nil {
      yearOfLast = year
      // Behind no day: the first record's own year.
      dayOfLast = 0
    }
  }

  /// Takes the year of a day that another time of the line tells.
  mutating func know(year: Int, of stamp: Stamp) {
    yearOfLast = year
    dayOfLast = stamp.month * 31 + stamp.day
  }

  /// Takes `time` instead of the last time that was set.
  mutating func correct(to time: Timestamp) { last = time }

  /// Gives the record the last time read, or else the time at which it was observed.
  mutating func inherit(_ record: inout LogRecord) {
    if let last {
      record.time = last
      record.timeQuality = .inherited
    } else {
      record.time = record.observedTime
      record.timeQuality = .observed
    }
  }

  @inline(__always)
  private mutating func finish(
    _ seconds: Int64, _ nanosecond: Int, _ quality: TimeQuality, _ record: inout LogRecord
  ) -> Bool {
    guard let time = Timestamp(seconds: seconds, nanoseconds: Int64(nanosecond)) else {
      return false
    }
    record.time = time
    record.timeQuality = quality
    let ahead = time.nanoseconds.subtractingReportingOverflow(record.observedTime.nanoseconds)
    // 1990-01-01, and 24 hours.
    if seconds < 631_152_000 || (ahead.overflow ? seconds > 0 : ahead.0 > 86_400_000_000_000) {
      record.flags.add(.timeSuspect)
    }
    last = time
    return true
  }

  @inline(__always)
  private mutating func localOffset(_ seconds: Int64) -> Int {
    let quarter = seconds / 900
    if quarter == cachedQuarter { return cachedOffset }
    return lookUpOffset(seconds, quarter)
  }

  private mutating func lookUpOffset(_ seconds: Int64, _ quarter: Int64) -> Int {
    if zone.isUniform(aroundLocalSeconds: seconds) {
      cachedOffset = zone.offsets(forLocalSeconds: seconds).first
      cachedQuarter = quarter
      return cachedOffset
    }
    let day = Timestamp(seconds: seconds).map { CivilTime(utc: $0) }
    return day.map { zone.offset(forLocal: $0, previous: last) } ?? 0
  }

  /// Sets a time whose date has its day and its month in an order that other lines may tell.
  @inline(never)
  private mutating func setUnordered(
    _ stamp: inout Stamp, from line: Line, of record: inout LogRecord
  ) -> Bool {
    guard stamp.isUnordered else { return false }
    let proven = stamp.provenOrder
    if let proven { dayOrder = proven }
    guard let order = proven ?? dayOrder ?? (stamp.isHalfDay ? .monthFirst : nil) else {
      return false
    }
    var settled = stamp
    settled.settle(order)
    return settled.isValid && set(&settled, from: line, of: &record)
  }

  private mutating func setInferred(
    _ stamp: inout Stamp, from line: Line, of record: inout LogRecord
  ) -> Bool {
    var seconds = stamp.seconds
    var quality = TimeQuality.assumedZone
    switch stamp.shape {
    case .withoutYear:
      guard let inferred = secondsWithYear(&stamp, observed: record.observedTime) else {
        return false
      }
      seconds = inferred
      quality = .inferredYear
      record.flags.add(.timeAssumed)
    case .withoutDate:
      seconds = secondsWithDate(&stamp, observed: record.observedTime)
      quality = .inferredYear
      record.flags.add(.timeAssumed)
    case .full, .epoch: break
    }
    var offset = stamp.offset
    switch stamp.zone {
    case .offset: break
    case .absent: offset = localOffset(seconds)
    case .letters:
      let letters = line.slice(stamp.zoneStart, stamp.end)
      if letters.index(of: Byte.slash, from: 0) != nil {
        return setNamedZone(letters, seconds, stamp.nanosecond, quality, &record)
      }
      let near = Timestamp(seconds: seconds &- Int64(localOffset(seconds)))
      guard let near, let found = zone.usesAbbreviation(letters, at: near) else {
        record.flags.add(.zoneUnknown)
        return false
      }
      offset = found
      if quality == .assumedZone { quality = .zoned }
    }
    if stamp.zone != .absent { record.utcOffsetMinutes = Int16(truncatingIfNeeded: offset / 60) }
    return finish(seconds &- Int64(offset), stamp.nanosecond, quality, &record)
  }
}

extension Clock {
  /// Sets a time in the zone that the line names as the zone data base does: `Europe/Berlin`.
  private mutating func setNamedZone(
    _ name: Line, _ seconds: Int64, _ nanosecond: Int, _ quality: TimeQuality,
    _ record: inout LogRecord
  ) -> Bool {
    if namedZone?.name.utf8.elementsEqual(name) != true {
      let text = String(decoding: name, as: UTF8.self)
      namedZone = text == zone.name ? zone : zoneNamed(text)
    }
    guard let zone = namedZone, let local = Timestamp(seconds: seconds) else {
      record.flags.add(.zoneUnknown)
      return false
    }
    let offset = zone.offset(forLocal: CivilTime(utc: local), previous: last)
    record.utcOffsetMinutes = Int16(truncatingIfNeeded: offset / 60)
    return finish(
      seconds &- Int64(offset), nanosecond, quality == .assumedZone ? .zoned : quality, &record)
  }

  /// The local second of a stamp without a year.
  ///
  /// The first takes the year that puts it, and what of the file was seen, before the file's last
  /// change; later ones that of the line before, or the next when the calendar falls back by half a
  /// year, or the one before when it leaps ahead by nine months (lines of two years out of order).
  private mutating func secondsWithYear(_ stamp: inout Stamp, observed: Timestamp) -> Int64? {
    let day = stamp.month * 31 + stamp.day
    var year: Int
    var isDoubtful = false
    if let known = yearOfLast {
      year =
        dayOfLast == 0 ? known : known + Self.yearChange(from: dayOfLast, to: day, fall: yearFall)
      if seconds(&stamp, year) - 86_400 > observed.nanoseconds / 1_000_000_000 {
        year -= 1
        isDoubtful = true
      }
    } else if let last {
      let civil = CivilTime(utc: last)
      year = civil.year + Self.yearChange(from: civil.month * 31 + civil.day, to: day)
    } else {
      let end = CivilTime(utc: modified)
      let dayAfter = end.month * 31 + end.day + 1
      year = end.year - yearChanges
      if lastSampledDay ?? day > dayAfter {
        year -= 1
      } else if day > dayAfter, yearChanges == 0, (32...Self.usualYearFall).contains(deepestFall) {
        // The file can't begin after its end: it is silent for more than half a year.
        year -= 1
        yearFall = deepestFall - 1
      }
    }
    if stamp.month == 2, stamp.day == 29, CivilTime.daysInMonth(2, year: year) == 28 {
      isDoubtful = yearOfLast != nil
      repeat { year -= 1 } while CivilTime.daysInMonth(2, year: year) == 28
    }
    if !isDoubtful {
      yearOfLast = year
      dayOfLast = day
    }
    return seconds(&stamp, year)
  }

  private static let usualYearFall = 186

  /// -1, 0 or 1: what the year does between two days, given as month × 31 + day.
  static func yearChange(from: Int, to: Int, fall: Int = usualYearFall) -> Int {
    if from - to > fall { return 1 }
    return to - from > 279 ? -1 : 0
  }

  private mutating func seconds(_ stamp: inout Stamp, _ year: Int) -> Int64 {
    // Most lines are of the day of the line before.
    if midnight.year != year || midnight.month != stamp.month || midnight.day != stamp.day {
      let days = CivilTime.daysSince1970(year: year, month: stamp.month, day: stamp.day)
      midnight = (year, stamp.month, stamp.day, Int64(days) * 86_400)
    }
    return midnight.seconds &+ Int64(stamp.secondOfDay)
  }

  /// The local second of a stamp without a date.
  ///
  /// The first takes the day that puts the file's last time before its last change, as many days
  /// back as midnights lie between; later ones that of the line before, or the next when the clock
  /// has fallen, but no day that has not begun.
  private mutating func secondsWithDate(_ stamp: inout Stamp, observed: Timestamp) -> Int64 {
    let second = stamp.secondOfDay
    let before = dateless ?? last.map { localDay($0) }
    guard let before else {
      let end = localDay(modified)
      let isBefore = (days.last ?? second) > end.second
      dateless = (end.day - days.midnights - (isBefore ? 1 : 0), second)
      return Int64(dateless?.day ?? 0) * 86_400 + Int64(second)
    }
    switch DayCount.step(from: before.second, to: second) {
    case .before: return Int64(before.day - 1) * 86_400 + Int64(second)
    case .same: dateless = (before.day, second)
    case .next:
      let isFuture = before.day >= localDay(observed).day
      dateless = (isFuture ? before.day : before.day + 1, second)
    }
    return Int64(dateless?.day ?? 0) * 86_400 + Int64(second)
  }

  /// The day since 1970, and the second of it, in the file's zone.
  private func localDay(_ time: Timestamp) -> (day: Int, second: Int) {
    let local = time.nanoseconds / 1_000_000_000 + Int64(zone.offset(at: time))
    return (Int(local / 86_400), Int(local % 86_400))
  }
}
