// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A record's text with places for what its columns say anyway: its time, its process and thread,
/// its body, and values of its attributes; and the keys of the attributes.
///
/// `2026-03-01T08:00:01+0000 info shop: user=7 ` is stored once as `␃T␂+0000 info shop: user=␐ ` for
/// all records of its kind. The view `record_text` puts the values in; what it gives is, byte for
/// byte, what stood in the file, since a value only takes a place where it says just that.
/// Attributes that have the same value in many records (`ConstantFinder`) are in it with it.
struct FrameTemplate {
  /// The two regions around the body, and the body where it is made of values as well.
  enum Region: UInt8 { case head, tail, body }

  /// A longer text has no frame: it is hardly one of many.
  private static let maxBytes = 2048

  /// All of it, as one text to compare with: see `FrameLayout`.
  let bytes = ByteArena(capacity: 8192)
  /// The record's body is in the template.
  private var hasBody = false
  private var constants: UInt64 = 0
  private var found: [Place] = []
  private var head = ByteSlice.empty
  private var tail = ByteSlice.empty

  /// What is around the body of a record.
  typealias Surroundings = (head: ByteSlice, tail: ByteSlice)

  private struct Place {
    var start: Int
    var end: Int
    /// 0 for text that stays.
    var mark: UInt8
    var region: Region
  }

  init() { found.reserveCapacity(FrameMark.valueCount + 8) }

  /// Makes the template of a record in `bytes`; false when it can have none.
  ///
  /// - Parameter constants: attributes that are to be in it with their values, a bit each.
  mutating func make(
    _ record: LogRecord, _ surroundings: Surroundings, _ arena: ByteArena, constants: UInt64 = 0
  ) -> Bool {
    (head, tail) = surroundings
    self.constants = constants
    let before = arena.bytes(head)
    let behind = arena.bytes(tail)
    guard before.count + behind.count > 0, before.count + behind.count < Self.maxBytes,
      !Self.hasControl(before), !Self.hasControl(behind)
    else { return false }
    found.removeAll(keepingCapacity: true)
    var time = FrameTime()
    time.find(in: before, record)
    if !time.clock.isEmpty { add(time.clock, FrameMark.time, .head) }
    if !time.date.isEmpty { add(time.date, FrameMark.date, .head) }
    if !time.fraction.isEmpty { add(time.fraction, FrameMark.fraction, .head) }
    let body = arena.bytes(record.body)
    findValues(of: record, arena)
    findNumber(record.pid, FrameMark.pid, before, behind)
    findNumber(record.threadID, FrameMark.thread, before, behind)
    hasBody = isOfValues(body)
    write(record, arena, time)
    return true
  }

  /// What is around the body; `nil` when the body does not lie in the record's text as it is.
  static func surroundings(_ record: LogRecord) -> Surroundings? {
    let text = record.original
    if text.isEmpty { return (record.head, record.tail) }
    let start = Int(record.body.start)
    // Repaired texts are kept as the bytes they were.
    guard record.flags.common(with: repaired).rawValue == 0, !record.body.isEmpty,
      start >= Int(text.start), record.body.end <= text.end
    else { return nil }
    return (
      ByteSlice(start: Int(text.start), count: start - Int(text.start)),
      ByteSlice(start: record.body.end, count: text.end - record.body.end)
    )
  }

  private static let repaired = RecordFlags(
    rawValue: RecordFlags.replaced.rawValue | RecordFlags.ansi.rawValue
      | RecordFlags.utf16.rawValue)

  // MARK: Finding

  private static func hasControl(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without a branch it runs over many bytes at once.
    var found: UInt8 = 0
    for byte in text { found |= byte < 32 && byte != 9 ? 1 : 0 }
    return found != 0
  }

  /// Takes a place unless another one has a part of it.
  @discardableResult
  private mutating func add(_ range: Range<Int>, _ mark: UInt8, _ region: Region) -> Bool {
    var index = found.count
    while index > 0 {
      let other = found[index - 1]
      if other.region == region {
        if other.start < range.upperBound, range.lowerBound < other.end { return false }
        if other.end <= range.lowerBound { break }
      } else if other.region.rawValue < region.rawValue {
        break
      }
      index -= 1
    }
    // In the order of the text: mostly they come so.
    found.insert(
      Place(start: range.lowerBound, end: range.upperBound, mark: mark, region: region), at: index)
    return true
  }

  /// Values of attributes where they were read from, or else where they are found.
  private mutating func findValues(of record: LogRecord, _ arena: ByteArena) {
    var slot = 0
    for (index, place) in arena.places(record.attributes).enumerated() {
      let isConstant = isConstant(index)
      if slot == FrameMark.valueCount { break }
      let mark = isConstant ? 0 : FrameMark.value &+ UInt8(truncatingIfNeeded: slot)
      if !isConstant { slot += 1 }
      if place.source == MemberPlace.nowhere { continue }
      let isQuoted = arena.base[Int(place.start)] == UInt8(ascii: "\"")
      let start = Int(place.start) + (isQuoted ? 1 : 0)
      let count = Int(place.end) - start - (isQuoted ? 1 : 0)
      // SQL takes the quotes off by `trim`, which would take one more.
      guard count > 0, arena.base[start + count - 1] != UInt8(ascii: "\"") else { continue }
      let value = arena.bytes(ByteSlice(start: start, count: count))
      if place.source == MemberPlace.unknown {
        if !isConstant { search(value, mark, arena.bytes(head), arena.bytes(tail)) }
      } else {
        take(value, at: Int(place.source), mark, record, arena)
      }
    }
  }

