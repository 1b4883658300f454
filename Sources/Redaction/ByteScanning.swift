// SPDX-License-Identifier: Apache-2.0

/// The bytes of a text that is looked through, UTF-8 or nearly.
package typealias TextBytes = UnsafeBufferPointer<UInt8>

/// What a byte can be part of, as bits: one look-up instead of many comparisons.
enum ByteClass {
  static let letter: UInt8 = 1
  static let digit: UInt8 = 2
  static let upper: UInt8 = 4
  /// What names of keys are made of.
  static let key: UInt8 = 8
  /// What tokens are made of, with base64's characters.
  static let token: UInt8 = 16
  static let blank: UInt8 = 32
  /// What the name of a mail address is made of.
  static let mail: UInt8 = 64
  static let hex: UInt8 = 128

  static let table: [UInt8] = (0..<256).map { value in
    let byte = UInt8(value)
    var bits: UInt8 = 0
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): bits = digit | key | token | mail | hex
    case UInt8(ascii: "A")...UInt8(ascii: "F"): bits = letter | upper | key | token | mail | hex
    case UInt8(ascii: "G")...UInt8(ascii: "Z"): bits = letter | upper | key | token | mail
    case UInt8(ascii: "a")...UInt8(ascii: "f"): bits = letter | key | token | mail | hex
    case UInt8(ascii: "g")...UInt8(ascii: "z"): bits = letter | key | token | mail
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."): bits = key | token | mail
    case UInt8(ascii: "+"): bits = token | mail
    case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "~"): bits = token
    case 0x09, 0x0a, 0x0d, 0x20: bits = blank
    case 0x80...: bits = mail
    default: break
    }
    return bits
  }
}

extension TextBytes {
  /// Whether the byte at `index` has one of the bits of `ByteClass`; false outside of the text.
  @inline(__always)
  func has(_ index: Int, _ bits: UInt8) -> Bool {
    index >= 0 && index < count
      && ByteClass.table.withUnsafeBufferPointer { $0[Int(self[index])] } & bits != 0
  }

  /// Whether a letter or a digit stands at `index`.
  @inline(__always)
  func isWord(_ index: Int) -> Bool { has(index, ByteClass.letter | ByteClass.digit) }

  /// Whether the byte at `index` is the letter of an escape, as in `\n`.
  func isEscape(_ index: Int) -> Bool {
    byte(index - 1) == UInt8(ascii: "\\") && "nrt".utf8.contains(byte(index))
  }

  /// The byte at `index`; 0 outside of the text.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 { index >= 0 && index < count ? self[index] : 0 }

  /// The first index from `start` on, at most `limit` bytes away, whose byte has none of `bits`.
  func end(of bits: UInt8, from start: Int, limit: Int = Int.max) -> Int {
    let last = limit < count - start ? start + limit : count
    var index = start
    while index < last, has(index, bits) { index += 1 }
    return index
  }

  /// The first index of the run of `bits` that ends before `end`.
  func start(of bits: UInt8, before end: Int, limit: Int) -> Int {
    let first = Swift.max(0, end - limit)
    var index = end
    while index > first, has(index - 1, bits) { index -= 1 }
    return index
  }

  /// Whether `word` stands at `index`; `word` in lower case when `ignoresCase`.
  func matches(_ word: StaticString, at index: Int, ignoresCase: Bool = false) -> Bool {
    let length = word.utf8CodeUnitCount
    guard index >= 0, index + length <= count else { return false }
    for offset in 0..<length {
      var byte = self[index + offset]
      if ignoresCase, byte &- 0x41 < 26 { byte |= 0x20 }
      if byte != word.utf8Start[offset] { return false }
    }
    return true
  }

  /// Whether `word` ends right before `end`.
  func matches(_ word: StaticString, before end: Int, ignoresCase: Bool = false) -> Bool {
    matches(word, at: end - word.utf8CodeUnitCount, ignoresCase: ignoresCase)
  }

  /// The part of the text.
  func slice(_ range: Range<Int>) -> TextBytes { TextBytes(rebasing: self[range]) }

  /// The index after the mark that begins at `index`, as in `<email:3>`; `nil` when there is none.
  func endOfMark(at index: Int) -> Int? {
    guard byte(index) == UInt8(ascii: "<"), has(index + 1, ByteClass.letter) else { return nil }
    let colon = end(of: ByteClass.key, from: index + 1, limit: 64)
    guard byte(colon) == UInt8(ascii: ":") else { return nil }
    let close = end(of: ByteClass.digit, from: colon + 1, limit: 9)
    guard close > colon + 1, byte(close) == UInt8(ascii: ">") else { return nil }
    return Marks.isKnown(slice(index + 1..<colon)) ? close + 1 : nil
  }

  /// Whether the range is nothing but marks.
  func isMark(_ range: Range<Int>) -> Bool { endOfMark(at: range.lowerBound) == range.upperBound }
}

/// The words that may stand in marks, so that a log's own `<a:1>` is no mark.
enum Marks {
  static func isKnown(_ name: TextBytes) -> Bool {
    if name.count > 5, name.prefix(5).elementsEqual("user-".utf8) { return true }
    return RuleID.names.contains { $0.utf8.count == name.count && $0.utf8.elementsEqual(name) }
  }
}
