// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The text around a body with places for what the record's columns say anyway: its time, its
/// process and thread, and values of its attributes.
///
/// `2026-03-01T08:00:01+0000 info shop: user=7 ` is stored once as `␃T␂+0000 info shop: user=␐ ` for
/// all records of its kind. The view `record_text` puts the values in; what it gives is, byte for
/// byte, what stood in the file, since a value only takes a place where it says just that.
struct FrameTemplate {
  /// Between head and tail in `bytes`, and before each key.
  private static let separator: UInt8 = 1

  /// Head, tail, shift, digits and keys, as one text to compare with: see `parts`.
  let bytes = ByteArena(capacity: 1024)
  private var found: [Place] = []

  private struct Place {
    var start: Int
    var end: Int
    var mark: UInt8
    /// In the tail rather than the head.
    var isTail: Bool
    /// Of an attribute.
    var key = ByteSlice.empty
  }

  init() { found.reserveCapacity(FrameMark.valueCount + 4) }

  /// Makes the template of a record's frame in `bytes`; false when it can have none.
  mutating func make(_ record: LogRecord, _ arena: ByteArena) -> Bool {
    let head = arena.bytes(record.head)
    let tail = arena.bytes(record.tail)
    guard head.count + tail.count > 0, head.count + tail.count < 512,
      !Self.hasControl(head), !Self.hasControl(tail)
    else { return false }
    found.removeAll(keepingCapacity: true)
    var shift: Int64 = 0
    var digits: UInt8 = 0
    findTime(head, record, &shift, &digits)
    findNumber(record.pid, FrameMark.pid, head, tail)
    findNumber(record.threadID, FrameMark.thread, head, tail)
    findValues(arena.bytes(record.attributes), head, tail)
    found.sort { ($0.isTail ? 1 : 0, $0.start) < ($1.isTail ? 1 : 0, $1.start) }
    write(head, tail, shift: shift, digits: digits)
    return true
  }

  // MARK: Finding

