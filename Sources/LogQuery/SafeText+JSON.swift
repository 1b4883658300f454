// SPDX-License-Identifier: Apache-2.0

extension SafeText {
  /// Appends `bytes` as a JSON string; what is no UTF-8 becomes U+FFFD.
  package static func appendJSON(
    _ bytes: UnsafeBufferPointer<UInt8>, to target: inout [UInt8]
  ) {
    target.append(UInt8(ascii: "\""))
    if bytes.allSatisfy({ needsNoEscape($0) }) {
      target.append(contentsOf: bytes)
    } else if bytes.allSatisfy({ $0 < 0x80 }) {
      for byte in bytes { appendJSON(ascii: byte, to: &target) }
    } else {
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
    target.append(UInt8(ascii: "\""))
  }

  private static func needsNoEscape(_ byte: UInt8) -> Bool {
    byte &- 0x20 < 0x5f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// Appends `number` in decimal digits.
  package static func append(_ number: Int64, to target: inout [UInt8]) {
    if number < 0 { target.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    let start = target.count
    repeat {
      target.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    target[start...].reverse()
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