  private func isConstant(_ index: Int) -> Bool { index < 64 && constants >> index & 1 != 0 }

  /// Takes the place at `source`, if it is in the text and says the same.
  private mutating func take(
    _ value: UnsafeBufferPointer<UInt8>, at source: Int, _ mark: UInt8, _ record: LogRecord,
    _ arena: ByteArena
  ) {
    let end = source + value.count
    func lies(in slice: ByteSlice) -> Bool { source >= Int(slice.start) && end <= slice.end }
    let region: Region
    let start: Int
    if lies(in: head) {
      (region, start) = (.head, Int(head.start))
    } else if lies(in: record.body) {
      (region, start) = (.body, Int(record.body.start))
    } else if lies(in: tail) {
      (region, start) = (.tail, Int(tail.start))
    } else {
      return
    }
    guard
      ByteSearch.areEqual(value, arena.bytes(ByteSlice(start: source, count: value.count)))
    else { return }
    add((source - start)..<(end - start), mark, region)
  }

  private mutating func findNumber(
    _ number: Int64, _ mark: UInt8, _ head: UnsafeBufferPointer<UInt8>,
    _ tail: UnsafeBufferPointer<UInt8>
  ) {
    guard number >= 0 else { return }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var start = 20
      var rest = number
      repeat {
        start -= 1
        buffer[start] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30
        rest /= 10
      } while rest > 0
      search(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[start...]), mark, head, tail)
    }
  }

  /// Takes the first free place where the text stands as a word of its own, if there is one.
  private mutating func search(
    _ text: UnsafeBufferPointer<UInt8>, _ mark: UInt8, _ head: UnsafeBufferPointer<UInt8>,
    _ tail: UnsafeBufferPointer<UInt8>
  ) {
    if !search(text, mark, in: head, .head) { _ = search(text, mark, in: tail, .tail) }
  }

  private mutating func search(
    _ text: UnsafeBufferPointer<UInt8>, _ mark: UInt8, in bytes: UnsafeBufferPointer<UInt8>,
    _ region: Region
  ) -> Bool {
    var from = 0
    while let start = ByteSearch.word(text, in: bytes, from: from) {
      if add(start..<(start + text.count), mark, region) { return true }
      // It is taken by another value, such as the minute of the time.
      from = start + text.count
    }
    return false
  }

  /// Whether half of a body and more is values: then the rest repeats as well. A body that only
  /// names one would make a template of its own.
  private func isOfValues(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    var covered = 0
    for place in found where place.region == .body { covered += place.end - place.start }
    return covered > 0 && covered * 2 >= body.count && body.count < Self.maxBytes
      && !Self.hasControl(body)
  }

  // MARK: Writing

  private func write(_ record: LogRecord, _ arena: ByteArena, _ time: FrameTime) {
    let body = hasBody ? record.body : .empty
    let room =
      Int(head.count) + Int(tail.count) + Int(body.count) + Int(record.attributes.count)
      + Int(record.attributes.placeCount) + 128
    bytes.removeAll()
    var writer = Writer(bytes.unusedSpace(room).space)
    write(arena.bytes(head), .head, &writer)
    writer.put(FrameLayout.separator)
    write(arena.bytes(tail), .tail, &writer)
    writer.put(FrameLayout.separator)
    writer.put(FrameLayout.byte(ofShift: time.shift))
    writer.put(time.digits)
    writer.put(
      (record.original.isEmpty ? 0 : FrameLayout.wholeFlag)
        | (hasBody ? FrameLayout.bodyFlag : 0))
    if hasBody { write(arena.bytes(body), .body, &writer) }
    var start = Int(record.attributes.text.start)
    for (index, place) in arena.places(record.attributes).enumerated() {
      // Between the value before and this one: a comma, the key in quotes, a colon.
      writer.put(FrameLayout.separator)
      let isConstant = isConstant(index)
      if isConstant { writer.put(FrameLayout.constant) }
      let end = Int(isConstant ? place.end : place.start - 1)
      writer.put(arena.bytes(ByteSlice(start: start, count: end - start)))
      start = Int(place.end) + 1
    }
    bytes.commit(writer.count)
  }

  private func write(
    _ text: UnsafeBufferPointer<UInt8>, _ region: Region, _ writer: inout Writer
  ) {
    var position = 0
    for place in found where place.region == region {
      writer.put(UnsafeBufferPointer(rebasing: text[position..<place.start]))
      position = place.start
      if place.mark == 0 { continue }
      writer.put(place.mark)
      position = place.end
    }
    writer.put(UnsafeBufferPointer(rebasing: text[position...]))
  }

  /// Writes into reserved space: a call into the arena for each piece costs more than the piece.
  private struct Writer {
    private let space: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ space: UnsafeMutableBufferPointer<UInt8>) { self.space = space }

    mutating func put(_ byte: UInt8) {
      space[count] = byte
      count &+= 1
    }

    mutating func put(_ piece: UnsafeBufferPointer<UInt8>) {
      guard let start = piece.baseAddress, let base = space.baseAddress else { return }
      precondition(count + piece.count <= space.count, "a template beyond its space")
      (base + count).update(from: start, count: piece.count)
      count &+= piece.count
    }
  }
}
