// SPDX-License-Identifier: Apache-2.0

internal import CShims

/// Finds the ends of JSON values (RFC 8259) and refuses what is none. It builds nothing.
enum JSONScanner {
  /// The deepest nesting that is followed.
  static let maxDepth = 64

  /// The index after the blanks, tabs and line ends at `start`.
  @inline(__always)
  static func skipSpace(_ line: Line, _ start: Int) -> Int {
    var index = start
    while index < line.count {
      let byte = line[index]
      guard byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 else { break }
      index &+= 1
    }
    return index
  }

  /// The index after the string whose opening quote stands at `start`.
  @inline(__always)
  static func stringEnd(_ line: Line, _ start: Int) -> Int? {
    guard let base = line.baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    var index = start &+ 1
    while true {
      // Sixteen bytes at a time while none of them is a quote, a backslash or a control character.
      while index &+ 16 <= line.count {
        let clean = Int(la_first_escaped(raw + index))
        index &+= clean
        if clean < 16 { break }
      }
      guard index < line.count else { return nil }
      let byte = base[index]
      if byte == Byte.quote { return index &+ 1 }
      if byte == Byte.backslash {
        guard let next = escapeEnd(line, index) else { return nil }
        index = next
      } else if byte < 0x20 {
        return nil
      } else {
        index &+= 1
      }
    }
  }

  private static func escapeEnd(_ line: Line, _ start: Int) -> Int? {
    switch line.at(start + 1) {
    case UInt8(ascii: "u"):
      guard start + 6 <= line.count else { return nil }
      for index in start + 2..<start + 6 where !line[index].isHexDigit { return nil }
      return start + 6
    case Byte.quote, Byte.backslash, Byte.slash, UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    default: return nil
    }
  }

  /// The index after the value that begins at `start`.
  @inline(__always)
  static func valueEnd(_ line: Line, _ start: Int) -> Int? {
    switch line.at(start) {
    case Byte.quote: return stringEnd(line, start)
    case Byte.openBrace, Byte.openBracket: return nestedEnd(line, start)
    case Byte.dash, 0x30...0x39: return numberEnd(line, start)
    case UInt8(ascii: "t"): return line.has("true", at: start) ? start &+ 4 : nil
    case UInt8(ascii: "f"): return line.has("false", at: start) ? start &+ 5 : nil
    case UInt8(ascii: "n"): return line.has("null", at: start) ? start &+ 4 : nil
    default: return nil
    }
  }

  private static func numberEnd(_ line: Line, _ start: Int) -> Int? {
    var index = line[start] == Byte.dash ? start + 1 : start
    let whole = index
    index = line.skipDigits(index)
    guard index > whole, line[whole] != Byte.zero || index == whole + 1 else { return nil }
    if line.at(index) == Byte.dot {
      let fraction = index + 1
      index = line.skipDigits(fraction)
      guard index > fraction else { return nil }
    }
    if line.at(index) | 0x20 == UInt8(ascii: "e") {
      index += 1
      if line.at(index) == Byte.plus || line.at(index) == Byte.dash { index += 1 }
      let exponent = index
      index = line.skipDigits(exponent)
      guard index > exponent else { return nil }
    }
    return index
  }

