// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// ArcSight's CEF and QRadar's LEEF: a header of fields between bars, then `key=value`.
enum CEFFormat: LogFormat {
  static let info = FormatInfo(
    name: "cef", family: "security", summary: "CEF and LEEF events",
    example: "CEF:0|Security|threatmanager|1.0|100|worm stopped|10|src=10.0.0.1 dst=2.1.2.2")

  static func begins(_ line: Line) -> Bool {
    (line.has("CEF:", at: 0) && line.at(4).isDigit
      || line.has("LEEF:", at: 0) && line.at(5).isDigit)
      && bar(line, 3) != nil
  }

  /// Whether an event's mark stands at `start`.
  static func begins(_ line: Line, _ start: Int) -> Bool {
    line.has("CEF:0|", at: start) || line.has("LEEF:", at: start)
  }

  /// The index of the bar that ends field `number`; a backslash protects a bar.
  private static func bar(_ line: Line, _ number: Int) -> Int? {
    var from = 0
    var count = 0
    while let found = line.index(of: 0x7c, from: from) {
      from = found + 1
      if line[found - 1] == Byte.backslash { continue }
      if count == number { return found }
      count += 1
    }
    return nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    let isCEF = line[0] == UInt8(ascii: "C")
    if !setTime(line, isCEF ? "rt=" : "devTime=", &clock, &record) { clock.inherit(&record) }
    guard let vendor = bar(line, 0), let product = bar(line, 1), let version = bar(line, 2),
      let event = bar(line, 3)
    else { return false }
    var writer = JSONWriter(text)
    writer.member("cef.vendor", text: text.slice(vendor + 1, product))
    writer.member("cef.product", text: text.slice(product + 1, version))
    let identifierEnd = bar(line, 4) ?? line.count
    writer.member("event.id", text: text.slice(event + 1, identifierEnd))
    var body = min(identifierEnd + 1, line.count)
    var bodyEnd = line.count
    if isCEF, let name = bar(line, 4), let stop = bar(line, 5) {
      (body, bodyEnd) = (name + 1, stop)
      let end = bar(line, 6) ?? line.count
      record.severityText = text.slice(stop + 1, end)
      record.severity = severity(line.slice(stop + 1, end))
    } else if !isCEF, let value = value(of: "sev=", line) {
      let end = line.skipDigits(value)
      record.severity = severity(line.slice(value, end))
      if record.severity != .unspecified { record.severityText = text.slice(value, end) }
    }
    record.attributes = writer.finish(text)
    text.setBody(body, bodyEnd, of: &record)
    return true
  }

  /// Where the value of an extension's key begins: behind a blank, a bar or LEEF's own delimiter.
  private static func value(of key: StaticString, _ line: Line) -> Int? {
    var from = 0
    let first = line.slice(0, line.firstLineEnd)
    while let found = first.index(of: key, from: from) {
      from = found + key.utf8CodeUnitCount
      if found > 0, !line[found - 1].isWord { return from }
    }
    return nil
  }

  /// The time at which the device saw the event: milliseconds since 1970, or `MMM dd yyyy HH:mm:ss`.
  private static func setTime(
    _ line: Line, _ key: StaticString, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    guard let start = value(of: key, line) else { return false }
    var stamp = Stamp()
    if line.at(start).isDigit {
      let end = line.skipDigits(start)
      guard end - start == 13, EpochTime.field(line, start, end, into: &stamp) else { return false }
    } else {
      guard StampScanner.named(line, at: start, into: &stamp), stamp.shape == .full else {
        return false
      }
    }
    return clock.set(stamp, from: line, of: &record)
  }

  /// CEF counts from 0 to 10, or says Low, Medium, High, Very-High.
  private static func severity(_ word: Line) -> Severity {
    if let number = word.decimal(0, word.count) {
      return number <= 3 ? .info : number <= 6 ? .warn : number <= 8 ? .error : .critical
    }
    // Some write the words in small letters.
    switch word.at(0) | 0x20 {
    case UInt8(ascii: "l"): return .info
    case UInt8(ascii: "m"): return .warn
    case UInt8(ascii: "h"): return .error
    case UInt8(ascii: "v"): return .critical
    default: return .unspecified
    }
  }

  static let samples = [
    FormatSample(
      "CEF:0|Check|Wall|1|Log|https|Unknown|act=Drop rt=1772359201000 spt=7",
      time: "2026-03-01T10:00:01Z", severityText: "Unknown", body: "https",
      attributes: #"{"cef.vendor":"Check","cef.product":"Wall","event.id":"Log"}"#),
    FormatSample(
      "CEF:0|Security|threatmanager|1.0|100|worm stopped|10|src=10.0.0.1 dst=2.1.2.2",
      severity: 18, severityText: "10", body: "worm stopped",
      attributes: #"{"cef.vendor":"Security","cef.product":"threatmanager","event.id":"100"}"#),
  ]
}
