// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Samba: `[yyyy/MM/dd HH:mm:ss.ffffff,  LEVEL[, pid=…]] file:line(function)`, then indented text.
/// The number is how much is logged, not how bad it is: no severity is made of it.
enum SambaFormat: LogFormat {
  static let info = FormatInfo(
    name: "samba", family: "server", summary: "Samba's smbd, nmbd and winbindd",
    example: "[2026/03/01 10:00:00.123456,  0] ../../source3/smbd/server.c:1734(main)")

  private static func read(_ line: Line, _ stamp: inout Stamp) -> (comma: Int, close: Int)? {
    guard line.at(0) == Byte.openBracket, line.at(5) == Byte.slash,
      StampScanner.iso(line, at: 1, into: &stamp), line.has(", ", at: stamp.end)
    else { return nil }
    let level = line.skipBlanks(stamp.end + 1)
    let end = line.skipDigits(level)
    guard end > level, end - level <= 2, line.at(end) == Byte.comma || line.at(end) == 0x5d,
      let close = line.index(of: Byte.closeBracket, from: end), line.at(close + 1) == Byte.space,
      line.slice(0, line.firstLineEnd).index(of: UInt8(ascii: "("), from: close) != nil
    else { return nil }
    return (stamp.end, close)
  }

  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    return read(line, &stamp) != nil
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var stamp = Stamp()
    guard let header = read(line, &stamp) else { return false }
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    let place = header.close + 2
    var writer = JSONWriter(text)
    let level = line.skipBlanks(header.comma + 1)
    writer.member("samba.debug_level", number: line.decimal(level, line.skipDigits(level)) ?? 0)
    if let pid = line.index(of: "pid=", from: header.comma), pid < header.close {
      record.pid = line.decimal(pid + 4, line.skipDigits(pid + 4)) ?? -1
    }
    if let colon = line.index(of: Byte.colon, from: place) {
      let number = line.skipDigits(colon + 1)
      if number > colon + 1, line.at(number) == UInt8(ascii: "("),
        let close = line.index(of: UInt8(ascii: ")"), from: number)
      {
        writer.member("code.file.path", text: text.slice(place, colon))
        writer.member("code.line.number", number: line.decimal(colon + 1, number) ?? 0)
        writer.member("code.function.name", text: text.slice(number + 1, close))
      }
    }
    record.attributes = writer.finish(text)
    let first = line.firstLineEnd
    let body = first < line.count ? line.skipBlanks(first + 1) : place
    text.setBody(body, line.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "[2026/03/01 10:00:01.123456,  1, pid=1234] ../../source3/auth/auth.c:10(check)\n"
        + "  check: user [x] FAILED",
      time: "2026-03-01T10:00:01.123456Z", pid: 1234, body: "check: user [x] FAILED",
      attributes: #"{"samba.debug_level":1,"code.file.path":"../../source3/auth/auth.c","#
        + #""code.line.number":10,"code.function.name":"check"}"#)
  ]
}
