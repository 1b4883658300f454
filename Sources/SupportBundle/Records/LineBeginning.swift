// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery

/// What a line begins with: its time, in both forms, and the one at which it was observed.
///
/// Neighbours differ in the fraction of a second at most, which then is written over.
struct LineBeginning {
  private(set) var text: [UInt8] = []
  private var time: Int64?
  private var observed: Int64?
  private var second: Int64 = 0
  /// Where the nine digits of the fraction stand.
  private var places: [Int] = []

  /// Turns to times, in nanoseconds since 1970.
  @inline(__always)
  mutating func set(_ time: Int64, observed: Int64) {
    if time != self.time || observed != self.observed { change(time, observed) }
  }

  private mutating func change(_ time: Int64, _ observed: Int64) {
    let (second, fraction) = CivilTime.floorDivide(time, 1_000_000_000)
    // Before 1970, and in its first second, the digits of the number are no fraction.
    if second != self.second || second <= 0 || observed != self.observed {
      makeText(time, second, observed)
    }
    self.time = time
    for place in places { write(fraction, place..<place + 9) }
  }

  private mutating func makeText(_ time: Int64, _ second: Int64, _ observed: Int64) {
    let civil = CivilTime(utc: Timestamp(nanoseconds: time))
    text.removeAll(keepingCapacity: true)
    text.append(contentsOf: "{\"time\":\"".utf8)
    append(civil.year, digits: 4)
    append("-", civil.month)
    append("-", civil.day)
    append("T", civil.hour)
    append(":", civil.minute)
    append(":", civil.second)
    text.append(contentsOf: ".000000000".utf8)
    places = [text.count - 9]
    text.append(contentsOf: "Z\",\"time_unix_nano\":\"".utf8)
    SafeText.append(time, to: &text)
    if second > 0 { places.append(text.count - 9) }
    text.append(contentsOf: "\",\"observed_time_unix_nano\":\"".utf8)
    SafeText.append(observed, to: &text)
    text.append(UInt8(ascii: "\""))
    self.second = second
    self.observed = observed
  }

  private mutating func append(_ separator: Unicode.Scalar, _ number: Int) {
    text.append(UInt8(ascii: separator))
    append(number, digits: 2)
  }

  private mutating func append(_ number: Int, digits: Int) {
    text.append(contentsOf: repeatElement(0, count: digits))
    write(Int64(number), text.count - digits..<text.count)
  }

  /// Writes the last digits of a number to a range of the text.
  private mutating func write(_ number: Int64, _ range: Range<Int>) {
    var rest = number
    for index in range.reversed() {
      text[index] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }
}
