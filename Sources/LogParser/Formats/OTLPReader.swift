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
  /// - Returns: whether `walker` went over the whole record.
  mutating func read(
    _ part: OTLPPart, _ walker: inout JSONWalker, withResource: Bool
  ) -> Bool {
    if part.resource >= 0 {
      if withResource {
        writeAttributes(part.resource)
      } else {
        writer.member("logagent.resource", constant: "see the first record of this line")
      }
    }
    if part.scope >= 0 {
      JSONObject.forEachMember(text.bytes, part.scope) { key, start, end in
        if key.isEqual("name") { scope = content(start, end) }
      }
    }
    return walker.members { walker, key in
      // What has parts is gone down into at once: nothing is looked at twice.
      if key.isEqual("attributes") { return writeAttributes(&walker) }
      if key.isEqual("body") { return readBody(&walker) }
      let start = walker.index
      guard walker.skip() else { return false }
      take(key, start, walker.index)
      return true
    }
  }

  private mutating func take(_ key: Line, _ value: Int, _ end: Int) {
    switch key.at(0) {
    case UInt8(ascii: "t"):
      if key.isEqual("timeUnixNano") || key.isEqual("time_unix_nano") {
        if readTime(content(value, end)) { timeRank = 2 }
      } else if key.isEqual("traceId") || key.isEqual("trace_id"), !content(value, end).isEmpty {
        writer.member("trace_id", rawValue: text.slice(value, end))
      }
    case UInt8(ascii: "o")
    where key.isEqual("observedTimeUnixNano") || key.isEqual("observed_time_unix_nano"):
      if timeRank == 0, readTime(content(value, end)) { timeRank = 1 }
    case UInt8(ascii: "s"):
      if key.isEqual("severityNumber") || key.isEqual("severity_number") {
        severity = readSeverity(content(value, end))
      } else if key.isEqual("severityText") || key.isEqual("severity_text") {
        severityText = content(value, end)
      } else if key.isEqual("spanId") || key.isEqual("span_id"), !content(value, end).isEmpty {
        writer.member("span_id", rawValue: text.slice(value, end))
      }
    case UInt8(ascii: "e") where key.isEqual("eventName") || key.isEqual("event_name"):
      writer.member("event.name", rawValue: text.slice(value, end))
    default: return
    }
  }

  /// Zero stands for an unknown time.
  private mutating func readTime(_ range: Range<Int>) -> Bool {
    let line = text.bytes
    var hasDigit = false
    for index in range where line[index] != Byte.zero { hasDigit = true }
    return hasDigit && EpochTime.field(line, range.lowerBound, range.upperBound, into: &stamp)
  }

  /// A number, or the name of the enumeration such as `SEVERITY_NUMBER_WARN2`.
  private func readSeverity(_ range: Range<Int>) -> UInt8 {
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
  private func content(_ start: Int, _ end: Int) -> Range<Int> {
    text.bytes[start] == Byte.quote ? start + 1..<end - 1 : start..<end
  }

  /// The text in `{"stringValue":…}`, or the JSON of another kind of value.
  private mutating func readBody(_ walker: inout JSONWalker) -> Bool {
    let start = walker.index
    var found = 0..<0
    let isWhole = walker.members { walker, _ in
      let value = walker.index
      guard walker.skip() else { return false }
      found = content(value, walker.index)
      return true
    }
    body = found.isEmpty && isWhole ? content(start, walker.index) : found
    return isWhole
  }

  private mutating func writeAttributes(_ start: Int) {
    var walker = JSONWalker(text.bytes, at: start)
    _ = writeAttributes(&walker)
  }

  /// `[{"key":…,"value":{"stringValue":…}}, …]`; the kind of value is told by its JSON.
  private mutating func writeAttributes(_ walker: inout JSONWalker) -> Bool {
    walker.elements { walker in
      var key = 0..<0
      var value = 0..<0
      let isWhole = walker.members { walker, name in
        let start = walker.index
        if name.isEqual("value") {
          return walker.members { walker, _ in
            let start = walker.index
            guard walker.skip() else { return false }
            value = start..<walker.index
            return true
          }
        }
        guard walker.skip() else { return false }
        if name.isEqual("key"), text.bytes[start] == Byte.quote { key = start..<walker.index }
        return true
      }
      guard isWhole else { return false }
      if !key.isEmpty, !value.isEmpty {
        writer.member(
          rawKey: text.slice(key.lowerBound, key.upperBound),
          rawValue: text.slice(value.lowerBound, value.upperBound))
      }
      return true
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
