// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
package import LogModel

/// Times as people type them.
package enum TimeArgument {
  /// The instant that `text` names; `nil` for what is no time.
  ///
  /// `2h` (ago), `now`, `today`, `yesterday`, `tomorrow`, `16:00`, ISO 8601 with or without zone,
  /// `@seconds`.
  package static func parse(_ text: String, now: Timestamp, zone: LocalZone) -> Timestamp? {
    switch text {
    case "now": return now
    case "today": return midnight(now, days: 0, zone)
    case "yesterday": return midnight(now, days: -1, zone)
    case "tomorrow": return midnight(now, days: 1, zone)
    default: break
    }
    if text.hasPrefix("@") { return epoch(text.dropFirst()) }
    if let ago = relative(text) {
      let (time, overflow) = now.nanoseconds.subtractingReportingOverflow(ago)
      return overflow ? nil : Timestamp(nanoseconds: time)
    }
    return calendar(text, now, zone)
  }

  private static func relative(_ text: String) -> Int64? {
    var body = Substring(text)
    if body.hasSuffix(" ago") {
      body = body.dropLast(4)
    } else if body.hasPrefix("-") {
      body.removeFirst()
    }
    // A number must come first, or words such as "d" would count.
    guard body.first?.isNumber == true else { return nil }
    return Quantity.nanoseconds(String(body))
  }

  private static func midnight(_ now: Timestamp, days: Int, _ zone: LocalZone) -> Timestamp? {
    let today = zone.civil(now)
    let number = CivilTime.daysSince1970(year: today.year, month: today.month, day: today.day)
    let date = CivilTime.date(daysSince1970: number + days)
    return zone.timestamp(CivilTime(year: date.year, month: date.month, day: date.day))
  }

  private static func epoch(_ text: Substring) -> Timestamp? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = parts.first, parts.count <= 2, let seconds = Int64(first),
      !first.hasPrefix("+")
    else { return nil }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      guard let fraction = fraction(parts[1]) else { return nil }
      nanoseconds = Int64(fraction)
    }
    let sign: Int64 = isNegative ? -1 : 1
    return Timestamp(seconds: seconds * sign, nanoseconds: nanoseconds * sign)
  }

  /// The nanoseconds of the digits after the point; more than nine are cut.
  private static func fraction(_ digits: Substring) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    let nine = digits.prefix(9)
    return Int(nine + String(repeating: "0", count: 9 - nine.count))
  }

  private static func calendar(
    _ text: String, _ now: Timestamp, _ zone: LocalZone
  ) -> Timestamp? {
    var scanner = TimeScanner(text)
    let civil: CivilTime
    if let date = scanner.date() {
      var time = CivilTime(year: date.year, month: date.month, day: date.day)
      if scanner.skip("T") || scanner.skip("t") || scanner.skip(" ") {
        guard scanner.clock(&time) else { return nil }
      }
      civil = time
    } else {
      var today = zone.civil(now)
      guard scanner.clock(&today) else { return nil }
      civil = today
    }
    guard civil.isValid else { return nil }
    if scanner.isAtEnd { return zone.timestamp(civil) }
    guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
    return civil.timestamp(utcOffset: offset)
  }
}

/// Reads the parts of an ISO 8601 time, from left to right.
private struct TimeScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  /// Exactly `count` digits.
  private mutating func number(_ count: Int) -> Int? {
    guard position + count <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + count] {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    position += count
    return value
  }

  /// `YYYY-MM-DD`; takes nothing when it is not there.
  mutating func date() -> (year: Int, month: Int, day: Int)? {
    let start = position
    if let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2) {
      return (year, month, day)
    }
    position = start
    return nil
  }

  /// `HH:MM`, `HH:MM:SS`, `HH:MM:SS.fraction`.
  mutating func clock(_ time: inout CivilTime) -> Bool {
    guard let hour = number(2), skip(":"), let minute = number(2) else { return false }
    (time.hour, time.minute, time.second, time.nanosecond) = (hour, minute, 0, 0)
    guard skip(":") else { return true }
    guard let second = number(2) else { return false }
    time.second = second
    guard skip(".") || skip(",") else { return true }
    var digits = 0
    var value = 0
    while let digit = number(1) {
      if digits < 9 { value = value * 10 + digit }
      digits += 1
    }
    for _ in min(digits, 9)..<9 { value *= 10 }
    time.nanosecond = value
    return digits > 0
  }

  /// `Z`, `+HH:MM`, `+HHMM`, `+HH`, in seconds east of UTC.
  mutating func offset() -> Int? {
    if skip("Z") || skip("z") { return 0 }
    let isEast = skip("+")
    guard isEast || skip("-"), let hours = number(2), hours <= 18 else { return nil }
    _ = skip(":")
    let minutes = isAtEnd ? 0 : number(2)
    guard let minutes, minutes < 60 else { return nil }
    return (hours * 3600 + minutes * 60) * (isEast ? 1 : -1)
  }
}
