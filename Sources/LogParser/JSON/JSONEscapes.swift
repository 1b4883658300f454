// SPDX-License-Identifier: Apache-2.0

/// The escapes in JSON strings.
enum JSONEscapes {
  /// The bytes that `content`, a string's inside, stands for. An unknown escape stays as it is, and
  /// half a surrogate pair becomes U+FFFD.
  static func resolve(_ content: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var index = content.startIndex
    while index < content.endIndex {
      guard content[index] == UInt8(ascii: "\\"), index + 1 < content.endIndex else {
        result.append(content[index])
        index += 1
        continue
      }
      index = append(escapeAt: index, of: content, to: &result)
    }
    return result
  }

  private static func append(
    escapeAt index: Int, of content: ArraySlice<UInt8>, to result: inout [UInt8]
  ) -> Int {
    let letter = content[index + 1]
    if letter == UInt8(ascii: "u") { return append(unitAt: index, of: content, to: &result) }
    if let plain = simple[letter] {
      result.append(plain)
    } else {
      result.append(contentsOf: content[index...index + 1])
    }
    return index + 2
  }

  private static let simple: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "\""): 0x22,
    UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
  ]

  private static func append(
    unitAt index: Int, of content: ArraySlice<UInt8>, to result: inout [UInt8]
  ) -> Int {
    guard let unit = unit(at: index, of: content) else {
      result.append(contentsOf: content[index...index + 1])
      return index + 2
    }
    if unit >> 10 == 0x36, let low = self.unit(at: index + 6, of: content), low >> 10 == 0x37 {
      let value = 0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF
      result.append(contentsOf: String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
      return index + 12
    }
    result.append(contentsOf: String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8)
    return index + 6
  }

  /// The UTF-16 unit of the `\uXXXX` at `index`.
  private static func unit(at index: Int, of content: ArraySlice<UInt8>) -> UInt32? {
    guard index + 6 <= content.endIndex, content[index] == UInt8(ascii: "\\"),
      content[index + 1] == UInt8(ascii: "u")
    else { return nil }
    let digits = String(decoding: content[index + 2..<index + 6], as: UTF8.self)
    return digits.contains("+") || digits.contains("-") ? nil : UInt32(digits, radix: 16)
  }
}