  /// The end of an object or array, with one bit for each open level: 1 is an object.
  private static func nestedEnd(_ line: Line, _ start: Int) -> Int? {
    var objects: UInt64 = 0
    var depth = 0
    var index = start
    var needsValue = true
    while index < line.count {
      if needsValue {
        let byte = line[index]
        if byte == Byte.openBrace || byte == Byte.openBracket {
          guard depth < maxDepth else { return nil }
          depth += 1
          objects = objects << 1 | (byte == Byte.openBrace ? 1 : 0)
          index = skipSpace(line, index + 1)
          if line.at(index) == (byte == Byte.openBrace ? Byte.closeBrace : Byte.closeBracket) {
            needsValue = false
          } else if byte == Byte.openBrace {
            guard let next = keyEnd(line, index) else { return nil }
            index = next
          }
          continue
        }
        guard let end = scalarEnd(line, index) else { return nil }
        index = end
        needsValue = false
      }
      index = skipSpace(line, index)
      let isObject = objects & 1 == 1
      if line.at(index) == Byte.comma {
        index = skipSpace(line, index + 1)
        if isObject {
          guard let next = keyEnd(line, index) else { return nil }
          index = next
        }
        needsValue = true
      } else if line.at(index) == (isObject ? Byte.closeBrace : Byte.closeBracket) {
        index += 1
        depth -= 1
        objects >>= 1
        if depth == 0 { return index }
      } else {
        return nil
      }
    }
    return nil
  }

  private static func scalarEnd(_ line: Line, _ start: Int) -> Int? {
    let byte = line.at(start)
    return byte == Byte.openBrace || byte == Byte.openBracket ? nil : valueEnd(line, start)
  }

  /// The index of the value after the key and colon that begin at `start`.
  @inline(__always)
  static func keyEnd(_ line: Line, _ start: Int) -> Int? {
    guard line.at(start) == Byte.quote, let end = stringEnd(line, start) else { return nil }
    let colon = skipSpace(line, end)
    guard line.at(colon) == Byte.colon else { return nil }
    return skipSpace(line, colon + 1)
  }
}

/// The members of one JSON object, one after the other, without copies.
struct JSONMembers {
  private let line: Line
  private(set) var index: Int
  /// Of the member last read: the key without quotes, and the value.
  private(set) var keyStart = 0
  private(set) var keyEnd = 0
  private(set) var valueStart = 0
  private(set) var valueEnd = 0
  /// The object was read to its closing brace, which stands before `index`.
  private(set) var isComplete = false

  /// - Parameter start: the index of the opening brace.
  init(_ line: Line, from start: Int) {
    self.line = line
    index = JSONScanner.skipSpace(line, start + 1)
    if line.at(index) == Byte.closeBrace {
      index += 1
      isComplete = true
    }
  }

  /// Reads the next member; false at the end and where the object is malformed (`isComplete`).
  @inline(__always)
  mutating func next() -> Bool {
    guard !isComplete, line.at(index) == Byte.quote,
      let keyStop = JSONScanner.stringEnd(line, index)
    else { return false }
    keyStart = index &+ 1
    keyEnd = keyStop &- 1
    let colon = JSONScanner.skipSpace(line, keyStop)
    guard line.at(colon) == Byte.colon else { return false }
    valueStart = JSONScanner.skipSpace(line, colon &+ 1)
    guard let valueStop = JSONScanner.valueEnd(line, valueStart) else { return false }
    valueEnd = valueStop
    index = JSONScanner.skipSpace(line, valueStop)
    let separator = line.at(index)
    if separator == Byte.closeBrace {
      index &+= 1
      isComplete = true
      return true
    }
    guard separator == Byte.comma else { return false }
    index = JSONScanner.skipSpace(line, index &+ 1)
    // A comma before the closing brace leaves `index` on the brace: the next call fails.
    return true
  }
}

/// The elements of one JSON array, one after the other, without copies.
struct JSONElements {
  private let line: Line
  private var index: Int

  /// - Parameter start: the index of the opening bracket; anything else has no elements.
  init(_ line: Line, from start: Int) {
    self.line = line
    index =
      line.at(start) == Byte.openBracket ? JSONScanner.skipSpace(line, start + 1) : line.count
  }

  /// The index of the next element; `nil` at the end and where the array is malformed.
  mutating func next() -> Int? {
    guard index < line.count, let end = JSONScanner.valueEnd(line, index) else { return nil }
    let start = index
    let separator = JSONScanner.skipSpace(line, end)
    index =
      line.at(separator) == Byte.comma ? JSONScanner.skipSpace(line, separator + 1) : line.count
    return start
  }
}
