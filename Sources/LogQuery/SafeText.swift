// SPDX-License-Identifier: Apache-2.0

/// Text from logs made harmless: for terminals, for JSON, and for columns of a given width.
package enum SafeText {
  /// Whether every byte is a printable ASCII character: the usual case, which needs no care.
  package static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var index = 0
    // Eight bytes at a time: the high bit of one that is below 0x20, or above 0x7e.
    while index &+ 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let found = (word &- 0x2020_2020_2020_2020) | (word &+ 0x0101_0101_0101_0101) | word
      if found & 0x8080_8080_8080_8080 != 0 { return false }
      index &+= 8
    }
    return raw[index...].allSatisfy { $0 &- 0x20 < 0x5f }
  }

  /// Whether a terminal would act on it instead of showing it, or show the line in another order.
  package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1f, 0x7f...0x9f: true
    // Marks and overrides of direction, and the line separators.
    case 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069, 0x2028, 0x2029: true
    default: false
    }
  }

  /// `text` with control characters written as `\n`, `\t`, `\x1b`, `\u202e`.
  ///
  /// - Parameters:
  ///   - text: repaired already, or a string of ours.
  ///   - keepsNewlines: whether a newline stays one.
  package static func escaped(_ text: String, keepsNewlines: Bool = false) -> String {
    if !text.unicodeScalars.contains(where: isControl) { return text }
    var result = ""
    result.reserveCapacity(text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      if !isControl(scalar) || (keepsNewlines && scalar == "\n") {
        result.unicodeScalars.append(scalar)
      } else {
        result += escape(scalar)
      }
    }
    return result
  }

  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\t": "\\t"
    case "\r": "\\r"
    default:
      scalar.value < 0x100
        ? "\\x" + hex(scalar.value, width: 2) : "\\u" + hex(scalar.value, width: 4)
    }
  }

  static func hex(_ value: UInt32, width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Lower-case hexadecimal digits of `bytes`.
  package static func appendHex(_ bytes: UnsafeRawBufferPointer, to target: inout [UInt8]) {
    for byte in bytes {
      target.append(hexDigit(byte >> 4))
      target.append(hexDigit(byte & 15))
    }
  }

  static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  // MARK: Width

  /// The columns that `text` takes on a terminal; it must hold no control characters.
  package static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x300: 1
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff,
      0x20000...0x3fffd:
      2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: 0
      default: 1
      }
    }
  }

  /// `text`, or as much of it as fits into `columns` with an ellipsis at its end.
  package static func cut(_ text: String, to columns: Int) -> String {
    // No character is wider than its bytes are many.
    if text.utf8.count <= columns || width(text) <= columns { return text }
    var result = ""
    var used = 0
    for scalar in text.unicodeScalars {
      used += width(scalar)
      if used > columns - 1 { break }
      result.unicodeScalars.append(scalar)
    }
    return result + "…"
  }
}
