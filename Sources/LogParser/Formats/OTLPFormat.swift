// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// OpenTelemetry's own export requests as JSON, one a line (`{"resourceLogs":…`). One line can hold
/// many records: its first gives the columns, the others stay in the line's text, and the attribute
/// `otlp.log_records` counts them.
enum OTLPFormat: LogFormat {
  static let info = FormatInfo(
    name: "otlp-json", family: "json", summary: "OTLP/JSON export requests, one a line",
    example:
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000000000000000","#
      + #""severityNumber":9,"body":{"stringValue":"started"}}]}]}]}"#)

  static func begins(_ line: Line) -> Bool {
    line.has(#"{"resourceLogs":"#, at: 0) || line.has(#"{"resource_logs":"#, at: 0)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line), let end = JSONScanner.valueEnd(line, 0),
      JSONScanner.skipSpace(line, end) == line.count
    else { return false }
    var reader = OTLPReader(text)
    reader.readRequest(0)
    reader.fill(&record, &clock)
    return true
  }

  static let samples = [
    FormatSample(
      #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"#
        + #""shop"}}]},"scopeLogs":[{"scope":{"name":"a.b"},"logRecords":[{"timeUnixNano":"#
        + #""1700000000000000000","severityNumber":17,"severityText":"ERROR","body":{"stringValue":"#
        + #""no \"disk\""},"attributes":[{"key":"n","value":{"intValue":"3"}}],"traceId":"5b8e"},"#
        + #"{"body":{"stringValue":"b"}}]}]}]}"#,
      time: "2023-11-14T22:13:20Z", severity: 17, severityText: "ERROR", scope: "a.b",
      body: #"no "disk""#,
      attributes: #"{"service.name":"shop","n":"3","trace_id":"5b8e","otlp.log_records":2}"#)
  ]
}

/// Walks through an export request.
struct OTLPReader {
  private let text: Text
  private var writer: JSONWriter
  private var count: Int64 = 0
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

  /// Calls `body` with key and value of each member of the object at `start`.
  private func forEachMember(_ start: Int, _ body: (Line, Int, Int) -> Void) {
    guard text.bytes.at(start) == Byte.openBrace else { return }
    var members = JSONMembers(text.bytes, from: start)
    while members.next() {
      body(
        text.bytes.slice(members.keyStart, members.keyEnd), members.valueStart, members.valueEnd)
    }
  }

  /// The value of the member `name`, or of its name in snake case.
  private func member(_ start: Int, _ name: StaticString, _ other: StaticString = "") -> Int? {
    var found: Int?
    forEachMember(start) { key, value, _ in
      if key.isEqual(name) || key.isEqual(other) { found = value }
    }
    return found
  }

  mutating func readRequest(_ start: Int) {
    guard let resources = member(start, "resourceLogs", "resource_logs") else { return }
    var list = JSONElements(text.bytes, from: resources)
    var isFirst = true
    while let resource = list.next() {
      defer { isFirst = false }
      if isFirst, let description = member(resource, "resource"),
        let attributes = member(description, "attributes")
      {
        writeAttributes(attributes)
      }
      guard let scopes = member(resource, "scopeLogs", "scope_logs") else { continue }
      var entries = JSONElements(text.bytes, from: scopes)
      while let entry = entries.next() { readScope(entry) }
    }
  }

  private mutating func readScope(_ start: Int) {
    guard let records = member(start, "logRecords", "log_records") else { return }
    var list = JSONElements(text.bytes, from: records)
    while let record = list.next() {
      if count == 0 {
        if let description = member(start, "scope"), let name = member(description, "name") {
          scope = content(name)
        }
        readRecord(record)
      }
      count += 1
    }
  }

  private mutating func readRecord(_ start: Int) {
    let line = text.bytes
    if let time = member(start, "timeUnixNano", "time_unix_nano"), readTime(time) { timeRank = 2 }
    if timeRank == 0, let time = member(start, "observedTimeUnixNano", "observed_time_unix_nano"),
      readTime(time)
    {
      timeRank = 1
    }
    if let number = member(start, "severityNumber", "severity_number") {
      severity = readSeverity(number)
    }
    if let word = member(start, "severityText", "severity_text") { severityText = content(word) }
    if let value = member(start, "body") { body = valueRange(value) }
    if let attributes = member(start, "attributes") { writeAttributes(attributes) }
    if let trace = member(start, "traceId", "trace_id"), !content(trace).isEmpty {
      writeRaw("trace_id", trace, line)
    }
    if let span = member(start, "spanId", "span_id"), !content(span).isEmpty {
      writeRaw("span_id", span, line)
    }
  }

  private mutating func writeRaw(_ name: StaticString, _ start: Int, _ line: Line) {
    guard let end = JSONScanner.valueEnd(line, start) else { return }
    writer.member(name, rawValue: text.slice(start, end))
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
    forEachMember(start) { _, value, _ in found = content(value) }
    return found
  }

  private mutating func writeAttributes(_ start: Int) {
    var list = JSONElements(text.bytes, from: start)
    while let entry = list.next() {
      guard let key = member(entry, "key"), let value = member(entry, "value"),
        let keyEnd = JSONScanner.valueEnd(text.bytes, key), text.bytes[key] == Byte.quote
      else { continue }
      var range = value..<value
      forEachMember(value) { _, start, end in range = start..<end }
      guard !range.isEmpty else { continue }
      writer.member(
        rawKey: text.slice(key, keyEnd), rawValue: text.slice(range.lowerBound, range.upperBound))
    }
  }

  mutating func fill(_ record: inout LogRecord, _ clock: inout Clock) {
    if count > 1 { writer.member("otlp.log_records", number: count) }
    let arena = text.arena
    record.attributes = writer.finish(text)
    if timeRank == 0 || !clock.set(stamp, from: text.bytes, of: &record) {
      clock.inherit(&record)
    }
    record.severity = Severity(number: severity)
    record.severityText = JSONText.unescaped(
      text.slice(severityText.lowerBound, severityText.upperBound), in: arena)
    record.scope = JSONText.unescaped(text.slice(scope.lowerBound, scope.upperBound), in: arena)
    guard !body.isEmpty else { return record.body = text.slice(0, text.count) }
    record.body = JSONText.unescaped(text.slice(body.lowerBound, body.upperBound), in: arena)
    record.original = text.slice(0, text.count)
  }
}
