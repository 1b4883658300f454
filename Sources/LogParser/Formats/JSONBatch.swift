// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Finds and reads the records in JSON values that hold several.
enum JSONBatch {
  /// What an element of a batch is.
  enum Shape {
    /// An object as a JSON line has it.
    case object
    /// `{"id":…,"timestamp":…,"message":…}` of CloudWatch: the message has a format of its own.
    case event
    /// `["nanoseconds","line"]` of Loki.
    case pair
  }

  /// One record: indices into the text.
  struct Part {
    var shape: Shape
    var start: Int
    var end: Int
    /// Members that the batch states for all its records: name, and value.
    var common: [(name: Common, value: Range<Int>)]
    var commonLength: Int { common.reduce(0) { $0 + $1.value.count } }
  }

  /// What a batch says of all its records.
  enum Common { case group, stream, owner, labels }

  /// The keys with which batches begin.
  static let firstKeys: [StaticString] = [
    #""messageType":"DATA_MESSAGE""#, #""logEvents":["#, #""events":[{"#, #""Records":[{"#,
    #""records":[{"#, #""streams":[{"#, #""owner":""#, #""logGroup":""#,
  ]

  /// Calls `body` with each record of the values from `start` on until it returns false. It is not
  /// called at all when these are no batch.
  static func forEachPart(in line: Line, from start: Int, _ body: (Part) -> Bool) {
    var index = start
    var isWanted = true
    var isFirst = true
    while isWanted, index < line.count, let end = JSONScanner.valueEnd(line, index) {
      let next = JSONScanner.skipSpace(line, end)
      if let batch = Batch(line, index) {
        batch.forEachPart(line) { part in
          isWanted = body(part)
          return isWanted
        }
      } else {
        // One object by itself is no batch.
        guard line.at(index) == Byte.openBrace, !isFirst || line.at(next) == Byte.openBrace else {
          return
        }
        isWanted = body(Part(shape: .object, start: index, end: end, common: []))
      }
      isFirst = false
      index = next
    }
  }

  /// Reads one record.
  static func read(
    _ part: Part, of whole: ByteSlice, in arena: ByteArena, _ clock: inout Clock,
    _ record: inout LogRecord
  ) {
    let element = ByteSlice(
      start: Int(whole.start) + part.start, count: part.end - part.start)
    switch part.shape {
    case .object, .event:
      var object = JSONRecord(Text(element, in: arena))
      _ = object.readOpen(from: 0)
      object.fill(&record, &clock)
      addCommon(part, whole, arena, &record)
      guard part.shape == .event, !record.original.isEmpty else { break }
      var message = record.body
      while !message.isEmpty, arena.bytes(message)[Int(message.count) - 1] == Byte.newline {
        message.count -= 1
      }
      openPayload(message, of: element, arena, &clock, &record)
    case .pair: readPair(part, element, whole, arena, &clock, &record)
    }
  }

  private static func openPayload(
    _ message: ByteSlice, of element: ByteSlice, _ arena: ByteArena, _ clock: inout Clock,
    _ record: inout LogRecord
  ) {
    // A batch in a batch stays one record.
    Payload.open(
      message, of: element, isZoned: true, splits: false, in: arena, &clock, &record)
    (record.head, record.tail) = (.empty, .empty)
    record.original = element
  }

  private static func readPair(
    _ part: Part, _ element: ByteSlice, _ whole: ByteSlice, _ arena: ByteArena,
    _ clock: inout Clock, _ record: inout LogRecord
  ) {
    let text = Text(element, in: arena)
    var elements = JSONElements(text.bytes, from: 0)
    guard let time = elements.next(), let message = elements.next(),
      let timeEnd = JSONScanner.valueEnd(text.bytes, time),
      let messageEnd = JSONScanner.valueEnd(text.bytes, message),
      text.bytes[time] == Byte.quote, text.bytes[message] == Byte.quote
    else {
      clock.inherit(&record)
      record.body = element
      return
    }
    var stamp = Stamp()
    if !EpochTime.field(text.bytes, time + 1, timeEnd - 1, into: &stamp)
      || !clock.set(stamp, from: text.bytes, of: &record)
    {
      clock.inherit(&record)
    }
    addCommon(part, whole, arena, &record)
    let content = ByteSlice(
      start: Int(element.start) + message + 1, count: messageEnd - message - 2)
    openPayload(JSONText.unescaped(content, in: arena), of: element, arena, &clock, &record)
  }

  /// Writes what the batch says of all its records behind the record's own attributes.
  private static func addCommon(
    _ part: Part, _ whole: ByteSlice, _ arena: ByteArena, _ record: inout LogRecord
  ) {
    guard !part.common.isEmpty else { return }
    FurtherRecords.reserve(Int(record.attributes.count), common: part.commonLength, in: arena)
    let text = Text(whole, in: arena)
    var writer = JSONWriter(text, after: record.attributes)
    for (name, range) in part.common {
      let value = text.slice(range.lowerBound, range.upperBound)
      switch name {
      case .group: writer.member("aws.log.group.names", listOf: value)
      case .stream: writer.member("aws.log.stream.names", listOf: value)
      case .owner: writer.member("cloud.account.id", rawValue: value)
      case .labels: addLabels(text, range.lowerBound, &writer, &record)
      }
    }
    record.attributes = writer.finish(text)
  }

