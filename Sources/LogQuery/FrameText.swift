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
    guard views["record_text"]?.contains("members") == true, let logs = views["logs"],
      logs.hasPrefix(beginning)
    else { return }
    let reader = FrameReader(connection)
    try connection.define("frame_text", argumentCount: 7) { reader.answer($0) }
    func text(_ part: FramePart) -> String {
      "frame_text(\(part.rawValue), r.frame, r.attributes, r.time, r.pid, r.thread_id, r.body)"
    }
    try connection.execute(
      """
      PRAGMA temp_store = MEMORY;
      CREATE TEMP VIEW record_text AS
      SELECT
        r.id, r.time, (SELECT o.time FROM main.observation o WHERE o.record <= r.id
          ORDER BY o.record DESC LIMIT 1) AS observed_time,
        r.severity, c.flags, r.file, r.byte_offset, r.byte_length, c.utc_offset, c.severity_text,
        c.process, r.pid, r.thread_id, c.scope, r.crash, r.context,
        CASE WHEN r.frame IS NULL THEN r.head ELSE \(text(.head)) END AS head,
        CASE WHEN r.body IS NULL THEN \(text(.body)) ELSE r.body END AS body,
        CASE WHEN r.frame IS NULL THEN r.tail ELSE \(text(.tail)) END AS tail,
        CASE WHEN r.frame IS NULL THEN r.attributes ELSE \(text(.attributes)) END AS attributes,
        CASE WHEN r.frame IS NULL THEN r.original ELSE CAST(\(text(.whole)) AS BLOB) END AS original,
        r.frame, r.attributes AS members
      FROM main.record r LEFT JOIN main.context c ON c.id = r.context;
      CREATE TEMP VIEW logs AS\(logs.dropFirst(beginning.count))
      """)
  }
}

/// What `frame_text` is asked for.
private enum FramePart: Int64 {
  case head, tail, body, whole, attributes
}

/// Frames by their rows, and the texts that they make.
private final class FrameReader {
  /// A frame taken apart.
  private struct Frame {
    var head: [UInt8] = []
    var tail: [UInt8] = []
    var body: [UInt8]?
    var isWhole = false
    var shift: Int64 = 0
    var digits = 0
    /// JSON strings, with their quotes.
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

  /// Answers `frame_text(part, frame, attributes, time, pid, thread, body)`: NULL for an empty text.
  func answer(_ call: borrowing FunctionCall) {
    let id = call.integer(1)
    if id != lastID {
      guard let frame = frames[id] ?? load(id) else {
        return call.fail("the store has no frame \(id): it is damaged")
      }
      last = frame
      lastID = id
    }
    text.removeAll(keepingCapacity: true)
    switch FramePart(rawValue: call.integer(0)) {
    case .head: if !last.isWhole { append(last.head, call) }
    case .tail: if !last.isWhole { append(last.tail, call) }
    case .body: append(last.body ?? [], call)
    case .whole: if last.isWhole { appendWhole(call) }
    case .attributes: appendAttributes(call)
    case nil: break
    }
    if text.isEmpty { return call.answerNull() }
    text.withUnsafeBufferPointer { call.answer(text: $0) }
  }

  private func appendWhole(_ call: borrowing FunctionCall) {
    append(last.head, call)
    if let body = last.body {
      append(body, call)
    } else {
      call.withText(6) { text += $0 }
    }
    append(last.tail, call)
  }

  private func append(_ template: [UInt8], _ call: borrowing FunctionCall) {
    let time = call.integer(3)
    call.withText(2) { attributes in
      var hasValues = false
      for byte in template {
        guard byte < 32, byte != 9 else {
          text.append(byte)
          continue
        }
        switch byte {
        case FrameMark.time: appendClock(time)
        case FrameMark.date: appendDate(time)
        case FrameMark.fraction: appendFraction(time)
        case FrameMark.pid: if !call.isNull(4) { text += String(call.integer(4)).utf8 }
        case FrameMark.thread: if !call.isNull(5) { text += String(call.integer(5)).utf8 }
        default:
          if !hasValues { findValues(attributes) }
          hasValues = true
          let number = Int(byte) - Int(FrameMark.value)
          if values.indices.contains(number) { appendUnquoted(attributes, values[number]) }
        }
      }
    }
  }

  private func appendUnquoted(_ attributes: UnsafeBufferPointer<UInt8>, _ value: Range<Int>) {
    let isText = attributes[value.lowerBound] == UInt8(ascii: "\"")
    text += isText ? attributes[value.dropFirst().dropLast()] : attributes[value]
  }

  private func appendAttributes(_ call: borrowing FunctionCall) {
    call.withText(2) { attributes in
      guard !last.keys.isEmpty, attributes.count > 0 else {
        text += attributes
        return
      }
      var values = FlatValues(attributes)
      for key in last.keys {
        guard let value = values.next() else { break }
        text.append(UInt8(ascii: text.isEmpty ? "{" : ","))
        text += key
        text.append(UInt8(ascii: ":"))
        text += attributes[value]
      }
      text.append(UInt8(ascii: "}"))
    }
  }

  private func load(_ id: Int64) -> Frame? {
    guard
      let row = try? connection.prepare(
        "SELECT head, tail, shift, digits, is_whole, body, keys FROM main.frame WHERE id = \(id)"),
      (try? row.step()) == true
    else { return nil }
    var frame = Frame()
    frame.head = Array(row.text(0).utf8)
    frame.tail = Array(row.text(1).utf8)
    frame.shift = row.integer(2)
    frame.digits = Int(row.integer(3))
    frame.isWhole = row.integer(4) != 0
    frame.body = row.optionalText(5).map { Array($0.utf8) }
    row.withText(6) { keys in frame.keys = FlatValues(keys).map { Array(keys[$0]) } }
    frames[id] = frame
    return frame
  }

  /// Where the values of a JSON array stand.
  private func findValues(_ array: UnsafeBufferPointer<UInt8>) {
    values.removeAll(keepingCapacity: true)
    for value in FlatValues(array) { values.append(value) }
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
