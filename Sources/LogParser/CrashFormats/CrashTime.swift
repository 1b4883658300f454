// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Times in crash reports.
enum CrashTime {
  /// 2001-01-01: no report of the supported reporters is older.
  static let earliest = Timestamp(nanoseconds: 978_307_200_000_000_000)
  private static let day: Int64 = 86_400_000_000_000

  /// Sets the report's time, unless it can't be right: before 2001 (KSCrash once divided seconds by
  /// a thousand), or more than a day after the file was written (a device's clock was ahead).
  static func set(_ time: Timestamp?, in report: inout CrashReport, modified: Timestamp) {
    guard let time else { return }
    let (latest, overflow) = modified.nanoseconds.addingReportingOverflow(day)
    let isAhead = !overflow && modified > earliest && time.nanoseconds > latest
    guard time < earliest || isAhead else { return report.time = time }
    report.flags.insert(.timeSuspect)
    add("the time in the report, \(time), can't be right", to: &report)
  }

  /// Adds a sentence to the report's note.
  static func add(_ sentence: String, to report: inout CrashReport) {
    report.note = report.note.map { $0 + "; " + sentence } ?? sentence
  }

  /// A JSON value: ISO 8601 text, or a number since 1970 whose size tells its unit.
  static func read(_ value: JSONValue?) -> Timestamp? {
    guard let value else { return nil }
    if value.isString { return value.string.flatMap { read($0) } }
    if let whole = value.int { return epoch(whole) }
    guard let seconds = value.double, seconds.magnitude < 9e9 else { return nil }
    return Timestamp(nanoseconds: Int64(seconds * 1e9))
  }

  /// A text with a date: ISO 8601 in its variants, or a number since 1970.
  static func read(_ text: String) -> Timestamp? {
    let trimmed = CrashText.trim(text)
    if let whole = Int64(trimmed) { return epoch(whole) }
    return civil(trimmed)?.time
  }

  /// Seconds, milliseconds, microseconds or nanoseconds since 1970, whichever is nearest to now.
  static func epoch(_ value: Int64) -> Timestamp? {
    switch value.magnitude {
    case ..<100_000_000_000: Timestamp(seconds: value)
    case ..<100_000_000_000_000: product(value, 1_000_000)
    case ..<100_000_000_000_000_000: product(value, 1000)
    default: Timestamp(nanoseconds: value)
    }
  }

  private static func product(_ value: Int64, _ factor: Int64) -> Timestamp? {
    let (product, overflow) = value.multipliedReportingOverflow(by: factor)
    return overflow ? nil : Timestamp(nanoseconds: product)
  }

  /// `yyyy-MM-dd`, blank or `T`, `HH:mm:ss[.fraction]`, and perhaps `Z`, `±hh:mm` or `±hhmm`.
  ///
  /// - Returns: the instant, and whether the text names its zone; without one it is read as UTC.
  static func civil(_ text: String) -> (time: Timestamp, hasZone: Bool)? {
    var scanner = TimeScanner(text)
    guard let year = scanner.number(4), scanner.skip("-/"), let month = scanner.number(2),
      scanner.skip("-/"), let day = scanner.number(2), scanner.skip("T _"),
      let hour = scanner.number(2), scanner.skip(":-"), let minute = scanner.number(2),
      scanner.skip(":-"), let second = scanner.number(2)
    else { return nil }
    let nanosecond = scanner.fraction()
    let civil = CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanosecond: nanosecond)
    let offset = scanner.offset()
    guard civil.isValid, let time = civil.timestamp(utcOffset: offset ?? 0) else { return nil }
    return (time, offset != nil)
  }
}

extension CrashTime {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Mon Nov 30 06:10:01 2026 UTC`, as `ctime` writes it; only UTC and GMT count as a zone.
  static func ctime(_ text: String) -> (time: Timestamp, hasZone: Bool)? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count >= 5, let month = months.firstIndex(of: words[1]), let day = Int(words[2]),
      let year = Int(words[4])
    else { return nil }
    var scanner = TimeScanner(words[3])
    guard let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2),
      scanner.skip(":"), let second = scanner.number(2)
    else { return nil }
    let civil = CivilTime(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
    guard (1970...2200).contains(year), civil.isValid, let time = civil.timestamp() else {
      return nil
    }
    return (time, words.count > 5 && ["UTC", "GMT"].contains(words[5]))
  }
}

/// Takes digits from the front of a text.
struct TimeScanner {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8.prefix(64)) }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Exactly `count` digits.
  mutating func number(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    let digits = bytes[index..<index + count]
    guard digits.allSatisfy({ CrashText.isDigit($0) }) else { return nil }
    index += count
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// One character of `choices`.
  mutating func skip(_ choices: String) -> Bool {
    guard let byte, choices.utf8.contains(byte) else { return false }
    index += 1
    return true
  }

  /// The digits after a point or comma, as nanoseconds; 0 when there are none.
  mutating func fraction() -> Int {
    guard skip(".,") else { return 0 }
    var value = 0
    var digits = 0
    while let byte, CrashText.isDigit(byte) {
      if digits < 9 { value = value * 10 + Int(byte - 0x30) }
      digits += 1
      index += 1
    }
    for _ in min(digits, 9)..<9 { value *= 10 }
    return value
  }

  /// Seconds east of UTC, after blanks; `nil` when no offset stands there.
  mutating func offset() -> Int? {
    while byte == 0x20 { index += 1 }
    switch byte {
    case UInt8(ascii: "Z")?: return 0
    case UInt8(ascii: "+")?, UInt8(ascii: "-")?:
      let sign = byte == UInt8(ascii: "-") ? -1 : 1
      index += 1
      guard let hours = number(2) else { return nil }
      _ = skip(":")
      return sign * (hours * 3600 + (number(2) ?? 0) * 60)
    default:
      let rest = String(decoding: bytes[index...], as: UTF8.self)
      return rest.hasPrefix("UTC") || rest.hasPrefix("GMT") ? 0 : nil
    }
  }
}
