// SPDX-License-Identifier: Apache-2.0

// Everything here works on unsafe pointers: this is the inner loop of the agent, and Span costs a
// tenth to a third more. The rule: a `Line` is valid until its arena is appended to, every index
// that is read was compared with `count` first.

internal import CShims
internal import Glibc

/// Bytes of one line or record, borrowed from an arena or from the caller.
typealias Line = UnsafeBufferPointer<UInt8>

/// The bytes that formats are made of, by name.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let escape: UInt8 = 0x1b
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  static let colon = UInt8(ascii: ":")
  static let comma = UInt8(ascii: ",")
  static let dot = UInt8(ascii: ".")
  static let dash = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let slash = UInt8(ascii: "/")
  static let zero = UInt8(ascii: "0")
  static let openBracket = UInt8(ascii: "[")
  static let closeBracket = UInt8(ascii: "]")
  static let openBrace = UInt8(ascii: "{")
  static let closeBrace = UInt8(ascii: "}")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let equals = UInt8(ascii: "=")
}

extension UInt8 {
  @inline(__always) var isDigit: Bool { self &- 48 <= 9 }
  @inline(__always) var isLetter: Bool { (self | 0x20) &- 97 < 26 }
  @inline(__always) var isUpper: Bool { self &- 65 < 26 }
  @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 }
  @inline(__always) var isHexDigit: Bool { isDigit || (self | 0x20) &- 97 < 6 }
  /// A letter, a digit, an underscore, a dot or a dash: what names are made of.
  @inline(__always) var isName: Bool {
    // One byte for each of ASCII: a load is cheaper than four comparisons.
    let table: StaticString =
      "                                             xx xxxxxxxxxx       xxxxxxxxxxxxxxxxxxxxxxxxxx    x xxxxxxxxxxxxxxxxxxxxxxxxxx     "
    return self < 128 && table.utf8Start[Int(self)] == 0x78
  }
  /// A letter, a digit or an underscore.
  @inline(__always) var isWord: Bool { isLetter || isDigit || self == 0x5f }
}

extension UnsafeBufferPointer<UInt8> {
  /// The byte at `index`, or NUL beyond the end: no format's grammar asks for NUL.
  @inline(__always)
  func at(_ index: Int) -> UInt8 {
    index < count ? baseAddress.unsafelyUnwrapped[index] : 0
  }

  /// The index of the first `byte` at or after `start`, or `nil`.
  @inline(__always)
  func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress else { return nil }
    var start = start
    if count &- start >= 16 {
      // Mostly it is near, and a call costs more than a look.
      let near = Int(la_first_equal(base + start, byte))
      if near < 16 { return start &+ near }
      start &+= 16
    }
    guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// The bytes from `start` to before `end`, both within bounds; none when they cross.
  @inline(__always)
  func slice(_ start: Int, _ end: Int) -> Line {
    Line(start: baseAddress.map { $0 + start }, count: Swift.max(0, end &- start))
  }

  /// Whether `text` stands at `index`.
  @inline(__always)
  func has(_ text: StaticString, at index: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard index >= 0, index + length <= count, let base = baseAddress else { return false }
    return memcmp(base + index, text.utf8Start, length) == 0
  }

  /// Whether these are exactly the bytes of `text`.
  @inline(__always)
  func isEqual(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && has(text, at: 0) }

  /// The index where `text` stands first at or after `start`, or `nil`.
  func index(of text: StaticString, from start: Int) -> Int? {
    var from = start
    while let found = index(of: text.utf8Start[0], from: from) {
      if has(text, at: found) { return found }
      from = found + 1
    }
    return nil
  }

  /// The first index at or after `start` that holds no blank or tab.
  @inline(__always)
  func skipBlanks(_ start: Int) -> Int {
    var index = start
    while index < count, self[index].isBlank { index += 1 }
    return index
  }

