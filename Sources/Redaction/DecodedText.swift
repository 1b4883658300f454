// SPDX-License-Identifier: Apache-2.0

/// A text without the escapes of what it was written into: `&quot;` and `&#x22;` of HTML, `%22` of
/// URLs, `\"`, `\n`, `\u0022` and `\x22` of strings, and the colours of terminals; also one within
/// the other.
///
/// The rules look through it beside the text itself, so that none of them must know all notations.
struct DecodedText {
  /// The text of the last round.
  private(set) var bytes: [UInt8]
  /// Of each byte: where what stands for it begins in the text as it was, and ends.
  private var starts: [Int32]
  private var ends: [Int32]

  /// - Returns: `nil` when there is nothing to decode.
  init?(_ text: TextBytes) {
    bytes = Array(text)
    starts = (0..<Int32(text.count)).map { $0 }
    ends = starts.map { $0 + 1 }
    var rounds = 0
    while rounds < 5, decode() { rounds += 1 }
    if rounds == 0 { return nil }
  }

  /// The range of the text as it was.
  func origin(of range: Range<Int>) -> Range<Int> {
    Int(starts[range.lowerBound])..<Int(ends[range.upperBound - 1])
  }

  /// Takes off one layer; returns whether there was one.
  private mutating func decode() -> Bool {
    var count = 0
    bytes.withUnsafeMutableBufferPointer { buffer in
      let text = TextBytes(buffer)
      var index = 0
      while index < text.count {
        let (length, byte) = Self.escape(text, index)
        if let byte {
          // Written over what was read: an escape is longer than what it stands for.
          buffer[count] = byte
          starts[count] = starts[index]
          ends[count] = ends[index + length - 1]
          count += 1
        }
        index += length
      }
    }
    guard count < bytes.count else { return false }
    bytes.removeSubrange(count...)
    starts.removeSubrange(count...)
    ends.removeSubrange(count...)
    return true
  }

  /// How many bytes from `index` on stand for one, and for which; for none in a colour.
  private static func escape(_ text: TextBytes, _ index: Int) -> (Int, UInt8?) {
    switch text[index] {
    case UInt8(ascii: "%"):
      if let byte = text.hexByte(index + 1) { return (3, byte) }
    case UInt8(ascii: "\\"):
      if let byte = simple(text.byte(index + 1)) { return (2, byte) }
      if text.byte(index + 1) == UInt8(ascii: "x"), let byte = text.hexByte(index + 2) {
        return (4, byte)
      }
      if text.byte(index + 1) == UInt8(ascii: "u"), let high = text.hexByte(index + 2),
        let low = text.hexByte(index + 4)
      {
        // Beyond ASCII it only matters that there is something.
        return (6, high == 0 && low < 0x80 ? low : 0x80)
      }
    case UInt8(ascii: "&"):
      if let (length, byte) = entity(text, index) { return (length, byte) }
    case 0x1b, UInt8(ascii: "["), UInt8(ascii: "#"):
      if let length = lengthOfColour(text, index) { return (length, nil) }
      // What was left of a colour whose escape was itself escaped.
      if text[index] == 0x1b { return (1, nil) }
    default: break
    }
    return (1, text[index])
  }

  /// What a backslash and this byte stand for in a string.
  private static func simple(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): byte
    default: nil
    }
  }

  private static let entities: [(StaticString, UInt8)] = [
    ("&quot;", 0x22), ("&apos;", 0x27), ("&amp;", 0x26), ("&lt;", 0x3c), ("&gt;", 0x3e),
    ("&equals;", 0x3d), ("&colon;", 0x3a), ("&nbsp;", 0x20), ("&commat;", 0x40),
  ]

  /// How long the colour is that begins at `index`: `ESC[33m`, also as syslog writes it, `#033[33m`,
  /// and where the control character was taken away.
  static func lengthOfColour(_ text: TextBytes, _ index: Int) -> Int? {
    var end = index
    if text[index] == 0x1b { end += 1 } else if text.matches("#033", at: index) { end += 4 }
    guard text.byte(end) == UInt8(ascii: "[") else { return nil }
    end += 1
    while end - index < 20, text.has(end, ByteClass.digit) || text.byte(end) == 0x3b { end += 1 }
    guard text[index] == 0x1b ? text.has(end, ByteClass.letter) : text.byte(end) == 0x6d else {
      return nil
    }
    return end + 1 - index
  }

  /// Whether an entity of HTML stands at `index`.
  static func isEntity(_ text: TextBytes, _ index: Int) -> Bool { entity(text, index) != nil }

  private static func entity(_ text: TextBytes, _ index: Int) -> (Int, UInt8)? {
    guard text[index] == UInt8(ascii: "&") else { return nil }
    guard text.byte(index + 1) == UInt8(ascii: "#") else {
      return entities.first { text.matches($0.0, at: index) }.map { ($0.0.utf8CodeUnitCount, $0.1) }
    }
    let isHex = text.byte(index + 2) | 0x20 == UInt8(ascii: "x")
    let start = index + (isHex ? 3 : 2)
    let end = text.end(of: isHex ? ByteClass.hex : ByteClass.digit, from: start, limit: 6)
    guard end > start, text.byte(end) == UInt8(ascii: ";"),
      let value = UInt32(
        String(decoding: text.slice(start..<end), as: UTF8.self), radix: isHex ? 16 : 10),
      value < 0x80
    else { return nil }
    return (end + 1 - index, UInt8(value))
  }
}

extension TextBytes {
  /// Whether an escape may begin at `index`.
  @inline(__always)
  func isEscapeMark(_ index: Int) -> Bool {
    switch self[index] {
    case UInt8(ascii: "%"): has(index + 1, ByteClass.hex)
    case UInt8(ascii: "\\"): "\"\\/'nrtux".utf8.contains(byte(index + 1))
    case UInt8(ascii: "&"): DecodedText.isEntity(self, index)
    case 0x1b, UInt8(ascii: "["): DecodedText.lengthOfColour(self, index) != nil
    default: false
    }
  }

  /// The byte of the two digits at `index`.
  fileprivate func hexByte(_ index: Int) -> UInt8? {
    guard has(index, ByteClass.hex), has(index + 1, ByteClass.hex) else { return nil }
    let value = { (digit: UInt8) in digit < 0x3a ? digit - 0x30 : (digit | 0x20) - 0x57 }
    return value(self[index]) << 4 | value(self[index + 1])
  }
}
