// SPDX-License-Identifier: Apache-2.0

/// Small pieces of text work that Foundation would do elsewhere, on UTF-8 and so in linear time.
enum CrashText {
  /// Without blanks and control characters at both ends.
  static func trim(_ text: Substring) -> String {
    let utf8 = text.utf8
    guard let first = utf8.firstIndex(where: { $0 > 0x20 }),
      let last = utf8.lastIndex(where: { $0 > 0x20 })
    else { return "" }
    return String(text[first..<utf8.index(after: last)])
  }

  /// Without blanks and control characters at both ends.
  static func trim(_ text: String) -> String { trim(text[...]) }

  /// The part after the last slash or backslash.
  static func baseName(_ path: String) -> String {
    let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
    let parts = path.utf8.split { separators.contains($0) }
    return parts.last.map { String(Substring($0)) } ?? path
  }

  /// `text`, or `nil` when it is empty or a word for nothing.
  static func meaningful(_ text: String?) -> String? {
    guard let text else { return nil }
    let trimmed = trim(text)
    return ["", "(null)", "<null>", "null", "nil", "???", "None"].contains(trimmed) ? nil : trimmed
  }

  /// What stands before and after the first `separator`, trimmed.
  static func split(_ text: String, at separator: String) -> (String, String)? {
    guard let range = find(separator, in: text[...]) else { return nil }
    return (trim(text[..<range.lowerBound]), trim(text[range.upperBound...]))
  }

  /// The text between the first `open` and the next `close` after it.
  static func between(_ open: String, _ close: String, in text: String) -> String? {
    guard let start = find(open, in: text[...]) else { return nil }
    let rest = text[start.upperBound...]
    guard let end = find(close, in: rest) else { return nil }
    return String(rest[..<end.lowerBound])
  }

  /// Where `needle` first lies in `text`, byte by byte.
  static func find(_ needle: String, in text: Substring) -> Range<String.Index>? {
    let utf8 = text.utf8
    guard let first = needle.utf8.first else { return nil }
    var index = utf8.startIndex
    while let start = utf8[index...].firstIndex(of: first) {
      if utf8[start...].starts(with: needle.utf8) {
        return start..<utf8.index(start, offsetBy: needle.utf8.count)
      }
      index = utf8.index(after: start)
    }
    return nil
  }

  /// Where `needle` first lies in `text`, byte by byte.
  static func find(_ needle: String, in text: String) -> Range<String.Index>? {
    find(needle, in: text[...])
  }

  /// Whether `needle` lies in `text`.
  static func contains(_ text: String, _ needle: String) -> Bool {
    find(needle, in: text[...]) != nil
  }

  /// The number at the beginning of `text`, and what follows it.
  static func leadingInt(_ text: Substring) -> (Int, String)? {
    let end = text.utf8.firstIndex { !isDigit($0) } ?? text.endIndex
    return Int(text[..<end]).map { ($0, String(text[end...])) }
  }

  /// The value of a text that begins with `0x`, up to its last hexadecimal digit.
  static func address(_ text: Substring) -> UInt64? {
    guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
    return UInt64(hexDigits(text.dropFirst(2)), radix: 16)
  }

  /// The hexadecimal digits at the beginning of `text`.
  static func hexDigits(_ text: Substring) -> Substring {
    let end = text.utf8.firstIndex { !isHexDigit($0) } ?? text.endIndex
    return text[..<end]
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"))
  }
}
