// SPDX-License-Identifier: Apache-2.0

/// Reads one value after the other from untrusted bytes. Past the end every value is 0 and `isPast`
/// tells, so that a parser asks once instead of at each step.
struct ByteCursor {
  let reader: ByteReader
  /// The next byte's index; never beyond `end`.
  private(set) var at: Int
  let end: Int
  private(set) var isPast = false

  init(_ reader: ByteReader, at: Int = 0, end: Int? = nil) {
    self.reader = reader
    self.end = min(end ?? reader.count, reader.count)
    self.at = max(0, min(at, self.end))
    isPast = at < 0 || at > self.end
  }

  var isAtEnd: Bool { isPast || at >= end }

  mutating func skip(_ count: Int) {
    guard count >= 0, count <= end - at else { return fail() }
    at += count
  }

  mutating func move(to index: Int) {
    guard index >= 0, index <= end else { return fail() }
    at = index
  }

  private mutating func fail() {
    isPast = true
    at = end
  }

  /// A little-endian value of `size` bytes.
  mutating func unsigned(_ size: Int) -> UInt64 {
    guard size <= 8, size <= end - at else {
      fail()
      return 0
    }
    var value: UInt64 = 0
    for index in (0..<size).reversed() { value = value << 8 | UInt64(reader.bytes[at + index]) }
    at += size
    return value
  }

  mutating func byte() -> UInt8 { UInt8(unsigned(1)) }
  mutating func u16() -> Int { Int(unsigned(2)) }
  mutating func u32() -> Int { Int(unsigned(4)) }

  /// A value of `size` bytes with a sign.
  mutating func signed(_ size: Int) -> Int64 {
    let value = unsigned(size)
    let shift = 64 - size * 8
    return Int64(bitPattern: value << UInt64(shift)) >> Int64(shift)
  }

  /// LEB128 without a sign; what does not fit into 64 bits is cut.
  mutating func uleb() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = byte()
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 || isPast { return value }
    }
  }

  /// LEB128 with a sign.
  mutating func sleb() -> Int64 {
    var value: Int64 = 0
    var shift: Int64 = 0
    while true {
      let byte = byte()
      value |= Int64(byte & 0x7F) << shift
      shift += 7
      guard byte < 0x80 || isPast else { continue }
      if byte & 0x40 != 0, shift < 64 { value |= -1 << shift }
      return value
    }
  }

  /// A count or an index in LEB128; -1 when it is absurd.
  mutating func index() -> Int { Int(exactly: uleb()) ?? -1 }

  /// The text up to the next NUL, which is skipped; at most 4 KiB of it.
  mutating func text() -> String {
    let start = at
    while !isAtEnd, reader.bytes[at] != 0 { at += 1 }
    let text = String(decoding: reader.bytes[start..<min(at, start + 4096)], as: UTF8.self)
    skip(1)
    return text
  }
}
