// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// OpenTelemetry's own export requests as JSON, one a line (`{"resourceLogs":…}`) or one a document.
/// Each of the log records in it is a record.
enum OTLPFormat: MultiRecordFormat {
  static let info = FormatInfo(
    name: "otlp-json", family: "json", summary: "OTLP/JSON export requests, one a line",
    example:
      #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000000000000000","#
      + #""severityNumber":9,"body":{"stringValue":"started"}}]}]}]}"#)

  static func begins(_ line: Line) -> Bool {
    line.has(#"{"resourceLogs":"#, at: 0) || line.has(#"{"resource_logs":"#, at: 0)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    begins(text.bytes) && read(text, from: 0, isLine: true, &clock, &record)
  }

  /// Reads the request that begins at `brace`; false when it is none.
  static func parseDocument(
    _ text: Text, from brace: Int, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    read(text, from: brace, isLine: false, &clock, &record)
  }

  /// Most lines have one record: these are gone through once.
  private static func read(
    _ text: Text, from brace: Int, isLine: Bool, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    var reader = OTLPReader(text)
    var count = 0
    var end = OTLPPart.forEach(in: line, from: brace) { walker, part in
      guard count == 0 else {
        count = 2
        return false
      }
      guard reader.read(part, &walker, withResource: true) else { return false }
      count = 1
      return true
    }
    if isLine {
      if count > 1 { end = JSONScanner.valueEnd(line, brace) }
      guard let end, JSONScanner.skipSpace(line, end) == line.count else { return false }
    }
    guard count > 0 else {
      // A request without records is still a line of the file.
      guard OTLPPart.isRequest(line, brace) else { return false }
      clock.inherit(&record)
      record.body = text.slice(0, text.count)
      return true
    }
    if count > 1 { record.flags.add(.hasParts) }
    reader.fill(&record, &clock, original: 0..<text.count)
    return true
  }

  static func parseFurther(
    _ text: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ first: LogRecord,
    into records: inout [LogRecord]
  ) {
    var parts: [OTLPPart] = []
    let bytes = arena.bytes(text)
    guard let brace = bytes.index(of: Byte.openBrace, from: 0) else { return }
    _ = OTLPPart.forEach(in: bytes, from: brace) { walker, part in
      var part = part
      guard walker.skip() else { return false }
      part.end = walker.index
      parts.append(part)
      return parts.count <= FurtherRecords.maxRecords
    }
    var further = FurtherRecords(first, textLength: Int(text.count))
    for (index, part) in parts.enumerated().dropFirst() {
      var record = further.next()
      guard index < FurtherRecords.maxRecords else {
        clock.inherit(&record)
        record.body = ByteSlice(
          start: Int(text.start) + part.record, count: Int(text.count) - part.record)
        records.append(record)
        return
      }
      FurtherRecords.reserve(part.end - part.record, common: part.resourceLength, in: arena)
      // Reserving may have moved the arena.
      var reader = OTLPReader(Text(text, in: arena))
      var walker = JSONWalker(arena.bytes(text), at: part.record)
      _ = reader.read(part, &walker, withResource: further.takes(part.resourceLength))
      reader.fill(&record, &clock, original: part.record..<part.end)
      records.append(record)
    }
  }

  static let samples = [
    FormatSample(
      #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"#
        + #""shop"}}]},"scopeLogs":[{"scope":{"name":"a.b"},"logRecords":[{"timeUnixNano":"#
        + #""1700000000000000000","severityNumber":17,"severityText":"ERROR","body":{"stringValue":"#
        + #""no \"disk\""},"attributes":[{"key":"n","value":{"intValue":"3"}}],"traceId":"5b8e"}"#
        + "]}]}]}",
      time: "2023-11-14T22:13:20Z", severity: 17, severityText: "ERROR", scope: "a.b",
      body: #"no "disk""#,
      attributes: #"{"service.name":"shop","n":"3","trace_id":"5b8e"}"#)
  ]
}

/// Where one log record of a request lies: indices into the text; -1 for what is not there.
struct OTLPPart {
  /// The list of the resource's attributes.
  var resource = -1
  var resourceLength = 0
  /// The scope's object.
  var scope = -1
  var record = 0
  var end = 0

  static func isRequest(_ line: Line, _ brace: Int) -> Bool {
    JSONObject.member(line, brace, "resourceLogs", "resource_logs") != nil
  }

  /// Calls `body` with each log record of the request at `start`; it goes over the record, and ends
  /// the walk with false.
  ///
  /// - Returns: where the request ends; `nil` when the walk ended before.
  static func forEach(
    in line: Line, from start: Int, _ body: (inout JSONWalker, OTLPPart) -> Bool
  ) -> Int? {
    var walker = JSONWalker(line, at: start)
    let isWhole = walker.members { walker, key in
      guard key.isEqual("resourceLogs") || key.isEqual("resource_logs") else {
        return walker.skip()
      }
      return walker.elements { walker in resource(&walker, line, body) }
    }
    return isWhole ? walker.index : nil
  }

  private static func resource(
    _ walker: inout JSONWalker, _ line: Line, _ body: (inout JSONWalker, OTLPPart) -> Bool
  ) -> Bool {
    let object = walker.index
    var part = OTLPPart()
    var isKnown = false
    return walker.members { walker, key in
      if key.isEqual("resource") {
        part.takeResource(line, walker.index)
        isKnown = true
        return walker.skip()
      }
      guard key.isEqual("scopeLogs") || key.isEqual("scope_logs") else { return walker.skip() }
      // It may stand behind its records, too.
      if !isKnown, let late = JSONObject.member(line, object, "resource") {
        part.takeResource(line, late)
      }
      return walker.elements { walker in scope(&walker, line, part, body) }
    }
  }

  private static func scope(
    _ walker: inout JSONWalker, _ line: Line, _ resource: OTLPPart,
    _ body: (inout JSONWalker, OTLPPart) -> Bool
  ) -> Bool {
    let object = walker.index
    var part = resource
    return walker.members { walker, key in
      if key.isEqual("scope") { part.scope = walker.index }
      guard key.isEqual("logRecords") || key.isEqual("log_records") else { return walker.skip() }
      if part.scope < 0 { part.scope = JSONObject.member(line, object, "scope") ?? -1 }
      return walker.elements { walker in
        part.record = walker.index
        return body(&walker, part)
      }
    }
  }

  private mutating func takeResource(_ line: Line, _ start: Int) {
    guard let attributes = JSONObject.member(line, start, "attributes"),
      let end = JSONScanner.valueEnd(line, attributes)
    else { return }
    resource = attributes
    resourceLength = end - attributes
  }
}

/// Looks into objects of a text.
enum JSONObject {
  /// Calls `body` with key and value of each member of the object at `start`.
  static func forEachMember(_ line: Line, _ start: Int, _ body: (Line, Int, Int) -> Void) {
    guard line.at(start) == Byte.openBrace else { return }
    var members = JSONMembers(line, from: start)
    while members.next() {
      body(line.slice(members.keyStart, members.keyEnd), members.valueStart, members.valueEnd)
    }
  }

  /// The value of the member `name`, or of its other name.
  static func member(
    _ line: Line, _ start: Int, _ name: StaticString, _ other: StaticString = ""
  ) -> Int? {
    var found: Int?
    forEachMember(line, start) { key, value, _ in
      if key.isEqual(name) || key.isEqual(other) { found = value }
    }
    return found
  }
}
