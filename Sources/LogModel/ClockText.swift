// SPDX-License-Identifier: Apache-2.0

/// A second on a clock as text: many records in a row have the same, and it is written once for all
/// of them.
public struct ClockText: Sendable {
  /// A piece of the text.
  public enum Part: Sendable {
    /// `YYYY-MM-DD`.
    case date
    /// `HH:MM:SS`.
    case clock
  }

  @usableFromInline var second = Int64.min
  /// The date, and the clock's time behind it.
  @usableFromInline var text = [UInt8](repeating: 0, count: 18)

  public init() {}

  /// Turns to the second of a time.
  ///
  /// - Parameters:
  ///   - time: nanoseconds since 1970.
  ///   - shift: seconds by which the clock is ahead of UTC.
  @inlinable
  public mutating func set(_ time: Int64, shift: Int64) {
    let local = CivilTime.floorDivide(time, 1_000_000_000).quotient + shift
    if local != second { write(local) }
  }

  /// Calls `body` with the bytes of a part, which are valid during the call.
  @inlinable
  public func withBytes<Result>(
    of part: Part, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    text.withUnsafeBufferPointer { bytes in
      switch part {
      case .date: body(UnsafeBufferPointer(rebasing: bytes[..<10]))
      case .clock: body(UnsafeBufferPointer(rebasing: bytes[10...]))
      }
    }
  }

  @usableFromInline
  mutating func write(_ local: Int64) {
    second = local
    let (day, ofDay) = CivilTime.floorDivide(local, 86_400)
    let date = CivilTime.date(daysSince1970: Int(day))
    put(date.year / 100, 0)
    put(date.year, 2)
    text[4] = UInt8(ascii: "-")
    put(date.month, 5)
    text[7] = UInt8(ascii: "-")
    put(date.day, 8)
    put(Int(ofDay / 3600), 10)
    text[12] = UInt8(ascii: ":")
    put(Int(ofDay / 60 % 60), 13)
    text[15] = UInt8(ascii: ":")
    put(Int(ofDay % 60), 16)
  }

  private mutating func put(_ value: Int, _ place: Int) {
    text[place] = UInt8(truncatingIfNeeded: value / 10 % 10 + 0x30)
    text[place + 1] = UInt8(truncatingIfNeeded: value % 10 + 0x30)
  }
}
