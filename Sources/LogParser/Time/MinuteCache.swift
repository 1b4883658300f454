// SPDX-License-Identifier: Apache-2.0

/// The minute that a file's lines last named, in their own spelling: the next line mostly differs in
/// its seconds only, and calendars cost more than all other fields of a short line.
struct MinuteCache {
  private var first: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt8 = 0
  /// The local second at which the minute begins.
  private var start: Int64 = 0
  /// What came behind the seconds, and its zone.
  private var rest: UInt64 = 0
  private var offset = 0

  /// Reads `yyyy-MM-ddTHH:mm:ss` with what may follow, as `StampScanner.iso` does.
  @inline(__always)
  mutating func iso(_ line: Line, at index: Int, into stamp: inout Stamp) -> Bool {
    if line.count &- index >= 20, line.word(at: index) == first,
      line.word(at: index &+ 8) == second, line[index &+ 16] == Byte.colon,
      finish(line, at: index &+ 17, into: &stamp)
    {
      return true
    }
    guard StampScanner.iso(line, at: index, into: &stamp) else { return false }
    if line.count &- index >= 20 { keep(line, index, Byte.colon, stamp) }
    return true
  }

  /// Reads `dd/MMM/yyyy:HH:mm:ss` with its zone; `scan` does it where the minute is another.
  @inline(__always)
  mutating func common(
    _ line: Line, at index: Int, into stamp: inout Stamp,
    _ scan: (inout Stamp) -> Bool
  ) -> Bool {
    if line.count &- index >= 21, line.word(at: index) == first,
      line.word(at: index &+ 8) == second, line[index &+ 16] == third,
      line[index &+ 17] == Byte.colon
    {
      let seconds = line.two(index &+ 18)
      if seconds < 60, line.count &- index >= 28, line.word(at: index &+ 20) == rest {
        setSeconds(seconds, &stamp)
        stamp.nanosecond = 0
        stamp.zone = .offset
        stamp.offset = offset
        stamp.end = index &+ 26
        return true
      }
      if finish(line, at: index &+ 18, into: &stamp) {
        keepZone(line, index, stamp)
        return true
      }
    }
    guard scan(&stamp) else { return false }
    if line.count &- index >= 21 { keep(line, index, line[index &+ 16], stamp) }
    return true
  }

  /// Reads the seconds at `index` and what follows them, within the minute that is known.
  @inline(__always)
  private func finish(_ line: Line, at index: Int, into stamp: inout Stamp) -> Bool {
    let seconds = line.two(index)
    // A leap second is not of the next minute.
    guard seconds < 60 else { return false }
    setSeconds(seconds, &stamp)
    stamp.end = index &+ 2
    StampScanner.fraction(line, into: &stamp)
    StampZone.scan(line, into: &stamp)
    return true
  }

  @inline(__always)
  private func setSeconds(_ seconds: Int, _ stamp: inout Stamp) {
    stamp.shape = .full
    stamp.isValid = true
    stamp.second = seconds
    stamp.seconds = start &+ Int64(seconds)
  }

  /// Notes a zone in numbers, ` +hhmm] `, which the next line will have too.
  private mutating func keepZone(_ line: Line, _ index: Int, _ stamp: Stamp) {
    guard stamp.zone == .offset, stamp.nanosecond == 0, stamp.end == index &+ 26,
      line.count &- index >= 28
    else { return }
    rest = line.word(at: index &+ 20)
    offset = stamp.offset
  }

  @inline(__always)
  private mutating func keep(_ line: Line, _ index: Int, _ byte: UInt8, _ stamp: Stamp) {
    guard stamp.isValid, stamp.second < 60 else { return }
    first = line.word(at: index)
    second = line.word(at: index &+ 8)
    third = byte
    start = stamp.seconds &- Int64(stamp.second)
  }
}
