// SPDX-License-Identifier: Apache-2.0

/// Writes JSON strings (RFC 8259), for paths that are not hot.
public enum JSONText {
  /// `text` as a JSON string with its quotes; control characters are escaped.
  public static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(text.utf8.count + 2)
    for byte in text.utf8 { append(byte, to: &bytes) }
    bytes.append(UInt8(ascii: "\""))
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0x0a: bytes += Array("\\n".utf8)
    case 0x0d: bytes += Array("\\r".utf8)
    case 0x09: bytes += Array("\\t".utf8)
    case 0..<0x20, 0x7f:
      let digits = Array("0123456789abcdef".utf8)
      bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    default: bytes.append(byte)
    }
  }
}
