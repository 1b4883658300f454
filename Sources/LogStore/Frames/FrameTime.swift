// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Where the text before a body says the record's own time.
struct FrameTime {
  /// Seconds east of UTC of the time in the text.
  private(set) var shift: Int64 = 0
  /// Of the second's fraction.
  private(set) var digits: UInt8 = 0
  /// Where the clock's time, the date and the digits of the fraction stand; empty where they do not.
  private(set) var clock = 0..<0
  private(set) var date = 0..<0
  private(set) var fraction = 0..<0

  /// Finds the time of day, and what is before and behind it, where they are the record's own.
  mutating func find(in head: UnsafeBufferPointer<UInt8>, _ record: LogRecord) {
    guard let start = Self.findClock(in: head) else { return }
    func number(_ at: Int) -> Int64 {
      Int64(head[at] &- 0x30) &* 10 &+ Int64(head[at &+ 1] &- 0x30)
    }
    let (seconds, nanoseconds) = CivilTime.floorDivide(record.time.nanoseconds, 1_000_000_000)
    let stated = number(start) * 3600 + number(start + 3) * 60 + number(start + 6)
    let ofDay = CivilTime.floorDivide(seconds, 86_400).rest
    var difference = stated - ofDay
    // A zone is whole quarters of an hour away.
    guard difference % 900 == 0, number(start) < 24, number(start + 6) < 60 else { return }
    if difference < -43_200 { difference += 86_400 }
    if difference > 50_400 { difference -= 86_400 }
    if record.utcOffsetMinutes != LogRecord.noOffset {
      guard (Int64(record.utcOffsetMinutes) * 60 - difference) % 86_400 == 0 else { return }
      difference = Int64(record.utcOffsetMinutes) * 60
    }
    shift = difference
    clock = start..<(start + 8)
    findDate(before: start, head, day: CivilTime.floorDivide(seconds + difference, 86_400).quotient)
    findFraction(behind: start + 8, head, nanoseconds)
  }

  /// Where the first `HH:MM:SS` begins that no digit stands before: `2026:08:00:00` has one at 5.
  private static func findClock(in head: UnsafeBufferPointer<UInt8>) -> Int? {
    guard head.count >= 8 else { return nil }
    func isPair(_ at: Int) -> Bool { isDigit(head[at]) && isDigit(head[at + 1]) }
    var start = 0
    let last = head.count - 8
    while start <= last {
      if head[start + 2] == 0x3a, head[start + 5] == 0x3a, isPair(start), isPair(start + 3),
        isPair(start + 6), start == 0 || !isDigit(head[start - 1])
      {
        return start
      }
      start += 1
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private mutating func findDate(
    before time: Int, _ head: UnsafeBufferPointer<UInt8>, day: Int64
  ) {
    let start = time - 11
    guard start >= 0, head[start + 4] == 0x2d, head[start + 7] == 0x2d else { return }
    let date = CivilTime.date(daysSince1970: Int(day))
    func says(_ value: Int, at place: Int) -> Bool {
      head[start + place] == UInt8(truncatingIfNeeded: value / 10 % 10 + 0x30)
        && head[start + place + 1] == UInt8(truncatingIfNeeded: value % 10 + 0x30)
    }
    guard says(date.year / 100, at: 0), says(date.year, at: 2), says(date.month, at: 5),
      says(date.day, at: 8)
    else { return }
    self.date = start..<(start + 10)
  }

  private mutating func findFraction(
    behind time: Int, _ head: UnsafeBufferPointer<UInt8>, _ nanoseconds: Int64
  ) {
    guard time < head.count, head[time] == 0x2e || head[time] == 0x2c else { return }
    var rest = nanoseconds
    var unit: Int64 = 100_000_000
    var end = time + 1
    while end < head.count, Self.isDigit(head[end]) {
      // More digits than nanoseconds have, or other ones, stay as they are.
      guard unit > 0, Int64(head[end] &- 0x30) == rest / unit else { return }
      rest %= unit
      unit /= 10
      end += 1
    }
    guard end > time + 1 else { return }
    digits = UInt8(end - time - 1)
    fraction = (time + 1)..<end
  }
}
