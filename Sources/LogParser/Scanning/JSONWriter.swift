// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Writes the members of one JSON object, without its braces, behind what an arena holds.
///
/// It writes through a pointer into reserved space, because a call for each piece costs more than
/// the piece. Nothing else may append to the arena until `finish`; texts are named by slices, for
/// the arena may move when it grows.
struct JSONWriter {
  private let arena: ByteArena
  private var cursor: UnsafeMutablePointer<UInt8>
  private var limit: UnsafeMutablePointer<UInt8>
  private let start: Int

  private var isFirst = true

  /// Goes on behind members that stand at the arena's end, or else behind a copy of them.
  init(_ arena: ByteArena, after members: ByteSlice) {
    if members.isEmpty {
      self.init(arena)
      return
    }
    if members.end != arena.count { arena.append(copyOf: members) }
    // Room first: growing later would not move what stands behind the arena's count.
    arena.reserve(1024)
    arena.truncate(to: arena.count - Int(members.count))
    self.init(arena)
    ensure(Int(members.count))
    cursor += Int(members.count)
    isFirst = false
  }

  init(_ arena: ByteArena) {
    self.arena = arena
    start = arena.count
    cursor = arena.unusedSpace(512)
    limit = arena.base + arena.capacity
  }

  private var written: Int { cursor - (arena.base + start) }

  /// What was written; afterwards the arena is free for others.
  @inline(__always)
  func finish() -> ByteSlice {
    let count = written
    arena.commit(count)
    return ByteSlice(start: start, count: count)
  }

  @inline(__always)
  private mutating func ensure(_ bytes: Int) {
    if limit - cursor < bytes { grow(bytes) }
  }

  @inline(never)
  private mutating func grow(_ bytes: Int) {
    let count = written
    cursor = arena.unusedSpace(count + bytes + 512) + count
    limit = arena.base + arena.capacity
  }

  /// Room must have been ensured.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    cursor.pointee = byte
    cursor += 1
  }

  @inline(__always)
  private mutating func put(_ text: StaticString) {
    cursor.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    cursor += text.utf8CodeUnitCount
  }

  @inline(__always)
  private mutating func put(_ slice: ByteSlice) {
    cursor.update(from: arena.base + Int(slice.start), count: Int(slice.count))
    cursor += Int(slice.count)
  }

  @inline(__always)
  private mutating func comma() {
    if isFirst { isFirst = false } else { put(Byte.comma) }
  }

  /// A member whose key, with its quotes, and value are already JSON.
  @inline(__always)
  mutating func member(rawKey key: ByteSlice, rawValue value: ByteSlice) {
    ensure(Int(key.count) &+ Int(value.count) &+ 2)
    comma()
    put(key)
    put(Byte.colon)
    put(value)
  }

  /// A member with one of our own names, and a value that is already JSON.
  @inline(__always)
  mutating func member(_ name: StaticString, rawValue value: ByteSlice) {
    ensure(name.utf8CodeUnitCount &+ Int(value.count) &+ 4)
    key(name)
    put(value)
  }

  /// A member whose value is a piece of a JSON string, without quotes.
  @inline(__always)
  mutating func memberPart(_ name: StaticString, _ content: ByteSlice) {
    ensure(name.utf8CodeUnitCount &+ Int(content.count) &+ 6)
    key(name)
    put(Byte.quote)
    put(content)
    put(Byte.quote)
  }

  /// A member whose value is text, escaped here.
  @inline(__always)
  mutating func member(_ name: StaticString, text: ByteSlice) {
    ensure(name.utf8CodeUnitCount &+ Int(text.count) &* 6 &+ 6)
    key(name)
    string(text)
  }

  /// A member whose name and value are text, escaped here.
  @inline(__always)
  mutating func member(key name: ByteSlice, text: ByteSlice) {
    ensure((Int(name.count) &+ Int(text.count)) &* 6 &+ 6)
    comma()
    string(name)
    put(Byte.colon)
    string(text)
  }

  /// A member whose value is the content of a quoted text in which a backslash protects the next
  /// byte, if that is a quote, a backslash or a closing bracket (RFC 5424).
  mutating func member(key name: ByteSlice, quoted content: ByteSlice) {
    ensure((Int(name.count) &+ Int(content.count)) &* 6 &+ 6)
    comma()
    string(name)
    put(Byte.colon)
    put(Byte.quote)
    let bytes = arena.bytes(content)
    var index = 0
    while index < bytes.count {
      let next = bytes.at(index + 1)
      if bytes[index] == Byte.backslash,
        next == Byte.quote || next == Byte.backslash || next == Byte.closeBracket
      {
        index += 1
      }
      escaped(bytes[index])
      index += 1
    }
    put(Byte.quote)
  }

  /// Opens an object as a member; `endObject` closes it.
  mutating func beginObject(_ name: StaticString) {
    ensure(name.utf8CodeUnitCount &+ 6)
    key(name)
    put(Byte.openBrace)
    isFirst = true
  }

  /// Opens an object under a name from the text.
  mutating func beginObject(key name: ByteSlice) {
    ensure(Int(name.count) &* 6 &+ 6)
    comma()
    string(name)
    put(Byte.colon)
    put(Byte.openBrace)
    isFirst = true
  }

  mutating func endObject() {
    ensure(1)
    put(Byte.closeBrace)
    isFirst = false
  }

  /// A member whose value is text of our own that needs no escape.
  mutating func member(_ name: StaticString, constant: StaticString) {
    ensure(name.utf8CodeUnitCount &+ constant.utf8CodeUnitCount &+ 6)
    key(name)
    put(Byte.quote)
    put(constant)
    put(Byte.quote)
  }

  @inline(__always)
  mutating func member(_ name: StaticString, number: Int64) {
    ensure(name.utf8CodeUnitCount &+ 26)
    key(name)
    var divisor: UInt64 = 1
    let magnitude = number.magnitude
    if number < 0 { put(Byte.dash) }
    while magnitude / divisor >= 10 { divisor &*= 10 }
    var rest = magnitude
    while divisor > 0 {
      put(UInt8(truncatingIfNeeded: rest / divisor) &+ 48)
      rest %= divisor
      divisor /= 10
    }
  }

  @inline(__always)
  private mutating func key(_ name: StaticString) {
    comma()
    put(Byte.quote)
    put(name)
    put(Byte.quote)
    put(Byte.colon)
  }

  /// A JSON string of valid UTF-8; six bytes for each byte must have been ensured.
  @inline(__always)
  private mutating func string(_ text: ByteSlice) {
    put(Byte.quote)
    let source = arena.base + Int(text.start)
    let count = Int(text.count)
    var index = 0
    while index < count {
      escaped(source[index])
      index &+= 1
    }
    put(Byte.quote)
  }

  @inline(__always)
  private mutating func escaped(_ byte: UInt8) {
    if byte < 0x20 || byte == Byte.quote || byte == Byte.backslash {
      escape(byte)
    } else {
      put(byte)
    }
  }

  @inline(never)
  private mutating func escape(_ byte: UInt8) {
    put(Byte.backslash)
    switch byte {
    case Byte.newline: put(UInt8(ascii: "n"))
    case Byte.carriageReturn: put(UInt8(ascii: "r"))
    case Byte.tab: put(UInt8(ascii: "t"))
    case Byte.quote, Byte.backslash: put(byte)
    default:
      put("u00")
      put((byte >> 4) + 48)
      put(byte & 15 < 10 ? (byte & 15) + 48 : (byte & 15) + 87)
    }
  }
}
