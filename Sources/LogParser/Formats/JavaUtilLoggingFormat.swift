// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// java.util.logging's SimpleFormatter, two lines a header: `MMM d, yyyy h:mm:ss AM class method`, then
/// `LEVEL: text`; and its XMLFormatter.
enum JavaUtilLoggingFormat: LogFormat {
  static let info = FormatInfo(
    name: "java-util-logging", family: "java",
    summary: "java.util.logging, headers of two lines, and XML",
    example: "Nov 30, 2026 6:09:39 AM com.example.Shop main")

  private static func readTime(_ line: Line, _ stamp: inout Stamp) -> Bool {
    guard StampScanner.month(line, at: 0) > 0, StampScanner.named(line, at: 0, into: &stamp),
      stamp.shape == .full, line.at(stamp.end) == Byte.space
    else { return false }
    guard line.has("AM ", at: stamp.end - 2) || line.has("PM ", at: stamp.end - 2) else {
      return false
    }
    let name = line.slice(stamp.end + 1, min(line.skipToken(stamp.end + 1), line.count))
    return LevelWords.severity(of: name) == nil
  }

  static func begins(_ line: Line) -> Bool {
    if JavaXMLRecord.begins(line) { return true }
    var stamp = Stamp()
    return readTime(line, &stamp)
  }

  static func fits(_ line: Line) -> Bool { begins(line) || JavaXMLRecord.isHeading(line) }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    if JavaXMLRecord.begins(line.slice(0, line.firstLineEnd)) {
      JavaXMLRecord(text).fill(&record, &clock)
      return true
    }
    var stamp = Stamp()
    guard readTime(line, &stamp) else { return false }
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    let first = line.firstLineEnd
    let classStart = stamp.end + 1
    let classEnd = min(line.skipToken(classStart), first)
    record.scope = text.slice(classStart, classEnd)
    var body = classStart
    let level = first + 1
    var levelEnd = level
    while line.at(levelEnd).isLetter { levelEnd += 1 }
    if first < line.count, line.at(levelEnd) == Byte.colon,
      let severity = LevelWords.severity(of: line.slice(level, levelEnd))
    {
      record.severity = severity
      record.severityText = text.slice(level, levelEnd)
      body = line.afterBlank(levelEnd + 1)
    }
    text.setBody(body, text.count, of: &record)
    if line.at(classEnd) == Byte.space, classEnd + 1 < first {
      var writer = JSONWriter(text)
      writer.member("code.function.name", text: text.slice(classEnd + 1, first))
      record.attributes = writer.finish(text)
    }
    StackTraceText.annotate(&record, text.arena)
    return true
  }

  static let samples = [
    FormatSample(
      "Nov 30, 2026 6:09:39 PM com.example.Shop main\nSEVERE: order failed\nsecond line\n"
        + "Shop$OrderException: cannot charge\n\tat Shop.main(Shop.java:13)",
      time: "2026-11-30T18:09:39Z", severity: 17, severityText: "SEVERE",
      scope: "com.example.Shop",
      body: "order failed\nsecond line\nShop$OrderException: cannot charge\n"
        + "\tat Shop.main(Shop.java:13)",
      attributes: #"{"code.function.name":"main","exception.type":"Shop$OrderException","#
        + #""exception.message":"cannot charge","exception.stacktrace":"#
        + #""Shop$OrderException: cannot charge\n\tat Shop.main(Shop.java:13)"}"#),
    FormatSample(
      """
      <record>
        <date>2026-11-30T18:09:39.123456789Z</date>
        <millis>1796062179123</millis>
        <sequence>7</sequence>
        <logger>com.example.shop</logger>
        <level>SEVERE</level>
        <class>Shop</class>
        <method>main</method>
        <thread>1</thread>
        <message>order failed</message>
        <exception>
          <message>java.lang.IllegalStateException: cannot charge</message>
        </exception>
      </record>
      """,
      time: "2026-11-30T18:09:39.123456789Z", offset: 0, severity: 17, severityText: "SEVERE",
      thread: 1, scope: "com.example.shop", body: "order failed",
      attributes: #"{"code.function.name":"main","exception.type":"#
        + #""java.lang.IllegalStateException","exception.message":"cannot charge"}"#),
  ]
}
