// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// npm's debug logs: `NUMBER LEVEL text`, one for each run of npm, without times.
enum NpmFormat: LogFormat {
  static let info = FormatInfo(
    name: "npm-debug", family: "node", summary: "npm's debug logs",
    example: "3 silly config:load:file:/usr/lib/node_modules/npm/npmrc")

  private struct Header {
    var levelStart = 0
    var levelEnd = 0
    var severity = Severity.unspecified
  }

  private static func read(_ line: Line, _ header: inout Header) -> Bool {
    let digits = line.skipDigits(0)
    guard digits > 0, digits < 7, line.at(digits) == Byte.space, line.at(digits + 1).isLetter
    else { return false }
    header.levelStart = digits + 1
    header.levelEnd = line.skipToken(digits + 1)
    let level = line.slice(header.levelStart, header.levelEnd)
    switch level.at(0) {
    case UInt8(ascii: "s") where level.isEqual("silly"): header.severity = .trace
    case UInt8(ascii: "v") where level.isEqual("verbose") || level.isEqual("verb"):
      header.severity = .debug
    case UInt8(ascii: "i") where level.isEqual("info"): header.severity = .info
    case UInt8(ascii: "t") where level.isEqual("timing"): header.severity = .info
    case UInt8(ascii: "h") where level.isEqual("http"): header.severity = .info
    case UInt8(ascii: "n") where level.isEqual("notice"): header.severity = .notice
    case UInt8(ascii: "w") where level.isEqual("warn"): header.severity = .warn
    case UInt8(ascii: "e") where level.isEqual("error"): header.severity = .error
    default: return false
    }
    return line.at(header.levelEnd).isBlank || header.levelEnd == line.count
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, &header)
  }

  /// "3 error pages" is prose: only the words of npm's own tell its log.
  static func fits(_ line: Line) -> Bool {
    var header = Header()
    guard read(line, &header) else { return false }
    switch line[header.levelStart] {
    case UInt8(ascii: "s"), UInt8(ascii: "v"), UInt8(ascii: "t"), UInt8(ascii: "h"): return true
    case UInt8(ascii: "i"):
      return line.has(" it worked if", at: header.levelEnd)
        || line.has(" using n", at: header.levelEnd)
    default: return false
    }
  }

  static func isDistinct(_ line: Line) -> Bool { false }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var header = Header()
    guard read(text.bytes, &header) else { return false }
    clock.inherit(&record)
    record.severity = header.severity
    record.severityText = text.slice(header.levelStart, header.levelEnd)
    text.setBody(text.bytes.afterBlank(header.levelEnd), text.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "1 verbose cli [ '/usr/bin/node', '/usr/bin/npm' ]", severity: 5, severityText: "verbose",
      body: "cli [ '/usr/bin/node', '/usr/bin/npm' ]"),
    FormatSample(
      "24 http fetch GET 200 https://npm.test/shop 120ms", severity: 9, severityText: "http",
      body: "fetch GET 200 https://npm.test/shop 120ms"),
  ]
}
