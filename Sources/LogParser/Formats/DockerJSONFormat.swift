// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Docker's `json-file` driver: `{"log":"text\n","stream":"stdout","time":"…"}` for each line that a
/// container writes. Docker cuts lines into parts of 16 KiB: all but the last have no `\n`.
enum DockerJSONFormat: WovenFormat {
  static let info = FormatInfo(
    name: "docker-json", family: "container",
    summary: "Docker json-file: the format of the container's own lines inside",
    example: #"{"log":"ready\n","stream":"stdout","time":"2026-03-01T10:00:00.000000001Z"}"#)

  @inline(__always)
  static func entry(_ text: Line, _ range: Range<Int>) -> WovenStreams.Entry? {
    let line = text.slice(range.lowerBound, range.upperBound)
    guard line.has(#"{"log":""#, at: 0),
      let end = line.index(of: #"","stream":"std"#, from: 7)
    else { return nil }
    return WovenStreams.Entry(
      stream: line.at(end + 15) == UInt8(ascii: "e") ? 1 : 0,
      isPart: !(line[end - 1] == UInt8(ascii: "n") && isEscaped(line, end - 1)),
      isIndented: line.has("\\t", at: 8) || line.has("  ", at: 8)
        || line.has("Caused by: ", at: 8))
  }

  /// Whether an odd number of backslashes stands before `index`.
  private static func isEscaped(_ line: Line, _ index: Int) -> Bool {
    var start = index
    while start > 8, line[start - 1] == Byte.backslash { start -= 1 }
    return (index - start) & 1 == 1
  }

  static func time(_ line: Line) -> Int64? {
    var stamp = Stamp()
    guard let value = JSONObject.member(line, 0, "time"),
      StampScanner.iso(line, at: value + 1, into: &stamp)
    else { return nil }
    return stamp.seconds - Int64(stamp.offset)
  }

  static func parseStream(
    _ text: Text, whole: ByteSlice, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    guard begins(text.bytes.slice(0, text.bytes.firstLineEnd)) else { return false }
    let arena = text.arena
    var payload = ByteSlice.empty
    let payloadStart = arena.count
    var start = 0
    var isFirst = true
    while start < text.count {
      let end = text.bytes.index(of: Byte.newline, from: start) ?? text.count
      guard let log = logValue(text.bytes, start, end) else { break }
      let content = text.slice(log.lowerBound, log.upperBound)
      if isFirst, end == text.count {
        payload = JSONText.unescaped(content, in: arena)
      } else {
        if JSONText.unescaped(content, in: arena) == content { arena.append(copyOf: content) }
        payload = ByteSlice(start: payloadStart, count: arena.count - payloadStart)
      }
      isFirst = false
      start = end + 1
    }
    guard !isFirst else { return false }
    if !payload.isEmpty, arena.bytes(payload)[Int(payload.count) - 1] == Byte.newline {
      payload.count -= 1
    }
    readEnvelope(text, &clock, &record)
    Payload.open(
      payload, of: whole, isZoned: true, in: arena, &clock, &record)
    return true
  }

  /// The content of the `log` member of the object at `start`.
  private static func logValue(_ line: Line, _ start: Int, _ end: Int) -> Range<Int>? {
    guard line.has(#"{"log":""#, at: start), let stop = JSONScanner.stringEnd(line, start + 7),
      stop <= end
    else { return nil }
    return start + 8..<stop - 1
  }

  /// Time, stream and further members (labels) of the first line.
  private static func readEnvelope(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) {
    var members = JSONMembers(text.bytes, from: 0)
    var writer = JSONWriter(text)
    var stamp = Stamp()
    var hasTime = false
    while members.next() {
      let line = text.bytes
      let key = line.slice(members.keyStart, members.keyEnd)
      let isText = line[members.valueStart] == Byte.quote
      let value = text.slice(members.valueStart, members.valueEnd)
      if key.isEqual("log") { continue }
      if key.isEqual("time"), isText {
        let value = line.slice(0, members.valueEnd - 1)
        hasTime = StampScanner.iso(value, at: members.valueStart + 1, into: &stamp)
      } else if key.isEqual("stream") {
        writer.member("log.iostream", rawValue: value)
      } else {
        writer.member(
          rawKey: text.slice(members.keyStart - 1, members.keyEnd + 1), rawValue: value)
      }
    }
    record.attributes = writer.finish(text)
    if !hasTime || !clock.set(stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
  }

  static let samples = [
    FormatSample(
      #"{"log":"ready\n","stream":"stdout","time":"2026-03-01T10:00:00.000000001Z"}"#,
      time: "2026-03-01T10:00:00.000000001Z", offset: 0, body: "ready",
      attributes: #"{"log.iostream":"stdout"}"#),
    FormatSample(
      #"{"log":"2026-03-01 11:00:00,250 ERROR [main] a.B - no\n","stream":"stderr","#
        + #""time":"2026-03-01T10:00:01.5Z","attrs":{"tag":"x"}}"#,
      time: "2026-03-01T10:00:00.25Z", severity: 17, severityText: "ERROR", scope: "a.B",
      body: "no",
      attributes: #"{"thread.name":"main","log.iostream":"stderr","attrs":{"tag":"x"},"#
        + #""logagent.envelope_time":"2026-03-01T10:00:01.5Z"}"#),
    FormatSample(
      #"{"log":"one \"half","stream":"stdout","time":"2026-03-01T10:00:00Z"}"#
        + "\n" + #"{"log":" and the other\n","stream":"stdout","time":"2026-03-01T10:00:01Z"}"#,
      time: "2026-03-01T10:00:00Z", offset: 0, body: #"one "half and the other"#,
      attributes: #"{"log.iostream":"stdout"}"#),
  ]
}
