// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Logs of Microsoft's Configuration Manager and of its scripts, for CMTrace:
/// `<![LOG[text]LOG]!><time="HH:mm:ss.SSS+bias" date="M-d-yyyy" component="…" context=""
/// type="1" thread="2120" file="a.cpp:12">`. The bias is Windows': minutes to add to get UTC.
enum CMTraceFormat: HeaderFormat {
  static let info = FormatInfo(
    name: "cmtrace", family: "windows", summary: "Configuration Manager (SCCM), as CMTrace reads",
    example:
      #"<![LOG[Policy applied]LOG]!><time="07:45:20.123-060" date="11-30-2026" "#
      + #"component="PolicyAgent" context="" type="1" thread="2120" file="agent.cpp:42">"#)

  struct Header: RecordHeader {
    var stamp = Stamp()
    /// Where the text ends and the fields begin.
    var bodyEnd = 0
  }

  private static let bodyStart = 7

  /// The fields follow the text, perhaps some lines below: its beginning is enough.
  static func read(_ line: Line, _ header: inout Header) -> Bool {
    guard line.has("<![LOG[", at: 0) else { return false }
    header.stamp.isValid = false
    header.bodyEnd = line.index(of: "]LOG]!><", from: bodyStart) ?? line.count
    guard header.bodyEnd < line.count,
      let time = field(#"time=""#, line, header.bodyEnd),
      let date = field(#"date=""#, line, header.bodyEnd)
    else { return true }
    var stamp = Stamp()
    guard StampScanner.timeOfDay(line, at: time.lowerBound, into: &stamp),
      setDate(line, date, &stamp)
    else { return true }
    setBias(line, stamp.end, time.upperBound, &stamp)
    stamp.shape = .full
    stamp.isValid = true
    stamp.close()
    header.stamp = stamp
    return true
  }

  private static func setDate(_ line: Line, _ date: Range<Int>, _ stamp: inout Stamp) -> Bool {
    let month = line.skipDigits(date.lowerBound)
    let day = line.skipDigits(month + 1)
    guard line.at(month) == Byte.dash, line.at(day) == Byte.dash, day + 5 == date.upperBound,
      let year = StampScanner.fourDigits(line, at: day + 1),
      let monthNumber = line.decimal(date.lowerBound, month), monthNumber <= 12,
      let dayNumber = line.decimal(month + 1, day), dayNumber <= 31
    else { return false }
    (stamp.year, stamp.month, stamp.day) = (year, Int(monthNumber), Int(dayNumber))
    return true
  }

  /// Scripts often leave the bias out, or write that of another time of the year: up to 15 hours.
  private static func setBias(_ line: Line, _ start: Int, _ end: Int, _ stamp: inout Stamp) {
    let sign = line.at(start)
    guard start < end, sign == Byte.plus || sign == Byte.dash,
      let minutes = line.decimal(start + 1, end), minutes <= 900
    else { return }
    stamp.zone = .offset
    stamp.offset = Int(minutes) * (sign == Byte.plus ? -60 : 60)
  }

  /// Where the value of the field lies that `name`, with its quote, begins.
  private static func field(_ name: StaticString, _ line: Line, _ start: Int) -> Range<Int>? {
    guard let found = line.index(of: name, from: start) else { return nil }
    let value = found + name.utf8CodeUnitCount
    guard let end = line.index(of: Byte.quote, from: value) else { return nil }
    return value..<end
  }

  static func fill(_ record: inout LogRecord, _ header: Header, _ text: Text) {
    let line = text.bytes
    text.setBody(bodyStart, header.bodyEnd, of: &record)
    guard header.bodyEnd < line.count else { return }
    record.original = text.slice(0, text.count)
    if let type = field(#"type=""#, line, header.bodyEnd), type.count == 1 {
      switch line[type.lowerBound] {
      case UInt8(ascii: "1"): record.severity = .info
      case UInt8(ascii: "2"): record.severity = .warn
      case UInt8(ascii: "3"): record.severity = .error
      default: break
      }
      record.severityText = text.slice(type.lowerBound, type.upperBound)
    }
    if let name = field(#"component=""#, line, header.bodyEnd) {
      record.scope = text.slice(name.lowerBound, name.upperBound)
    }
    if let thread = field(#"thread=""#, line, header.bodyEnd) {
      record.threadID = line.decimal(thread.lowerBound, thread.upperBound) ?? -1
    }
    if let file = field(#"file=""#, line, header.bodyEnd), !file.isEmpty {
      writePlace(file, text, &record)
    }
  }

  /// `agent.cpp:42`, whose number scripts leave out.
  private static func writePlace(_ file: Range<Int>, _ text: Text, _ record: inout LogRecord) {
    var colon = file.upperBound
    while colon > file.lowerBound, text.bytes[colon - 1].isDigit { colon -= 1 }
    let hasLine = colon < file.upperBound && text.bytes[colon - 1] == Byte.colon
    var writer = JSONWriter(text)
    writer.member(
      "code.file.path",
      text: text.slice(file.lowerBound, hasLine ? colon - 1 : file.upperBound))
    if hasLine, let number = text.bytes.decimal(colon, file.upperBound) {
      writer.member("code.line.number", number: number)
    }
    record.attributes = writer.finish(text)
  }

  static let samples = [
    FormatSample(
      #"<![LOG[Download failed,\#nwill retry]LOG]!><time="11:00:01.500-060" date="3-1-2026" "#
        + #"component="Transfer" context="" type="3" thread="4660" file="transfer.cpp:87">"#,
      time: "2026-03-01T10:00:01.5Z", offset: 60, severity: 17, severityText: "3", thread: 4660,
      scope: "Transfer", body: "Download failed,\nwill retry",
      attributes: #"{"code.file.path":"transfer.cpp","code.line.number":87}"#),
    FormatSample(
      #"<![LOG[Started]LOG]!><time="10:00:01.500" date="03-01-2026" component="Setup" context="" "#
        + #"type="1" thread="" file="">"#,
      time: "2026-03-01T10:00:01.5Z", severity: 9, severityText: "1", scope: "Setup",
      body: "Started"),
  ]
}
