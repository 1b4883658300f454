// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Several JSON records in one line: CloudWatch subscriptions (`logEvents`) and the answers of its
/// API (`events`), CloudTrail and Azure (`Records`, `records`), Loki (`streams`), an array of log
/// lines, and objects back to back as Kinesis Firehose puts them into a file.
enum JSONBatchFormat: MultiRecordFormat {
  static let info = FormatInfo(
    name: "json-batch", family: "json",
    summary: "several records in one JSON line: CloudWatch, CloudTrail, Loki, Firehose, arrays",
    example: #"{"messageType":"DATA_MESSAGE","logGroup":"/aws/lambda/shop","logStream":"s","#
      + #""logEvents":[{"id":"1","timestamp":1772359200001,"message":"started"}]}"#)

  static func begins(_ line: Line) -> Bool {
    let first = line.at(Bom.length(line))
    let last = line.at(line.count - 1)
    return first == Byte.openBrace && last == Byte.closeBrace
      || first == Byte.openBracket && last == Byte.closeBracket
  }

  static func fits(_ line: Line) -> Bool {
    let start = Bom.length(line)
    guard line.count > start + 2 else { return false }
    if line.at(start) == Byte.openBracket {
      guard line.at(start + 1) == Byte.openBrace else { return false }
    } else {
      guard mayBegin(line, start) || isFollowed(line, start) else { return false }
    }
    var count = 0
    JSONBatch.forEachPart(in: line, from: start) { _ in
      count += 1
      return count < 2
    }
    return count > 0
  }

  private static func mayBegin(_ line: Line, _ start: Int) -> Bool {
    line.at(start) == Byte.openBrace
      && JSONBatch.firstKeys.contains { line.has($0, at: start + 1) }
  }

  /// Whether another object follows the first without a newline.
  private static func isFollowed(_ line: Line, _ start: Int) -> Bool {
    guard line.at(start) == Byte.openBrace, line.index(of: "}{", from: start) != nil,
      let end = JSONScanner.valueEnd(line, start)
    else { return false }
    return line.at(end) == Byte.openBrace
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var first: JSONBatch.Part?
    let start = JSONScanner.skipSpace(text.bytes, Bom.length(text.bytes))
    var hasMore = false
    JSONBatch.forEachPart(in: text.bytes, from: start) { part in
      if first == nil {
        first = part
        return true
      }
      hasMore = true
      return false
    }
    guard let first else { return false }
    JSONBatch.read(first, of: text.slice(0, text.count), in: text.arena, &clock, &record)
    // The first record owns the bytes.
    (record.head, record.tail) = (.empty, .empty)
    record.original = text.slice(0, text.count)
    if hasMore { record.flags.add(.hasParts) }
    return true
  }

  static func parseFurther(
    _ text: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ first: LogRecord,
    into records: inout [LogRecord]
  ) {
    var parts: [JSONBatch.Part] = []
    let bytes = arena.bytes(text)
    JSONBatch.forEachPart(in: bytes, from: JSONScanner.skipSpace(bytes, Bom.length(bytes))) {
      parts.append($0)
      return parts.count <= FurtherRecords.maxRecords
    }
    var further = FurtherRecords(first, textLength: Int(text.count))
    for (index, part) in parts.enumerated().dropFirst() {
      var record = further.next()
      guard index < FurtherRecords.maxRecords else {
        clock.inherit(&record)
        record.body = ByteSlice(
          start: Int(text.start) + part.start, count: Int(text.count) - part.start)
        return records.append(record)
      }
      var part = part
      if !further.takes(part.commonLength) { part.common = [] }
      FurtherRecords.reserve(part.end - part.start, common: part.commonLength, in: arena)
      JSONBatch.read(part, of: text, in: arena, &clock, &record)
      records.append(record)
    }
  }

  static let samples = [
    FormatSample(
      #"{"messageType":"DATA_MESSAGE","owner":"1234","logGroup":"/aws/lambda/shop","logStream":"s","#
        + #""logEvents":[{"id":"7","timestamp":1772359200001,"message":"{\"level\":\"error\","#
        + #"\"msg\":\"boom\"}"}]}"#,
      time: "2026-03-01T10:00:00.001Z", severity: 17, severityText: "error", body: "boom",
      attributes: #"{"id":"7","aws.log.group.names":["/aws/lambda/shop"],"#
        + #""aws.log.stream.names":["s"],"cloud.account.id":"1234"}"#),
    FormatSample(
      #"{"streams":[{"stream":{"app":"shop","level":"warn"},"values":[["1772359200000000001","#
        + #""slow"]]}]}"#,
      time: "2026-03-01T10:00:00.000000001Z", severity: 13, severityText: "warn", body: "slow",
      attributes: #"{"app":"shop"}"#),
    FormatSample(
      #"[{"time":"2026-03-01T10:00:00Z","level":"info","msg":"m"}]"#, time: "2026-03-01T10:00:00Z",
      offset: 0, severity: 9, severityText: "info", body: "m"),
    FormatSample(
      #"{"Records":[{"eventTime":"2026-03-01T10:00:00Z","eventName":"GetObject"}]}"#,
      time: "2026-03-01T10:00:00Z", offset: 0,
      body: #"{"eventTime":"2026-03-01T10:00:00Z","eventName":"GetObject"}"#,
      attributes: #"{"eventName":"GetObject"}"#),
  ]
}
