// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Strings of JSON, with and without escapes.
enum JSONBytes {
  /// Replaces `target` by what the content of a string stands for; odd escapes stay as they are.
  static func unescape(_ content: TextBytes, into target: inout [UInt8]) {
    target.removeAll(keepingCapacity: true)
    var index = 0
    while index < content.count {
      let end = endOfPlain(content, from: index)
      target.append(contentsOf: content.slice(index..<end))
      if end == content.count { break }
      index = end + 2
      switch content[index - 1] {
      case UInt8(ascii: "n"): target.append(0x0a)
      case UInt8(ascii: "t"): target.append(0x09)
      case UInt8(ascii: "r"): target.append(0x0d)
      case UInt8(ascii: "b"): target.append(0x08)
      case UInt8(ascii: "f"): target.append(0x0c)
      case UInt8(ascii: "\""): target.append(UInt8(ascii: "\""))
      case UInt8(ascii: "\\"): target.append(UInt8(ascii: "\\"))
      case UInt8(ascii: "/"): target.append(UInt8(ascii: "/"))
      case UInt8(ascii: "u"):
        let (scalar, length) = scalar(content, index)
        target.append(contentsOf: String(Character(scalar)).utf8)
        index += length
      default: target.append(contentsOf: content[index - 2..<index])
      }
    }
  }

  /// The next backslash that something follows; the end when there is none.
  private static func endOfPlain(_ content: TextBytes, from start: Int) -> Int {
    guard start < content.count - 1, let base = content.baseAddress,
      let found = memchr(base + start, 0x5c, content.count - 1 - start)
    else { return content.count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// The scalar of the digits at `index`, and how many bytes they take; both halves of a pair.
  private static func scalar(_ text: TextBytes, _ index: Int) -> (Unicode.Scalar, Int) {
    guard let high = number(text, index) else { return ("\u{fffd}", 0) }
    if let scalar = Unicode.Scalar(high) { return (scalar, 4) }
    guard high < 0xdc00, text.matches("\\u", at: index + 4), let low = number(text, index + 6),
      (0xdc00...0xdfff).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
    else { return ("\u{fffd}", 4) }
    return (scalar, 10)
  }

  private static func number(_ text: TextBytes, _ index: Int) -> UInt32? {
    var value: UInt32 = 0
    for offset in 0..<4 {
      guard let digit = Character(Unicode.Scalar(text.byte(index + offset))).hexDigitValue else {
        return nil
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  /// Appends `text` as a string with its quotes.
  static func append(_ text: [UInt8], to target: inout [UInt8]) {
    target.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        target.append(UInt8(ascii: "\\"))
        target.append(byte)
      case 0x0a: target.append(contentsOf: "\\n".utf8)
      case 0..<0x20, 0x7f:
        let digits = Array("0123456789abcdef".utf8)
        target.append(contentsOf: "\\u00".utf8)
        target.append(digits[Int(byte >> 4)])
        target.append(digits[Int(byte & 15)])
      default: target.append(byte)
      }
    }
    target.append(UInt8(ascii: "\""))
  }
}