  private static func hasControl(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without a branch it runs over many bytes at once.
    var found: UInt8 = 0
    for byte in text { found |= byte < 32 && byte != 9 ? 1 : 0 }
    return found != 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Finds the time of day, and what is before and behind it, where they are the record's own.
  private mutating func findTime(
    _ head: UnsafeBufferPointer<UInt8>, _ record: LogRecord, _ shift: inout Int64,
    _ digits: inout UInt8
  ) {
    guard head.count >= 8 else { return }
    func number(_ at: Int) -> Int64 {
      Int64(head[at] &- 0x30) &* 10 &+ Int64(head[at &+ 1] &- 0x30)
    }
    func isPair(_ at: Int) -> Bool { Self.isDigit(head[at]) && Self.isDigit(head[at + 1]) }
    var start = 0
    let last = head.count - 8
    while start <= last {
      if head[start + 2] == 0x3a, head[start + 5] == 0x3a, isPair(start), isPair(start + 3),
        isPair(start + 6)
      {
        break
      }
      start += 1
    }
    guard start <= last else { return }
    let (seconds, nanoseconds) = CivilTime.floorDivide(record.time.nanoseconds, 1_000_000_000)
    let stated = number(start) * 3600 + number(start + 3) * 60 + number(start + 6)
    let ofDay = CivilTime.floorDivide(seconds, 86_400).rest
    var difference = stated - ofDay
    // A zone is whole quarters of an hour away.
    guard difference % 900 == 0, number(start) < 24, number(start + 6) < 60 else { return }
    if difference < -43_200 { difference += 86_400 }
    if difference > 50_400 { difference -= 86_400 }
    if record.utcOffsetMinutes != LogRecord.noOffset {
      guard (Int64(record.utcOffsetMinutes) * 60 - difference) % 86_400 == 0 else { return }
      difference = Int64(record.utcOffsetMinutes) * 60
    }
    shift = difference
    found.append(Place(start: start, end: start + 8, mark: FrameMark.time, isTail: false))
    findDate(before: start, head, day: CivilTime.floorDivide(seconds + difference, 86_400).quotient)
    findFraction(
      behind: start + 8, head, nanoseconds, &digits)
  }

  private mutating func findDate(
    before time: Int, _ head: UnsafeBufferPointer<UInt8>, day: Int64
  ) {
    let start = time - 11
    guard start >= 0, head[start + 4] == 0x2d, head[start + 7] == 0x2d else { return }
    let date = CivilTime.date(daysSince1970: Int(day))
    func says(_ value: Int, at place: Int) -> Bool {
      head[start + place] == UInt8(truncatingIfNeeded: value / 10 % 10 + 0x30)
        && head[start + place + 1] == UInt8(truncatingIfNeeded: value % 10 + 0x30)
    }
    guard says(date.year / 100, at: 0), says(date.year, at: 2), says(date.month, at: 5),
      says(date.day, at: 8)
    else { return }
    found.append(Place(start: start, end: start + 10, mark: FrameMark.date, isTail: false))
  }

  private mutating func findFraction(
    behind time: Int, _ head: UnsafeBufferPointer<UInt8>, _ nanoseconds: Int64,
    _ digits: inout UInt8
  ) {
    guard time < head.count, head[time] == 0x2e || head[time] == 0x2c else { return }
    var rest = nanoseconds
    var unit: Int64 = 100_000_000
    var end = time + 1
    while end < head.count, Self.isDigit(head[end]) {
      // More digits than nanoseconds have, or other ones, stay as they are.
      guard unit > 0, Int64(head[end] &- 0x30) == rest / unit else { return }
      rest %= unit
      unit /= 10
      end += 1
    }
    guard end > time + 1 else { return }
    digits = UInt8(end - time - 1)
    found.append(Place(start: time + 1, end: end, mark: FrameMark.fraction, isTail: false))
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
      let digits = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer)[start...])
      place(digits, mark, key: .empty, head, tail)
    }
  }

  /// Looks for the values of attributes: texts without escapes, and whole numbers.
  private mutating func findValues(
    _ members: UnsafeBufferPointer<UInt8>, _ head: UnsafeBufferPointer<UInt8>,
    _ tail: UnsafeBufferPointer<UInt8>
  ) {
    var position = 0
    var count: UInt8 = 0
    while Int(count) < FrameMark.valueCount, let member = FlatMember(members, at: &position) {
      guard member.isPlain else { continue }
      let value = UnsafeBufferPointer(rebasing: members[member.value])
      let key = ByteSlice(start: member.key.lowerBound, count: member.key.count)
      if place(value, FrameMark.value &+ count, key: key, head, tail) { count += 1 }
    }
  }

  /// Takes the first free place where the text stands as a word of its own, if there is one.
  @discardableResult
  private mutating func place(
    _ text: UnsafeBufferPointer<UInt8>, _ mark: UInt8, key: ByteSlice,
    _ head: UnsafeBufferPointer<UInt8>, _ tail: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    place(text, mark, key, in: head, isTail: false)
      || place(text, mark, key, in: tail, isTail: true)
  }

  private mutating func place(
    _ text: UnsafeBufferPointer<UInt8>, _ mark: UInt8, _ key: ByteSlice,
    in region: UnsafeBufferPointer<UInt8>, isTail: Bool
  ) -> Bool {
    var from = 0
    while let start = ByteSearch.word(text, in: region, from: from) {
      let end = start + text.count
      // What is taken by another value, such as the minute of the time, is passed by.
      if let taken = found.first(where: {
        $0.isTail == isTail && $0.start < end && start < $0.end
      }) {
        from = taken.end
        continue
      }
      found.append(Place(start: start, end: end, mark: mark, isTail: isTail, key: key))
      return true
    }
    return false
  }

  // MARK: Writing

  private mutating func write(
    _ head: UnsafeBufferPointer<UInt8>, _ tail: UnsafeBufferPointer<UInt8>, shift: Int64,
    digits: UInt8
  ) {
    bytes.removeAll()
    write(head, isTail: false)
    bytes.append(Self.separator)
    write(tail, isTail: true)
    bytes.append(Self.separator)
    bytes.append(UInt8(truncatingIfNeeded: (shift + 86_400) / 900))
    bytes.append(digits)
  }

  private func write(_ text: UnsafeBufferPointer<UInt8>, isTail: Bool) {
    var position = 0
    for place in found where place.isTail == isTail {
      bytes.append(UnsafeBufferPointer(rebasing: text[position..<place.start]))
      bytes.append(place.mark)
      position = place.end
    }
    bytes.append(UnsafeBufferPointer(rebasing: text[position...]))
  }

  /// Adds the keys of the values that have a place, in the order of their marks.
  func appendKeys(_ members: UnsafeBufferPointer<UInt8>) {
    for number in 0..<UInt8(FrameMark.valueCount) {
      guard let place = found.first(where: { $0.mark == FrameMark.value &+ number }) else { break }
      bytes.append(Self.separator)
      bytes.append(UnsafeBufferPointer(rebasing: members[Int(place.key.start)..<place.key.end]))
    }
  }

  /// The template taken apart again, for its row.
  struct Parts {
    var head: String
    var tail: String
    var shift: Int64
    var digits: Int64
    /// As JSON paths.
    var keys: [String]
  }

  /// What `bytes` say.
  var parts: Parts {
    let all = Array(bytes.bytes(ByteSlice(start: 0, count: bytes.count)))
    // The shift and the digits are numbers: they may look like a separator.
    let first = all.firstIndex(of: Self.separator) ?? 0
    let second = all[(first + 1)...].firstIndex(of: Self.separator) ?? first
    let keys = all.dropFirst(second + 4).split(separator: Self.separator)
    return Parts(
      head: String(decoding: all[..<first], as: UTF8.self),
      tail: String(decoding: all[(first + 1)..<second], as: UTF8.self),
      shift: Int64(all[second + 1]) * 900 - 86_400, digits: Int64(all[second + 2]),
      keys: keys.map { "$.\"" + String(decoding: $0, as: UTF8.self) + "\"" })
  }
}
