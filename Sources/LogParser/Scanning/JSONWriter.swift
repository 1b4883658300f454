// SPDX-License-Identifier: Apache-2.0

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
  var pen: JSONPen
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
    pen = JSONPen(cursor: first)
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
    let count = pen.cursor - (base + start)
    let known = placeCount <= Self.maxPlaces ? placeCount : 0
    text.unmanagedArena._withUnsafeGuaranteedRef {
      $0.commit(count)
      $0.commitPlaces(known)
    }
    return AttributeList(
      text: ByteSlice(start: start, count: count), firstPlace: firstPlace, placeCount: known)
  }

  @inline(__always)
  func ensure(_ bytes: Int) -> Bool { limit - pen.cursor >= bytes }

  /// A copy of the pen behind the comma that the next member needs.
  @inline(__always)
  mutating func next() -> JSONPen {
    var pen = self.pen
    if isFirst { isFirst = false } else { pen.put(Byte.comma) }
    return pen
  }

  /// A copy of the pen behind the name of the next member, which is one of our own.
  @inline(__always)
  mutating func next(_ name: StaticString) -> JSONPen {
    var pen = next()
    pen.put(Byte.quote)
    pen.put(name)
    pen.put(Byte.quote)
    pen.put(Byte.colon)
    return pen
  }

  /// Takes over the pen that has written a member's value.
  ///
  /// - Parameters:
  ///   - value: where the value begins.
  ///   - source: where it was taken from; the store sees whether the bytes are the same.
  @inline(__always)
  mutating func finish(_ pen: JSONPen, value: UnsafeMutablePointer<UInt8>, from source: UInt32) {
    self.pen = pen
    if depth > 0 { return }
    if placeCount < Self.maxPlaces {
      places[placeCount] = MemberPlace(
        start: value - base, end: pen.cursor - base, source: source)
    }
    placeCount &+= 1
  }

  /// Takes over the pen that has copied a value as it is: SQLite gives back a text or a number so,
  /// but not an object with blanks in it.
  @inline(__always)
  mutating func finish(
    _ pen: JSONPen, value: UnsafeMutablePointer<UInt8>, copyOf source: ByteSlice
  ) {
    switch value.pointee {
    case Byte.quote: finish(pen, value: value, from: source.start &+ 1)
    case Byte.openBrace, Byte.openBracket: finish(pen, value: value, from: MemberPlace.nowhere)
    default: finish(pen, value: value, from: source.start)
    }
  }

  /// Members that were finished before, in the same arena.
  mutating func members(_ members: AttributeList, _ text: Text) {
    guard !members.isEmpty, ensure(Int(members.count) &+ 2) else { return }
    var pen = next()
    let moved = (pen.cursor - base) &- Int(members.text.start)
    pen.put(members.text, of: base)
    self.pen = pen
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
    var pen = next()
    pen.put(key, of: base)
    pen.put(Byte.colon)
    let start = pen.cursor
    pen.put(value, of: base)
    finish(pen, value: start, copyOf: value)
  }

  /// A member whose key needs no escape and has no quotes, and whose value is already JSON.
  mutating func member(plainKey key: ByteSlice, rawValue value: ByteSlice) {
    guard ensure(Int(key.count) &+ Int(value.count) &+ 4) else { return }
    var pen = next()
    pen.put(Byte.quote)
    pen.put(key, of: base)
    pen.put(Byte.quote)
    pen.put(Byte.colon)
    let start = pen.cursor
    pen.put(value, of: base)
    finish(pen, value: start, copyOf: value)
  }

  /// A member with one of our own names, and a value that is already JSON.
  @inline(__always)
  mutating func member(_ name: StaticString, rawValue value: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(value.count) &+ 4) else { return }
    var pen = next(name)
    let start = pen.cursor
    pen.put(value, of: base)
    finish(pen, value: start, copyOf: value)
  }

  /// A member whose value is a piece of a JSON string, without quotes.
  @inline(__always)
  mutating func memberPart(_ name: StaticString, _ content: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(content.count) &+ 6) else { return }
    var pen = next(name)
    let start = pen.cursor
    pen.put(Byte.quote)
    pen.put(content, of: base)
    pen.put(Byte.quote)
    finish(pen, value: start, from: content.start)
  }

  /// A member whose value is text, escaped here.
  @inline(__always)
  mutating func member(_ name: StaticString, text: ByteSlice) {
    guard ensure(name.utf8CodeUnitCount &+ Int(text.count) &* 6 &+ 6) else { return }
    var pen = next(name)
    let start = pen.cursor
    pen.string(text, of: base)
    finish(pen, value: start, from: text.start)
  }

  /// A member whose name and value are text, escaped here.
  @inline(__always)
  mutating func member(key name: ByteSlice, text: ByteSlice) {
    guard ensure((Int(name.count) &+ Int(text.count)) &* 6 &+ 6) else { return }
    var pen = next()
    pen.string(name, of: base)
    pen.put(Byte.colon)
    let start = pen.cursor
    pen.string(text, of: base)
    finish(pen, value: start, from: text.start)
  }

  /// A member whose key is already JSON and lies outside the arena; its value is text, or already
  /// JSON when it is raw.
  mutating func member(quotedKey key: UnsafeBufferPointer<UInt8>, _ value: ByteSlice, isRaw: Bool) {
    guard ensure(key.count &+ Int(value.count) &* 6 &+ 6) else { return }
    var pen = next()
    pen.put(key)
    pen.put(Byte.colon)
    let start = pen.cursor
    if isRaw {
      pen.put(value, of: base)
      finish(pen, value: start, copyOf: value)
    } else {
      pen.string(value, of: base)
      finish(pen, value: start, from: value.start)
    }
  }

  /// A member whose value is text of our own that needs no escape.
  mutating func member(_ name: StaticString, constant: StaticString) {
    guard ensure(name.utf8CodeUnitCount &+ constant.utf8CodeUnitCount &+ 6) else { return }
    var pen = next(name)
    let start = pen.cursor
    pen.put(Byte.quote)
    pen.put(constant)
    pen.put(Byte.quote)
    finish(pen, value: start, from: MemberPlace.nowhere)
  }

  mutating func member(_ name: StaticString, isTrue: Bool) {
    guard ensure(name.utf8CodeUnitCount &+ 10) else { return }
    var pen = next(name)
    let start = pen.cursor
    if isTrue { pen.put("true") } else { pen.put("false") }
    finish(pen, value: start, from: MemberPlace.nowhere)
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
    var pen = next(name)
    let start = pen.cursor
    pen.put(ByteSlice(start: Int(text.start) &+ leading, count: count &- leading), of: base)
    finish(pen, value: start, from: text.start)
  }

  /// A member whose value is a number.
  ///
  /// - Parameter text: where it was read from, as far as that is at hand.
  @inline(__always)
  mutating func member(_ name: StaticString, number: Int64, from text: ByteSlice = .empty) {
    guard ensure(name.utf8CodeUnitCount &+ 26) else { return }
    var pen = next(name)
    let start = pen.cursor
    if number < 0 { pen.put(Byte.dash) }
    // Only divisions by a constant: by a variable they take ten times as long.
    var rest = number.magnitude
    var digits = 1
    while rest >= 10 {
      rest /= 10
      digits &+= 1
    }
    rest = number.magnitude
    for index in stride(from: digits &- 1, through: 0, by: -1) {
      pen.cursor[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 48
      rest /= 10
    }
    pen.cursor += digits
    finish(pen, value: start, from: text.isEmpty ? MemberPlace.unknown : text.start)
  }
}
