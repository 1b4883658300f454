// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Looks for bytes in bytes.
enum ByteSearch {
  /// Where `word` stands first, from `start` on, with neither a letter nor a digit at its sides.
  static func word(
    _ word: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Int? {
    guard let needle = word.baseAddress, let base = text.baseAddress, !word.isEmpty else {
      return nil
    }
    var position = start
    while position + word.count <= text.count {
      let room = text.count - word.count - position + 1
      guard let hit = memchr(base + position, Int32(needle[0]), room) else { return nil }
      let start = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
      let end = start + word.count
      if memcmp(hit, needle, word.count) == 0,
        start == 0 || !isWord(text[start - 1]), end == text.count || !isWord(text[end])
      {
        return start
      }
      position = start + 1
    }
    return nil
  }

  /// Whether both hold the same bytes; they must be equally long.
  static func areEqual(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard let one = one.baseAddress, let start = other.baseAddress else { return true }
    return memcmp(one, start, other.count) == 0
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x5f
  }
}
