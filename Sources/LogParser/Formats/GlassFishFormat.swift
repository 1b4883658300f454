// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The uniform log format of GlassFish up to 3, and Payara:
/// `[#|time|LEVEL|product|logger|_ThreadID=…;…|text|#]`, the text of any number of lines.
enum GlassFishFormat: HeaderFormat, JoiningFormat {
  static let info = FormatInfo(
    name: "glassfish", family: "java", summary: "GlassFish and Payara, fields between bars",
    example: "[#|2026-03-01T10:00:00.123+0100|INFO|glassfish3.1.2|a.B|_ThreadID=1;|started|#]")

  struct Header: RecordHeader {
    var stamp = Stamp()
    var severity = Severity.unspecified
    var level = 0..<0
    var logger = 0..<0
    var pairs = 0..<0
  }

  static func read(_ line: Line, _ header: inout Header) -> Bool {
    guard line.has("[#|", at: 0), StampScanner.iso(line, at: 3, into: &header.stamp),
      line.at(header.stamp.end) == 0x7c
    else { return false }
    header.level = field(line, header.stamp.end + 1)
    let product = field(line, header.level.upperBound + 1)
    header.logger = field(line, product.upperBound + 1)
    header.pairs = field(line, header.logger.upperBound + 1)
    header.severity =
      LevelWords.severity(of: line.slice(header.level.lowerBound, header.level.upperBound))
      ?? .unspecified
    return header.pairs.upperBound < line.count
  }

  /// What stands before the closing mark belongs to the text, whatever it looks like.
  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    let isEnd = line.has("|#]", at: line.count - 3)
    if begins(line) {
      let answer = state.begin()
      state.isOpen = !isEnd
      return answer
    }
    guard state.isOpen else { return nil }
    state.isOpen = !isEnd
    return .continues
  }

  private static func field(_ line: Line, _ start: Int) -> Range<Int> {
    let start = min(start, line.count)
    return start..<(line.index(of: 0x7c, from: start) ?? line.count)
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    let line = text.bytes
    record.severity = header.severity
    record.severityText = text.slice(header.level.lowerBound, header.level.upperBound)
    record.scope = text.slice(header.logger.lowerBound, header.logger.upperBound)
    var writer = JSONWriter(text)
    var start = header.pairs.lowerBound
    while start < header.pairs.upperBound {
      let end = min(
        line.index(of: UInt8(ascii: ";"), from: start) ?? line.count, header.pairs.upperBound)
      if let equals = line.index(of: Byte.equals, from: start), equals < end {
        let key = line.slice(start, equals)
        if key.isEqual("_ThreadID") {
          record.threadID = line.decimal(equals + 1, end) ?? -1
        } else if key.isEqual("_ThreadName") {
          writer.member("thread.name", text: text.slice(equals + 1, end))
        } else {
          writer.member(key: text.slice(start, equals), text: text.slice(equals + 1, end))
        }
      }
      start = end + 1
    }
    record.attributes = writer.finish(text)
    var end = text.count
    if line.has("|#]", at: end - 3), end - 3 > header.pairs.upperBound { end -= 3 }
    while end > header.pairs.upperBound + 1, line[end - 1] == Byte.newline { end -= 1 }
    text.setBody(header.pairs.upperBound + 1, end, of: &record)
    if line.firstLineEnd < text.count { StackTraceText.annotate(&record, text.arena) }
  }

  static let samples = [
    FormatSample(
      "[#|2026-03-01T10:00:00.123+0100|SEVERE|glassfish3.1.2|a.B|_ThreadID=23;_ThreadName=p(2);|no\n"
        + "a.B: lost\n\tat a.b(C:1)\n|#]",
      time: "2026-03-01T09:00:00.123Z", offset: 60, severity: 17, severityText: "SEVERE",
      thread: 23, scope: "a.B", body: "no\na.B: lost\n\tat a.b(C:1)",
      attributes: #"{"thread.name":"p(2)","exception.type":"a.B","exception.message":"lost","#
        + #""exception.stacktrace":"a.B: lost\n\tat a.b(C:1)"}"#)
  ]
}
