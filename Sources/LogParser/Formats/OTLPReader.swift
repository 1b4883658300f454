// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Reads one log record of an export request.
struct OTLPReader {
  private let text: Text
  private var writer: JSONWriter
  private var stamp = Stamp()
  /// 2 when the record's time was read, 1 for the time it was observed.
  private var timeRank = 0
  private var severity: UInt8 = 0
  private var severityText = 0..<0
  private var scope = 0..<0
  private var body = 0..<0

  init(_ text: Text) {
    self.text = text
    writer = JSONWriter(text)
  }

  /// Reads the record that `part` describes.
  ///
  /// - Parameter withResource: what is said of the resource becomes attributes of the record.
  mutating func read(_ part: OTLPPart, withResource: Bool) {
    if part.resource >= 0 {
      if withResource {
        writeAttributes(part.resource)
      } else {
        writer.member("logagent.resource", constant: "see the first record of this line")
      }
    }
    if part.scope >= 0, let name = JSONObject.member(text.bytes, part.scope, "name") {
      scope = content(name)
    }
    JSONObject.forEachMember(text.bytes, part.record) { key, value, end in
      take(key, value, end)
    }
  }

  private mutating func take(_ key: Line, _ value: Int, _ end: Int) {
    switch key.at(0) {
    case UInt8(ascii: "t"):
      if key.isEqual("timeUnixNano") || key.isEqual("time_unix_nano") {
        if readTime(value) { timeRank = 2 }
      } else if key.isEqual("traceId") || key.isEqual("trace_id"), !content(value).isEmpty {
        writer.member("trace_id", rawValue: text.slice(value, end))
      }
    case UInt8(ascii: "o")
    where key.isEqual("observedTimeUnixNano") || key.isEqual("observed_time_unix_nano"):
      if timeRank == 0, readTime(value) { timeRank = 1 }
    case UInt8(ascii: "s"):
      if key.isEqual("severityNumber") || key.isEqual("severity_number") {
        severity = readSeverity(value)
      } else if key.isEqual("severityText") || key.isEqual("severity_text") {
        severityText = content(value)
      } else if key.isEqual("spanId") || key.isEqual("span_id"), !content(value).isEmpty {
        writer.member("span_id", rawValue: text.slice(value, end))
      }
    case UInt8(ascii: "b") where key.isEqual("body"): body = valueRange(value)
    case UInt8(ascii: "a") where key.isEqual("attributes"): writeAttributes(value)
    case UInt8(ascii: "e") where key.isEqual("eventName") || key.isEqual("event_name"):
      writer.member("event.name", rawValue: text.slice(value, end))
    default: return
    }
  }

  /// Zero stands for an unknown time.
  private mutating func readTime(_ start: Int) -> Bool {
    let range = content(start)
    let line = text.bytes
    var hasDigit = false
    for index in range where line[index] != Byte.zero { hasDigit = true }
    return hasDigit && EpochTime.field(line, range.lowerBound, range.upperBound, into: &stamp)
  }

  /// A number, or the name of the enumeration such as `SEVERITY_NUMBER_WARN2`.
  private func readSeverity(_ start: Int) -> UInt8 {
    let range = content(start)
    let line = text.bytes
    if let number = line.decimal(range.lowerBound, range.upperBound) {
      return number <= 24 ? UInt8(number) : 0
    }
    guard line.has("SEVERITY_NUMBER_", at: range.lowerBound) else { return 0 }
    let name = range.lowerBound + 16
    var end = name
    while end < range.upperBound, line[end].isLetter { end += 1 }
    guard let base = LevelWords.severity(of: line.slice(name, end)) else { return 0 }
    let step = line.decimal(end, range.upperBound) ?? 1
    return base.number + UInt8(clamping: max(0, min(step - 1, 3)))
  }

  /// A string without its quotes, or another value as it stands.
  private func content(_ start: Int) -> Range<Int> {
    let line = text.bytes
    guard let end = JSONScanner.valueEnd(line, start) else { return start..<start }
    return line[start] == Byte.quote ? start + 1..<end - 1 : start..<end
  }

  /// The text in `{"stringValue":…}`, or the JSON of another kind of value.
  private func valueRange(_ start: Int) -> Range<Int> {
    var found = content(start)
    JSONObject.forEachMember(text.bytes, start) { _, value, _ in found = content(value) }
    return found
  }

  private mutating func writeAttributes(_ start: Int) {
    var list = JSONElements(text.bytes, from: start)
    while let entry = list.next() {
      var key = 0..<0
      var range = 0..<0
      JSONObject.forEachMember(text.bytes, entry) { name, start, end in
        if name.isEqual("key"), text.bytes[start] == Byte.quote {
          key = start..<end
        } else if name.isEqual("value") {
          JSONObject.forEachMember(text.bytes, start) { _, start, end in range = start..<end }
        }
      }
      guard !key.isEmpty, !range.isEmpty else { continue }
      writer.member(
        rawKey: text.slice(key.lowerBound, key.upperBound),
        rawValue: text.slice(range.lowerBound, range.upperBound))
    }
  }

  /// Moves what was read to `record`.
  ///
  /// - Parameter original: the bytes of the text that the record keeps.
  mutating func fill(
    _ record: inout LogRecord, _ clock: inout Clock, original: Range<Int>
  ) {
    let arena = text.arena
    record.attributes = writer.finish(text)
    if timeRank == 0 || !clock.set(stamp, from: text.bytes, of: &record) {
      clock.inherit(&record)
    }
    record.severity = Severity(number: severity)
    record.severityText = JSONText.unescaped(
      text.slice(severityText.lowerBound, severityText.upperBound), in: arena)
    record.scope = JSONText.unescaped(text.slice(scope.lowerBound, scope.upperBound), in: arena)
    let whole = text.slice(original.lowerBound, original.upperBound)
    guard !body.isEmpty else { return record.body = whole }
    record.body = JSONText.unescaped(text.slice(body.lowerBound, body.upperBound), in: arena)
    record.original = whole
  }
}
