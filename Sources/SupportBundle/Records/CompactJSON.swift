// SPDX-License-Identifier: Apache-2.0

internal import LogQuery

/// Tells JSON that is as SQLite's `json()` writes it: valid, and without blanks.
///
/// It may say no to what is fine: then SQLite is asked.
enum CompactJSON {
  /// Whether `text` is an object of strings, numbers, words and flat containers, without blanks.
  static func isObject(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    guard text.first == UInt8(ascii: "{"), skipValue(text, &index, depth: 0) else { return false }
    return index == text.count
  }

  private static func skipValue(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, depth: Int
  ) -> Bool {
    guard index < text.count, depth < 16 else { return false }
    switch text[index] {
    case UInt8(ascii: "\""): return skipString(text, &index)
    case UInt8(ascii: "{"): return skipMembers(text, &index, UInt8(ascii: "}"), depth)
    case UInt8(ascii: "["): return skipMembers(text, &index, UInt8(ascii: "]"), depth)
    case UInt8(ascii: "t"): return skip("true", text, &index)
    case UInt8(ascii: "f"): return skip("false", text, &index)
    case UInt8(ascii: "n"): return skip("null", text, &index)
    default: return skipInteger(text, &index)
    }
  }

  private static func skipMembers(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ end: UInt8, _ depth: Int
  ) -> Bool {
    index += 1
    if index < text.count, text[index] == end {
      index += 1
      return true
    }
    while true {
      if end == UInt8(ascii: "}") {
        guard index < text.count, text[index] == UInt8(ascii: "\""), skipString(text, &index),
          index < text.count, text[index] == UInt8(ascii: ":")
        else { return false }
        index += 1
      }
      guard skipValue(text, &index, depth: depth + 1), index < text.count else { return false }
      index += 1
      if text[index - 1] == end { return true }
      if text[index - 1] != UInt8(ascii: ",") { return false }
    }
  }

  private static func skipString(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> Bool {
    index += 1
    while true {
      index = SafeText.endOfPlain(text, from: index)
      if index >= text.count { return false }
      switch text[index] {
      case UInt8(ascii: "\""):
        index += 1
        return true
      // Escapes have rules of their own.
      case UInt8(ascii: "\\"):
        guard index + 1 < text.count, "\"\\/bfnrt".utf8.contains(text[index + 1]) else {
          return false
        }
        index += 2
      case 0..<0x20: return false
      default: index += 1
      }
    }
  }

  /// Digits alone; fractions and exponents are for SQLite to judge.
  private static func skipInteger(
    _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> Bool {
    if index < text.count, text[index] == UInt8(ascii: "-") { index += 1 }
    let start = index
    while index < text.count, text[index] &- 0x30 < 10 { index += 1 }
    return index > start && (index == start + 1 || text[start] != 0x30)
  }

  private static func skip(
    _ word: StaticString, _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int
  ) -> Bool {
    let count = word.utf8CodeUnitCount
    guard index + count <= text.count else { return false }
    for offset in 0..<count where text[index + offset] != word.utf8Start[offset] { return false }
    index += count
    return true
  }
}
