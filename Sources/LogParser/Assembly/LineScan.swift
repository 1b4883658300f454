// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Finds the ends of lines in bytes.
enum LineScan {
  static func newline(_ bytes: UnsafeBufferPointer<UInt8>, from position: Int) -> Int? {
    guard let base = bytes.baseAddress,
      let found = memchr(base + position, 10, bytes.count - position)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Where to cut so that no UTF-8 character is cut: at most `limit` bytes after `start`.
  static func cut(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, at limit: Int
  ) -> Int {
    var end = min(bytes.count, start + limit)
    guard end < bytes.count else { return end }
    // A character has at most three bytes that continue it.
    for _ in 0..<3 where end > start && bytes[end] & 0xc0 == 0x80 { end -= 1 }
    return end
  }

  static func isBlank(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int
  ) -> Bool {
    var position = start
    while position < end {
      let byte = bytes[position]
      if byte > 32 || (byte != 32 && byte != 9 && byte != 13) { return false }
      position &+= 1
    }
    return true
  }
}
