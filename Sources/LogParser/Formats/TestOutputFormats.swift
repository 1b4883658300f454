// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// XCTest's console output on Linux and Apple systems. Failures are errors, all else is
/// information; both are derived, as XCTest names no levels.
enum XCTestFormat: LogFormat {
  static let info = FormatInfo(
    name: "xctest", family: "swift", summary: "XCTest console output",
    example: "Test Case 'CartTests.testAdd' started at 2026-11-30 06:05:40.021")

  /// What a line is about; the index where the message begins behind a place, or 0.
  private enum Kind {
    case event, failure
  }

  private static func kind(_ line: Line, _ message: inout Int) -> Kind? {
    if line.has("Test Suite '", at: 0) || line.has("Test Case '", at: 0) { return .event }
    guard line.count > 12 else { return nil }
    // "path:line: error: Class.test : text", and the same without "error: " for a skipped test.
    var from = 1
    let limit = min(line.firstLineEnd, 600)
    while let colon = line.index(of: Byte.colon, from: from), colon < limit {
      let digits = line.skipDigits(colon + 1)
      if digits > colon + 1, line.has(": ", at: digits) {
        message = digits + 2
        if line.has("error: ", at: message) {
          return line.slice(0, limit).index(of: " : ", from: message) == nil ? nil : .failure
        }
        return line.slice(0, limit).index(of: " : Test skipped", from: message) == nil
          ? nil : .event
      }
      from = colon + 1
    }
    return nil
  }

  static func begins(_ line: Line) -> Bool {
    var message = 0
    return kind(line, &message) != nil
  }

  static func fits(_ line: Line) -> Bool {
    line.has("Test Suite '", at: 0) || line.has("Test Case '", at: 0)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var message = 0
    guard let kind = kind(line, &message) else { return false }
    let first = line.slice(0, line.firstLineEnd)
    var stamp = Stamp()
    if let at = first.index(of: " at 20", from: 10),
      StampScanner.iso(first, at: at + 4, into: &stamp)
    {
      if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    } else {
      clock.inherit(&record)
    }
    let hasFailed = kind == .failure || first.index(of: "' failed ", from: 10) != nil
    record.severity = hasFailed ? .error : .info
    record.flags.add(.severityDerived)
    var writer = JSONWriter(text)
    if message > 0 {
      var colon = message - 3
      while line[colon].isDigit { colon -= 1 }
      writer.member("code.file.path", text: text.slice(0, colon))
      writer.member("code.line.number", number: line.decimal(colon + 1, message - 2) ?? 0)
      if line.has("error: ", at: message) { message += 7 }
    } else if let open = first.index(of: UInt8(ascii: "'"), from: 0),
      let close = first.index(of: "' ", from: open + 1)
    {
      let isCase = line.has("Test Case", at: 0)
      let name = text.slice(open + 1, close)
      if isCase {
        writer.member("test.case.name", text: name)
      } else {
        writer.member("test.suite.name", text: name)
      }
    }
    record.attributes = writer.finish(text)
    text.setBody(message, text.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "Test Suite 'CartTests' failed at 2026-11-30 06:05:40.028\n\t Executed 5 tests",
      time: "2026-11-30T06:05:40.028Z", severity: 17,
      body: "Test Suite 'CartTests' failed at 2026-11-30 06:05:40.028\n\t Executed 5 tests",
      attributes: #"{"test.suite.name":"CartTests"}"#),
    FormatSample(
      "Test Case '-[ShopTests.CartTests testAdd]' passed (0.001 seconds).", severity: 9,
      body: "Test Case '-[ShopTests.CartTests testAdd]' passed (0.001 seconds).",
      attributes: #"{"test.case.name":"-[ShopTests.CartTests testAdd]"}"#),
  ]
}

/// Swift Testing's console output: a symbol, then what happened.
enum SwiftTestingFormat: LogFormat {
  static let info = FormatInfo(
    name: "swift-testing", family: "swift", summary: "Swift Testing console output",
    example: "✔ Test totals() passed after 0.001 seconds.")

  /// The severity of the symbol at the line's beginning; details of a line before have none.
  private static func symbol(_ line: Line) -> Severity? {
    if line.at(0) == 0xf4 { return appleSymbol(line) }
    guard line.at(0) == 0xe2, line.at(3) == Byte.space else { return nil }
    if line.has("✘", at: 0) { return .error }
    if line.has("⚠", at: 0) { return .warn }
    if line.has("◇", at: 0) || line.has("✔", at: 0) || line.has("➜", at: 0) { return .info }
    return line.has("↳", at: 0) ? .unspecified : nil
  }

  /// On macOS the symbols are those of Apple's own font, in a plane for private use.
  private static func appleSymbol(_ line: Line) -> Severity? {
    guard line.has("  ", at: 4) else { return nil }
    if line.has("\u{100884}", at: 0) { return .error }
    if line.has("\u{1001FE}", at: 0) { return .warn }
    if line.has("\u{1007C8}", at: 0) || line.has("\u{10105B}", at: 0)
      || line.has("\u{10065F}", at: 0)
    {
      return .info
    }
    return line.has("\u{100135}", at: 0) ? .unspecified : nil
  }

  static func begins(_ line: Line) -> Bool { symbol(line) != nil }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    guard let severity = symbol(text.bytes) else { return false }
    clock.inherit(&record)
    record.severity = severity
    if severity != .unspecified { record.flags.add(.severityDerived) }
    text.setBody(
      min(text.bytes.skipBlanks(text.bytes.skipToken(0)), text.count), text.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "✘ Test throwsIt() recorded an issue at X.swift:16:4: Caught error", severity: 17,
      body: "Test throwsIt() recorded an issue at X.swift:16:4: Caught error"),
    FormatSample("↳ Target Platform: x86_64", body: "Target Platform: x86_64"),
  ]
}
