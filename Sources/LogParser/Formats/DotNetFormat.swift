// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// .NET's console logger: `level: Category[event]`, then the message, indented, on lines of its own.
enum DotNetFormat: LogFormat {
  static let info = FormatInfo(
    name: "dotnet-console", family: "dotnet", summary: ".NET's simple console logger",
    example: "info: Microsoft.Hosting.Lifetime[14]")

  private static func severity(_ line: Line) -> Severity? {
    guard line.at(4) == Byte.colon, line.at(5) == Byte.space else { return nil }
    if line.has("info", at: 0) { return .info }
    if line.has("warn", at: 0) { return .warn }
    if line.has("fail", at: 0) { return .error }
    if line.has("crit", at: 0) { return .fatal }
    if line.has("dbug", at: 0) { return .debug }
    return line.has("trce", at: 0) ? .trace : nil
  }

  /// The bracket of the event's number, which ends the line, or the category before the text.
  private static func bracket(_ line: Line) -> Int? {
    guard severity(line) != nil else { return nil }
    var end = line.firstLineEnd
    let category = line.slice(0, end).skipToken(6)
    if category < end { end = category }
    guard end > 9, line[end - 1] == Byte.closeBracket else { return nil }
    var open = end - 2
    while open > 6, line[open].isDigit || line[open] == Byte.dash { open -= 1 }
    guard line[open] == Byte.openBracket, open < end - 2 else { return nil }
    for index in 6..<open where line[index].isBlank { return nil }
    return open
  }

  static func begins(_ line: Line) -> Bool { bracket(line) != nil }

  /// The level of such a header behind a time, the end of its category and of its number.
  static func header(_ line: Line) -> (severity: Severity, category: Int, end: Int)? {
    guard let severity = severity(line), let bracket = bracket(line) else { return nil }
    return (severity, bracket, min(line.skipToken(6), line.firstLineEnd))
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard let bracket = bracket(line) else { return false }
    clock.inherit(&record)
    record.severity = severity(line) ?? .unspecified
    record.severityText = text.slice(0, 4)
    record.scope = text.slice(6, bracket)
    let end = min(line.skipToken(6), line.firstLineEnd)
    text.setBody(min(line.skipBlanks(end + 1), line.count), line.count, of: &record)
    var writer = JSONWriter(text)
    if let event = line.decimal(bracket + 1, end - 1), event > 0 {
      writer.member("event.id", number: event)
    }
    record.attributes = writer.finish(text)
    return true
  }

  static let samples = [
    FormatSample(
      "fail: Shop.Orders[7]\n      order failed\n      for good", severity: 17,
      severityText: "fail", scope: "Shop.Orders", body: "order failed\n      for good",
      attributes: #"{"event.id":7}"#),
    FormatSample(
      "warn: Shop.Orders[0] order is slow", severity: 13, severityText: "warn",
      scope: "Shop.Orders", body: "order is slow"),
  ]
}
