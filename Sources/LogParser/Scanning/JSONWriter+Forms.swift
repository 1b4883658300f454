// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Members whose values are quoted in other ways than JSON's, or are objects and lists.
extension JSONWriter {
  /// A member whose value is a list of one value that is already JSON.
  mutating func member(_ name: StaticString, listOf value: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(value.count) &+ 6) else { return }
    var pen = next(name)
    let start = pen.cursor
    pen.put(Byte.openBracket)
    pen.put(value, of: base)
    pen.put(Byte.closeBracket)
    finish(pen, value: start, from: MemberPlace.nowhere)
  }

  /// A member whose value is the content of a quoted text in which a backslash protects the next
  /// byte, if that is a quote, a backslash or a closing bracket (RFC 5424).
  mutating func member(key name: ByteSlice, quoted content: ByteSlice) {
    guard ensure((Int(name.count) &+ Int(content.count)) &* 6 &+ 6) else { return }
    var pen = next()
    pen.string(name, of: base)
    pen.put(Byte.colon)
    let start = pen.cursor
    pen.put(Byte.quote)
    let bytes = Line(start: base + Int(content.start), count: Int(content.count))
    var index = 0
    while index < bytes.count {
      let next = bytes.at(index + 1)
      if bytes[index] == Byte.backslash,
        next == Byte.quote || next == Byte.backslash || next == Byte.closeBracket
      {
        index += 1
      }
      pen.escaped(bytes[index])
      index += 1
    }
    pen.put(Byte.quote)
    finish(pen, value: start, from: content.start)
  }

  /// A member whose value is the content of a quoted CSV field, where a quote is doubled.
  mutating func member(_ name: StaticString, csv content: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(content.count) &* 6 &+ 6) else { return }
    var pen = next(name)
    let start = pen.cursor
    pen.put(Byte.quote)
    let bytes = Line(start: base + Int(content.start), count: Int(content.count))
    var index = 0
    while index < bytes.count {
      pen.escaped(bytes[index])
      index += bytes[index] == Byte.quote && bytes.at(index + 1) == Byte.quote ? 2 : 1
    }
    pen.put(Byte.quote)
    finish(pen, value: start, from: content.start)
  }

  /// Opens an object as a member, which `endObject` closes; false when there is no room.
  mutating func beginObject(_ name: StaticString) -> Bool {
    guard ensure(name.utf8CodeUnitCount &+ 6) else { return false }
    open(next(name))
    return true
  }

  /// Opens an object under a name from the text.
  mutating func beginObject(key name: ByteSlice) -> Bool {
    guard ensure(Int(name.count) &* 6 &+ 6) else { return false }
    var pen = next()
    pen.string(name, of: base)
    pen.put(Byte.colon)
    open(pen)
    return true
  }

  private mutating func open(_ pen: JSONPen) {
    // Its end is set when it is closed.
    finish(pen, value: pen.cursor, from: MemberPlace.nowhere)
    depth += 1
    self.pen.put(Byte.openBrace)
    isFirst = true
  }

  mutating func endObject() {
    // Opening has kept room for it.
    pen.put(Byte.closeBrace)
    isFirst = false
    depth -= 1
    if depth == 0, placeCount <= Self.maxPlaces {
      places[placeCount - 1].end = UInt32(truncatingIfNeeded: pen.cursor - base)
    }
  }
}
