// SPDX-License-Identifier: Apache-2.0

internal import LogModel
package import SQLite

/// Puts the text around bodies together faster than the store's own views can in SQL, which any
/// client of SQLite understands: some ten times.
package enum FrameText {
  /// Makes the views `record_text` and `logs` of this connection use it. They are temporary, and
  /// give what those of the store give; a store without frames stays as it is.
  ///
  /// - Throws: `SQLiteError`.
  package static func install(on connection: Connection) throws(SQLiteError) {
    let select = try connection.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE name IN ('record_text', 'logs')")
    var views: [String: String] = [:]
    while try select.step() { views[select.text(0)] = select.text(1) }
    select.reset()
    let beginning = "CREATE VIEW logs AS"
    guard views["record_text"] != nil, let logs = views["logs"], logs.hasPrefix(beginning) else {
      return
    }
    let reader = FrameReader(connection)
    try connection.define("frame_text", argumentCount: 6) { reader.answer($0) }
    let values = "r.frame, r.attributes, r.time, r.pid, r.thread_id"
    try connection.execute(
      """
      PRAGMA temp_store = MEMORY;
      CREATE TEMP VIEW record_text AS
      SELECT
        r.id, r.time, r.observed_time, r.severity, r.flags, r.file, r.byte_offset, r.byte_length,
        r.utc_offset, r.severity_text, r.process, r.pid, r.thread_id, r.scope, r.crash,
        CASE WHEN r.frame IS NULL THEN r.head ELSE frame_text(0, \(values)) END AS head,
        r.body,
        CASE WHEN r.frame IS NULL THEN r.tail ELSE frame_text(1, \(values)) END AS tail,
        r.attributes, r.original
      FROM main.record r;
      CREATE TEMP VIEW logs AS\(logs.dropFirst(beginning.count))
      """)
  }
}

/// Frames by their rows, and the texts that they make.
private final class FrameReader {
  /// A frame taken apart.
  private struct Frame {
    var head: [UInt8] = []
    var tail: [UInt8] = []
    var shift: Int64 = 0
    var digits = 0
    var keys: [[UInt8]] = []
  }

  // Held by the connection's function: the other way round nothing would ever be freed.
  private unowned let connection: Connection
  private var frames: [Int64: Frame] = [:]
  private var lastID: Int64 = -1
  private var last = Frame()
  private var text: [UInt8] = []
  private var values: [Range<Int>] = []
  private var day: Int64 = .min
  private var date: [UInt8] = []

  init(_ connection: Connection) { self.connection = connection }

  /// Answers `frame_text(part, frame, attributes, time, pid, thread)`; part 0 is the head, 1 the
  /// tail. NULL for an empty text.
  func answer(_ call: borrowing FunctionCall) {
    let id = call.integer(1)
    if id != lastID {
      guard let frame = frames[id] ?? load(id) else {
        return call.fail("the store has no frame \(id): it is damaged")
      }
      last = frame
      lastID = id
    }
    let template = call.integer(0) == 0 ? last.head : last.tail
    if template.isEmpty { return call.answerNull() }
    text.removeAll(keepingCapacity: true)
    let time = call.integer(3)
    let pid = call.isNull(4) ? nil : call.integer(4)
    let thread = call.isNull(5) ? nil : call.integer(5)
    call.withText(2) { attributes in
      findValues(attributes)
      for byte in template {
        guard byte < 32, byte != 9 else {
          text.append(byte)
          continue
        }
        switch byte {
        case FrameMark.time: appendClock(time)
        case FrameMark.date: appendDate(time)
        case FrameMark.fraction: appendFraction(time)
        case FrameMark.pid: if let pid { text += String(pid).utf8 }
        case FrameMark.thread: if let thread { text += String(thread).utf8 }
        default:
          let number = Int(byte) - Int(FrameMark.value)
          if values.indices.contains(number) { text += attributes[values[number]] }
        }
      }
    }
    text.withUnsafeBufferPointer { call.answer(text: $0) }
  }

  private func load(_ id: Int64) -> Frame? {
    let keys = (0..<FrameMark.valueCount).map { "k\($0)" }.joined(separator: ", ")
    guard
      let row = try? connection.prepare(
        "SELECT head, tail, shift, digits, places, \(keys) FROM main.frame WHERE id = \(id)"),
      (try? row.step()) == true
    else { return nil }
    var frame = Frame()
    frame.head = Array(row.text(0).utf8)
    frame.tail = Array(row.text(1).utf8)
    frame.shift = row.integer(2)
    frame.digits = Int(row.integer(3))
    for index in 0..<min(FrameMark.valueCount, Int(row.integer(4))) {
      // Of `$."key"`.
      frame.keys.append(Array(row.text(Int32(5 + index)).utf8.dropFirst(3).dropLast()))
    }
    frames[id] = frame
    return frame
  }

  /// Where the values of the frame's keys stand in a JSON object.
  private func findValues(_ object: UnsafeBufferPointer<UInt8>) {
    values.removeAll(keepingCapacity: true)
    guard !last.keys.isEmpty, object.count > 2 else { return }
    for _ in last.keys { values.append(0..<0) }
    let members = UnsafeBufferPointer(rebasing: object[1..<(object.count - 1)])
    var position = 0
    var missing = last.keys.count
    while missing > 0, let member = FlatMember(members, at: &position) {
      for (index, key) in last.keys.enumerated()
      where values[index].isEmpty && key.count == member.key.count
        && key.elementsEqual(members[member.key])
      {
        values[index] = (member.value.lowerBound + 1)..<(member.value.upperBound + 1)
        missing -= 1
      }
    }
  }

  // MARK: Times

  private func local(_ time: Int64) -> Int64 {
    CivilTime.floorDivide(time, 1_000_000_000).quotient + last.shift
  }

  private func appendTwo(_ value: Int64) {
    text.append(UInt8(truncatingIfNeeded: value / 10 + 0x30))
    text.append(UInt8(truncatingIfNeeded: value % 10 + 0x30))
  }

  private func appendClock(_ time: Int64) {
    let second = CivilTime.floorDivide(local(time), 86_400).rest
    appendTwo(second / 3600)
    text.append(UInt8(ascii: ":"))
    appendTwo(second / 60 % 60)
    text.append(UInt8(ascii: ":"))
    appendTwo(second % 60)
  }

  private func appendDate(_ time: Int64) {
    let today = CivilTime.floorDivide(local(time), 86_400).quotient
    if today != day {
      day = today
      let parts = CivilTime.date(daysSince1970: Int(today))
      let year = String(parts.year)
      date = Array(String(repeating: "0", count: max(0, 4 - year.count)).utf8) + Array(year.utf8)
      for part in [parts.month, parts.day] {
        date += [UInt8(ascii: "-"), UInt8(part / 10 + 0x30), UInt8(part % 10 + 0x30)]
      }
    }
    text += date
  }

  private func appendFraction(_ time: Int64) {
    var rest = CivilTime.floorDivide(time, 1_000_000_000).rest
    var unit: Int64 = 100_000_000
    for _ in 0..<last.digits {
      text.append(UInt8(truncatingIfNeeded: rest / unit + 0x30))
      rest %= unit
      unit = max(1, unit / 10)
    }
  }
}
