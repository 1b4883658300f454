// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import LogModel

/// Writes the members of one JSON object, without its braces, behind what an arena holds.
///
/// It writes through a pointer into reserved space, because a call for each piece costs more than
/// the piece. Nothing else may append to the arena before `finish`. It never grows the arena: what
/// does not fit is left out, whole members at a time. `RecordParser` reserves so much that this
/// does not happen.
struct JSONWriter {
  /// The place of the arena's byte 0, to which slices refer.
  let base: UnsafeMutablePointer<UInt8>
  private let start: Int
  private let limit: UnsafeMutablePointer<UInt8>
  var cursor: UnsafeMutablePointer<UInt8>
  var isFirst = true
  /// Where the members lie; of objects in them only the whole is noted.
  let places: UnsafeMutablePointer<MemberPlace>
  private let firstPlace: Int
  var placeCount = 0
  var depth = 0

  /// Members that are noted; of more none is.
  static let maxPlaces = 64

  /// Copying sixteen bytes at a time writes up to fifteen beyond the end, and open objects are
  /// closed.
  private static let slack = 48

  @inline(__always)
  init(_ text: Text) {
    let (offset, space) = text.unmanagedArena._withUnsafeGuaranteedRef { $0.unusedSpace(64) }
    (firstPlace, places) = text.unmanagedArena._withUnsafeGuaranteedRef {
      $0.unusedPlaces(Self.maxPlaces)
    }
    let first = space.baseAddress.unsafelyUnwrapped
    base = first - offset
    start = offset
    cursor = first
    limit = first + space.count - Self.slack
  }

  /// Goes on behind `members` that were finished before.
  init(_ text: Text, after members: AttributeList) {
    self.init(text)
    self.members(members, text)
  }

  /// What was written; afterwards the arena is free for others.
  @inline(__always)
  func finish(_ text: Text) -> AttributeList {
    let count = cursor - (base + start)
    let known = placeCount <= Self.maxPlaces ? placeCount : 0
    text.unmanagedArena._withUnsafeGuaranteedRef {
      $0.commit(count)
      $0.commitPlaces(known)
    }
    return AttributeList(
      text: ByteSlice(start: start, count: count), firstPlace: firstPlace, placeCount: known)
  }

  /// The offset in the arena of what is written next.
  @inline(__always)
  var offset: Int { cursor - base }

  /// Notes the value that was written from `start` on.
  ///
  /// - Parameter source: where it was taken from; the store sees whether the bytes are the same.
  @inline(__always)
  mutating func note(_ start: Int, _ source: UInt32) {
    if depth > 0 { return }
    if placeCount < Self.maxPlaces {
      places[placeCount] = MemberPlace(start: start, end: offset, source: source)
    }
    placeCount &+= 1
  }

  /// Notes a value that was copied as it is: SQLite gives back a text or a number so, but not an
  /// object with blanks in it.
  @inline(__always)
  mutating func note(_ start: Int, copyOf value: ByteSlice) {
    var source = value.start
    switch (base + start).pointee {
    case Byte.quote: source &+= 1
    case Byte.openBrace, Byte.openBracket: source = MemberPlace.nowhere
    default: break
    }
    note(start, source)
  }

  @inline(__always)
  func ensure(_ bytes: Int) -> Bool { limit - cursor >= bytes }