  /// Loki's labels; one that names the level is the record's severity where the line states none.
  private static func addLabels(
    _ text: Text, _ start: Int, _ writer: inout JSONWriter, _ record: inout LogRecord
  ) {
    var members = JSONMembers(text.bytes, from: start)
    while members.next() {
      let key = text.bytes.slice(members.keyStart, members.keyEnd)
      let isText = text.bytes[members.valueStart] == Byte.quote
      if isText, key.isEqual("level") || key.isEqual("detected_level"),
        let severity = LevelWords.severity(
          of: text.bytes.slice(members.valueStart + 1, members.valueEnd - 1))
      {
        record.severity = severity
        record.severityText = text.slice(members.valueStart + 1, members.valueEnd - 1)
      } else {
        writer.member(
          rawKey: text.slice(members.keyStart - 1, members.keyEnd + 1),
          rawValue: text.slice(members.valueStart, members.valueEnd))
      }
    }
  }
}

/// One JSON value that holds several records.
private struct Batch {
  private var shape = JSONBatch.Shape.object
  /// The list of elements, or of streams.
  private var list = -1
  private var isLoki = false
  private var common: [(name: JSONBatch.Common, value: Range<Int>)] = []

  /// `nil` when the value at `start` is none.
  init?(_ line: Line, _ start: Int) {
    if line.at(start) == Byte.openBracket {
      guard let first = firstElement(line, start), isLogObject(line, first) else { return nil }
      list = start
      return
    }
    var isLogLine = false
    var members = JSONMembers(line, from: start)
    while members.next() {
      let key = line.slice(members.keyStart, members.keyEnd)
      let value = members.valueStart..<members.valueEnd
      if line[members.valueStart] == Byte.openBracket {
        take(list: key, value.lowerBound, line)
      } else if line[members.valueStart] == Byte.quote {
        if key.isEqual("logGroup") { common.append((.group, value)) }
        if key.isEqual("logStream") { common.append((.stream, value)) }
        if key.isEqual("owner") { common.append((.owner, value)) }
        if !key.isEqual("messageType") {
          let role = JSONKey.lookUp(line, members.keyStart, members.keyEnd).role
          isLogLine = isLogLine || role == .time || role == .message || role == .level
        }
      }
    }
    if list < 0 || isLogLine { return nil }
  }

  private mutating func take(list key: Line, _ start: Int, _ line: Line) {
    guard list < 0, let first = firstElement(line, start) else { return }
    if key.isEqual("logEvents") || key.isEqual("events") {
      guard JSONObject.member(line, first, "timestamp") != nil,
        JSONObject.member(line, first, "message") != nil
      else { return }
      shape = .event
    } else if key.isEqual("Records") || key.isEqual("records") {
      guard isLogObject(line, first) else { return }
    } else if key.isEqual("streams") {
      guard JSONObject.member(line, first, "stream") != nil,
        JSONObject.member(line, first, "values") != nil
      else { return }
      shape = .pair
      isLoki = true
    } else {
      return
    }
    list = start
  }

  private func firstElement(_ line: Line, _ start: Int) -> Int? {
    var elements = JSONElements(line, from: start)
    return elements.next()
  }

  /// Whether an object has a time: what a list of log lines has, and few others.
  private func isLogObject(_ line: Line, _ start: Int) -> Bool {
    guard line.at(start) == Byte.openBrace else { return false }
    var members = JSONMembers(line, from: start)
    while members.next() {
      if JSONKey.lookUp(line, members.keyStart, members.keyEnd).role == .time { return true }
    }
    return false
  }

  /// Calls `body` with each record until it returns false.
  func forEachPart(_ line: Line, _ body: (JSONBatch.Part) -> Bool) {
    var elements = JSONElements(line, from: list)
    while let start = elements.next() {
      guard let end = JSONScanner.valueEnd(line, start) else { return }
      if isLoki {
        guard forEachPair(line, start, body) else { return }
      } else if line[start] == Byte.openBrace {
        let part = JSONBatch.Part(shape: shape, start: start, end: end, common: common)
        guard body(part) else { return }
      }
    }
  }

  /// The lines of one stream of Loki's; false when no more are wanted.
  private func forEachPair(
    _ line: Line, _ stream: Int, _ body: (JSONBatch.Part) -> Bool
  ) -> Bool {
    guard let values = JSONObject.member(line, stream, "values") else { return true }
    var labels: [(name: JSONBatch.Common, value: Range<Int>)] = []
    if let start = JSONObject.member(line, stream, "stream"),
      let end = JSONScanner.valueEnd(line, start), line[start] == Byte.openBrace
    {
      labels.append((.labels, start..<end))
    }
    var elements = JSONElements(line, from: values)
    while let start = elements.next() {
      guard let end = JSONScanner.valueEnd(line, start) else { return true }
      guard line[start] == Byte.openBracket else { continue }
      guard body(JSONBatch.Part(shape: .pair, start: start, end: end, common: labels)) else {
        return false
      }
    }
    return true
  }
}
