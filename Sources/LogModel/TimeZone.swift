// SPDX-License-Identifier: Apache-2.0

/// The offsets of one zone over time, read from the bytes of a TZif file (RFC 9636).
///
/// It reads no file: the caller gives it the bytes of one below `/usr/share/zoneinfo`.
public struct TimeZone: Sendable {
  /// The name it was made with, such as `Europe/Berlin`.
  public let name: String
  /// Seconds since 1970 UTC, ascending; `periods` holds what begins at each.
  private let transitions: [Int64]
  private let periods: [UInt8]
  private let types: [LocalTimeType]
  private let rule: PosixRule?

  /// Coordinated Universal Time.
  public static let utc = TimeZone(fixedOffsetSeconds: 0)

  /// A zone with one offset, in seconds east of UTC, for all times.
  public init(fixedOffsetSeconds seconds: Int) {
    name = seconds == 0 ? "UTC" : "fixed"
    transitions = []
    periods = []
    types = [LocalTimeType(offset: seconds, abbreviation: seconds == 0 ? Array("UTC".utf8) : [])]
    rule = nil
  }

  /// The zone that `tzif` describes, or `nil` when the bytes are no TZif of version 1 to 4.
  public init?(tzif: [UInt8], name: String) {
    guard let content = TZifContent(tzif) else { return nil }
    self.name = name
    transitions = content.transitions
    periods = content.periods
    types = content.types
    rule = content.rule
  }

  /// Seconds east of UTC at `time`.
  public func offset(at time: Timestamp) -> Int {
    type(at: Self.seconds(of: time)).offset
  }

  /// Seconds east of UTC for a time read from a local clock.
  ///
  /// A time that the clock skipped gets the offset before the gap. One that it showed twice gets
  /// the first offset, unless `previous`, the time of the line before, is later by that reading:
  /// then the clock has been set back already. Five seconds of disorder are forgiven.
  public func offset(forLocal local: CivilTime, previous: Timestamp?) -> Int {
    let (first, second) = offsets(forLocalSeconds: local.secondsSince1970)
    guard first != second, let previous else { return first }
    let early = local.secondsSince1970 - Int64(first)
    let back = Self.seconds(of: previous) - early
    return back > 5 && back <= Int64(first - second) + 5 ? second : first
  }

  /// Both offsets that a local clock's `seconds` since 1970 can mean; equal when there is one.
  public func offsets(forLocalSeconds seconds: Int64) -> (first: Int, second: Int) {
    let before = type(at: seconds - 86_400).offset
    let after = type(at: seconds + 86_400).offset
    if before == after { return (before, before) }
    let isBefore = type(at: seconds - Int64(before)).offset == before
    let isAfter = type(at: seconds - Int64(after)).offset == after
    if isBefore && isAfter { return (before, after) }
    return isAfter ? (after, after) : (before, before)
  }

  /// Whether every local time within a day of `seconds` since 1970 has the same offset.
  public func isUniform(aroundLocalSeconds seconds: Int64) -> Bool {
    type(at: seconds - 172_800).offset == type(at: seconds + 172_800).offset
  }

  /// The offset in seconds that `abbreviation` (such as `CST`) means, if this zone uses it within
  /// a day of `time`; else `nil`.
  public func usesAbbreviation(
    _ abbreviation: UnsafeBufferPointer<UInt8>, at time: Timestamp
  ) -> Int? {
    for days: Int64 in [0, -1, 1] {
      let candidate = type(at: Self.seconds(of: time) + days * 86_400)
      if candidate.abbreviation.elementsEqual(abbreviation) { return candidate.offset }
    }
    return nil
  }

  private func type(at seconds: Int64) -> LocalTimeType {
    guard let last = transitions.last else {
      return rule?.type(at: seconds) ?? types[0]
    }
    if seconds >= last {
      return rule?.type(at: seconds) ?? types[Int(periods[periods.count - 1])]
    }
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? types[0] : types[Int(periods[low - 1])]
  }

  private static func seconds(of time: Timestamp) -> Int64 {
    let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? quotient - 1 : quotient
  }
}

/// An offset in seconds east of UTC and what people call it.
struct LocalTimeType: Sendable {
  var offset: Int
  var abbreviation: [UInt8]
}

/// The parts of a TZif file that we use, checked against its length.
private struct TZifContent {
  var transitions: [Int64] = []
  var periods: [UInt8] = []
  var types: [LocalTimeType] = []
  var rule: PosixRule?

  init?(_ bytes: [UInt8]) {
    guard let first = TZifHeader(bytes, at: 0) else { return nil }
    var header = first
    var wide = 4
    if first.version >= 0x32 {
      guard let second = TZifHeader(bytes, at: first.end(timeSize: 4)) else { return nil }
      header = second
      wide = 8
    }
    guard header.end(timeSize: wide) <= bytes.count, header.typeCount > 0 else { return nil }
    guard read(bytes, header, wide) else { return nil }
    if wide == 8 { rule = Self.footer(bytes, from: header.end(timeSize: wide)) }
  }

  private mutating func read(_ bytes: [UInt8], _ header: TZifHeader, _ wide: Int) -> Bool {
    let periodsStart = header.start + header.timeCount * wide
    let typesStart = periodsStart + header.timeCount
    let textStart = typesStart + header.typeCount * 6
    let textEnd = textStart + header.textCount
    for index in 0..<header.typeCount {
      let at = typesStart + index * 6
      let offset = Int32(truncatingIfNeeded: bigEndian(bytes, at: at, count: 4))
      let name = textStart + Int(bytes[at + 5])
      guard name <= textEnd else { return false }
      types.append(
        LocalTimeType(
          offset: Int(offset), abbreviation: Array(bytes[name..<textEnd].prefix { $0 != 0 })))
    }
    for index in 0..<header.timeCount {
      let raw = bigEndian(bytes, at: header.start + index * wide, count: wide)
      transitions.append(wide == 4 ? Int64(Int32(truncatingIfNeeded: raw)) : Int64(bitPattern: raw))
      let period = bytes[periodsStart + index]
      guard Int(period) < types.count else { return false }
      periods.append(period)
    }
    return zip(transitions, transitions.dropFirst()).allSatisfy { $0 < $1 }
  }

  private static func footer(_ bytes: [UInt8], from start: Int) -> PosixRule? {
    guard start < bytes.count, bytes[start] == 0x0a else { return nil }
    return PosixRule(Array(bytes[(start + 1)...].prefix { $0 != 0x0a }))
  }
}

/// The counts of one data block of a TZif file; `start` is where its data begin.
private struct TZifHeader {
  var version: UInt8
  var utCount: Int
  var standardCount: Int
  var leapCount: Int
  var timeCount: Int
  var typeCount: Int
  var textCount: Int
  var start: Int

  init?(_ bytes: [UInt8], at offset: Int) {
    guard offset + 44 <= bytes.count, bytes[offset..<offset + 4].elementsEqual("TZif".utf8)
    else { return nil }
    version = bytes[offset + 4]
    let counts = (0..<6).map { Int(bigEndian(bytes, at: offset + 20 + $0 * 4, count: 4)) }
    guard counts.allSatisfy({ $0 <= bytes.count }) else { return nil }
    (utCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
    (timeCount, typeCount, textCount) = (counts[3], counts[4], counts[5])
    start = offset + 44
  }

  func end(timeSize: Int) -> Int {
    let times = timeCount * (timeSize + 1) + typeCount * 6 + textCount
    return start + times + leapCount * (timeSize + 4) + standardCount + utCount
  }
}

private func bigEndian(_ bytes: [UInt8], at offset: Int, count: Int) -> UInt64 {
  bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
}
