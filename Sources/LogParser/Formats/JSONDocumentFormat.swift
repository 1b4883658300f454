// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Objects that span lines, back to back or in one array: pretty-printed logs, `journalctl -o
/// json-pretty`, `log show --style json`. Each object of the outermost level is a record; objects
/// that share a line stay one record.
///
/// A document that holds several records, such as an export request of OTLP, is as many records.
enum JSONDocumentFormat: JoiningFormat, MultiRecordFormat {
  static let info = FormatInfo(
    name: "json-document", family: "json",
    summary: "JSON objects over several lines, back to back or in an array",
    example: "{\n  \"time\": \"2026-03-01T10:00:00Z\",\n  \"msg\": \"started\"\n}")

  /// Whether a file that begins with `sample` is one: its first object does not end on its line.
  static func isDocument(_ sample: UnsafeBufferPointer<UInt8>) -> Bool {
    var start = JSONScanner.skipSpace(sample, Bom.length(sample))
    if sample.at(start) == Byte.openBracket { start = JSONScanner.skipSpace(sample, start + 1) }
    guard sample.at(start) == Byte.openBrace else { return false }
    let key = JSONScanner.skipSpace(sample, start + 1)
    guard JSONScanner.keyEnd(sample, key) != nil else { return false }
    let lineEnd = sample.index(of: Byte.newline, from: start) ?? sample.count
    if let end = JSONScanner.valueEnd(sample, start) { return end > lineEnd }
    // The sample may end before the object does.
    let line = sample.slice(start, lineEnd)
    return lineEnd < sample.count && key > lineEnd
      || isOpen(line) && isMember(sample, JSONScanner.skipSpace(sample, lineEnd))
  }

  private static func isOpen(_ line: Line) -> Bool {
    var state = JoinState()
    _ = scan(line, &state)
    return state.depth > 0 && !state.isOpen
  }

  private static func isMember(_ sample: Line, _ start: Int) -> Bool {
    sample.at(start) == Byte.quote
  }

  /// Only whole files are documents: one line says nothing.
  static func begins(_ line: Line) -> Bool { false }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if state.isFirst { state.isHeading = true }
    state.isFirst = false
    let wasInside = state.depth > 0
    let wasHeading = state.isHeading
    let opens = scan(line, &state)
    guard opens, !wasInside || line.at(line.skipBlanks(0)) == Byte.closeBrace else {
      return .continues
    }
    state.isHeading = false
    return wasHeading ? .continues : .begins
  }

  /// Follows braces outside of strings; whether an object of the outermost level opens.
  private static func scan(_ line: Line, _ state: inout JoinState) -> Bool {
    var opens = false
    var isString = state.isOpen
    var index = 0
    while index < line.count {
      let byte = line[index]
      if isString {
        if byte == Byte.backslash { index += 1 }
        if byte == Byte.quote { isString = false }
      } else if byte == Byte.quote {
        isString = true
      } else if byte == Byte.openBrace {
        if state.depth == 0 { opens = true }
        state.depth += 1
      } else if byte == Byte.closeBrace {
        state.depth = max(0, state.depth - 1)
      }
      index += 1
    }
    // No string of JSON spans lines.
    state.isOpen = false
    return opens
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    guard let brace = text.bytes.index(of: Byte.openBrace, from: 0) else { return false }
    // Only what separates elements may stand before the object.
    for byte in text.bytes.slice(Bom.length(text.bytes), brace) {
      guard
        byte == Byte.closeBrace || byte == Byte.comma || byte == Byte.openBracket
          || byte == Byte.closeBracket || byte <= 0x20
      else { return false }
    }
    if OTLPPart.isRequest(text.bytes, brace) {
      return OTLPFormat.parseDocument(text, from: brace, &clock, &record)
    }
    if holdsBatch(text.bytes), JSONBatchFormat.parse(text, &clock, &record) { return true }
    var object = JSONRecord(text)
    guard object.readOpen(from: brace) else { return false }
    object.fill(&record, &clock)
    return true
  }

  /// Whether the text is several objects, or one that names a list of records first.
  private static func holdsBatch(_ line: Line) -> Bool {
    let start = JSONScanner.skipSpace(line, Bom.length(line))
    guard line.at(start) == Byte.openBrace else { return false }
    // Objects back to back.
    if let end = JSONScanner.valueEnd(line, start),
      line.at(JSONScanner.skipSpace(line, end)) == Byte.openBrace
    {
      return true
    }
    var members = JSONMembers(line, from: start)
    guard members.next() else { return false }
    return line.at(members.valueStart) == Byte.openBracket
      || line.slice(members.keyStart, members.keyEnd).isEqual("messageType")
  }

  static func parseFurther(
    _ text: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ first: LogRecord,
    into records: inout [LogRecord]
  ) {
    let bytes = arena.bytes(text)
    guard let brace = bytes.index(of: Byte.openBrace, from: 0) else { return }
    if OTLPPart.isRequest(bytes, brace) {
      OTLPFormat.parseFurther(text, in: arena, &clock, first, into: &records)
    } else if holdsBatch(bytes) {
      JSONBatchFormat.parseFurther(text, in: arena, &clock, first, into: &records)
    }
  }

  static let samples = [
    FormatSample(
      "{\n  \"time\": \"2026-03-01T10:00:00Z\",\n  \"level\": \"error\",\n  \"msg\": \"a } b\",\n"
        + "  \"ctx\": { \"a\": [1, { \"b\": \"]\" }] }\n}",
      time: "2026-03-01T10:00:00Z", offset: 0, severity: 17, severityText: "error",
      body: "a } b", attributes: #"{"ctx":{"a":[1,{"b":"]"}]}}"#),
    FormatSample(
      "[\n {\n  \"ts\": 1772359200.5,\n  \"msg\": \"m\"\n }\n]", time: "2026-03-01T10:00:00.5Z",
      body: "m"),
  ]
}