  /// Room must have been ensured.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    cursor.pointee = byte
    cursor += 1
  }

  @inline(__always)
  mutating func put(_ text: StaticString) {
    cursor.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    cursor += text.utf8CodeUnitCount
  }

  @inline(__always)
  mutating func put(_ slice: ByteSlice) {
    let source = UnsafeRawPointer(base + Int(slice.start))
    let count = Int(slice.count)
    if count > 64 {
      UnsafeMutableRawPointer(cursor).copyMemory(from: source, byteCount: count)
    } else {
      // Short pieces are the rule, and a call costs more than they do.
      var index = 0
      while index < count {
        let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        UnsafeMutableRawPointer(cursor + index).storeBytes(of: word, as: UInt64.self)
        index &+= 8
      }
    }
    cursor += count
  }

  @inline(__always)
  mutating func comma() {
    if isFirst { isFirst = false } else { put(Byte.comma) }
  }

  /// Members that were finished before, in the same arena.
  mutating func members(_ members: AttributeList, _ text: Text) {
    guard !members.isEmpty, ensure(Int(members.count) &+ 2) else { return }
    comma()
    let moved = offset &- Int(members.text.start)
    put(members.text)
    guard members.placeCount > 0, placeCount &+ Int(members.placeCount) <= Self.maxPlaces else {
      placeCount = Self.maxPlaces &+ 1
      return
    }
    for place in text.arena.places(members) {
      places[placeCount] = MemberPlace(
        start: Int(place.start) &+ moved, end: Int(place.end) &+ moved, source: place.source)
      placeCount &+= 1
    }
  }

  /// A member whose key, with its quotes, and value are already JSON.
  @inline(__always)
  mutating func member(rawKey key: ByteSlice, rawValue value: ByteSlice) {
    guard ensure(Int(key.count) &+ Int(value.count) &+ 2) else { return }
    comma()
    put(key)
    put(Byte.colon)
    let start = offset
    put(value)
    note(start, copyOf: value)
  }

  /// A member whose key needs no escape and has no quotes, and whose value is already JSON.
  mutating func member(plainKey key: ByteSlice, rawValue value: ByteSlice) {
    guard ensure(Int(key.count) &+ Int(value.count) &+ 4) else { return }
    comma()
    put(Byte.quote)
    put(key)
    put(Byte.quote)
    put(Byte.colon)
    let start = offset
    put(value)
    note(start, copyOf: value)
  }

  /// A member with one of our own names, and a value that is already JSON.
  @inline(__always)
  mutating func member(_ name: StaticString, rawValue value: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(value.count) &+ 4) else { return }
    key(name)
    let start = offset
    put(value)
    note(start, copyOf: value)
  }

  /// A member whose value is a piece of a JSON string, without quotes.
  @inline(__always)
  mutating func memberPart(_ name: StaticString, _ content: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(content.count) &+ 6) else { return }
    key(name)
    let start = offset
    put(Byte.quote)
    put(content)
    put(Byte.quote)
    note(start, content.start)
  }

  /// A member whose value is text, escaped here.
  @inline(__always)
  mutating func member(_ name: StaticString, text: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(text.count) &* 6 &+ 6) else { return }
    key(name)
    let start = offset
    string(text)
    note(start, text.start)
  }

  /// A member whose name and value are text, escaped here.
  @inline(__always)
  mutating func member(key name: ByteSlice, text: ByteSlice) {
    guard ensure((Int(name.count) &+ Int(text.count)) &* 6 &+ 6) else { return }
    comma()
    string(name)
    put(Byte.colon)
    let start = offset
    string(text)
    note(start, text.start)
  }

  /// A member whose key is already JSON and lies outside the arena; its value is text, or already
  /// JSON when it is raw.
  mutating func member(quotedKey key: UnsafeBufferPointer<UInt8>, _ value: ByteSlice, isRaw: Bool) {
    guard let keyStart = key.baseAddress, ensure(key.count &+ Int(value.count) &* 6 &+ 6) else {
      return
    }
    comma()
    cursor.update(from: keyStart, count: key.count)
    cursor += key.count
    put(Byte.colon)
    let start = offset
    if isRaw {
      put(value)
      note(start, copyOf: value)
    } else {
      string(value)
      note(start, value.start)
    }
  }

  /// A member whose value is text of our own that needs no escape.
  mutating func member(_ name: StaticString, constant: StaticString) {
    guard ensure(name.utf8CodeUnitCount &+ constant.utf8CodeUnitCount &+ 6) else { return }
    key(name)
    let start = offset
    put(Byte.quote)
    put(constant)
    put(Byte.quote)
    note(start, MemberPlace.nowhere)
  }

  mutating func member(_ name: StaticString, isTrue: Bool) {
    guard ensure(name.utf8CodeUnitCount &+ 10) else { return }
    key(name)
    let start = offset
    if isTrue { put("true") } else { put("false") }
    note(start, MemberPlace.nowhere)
  }

  /// A member whose value is a number as it stands in the text: digits alone, or nothing is written.
  @inline(__always)
  mutating func member(_ name: StaticString, digits text: ByteSlice) {
    let count = Int(text.count)
    let first = base + Int(text.start)
    guard count > 0, count <= 18, ensure(name.utf8CodeUnitCount &+ 26) else { return }
    var others: UInt8 = 0
    for index in 0..<count where !first[index].isDigit { others = 1 }
    if others != 0 { return }
    var leading = 0
    // JSON has no 007.
    while leading &+ 1 < count, first[leading] == 48 { leading &+= 1 }
    key(name)
    let start = offset
    put(ByteSlice(start: Int(text.start) &+ leading, count: count &- leading))
    note(start, text.start)
  }

  /// A member whose value is a number.
  ///
  /// - Parameter text: where it was read from, as far as that is at hand.
  @inline(__always)
  mutating func member(_ name: StaticString, number: Int64, from text: ByteSlice = .empty) {
    guard ensure(name.utf8CodeUnitCount &+ 26) else { return }
    key(name)
    let start = offset
    if number < 0 { put(Byte.dash) }
    // Only divisions by a constant: by a variable they take ten times as long.
    var rest = number.magnitude
    var digits = 1
    while rest >= 10 {
      rest /= 10
      digits &+= 1
    }
    rest = number.magnitude
    for index in stride(from: digits &- 1, through: 0, by: -1) {
      cursor[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 48
      rest /= 10
    }
    cursor += digits
    note(start, text.isEmpty ? MemberPlace.unknown : text.start)
  }

  @inline(__always)
  mutating func key(_ name: StaticString) {
    comma()
    put(Byte.quote)
    put(name)
    put(Byte.quote)
    put(Byte.colon)
  }

  /// A JSON string of valid UTF-8; six bytes for each byte must have been ensured.
  @inline(__always)
  mutating func string(_ text: ByteSlice) {
    put(Byte.quote)
    let source = UnsafeRawPointer(base + Int(text.start))
    let count = Int(text.count)
    var index = 0
    while index < count {
      // Sixteen bytes at a time while none of them needs an escape. The arena reaches further than
      // the text, so what is read behind its end is only ignored.
      let bytes = source + index
      UnsafeMutableRawPointer(cursor).copyMemory(from: bytes, byteCount: 16)
      let step = min(16, count &- index)
      let special = Int(la_first_escaped(bytes))
      if special >= step {
        cursor += step
        index &+= step
      } else {
        cursor += special
        index &+= special
        escape(source.load(fromByteOffset: index, as: UInt8.self))
        index &+= 1
      }
    }
    put(Byte.quote)
  }

  @inline(__always)
  mutating func escaped(_ byte: UInt8) {
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
