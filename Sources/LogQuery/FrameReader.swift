// SPDX-License-Identifier: Apache-2.0

internal import LogModel
package import SQLite

/// A text or the attributes of a record that its frame makes.
package enum FramePart: Int64 {
  case head, tail, body
  /// The text of the record, of frames that are a line's whole text alone.
  case whole
  case attributes
  /// The text of the record, of all frames.
  case entire
}

/// Frames by their rows, and the texts that they make. For one thread.
package final class FrameReader {
  /// Some bytes, then a mark for a value; 0 for none.
  private struct Piece {
    var bytes: Range<Int>
    var mark: UInt8
  }

  /// A frame taken apart.
  private final class Frame {
    /// Its texts, and what stands between the values of its attributes.
    @exclusivity(unchecked) var text: [UInt8] = []
    var head: [Piece] = []
    var tail: [Piece] = []
    var body: [Piece]?
    var isWhole = false
    var shift: Int64 = 0
    var digits = 0
    /// Before each value: a brace or a comma, attributes that all its records share, the key.
    var keys: [Range<Int>] = []
    /// Behind the last value; empty without attributes.
    var end: Range<Int> = 0..<0
  }

  /// What a record says.
  private struct Record {
    var attributes = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var body = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    var time: Int64 = 0
    var pid: Int64?
    var thread: Int64?
  }

  // Held by the connection's function: the other way round nothing would ever be freed.
  private unowned let connection: Connection
  // One thread has all this, for each record and each part of it.
  @exclusivity(unchecked) private var frames: [Int64: Frame] = [:]
  @exclusivity(unchecked) private var lastID: Int64 = -1
  @exclusivity(unchecked) private var frame = Frame()
  @exclusivity(unchecked) private var record = Record()
  @exclusivity(unchecked) private var values: [Range<Int>] = []
  @exclusivity(unchecked) private var hasValues = false
  @exclusivity(unchecked) private var clock = ClockText()

  /// - Parameter connection: to the store; it must outlive this.
  package init(_ connection: Connection) { self.connection = connection }

  /// The message for a frame that is not there.
  package static func unknown(_ id: Int64) -> String {
    "the store has no frame \(id): it is damaged"
  }

  /// Turns to a record; false when the store has no such frame.
  ///
  /// - Parameters:
  ///   - id: of its frame.
  ///   - attributes: as its row has them, and likewise the others; the bytes must stay until the
  ///     last `append`.
  package func begin(
    _ id: Int64, attributes: UnsafeBufferPointer<UInt8>, time: Int64, pid: Int64?, thread: Int64?,
    body: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    if id != lastID {
      guard let known = frames[id] ?? load(id) else { return false }
      frame = known
      lastID = id
    }
    record = Record(attributes: attributes, body: body, time: time, pid: pid, thread: thread)
    hasValues = false
    return true
  }

  /// Appends a part of the record that `begin` has turned to; nothing for a part that it has not.
  package func append(_ part: FramePart, to text: inout [UInt8]) {
    let frame = frame
    switch part {
    case .head: if !frame.isWhole { append(frame.head, of: frame, to: &text) }
    case .tail: if !frame.isWhole { append(frame.tail, of: frame, to: &text) }
    case .body: if let body = frame.body { append(body, of: frame, to: &text) }
    case .whole: if frame.isWhole { appendEntire(frame, to: &text) }
    case .entire: appendEntire(frame, to: &text)
    case .attributes: appendAttributes(frame, to: &text)
    }
  }

  private func appendEntire(_ frame: Frame, to text: inout [UInt8]) {
    append(frame.head, of: frame, to: &text)
    if let body = frame.body {
      append(body, of: frame, to: &text)
    } else {
      text.append(contentsOf: record.body)
    }
    append(frame.tail, of: frame, to: &text)
  }

  private func append(_ pieces: [Piece], of frame: Frame, to text: inout [UInt8]) {
    for piece in pieces {
      append(piece.bytes, of: frame, to: &text)
      switch piece.mark {
      case 0: break
      case FrameMark.time: append(.clock, of: frame, to: &text)
      case FrameMark.date: append(.date, of: frame, to: &text)
      case FrameMark.fraction: appendFraction(frame, to: &text)
      case FrameMark.pid: if let pid = record.pid { SafeText.append(pid, to: &text) }
      case FrameMark.thread: if let thread = record.thread { SafeText.append(thread, to: &text) }
      default:
        findValues()
        let number = Int(piece.mark) - Int(FrameMark.value)
        if values.indices.contains(number) { appendUnquoted(values[number], to: &text) }
      }
    }
  }

  @inline(__always)
  private func append(_ range: Range<Int>, of frame: Frame, to text: inout [UInt8]) {
    if range.isEmpty { return }
    frame.text.withUnsafeBufferPointer {
      text.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range]))
    }
  }

  private func appendUnquoted(_ value: Range<Int>, to text: inout [UInt8]) {
    let isText = record.attributes[value.lowerBound] == UInt8(ascii: "\"")
    let content = isText ? value.dropFirst().dropLast() : value
    text.append(contentsOf: UnsafeBufferPointer(rebasing: record.attributes[content]))
  }

  private func appendAttributes(_ frame: Frame, to text: inout [UInt8]) {
    guard !frame.end.isEmpty else {
      text.append(contentsOf: record.attributes)
      return
    }
    findValues()
    for (key, value) in zip(frame.keys, values) {
      append(key, of: frame, to: &text)
      text.append(contentsOf: UnsafeBufferPointer(rebasing: record.attributes[value]))
    }
    append(frame.end, of: frame, to: &text)
  }

  /// Where the values of the record's JSON array stand.
  private func findValues() {
    if hasValues { return }
    hasValues = true
    values.removeAll(keepingCapacity: true)
    for value in FlatValues(record.attributes) { values.append(value) }
  }

  // MARK: Frames

  private func load(_ id: Int64) -> Frame? {
    guard
      let row = try? connection.prepare(
        "SELECT head, tail, shift, digits, is_whole, body, keys FROM main.frame WHERE id = \(id)"),
      (try? row.step()) == true
    else { return nil }
    let frame = Frame()
    frame.head = row.withText(0) { Self.pieces(of: $0, &frame.text) }
    frame.tail = row.withText(1) { Self.pieces(of: $0, &frame.text) }
    frame.shift = row.integer(2)
    frame.digits = Int(row.integer(3))
    frame.isWhole = row.integer(4) != 0
    if !row.isNull(5) { frame.body = row.withText(5) { Self.pieces(of: $0, &frame.text) } }
    row.withText(6) { Self.addKeys($0, to: frame) }
    frames[id] = frame
    return frame
  }

  /// Takes `{"key":place,"key":[value]}` apart; places count up.
  private static func addKeys(_ keys: UnsafeBufferPointer<UInt8>, to frame: Frame) {
    var start = frame.text.count
    var isFirst = true
    var members = FlatValues(keys)
    while let key = members.next(), let place = members.next() {
      frame.text.append(UInt8(ascii: isFirst ? "{" : ","))
      isFirst = false
      frame.text.append(contentsOf: keys[key])
      frame.text.append(UInt8(ascii: ":"))
      if keys[place.lowerBound] == UInt8(ascii: "[") {
        frame.text.append(contentsOf: keys[place].dropFirst().dropLast())
      } else {
        frame.keys.append(start..<frame.text.count)
        start = frame.text.count
      }
    }
    if isFirst { return }
    frame.text.append(UInt8(ascii: "}"))
    frame.end = start..<frame.text.count
  }

  private static func pieces(
    of template: UnsafeBufferPointer<UInt8>, _ text: inout [UInt8]
  ) -> [Piece] {
    var pieces: [Piece] = []
    var start = text.count
    for byte in template {
      if byte < 32, byte != 9 {
        pieces.append(Piece(bytes: start..<text.count, mark: byte))
        start = text.count
      } else {
        text.append(byte)
      }
    }
    if start < text.count { pieces.append(Piece(bytes: start..<text.count, mark: 0)) }
    return pieces
  }

  // MARK: Times

  private func append(_ part: ClockText.Part, of frame: Frame, to text: inout [UInt8]) {
    clock.set(record.time, shift: frame.shift)
    clock.withBytes(of: part) { text.append(contentsOf: $0) }
  }

  private func appendFraction(_ frame: Frame, to text: inout [UInt8]) {
    var rest = CivilTime.floorDivide(record.time, 1_000_000_000).rest
    var unit: Int64 = 100_000_000
    for _ in 0..<frame.digits {
      text.append(UInt8(truncatingIfNeeded: rest / unit + 0x30))
      rest %= unit
      unit = max(1, unit / 10)
    }
  }
}
