// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Finagle's logger, that of linkerd 1: `L MMdd HH:mm:ss.SSS UTC THREADn TraceId:t: text`.
enum FinagleFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "finagle", family: "java", summary: "Finagle's logger: linkerd 1 and others of Twitter's",
    example: "W 0621 13:42:57.108 UTC THREAD10 TraceId:0d1c6e1a: service failure")

  struct Header: RecordHeader {
    var stamp = Stamp()
    var thread = 0..<0
    var trace = 0..<0
    var bodyStart = 0
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    guard LevelWords.severity(ofLetter: line.at(0)) != nil || line.at(0) == UInt8(ascii: "C"),
      line.at(1) == Byte.space, line.skipDigits(2) == 6, line.at(6) == Byte.space
    else { return false }
    // Any leap year: whether the day exists in its own year is seen when the year is known.
    (header.stamp.year, header.stamp.month, header.stamp.day) = (2000, line.two(2), line.two(4))
    guard StampScanner.timeOfDay(line, at: 7, into: &header.stamp) else { return false }
    header.stamp.shape = .withoutYear
    StampZone.scan(line, into: &header.stamp)
    header.stamp.close()
    let thread = header.stamp.end + 1
    guard line.has(" THREAD", at: header.stamp.end) else { return false }
    header.thread = thread..<line.skipDigits(thread + 6)
    var end = header.thread.upperBound
    if line.has(" TraceId:", at: end) {
      let trace = end + 9
      end = trace
      while line.at(end).isHexDigit { end += 1 }
      header.trace = trace..<end
    }
    header.bodyStart = min(line.afterBlank(end + 1), line.count)
    return line.at(end) == Byte.colon
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    record.severity = LevelWords.severity(ofLetter: text.bytes[0]) ?? .critical
    record.severityText = text.slice(0, 1)
    var writer = JSONWriter(text)
    writer.member(
      "thread.name", text: text.slice(header.thread.lowerBound, header.thread.upperBound))
    if !header.trace.isEmpty {
      writer.member("trace_id", text: text.slice(header.trace.lowerBound, header.trace.upperBound))
    }
    record.attributes = writer.finish(text)
    text.setBody(header.bodyStart, text.count, of: &record)
    if text.bytes.firstLineEnd < text.count { StackTraceText.annotate(&record, text.arena) }
  }

  static let samples = [
    FormatSample(
      "E 0301 10:00:01.232 UTC THREAD21 TraceId:0d1c6e1a90a6b1a8: connection refused",
      time: "2026-03-01T10:00:01.232Z", offset: 0, severity: 17, severityText: "E",
      body: "connection refused",
      attributes: #"{"thread.name":"THREAD21","trace_id":"0d1c6e1a90a6b1a8"}"#,
      modified: 1_796_100_000)
  ]
}
