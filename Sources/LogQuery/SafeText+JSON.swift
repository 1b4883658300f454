// SPDX-License-Identifier: Apache-2.0

extension SafeText {
  /// Appends `bytes` as a JSON string; what is no UTF-8 becomes U+FFFD.
  package static func appendJSON(
    _ bytes: UnsafeBufferPointer<UInt8>, to target: inout [UInt8]
  ) {
    target.append(UInt8(ascii: "\""))
    var start = 0
    while true {
      let end = endOfPlain(bytes, from: start)
      target.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<end]))
      if end == bytes.count { break }
      if bytes[end] >= 0x80 {
        appendJSON(scalars: UnsafeBufferPointer(rebasing: bytes[end...]), to: &target)
        break
      }
      appendJSON(ascii: bytes[end], to: &target)
      start = end + 1
    }
    target.append(UInt8(ascii: "\""))
  }

  private static func appendJSON(
    scalars bytes: UnsafeBufferPointer<UInt8>, to target: inout [UInt8]
  ) {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        appendJSON(ascii: UInt8(scalar.value), to: &target)
      } else if isControl(scalar) {
        target.append(contentsOf: "\\u\(hex(scalar.value, width: 4))".utf8)
      } else {
        target.append(contentsOf: String(Character(scalar)).utf8)
      }
    }
  }

  /// The first index from `start` on whose byte can't stand in a JSON string as it is: a control
  /// character, a quote, a backslash, or one beyond ASCII. Eight bytes at a time.
  package static func endOfPlain(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let raw = UnsafeRawBufferPointer(bytes)
    let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
    var index = start
    while index &+ 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5c)
      // The high bit of the first byte that is below 0x20, one of the two, or above 0x7e; behind it
      // also of others, as the subtractions borrow.
      let found =
        ((word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | (word &+ ones)) & highs
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < raw.count, needsNoEscape(raw[index]) { index &+= 1 }
    return index
  }

  private static func needsNoEscape(_ byte: UInt8) -> Bool {
    byte &- 0x20 < 0x5f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Appends `number` in decimal digits.
  package static func append(_ number: Int64, to target: inout [UInt8]) {
    // Backwards, somewhere else: an array that is turned round takes several times as long.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var start = 20
      var rest = number.magnitude
      repeat {
        start -= 1
        digits[start] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      target.append(contentsOf: digits[start...])
    }
  }

  /// Appends a JSON document, with the control characters in its strings escaped.
  ///
  /// - Parameters:
  ///   - document: valid JSON without line ends between its tokens.
  ///   - target: where it is appended.
  package static func appendJSON(
    document: UnsafeBufferPointer<UInt8>, to target: inout [UInt8]
  ) {
    if isPlain(document) { return target.append(contentsOf: document) }
    for scalar in String(decoding: document, as: UTF8.self).unicodeScalars {
      if isControl(scalar) {
        target.append(contentsOf: "\\u\(hex(scalar.value, width: 4))".utf8)
      } else {
        target.append(contentsOf: String(Character(scalar)).utf8)
      }
    }
  }

  /// Appends `text` as a JSON string.
  package static func appendJSON(_ text: String, to target: inout [UInt8]) {
    var text = text
    text.withUTF8 { appendJSON($0, to: &target) }
  }

  private static func appendJSON(ascii byte: UInt8, to target: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      target.append(UInt8(ascii: "\\"))
      target.append(byte)
    case UInt8(ascii: "\n"): target.append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\t"): target.append(contentsOf: "\\t".utf8)
    case UInt8(ascii: "\r"): target.append(contentsOf: "\\r".utf8)
    case 0..<0x20, 0x7f:
      target.append(contentsOf: "\\u00".utf8)
      target.append(hexDigit(byte >> 4))
      target.append(hexDigit(byte & 15))
    default: target.append(byte)
    }
  }
}
