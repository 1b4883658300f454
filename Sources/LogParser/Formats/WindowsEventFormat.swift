// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Windows events as XML, one a line (`wevtutil`, forwarders).
enum WindowsEventFormat: LogFormat {
  static let info = FormatInfo(
    name: "windows-event", family: "windows", summary: "Windows events as XML, one a line",
    example: "<Event xmlns='http://schemas.microsoft.com/win/2004/08/events/event'><System>"
      + "<EventID>4625</EventID></System></Event>")

  static func begins(_ line: Line) -> Bool {
    line.has("<Event ", at: 0) || line.has("<Event>", at: 0) || line.has("- <Event ", at: 0)
  }

  /// The text of the first element of that name; `open` is `<Name>`.
  private static func element(_ line: Line, _ open: StaticString) -> Range<Int>? {
    guard let found = line.index(of: open, from: 0) else { return nil }
    let start = found + open.utf8CodeUnitCount
    guard let end = line.index(of: Byte.less, from: start) else { return nil }
    return start..<end
  }

  /// The value of the first attribute; `name` ends with `=`.
  private static func attribute(_ line: Line, _ name: StaticString) -> Range<Int>? {
    guard let found = line.index(of: name, from: 0) else { return nil }
    let start = found + name.utf8CodeUnitCount + 1
    let quote = line.at(start - 1)
    guard quote == Byte.quote || quote == UInt8(ascii: "'"),
      let end = line.index(of: quote, from: start)
    else { return nil }
    return start..<end
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard begins(line) else { return false }
    var stamp = Stamp()
    if let time = attribute(line, "SystemTime="),
      StampScanner.iso(line, at: time.lowerBound, into: &stamp)
    {
      if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    } else {
      clock.inherit(&record)
    }
    if let level = element(line, "<Level>"), level.count == 1 {
      record.severityText = text.slice(level.lowerBound, level.upperBound)
      record.severity = severity(line[level.lowerBound])
    }
    if let provider = attribute(line, "Provider Name=") {
      record.scope = text.slice(provider.lowerBound, provider.upperBound)
    }
    record.pid =
      attribute(line, "ProcessID=").flatMap {
        line.decimal($0.lowerBound, $0.upperBound)
      } ?? -1
    record.threadID =
      attribute(line, "ThreadID=").flatMap {
        line.decimal($0.lowerBound, $0.upperBound)
      } ?? -1
    var writer = JSONWriter(text)
    if let event = element(line, "<EventID>") {
      writer.member("event.id", text: text.slice(event.lowerBound, event.upperBound))
    }
    if let host = element(line, "<Computer>") {
      writer.member("host.name", text: text.slice(host.lowerBound, host.upperBound))
    }
    if let channel = element(line, "<Channel>") {
      writer.member("winlog.channel", text: text.slice(channel.lowerBound, channel.upperBound))
    }
    record.attributes = writer.finish(text)
    let message = element(line, "<Message>") ?? 0..<line.count
    text.setBody(message.lowerBound, message.upperBound, of: &record)
    return true
  }

  private static func severity(_ level: UInt8) -> Severity {
    switch level {
    case UInt8(ascii: "1"): .fatal
    case UInt8(ascii: "2"): .error
    case UInt8(ascii: "3"): .warn
    case UInt8(ascii: "0"), UInt8(ascii: "4"): .info
    case UInt8(ascii: "5"): .debug
    default: .unspecified
    }
  }

  static let samples = [
    FormatSample(
      "<Event xmlns='x'><System><Provider Name='Shop'/><EventID>4625</EventID><Level>2</Level>"
        + "<TimeCreated SystemTime='2022-04-28T16:09:28.9443547Z'/><Execution ProcessID='8' "
        + "ThreadID='9'/><Computer>web1</Computer></System><RenderingInfo>"
        + "<Message>no disk</Message></RenderingInfo></Event>",
      time: "2022-04-28T16:09:28.9443547Z", offset: 0, severity: 17, severityText: "2", pid: 8,
      thread: 9, scope: "Shop", body: "no disk",
      attributes: #"{"event.id":"4625","host.name":"web1"}"#)
  ]
}