  /// The index after `end` and the blank there, if there is one: never inside a character.
  @inline(__always)
  func afterBlank(_ end: Int) -> Int {
    end < count && self[end] == Byte.space ? end &+ 1 : Swift.min(end, count)
  }

  /// The end of the run of digits that begins at `start`.
  @inline(__always)
  func skipDigits(_ start: Int) -> Int {
    var index = start
    while index < count, self[index].isDigit { index += 1 }
    return index
  }

  /// The end of the run without blanks, tabs and newlines that begins at `start`.
  @inline(__always)
  func skipToken(_ start: Int) -> Int {
    var index = start
    if count &- index >= 16, let base = baseAddress {
      let near = Int(la_first_blank(base + index))
      if near < 16 { return index &+ near }
      index &+= 16
    }
    while index < count, !self[index].isBlank, self[index] != Byte.newline { index += 1 }
    return index
  }

  /// The end of the first line: the index of its newline, or `count`.
  @inline(__always)
  var firstLineEnd: Int { index(of: Byte.newline, from: 0) ?? count }

  /// The first index at or after `start` that holds no hexadecimal digit.
  func skipHexDigits(_ start: Int) -> Int {
    var index = start
    while index < count, self[index].isHexDigit { index += 1 }
    return index
  }

  /// Whether one of the first `limit` bytes is a digit, or there are more.
  @inline(__always)
  func hasDigit(before limit: Int) -> Bool {
    guard count <= limit else { return true }
    var index = 0
    while index < count {
      if self[index].isDigit { return true }
      index &+= 1
    }
    return false
  }

  /// The index behind the last newline; 0 where there is none.
  package var lastLineStart: Int {
    var index = count
    while index > 0, self[index - 1] != Byte.newline { index -= 1 }
    return index
  }

  /// The end of the line that `start` lies in: the index of its newline, or `count`.
  func lineEnd(from start: Int) -> Int { index(of: Byte.newline, from: start) ?? count }

  /// The first index at or after `start` that holds no newline.
  func skipLines(from start: Int) -> Int {
    var index = start
    while index < count, self[index] == Byte.newline { index += 1 }
    return index
  }

  /// The value of 1 to 18 decimal digits in `range`; `nil` otherwise.
  @inline(__always)
  func decimal(_ start: Int, _ end: Int) -> Int64? {
    guard end > start, end - start <= 18, end <= count else { return nil }
    var value: Int64 = 0
    var index = start
    while index < end {
      let digit = self[index] &- 48
      if digit > 9 { return nil }
      value = value &* 10 &+ Int64(digit)
      index += 1
    }
    return value
  }

  /// The value of 1 to 15 hexadecimal digits in `range`; `nil` otherwise.
  func hexadecimal(_ start: Int, _ end: Int) -> Int64? {
    guard end > start, end - start <= 15, end <= count else { return nil }
    var value: Int64 = 0
    for index in start..<end {
      let byte = self[index]
      guard byte.isHexDigit else { return nil }
      value = value << 4 | Int64(byte.isDigit ? byte - 48 : (byte | 0x20) - 87)
    }
    return value
  }

  /// The eight bytes at `index`, which are all within bounds, the first in the lowest place.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UnsafeRawPointer(baseAddress.unsafelyUnwrapped)
      .loadUnaligned(fromByteOffset: index, as: UInt64.self)
  }

  /// All bytes, at most eight, as `word` gives them, with zeros above.
  var shortWord: UInt64 {
    indices.reduce(0) { $0 | UInt64(self[$1]) << UInt64($1 * 8) }
  }

  /// The two digits at `index` as 0 to 99, or 255 or more.
  @inline(__always)
  func two(_ index: Int) -> Int {
    let base = baseAddress.unsafelyUnwrapped
    let tens = base[index] &- 48
    let ones = base[index + 1] &- 48
    return tens > 9 || ones > 9 ? 255 : Int(tens) &* 10 &+ Int(ones)
  }
}
