// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The output of `docker compose logs`: `container  | text`, with `-t` a time before the text.
enum ComposeFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "docker-compose", family: "container",
    summary: "docker compose logs: the format of each container's own lines inside",
    example: "web-1  | 2026-03-01T10:00:00.584725130Z Listening on :8080")

  private struct Header {
    var nameEnd = 0
    var textStart = 0
  }

  private static func read(_ line: Line, at start: Int, _ header: inout Header) -> Bool {
    var end = start
    while line.at(end).isName { end += 1 }
    guard end > start, end - start < 80, line[start].isLetter else { return false }
    let bar = line.skipBlanks(end)
    guard bar > end, line.at(bar) == 0x7c, line.at(bar + 1) == Byte.space || bar + 1 == line.count
    else { return false }
    header.nameEnd = end
    header.textStart = min(bar + 2, line.count)
    return true
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, at: 0, &header)
  }

  /// Tables have bars too: the name must end with the container's number, or a time follow, or a line
  /// that some logger has surely written.
  static func fits(_ line: Line) -> Bool {
    var header = Header()
    guard read(line, at: 0, &header) else { return false }
    var digits = header.nameEnd
    while digits > 0, line[digits - 1].isDigit { digits -= 1 }
    if digits > 1, digits < header.nameEnd,
      line[digits - 1] == Byte.dash || line[digits - 1] == 0x5f
    {
      return true
    }
    var stamp = Stamp()
    if line.at(header.textStart + 10) == 0x54,
      StampScanner.iso(line, at: header.textStart, into: &stamp)
    {
      return true
    }
    let text = line.slice(header.textStart, line.count)
    let kind = FormatKind.classify(text, except: .plain, among: .payloads)
    return (kind == .jsonLines || kind == .swiftLog || kind == .timestamped)
      && kind.beginsAnywhere(text)
  }

  /// A word and a bar say little in the middle of other text.
  static func isDistinct(_ line: Line) -> Bool { false }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    var header = Header()
    guard read(line, at: 0, &header) else { return nil }
    var key: Int64 = 7
    for byte in line.slice(0, header.nameEnd) { key = key &* 31 &+ Int64(byte) }
    let start = header.textStart
    if !state.isFirst, state.key == key,
      line.at(start) == Byte.tab || line.has("  ", at: start) || line.has("Caused by: ", at: start)
    {
      return .continues
    }
    return state.begin(key: key)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var header = Header()
    guard read(text.bytes.slice(0, text.bytes.firstLineEnd), at: 0, &header) else { return false }
    var stamp = Stamp()
    var hasTime = false
    if text.bytes.at(header.textStart + 10) == 0x54,
      StampScanner.iso(text.bytes, at: header.textStart, into: &stamp),
      text.bytes.at(stamp.end) == Byte.space
    {
      header.textStart = stamp.end + 1
      hasTime = true
    }
    if !hasTime || !clock.set(stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    var writer = JSONWriter(text)
    writer.member("container.name", text: text.slice(0, header.nameEnd))
    record.attributes = writer.finish(text)
    let payload = payload(text, header)
    Payload.open(
      payload, of: text.slice(0, text.count), isZoned: hasTime, in: text.arena, &clock, &record)
    return true
  }

  private static func payload(_ text: Text, _ header: Header) -> ByteSlice {
    var end = text.bytes.firstLineEnd
    guard end < text.count else { return text.slice(header.textStart, end) }
    let arena = text.arena
    let payloadStart = arena.count
    arena.append(copyOf: text.slice(header.textStart, end))
    while end < text.count {
      let start = end + 1
      end = text.bytes.index(of: Byte.newline, from: start) ?? text.count
      arena.append(Byte.newline)
      var next = Header()
      let isRead = read(text.bytes.slice(0, end), at: start, &next)
      arena.append(copyOf: text.slice(isRead ? next.textStart : start, end))
    }
    return ByteSlice(start: payloadStart, count: arena.count - payloadStart)
  }

  static let samples = [
    FormatSample(
      "web-1  | 2026-03-01T10:00:00.584725130Z  * Serving",
      time: "2026-03-01T10:00:00.58472513Z", offset: 0, body: " * Serving",
      attributes: #"{"container.name":"web-1"}"#),
    FormatSample(
      "shop_db_1 | 2026-03-01 10:00:00.5 UTC [7] ERROR:  division by zero",
      time: "2026-03-01T10:00:00.5Z", offset: 0, severity: 17, severityText: "ERROR", pid: 7,
      body: "division by zero", attributes: #"{"container.name":"shop_db_1"}"#),
  ]
}
