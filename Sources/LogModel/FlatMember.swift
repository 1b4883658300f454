// SPDX-License-Identifier: Apache-2.0

/// A member of a JSON object, found without reading what is nested in it.
package struct FlatMember {
  /// Between its quotes.
  package var key: Range<Int>
  /// Between its quotes for a text; a number as it is.
  package var value: Range<Int>
  /// A text without escapes, or a whole number that SQLite gives back as it stands: both come out
  /// of `->>` as they are here.
  package var isPlain: Bool

  /// The member at `position` of an object's inside (`"a":1,"b":"x"`), which moves on behind it;
  /// `nil` at the end.
  package init?(_ members: UnsafeBufferPointer<UInt8>, at position: inout Int) {
    let quote = UInt8(ascii: "\"")
    guard position < members.count, members[position] == quote,
      let keyEnd = Self.textEnd(members, from: position + 1),
      keyEnd.end + 2 < members.count, members[keyEnd.end + 1] == UInt8(ascii: ":")
    else { return nil }
    key = (position + 1)..<keyEnd.end
    let start = keyEnd.end + 2
    if members[start] == quote {
      guard let end = Self.textEnd(members, from: start + 1) else { return nil }
      value = (start + 1)..<end.end
      isPlain = !end.isEscaped && !keyEnd.isEscaped && !value.isEmpty
      position = end.end + 2
    } else {
      let end = Self.valueEnd(members, from: start)
      value = start..<end
      isPlain = !keyEnd.isEscaped && Self.isWholeNumber(members, value)
      position = end + 1
    }
  }

  private static func textEnd(
    _ bytes: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (end: Int, isEscaped: Bool)? {
    var position = start
    var isEscaped = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""): return (position, isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        position += 2
      default: position += 1
      }
    }
    return nil
  }

  /// The end of a number, a word, an array or an object.
  private static func valueEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var position = start
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position = textEnd(bytes, from: position + 1)?.end ?? bytes.count
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return position
      default: break
      }
      position += 1
    }
    return bytes.count
  }

  private static func isWholeNumber(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard !range.isEmpty, range.count <= 18 else { return false }
    if bytes[range.lowerBound] == 0x30, range.count > 1 { return false }
    for index in range where bytes[index] &- 0x30 >= 10 { return false }
    return true
  }
}
