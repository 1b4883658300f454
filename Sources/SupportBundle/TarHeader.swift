// SPDX-License-Identifier: Apache-2.0

/// The 512 bytes before a file in a tar archive (POSIX.1-1988, "ustar").
///
/// Owner and group are 0, the mode is 0600: the bytes depend on nothing else than what is given.
enum TarHeader {
  static let blockBytes = 512

  /// - Parameters:
  ///   - name: relative, at most 100 bytes.
  ///   - size: bytes; from 8 GiB on in the binary form that all tars of today read.
  ///   - time: seconds since 1970.
  static func bytes(name: String, size: Int64, time: Int64) -> [UInt8] {
    precondition(name.utf8.count <= 100, "a member's name is too long: \(name)")
    var header = [UInt8](repeating: 0, count: blockBytes)
    put(Array(name.utf8), 0, &header)
    put(octal(0o600, digits: 7), 100, &header)
    put(octal(0, digits: 7), 108, &header)
    put(octal(0, digits: 7), 116, &header)
    if size < 1 << 33 {
      put(octal(size, digits: 11), 124, &header)
    } else {
      header[124] = 0x80
      for index in 0..<8 {
        header[128 + index] = UInt8(truncatingIfNeeded: size >> (56 - index * 8))
      }
    }
    put(octal(time, digits: 11), 136, &header)
    header[156] = UInt8(ascii: "0")
    put(Array("ustar\u{0}00".utf8), 257, &header)
    // The sum counts its own field as blanks.
    put([UInt8](repeating: 0x20, count: 8), 148, &header)
    let sum = header.reduce(0) { $0 + Int64($1) }
    put(octal(sum, digits: 6) + [0, 0x20], 148, &header)
    return header
  }

  /// The zeros behind a content of `size` bytes.
  static func padding(_ size: Int64) -> [UInt8] {
    let rest = Int(size % Int64(blockBytes))
    return rest == 0 ? [] : [UInt8](repeating: 0, count: blockBytes - rest)
  }

  private static func put(_ bytes: [UInt8], _ offset: Int, _ header: inout [UInt8]) {
    header.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
  }

  private static func octal(_ value: Int64, digits: Int) -> [UInt8] {
    let text = String(max(0, value), radix: 8)
    return Array((String(repeating: "0", count: max(0, digits - text.count)) + text).utf8)
  }
}
