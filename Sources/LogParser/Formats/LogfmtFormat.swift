// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// `key=value key="quoted value"` lines, as logrus, Grafana, structlog and many others write them.
/// Keys mean what they mean in JSON lines (see `JSONKeys.swift`).
enum LogfmtFormat: LogFormat {
  static let info = FormatInfo(
    name: "logfmt", family: "generic", summary: "key=value lines: logrus, Grafana, structlog",
    example: #"time="2026-03-01T10:00:00Z" level=info msg="order accepted" request_id=r-1"#)

  /// A pair; `next` is the index behind it.
  struct Pair {
    var keyStart = 0
    var keyEnd = 0
    var valueStart = 0
    var valueEnd = 0
    var isQuoted = false
    var next = 0
  }

  static func read(_ line: Line, at start: Int, _ pair: inout Pair) -> Bool {
    pair.keyStart = line.skipBlanks(start)
    var end = pair.keyStart
    while line.at(end).isName || line.at(end) == 0x40 || line.at(end) == Byte.slash { end += 1 }
    guard end > pair.keyStart else { return false }
    pair.keyEnd = end
    pair.isQuoted = false
    guard line.at(end) == Byte.equals else {
      // A key without a value.
      (pair.valueStart, pair.valueEnd) = (end, end)
      pair.next = end
      return line.at(end).isBlank || end == line.count
    }
    if line.at(end + 1) == Byte.quote {
      let close = AccessLogFormat.quotedEnd(line, end + 1)
      guard close < line.count else { return false }
      pair.isQuoted = true
      (pair.valueStart, pair.valueEnd) = (end + 2, close)
      pair.next = close + 1
    } else if line.at(end + 1) == 0x27, let close = singleQuoteEnd(line, end + 2) {
      (pair.valueStart, pair.valueEnd) = (end + 2, close)
      pair.next = close + 1
    } else {
      (pair.valueStart, pair.valueEnd) = (end + 1, line.skipToken(end + 1))
      pair.next = pair.valueEnd
    }
    return true
  }

  /// Where the text at `start` ends that Python's `repr` quoted.
  private static func singleQuoteEnd(_ line: Line, _ start: Int) -> Int? {
    var index = start
    while index < line.count, line[index] != Byte.newline {
      if line[index] == 0x27 {
        return index + 1 == line.count || line[index + 1].isBlank || line[index + 1] == Byte.newline
          ? index : nil
      }
      index += line[index] == Byte.backslash ? 2 : 1
    }
    return nil
  }

  static func begins(_ line: Line) -> Bool {
    guard line.at(0).isLetter || line.at(0) == 0x40 else { return false }
    var end = 0
    while line.at(end).isName || line.at(end) == 0x40 { end += 1 }
    return line.at(end) == Byte.equals
  }

  /// Whether the line begins with pairs, and its first four hold a time, a level or a message.
  static func fits(_ line: Line) -> Bool {
    guard begins(line) else { return false }
    var pair = Pair()
    var index = 0
    var isKnown = false
    var count = 0
    while count < 4, read(line, at: index, &pair), pair.valueEnd > pair.keyEnd {
      switch JSONKey.lookUp(line, pair.keyStart, pair.keyEnd).role {
      case .time, .level: isKnown = true
      case .message where !line.has("text", at: pair.keyStart): isKnown = true
      default: break
      }
      count += 1
      index = pair.next
    }
    return isKnown && count >= 2
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    guard begins(text.bytes) else { return false }
    var reader = LogfmtRecord(text)
    guard reader.read() else { return false }
    reader.fill(&record, &clock)
    return true
  }

  static let samples = [
    FormatSample(
      #"date=2026-03-01 time=10:00:00 devname="fw" level="warning" tz="+0100" msg="denied""#,
      time: "2026-03-01T09:00:00Z", offset: 60, severity: 13, severityText: "warning",
      body: "denied", attributes: #"{"date":"2026-03-01","devname":"fw","tz":"+0100"}"#),
    FormatSample(
      #"time="2026-11-30T07:29:58+01:00" level=error msg="quote \" and\n=" file="/m.go:8" n=3"#,
      time: "2026-11-30T06:29:58Z", offset: 60, severity: 17, severityText: "error",
      body: "quote \" and\n=", attributes: #"{"code.file.path":"/m.go:8","n":"3"}"#),
    FormatSample(
      "logger=settings t=2025-04-24T19:51:48.520963849Z level=info msg=started",
      time: "2025-04-24T19:51:48.520963849Z", offset: 0, severity: 9, severityText: "info",
      scope: "settings", body: "started"),
    FormatSample(
      #"ts=1796019152.249 method=GET path="/a" status=502 dur=0.1"#,
      time: "2026-11-30T06:12:32.249Z", severity: 17,
      body: #"ts=1796019152.249 method=GET path="/a" status=502 dur=0.1"#,
      attributes: #"{"http.request.method":"GET","url.path":"/a","dur":"0.1","#
        + #""http.response.status_code":502}"#),
  ]
}
