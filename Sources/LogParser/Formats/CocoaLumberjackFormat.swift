// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// CocoaLumberjack's file formatter: `yyyy/MM/dd HH:mm:ss:SSS`, two blanks, the message.
///
/// Its times are in UTC since version 3.6.2, and are taken so; older versions and custom date
/// formatters write local time, which cannot be told apart.
enum CocoaLumberjackFormat: LogFormat {
  static let info = FormatInfo(
    name: "cocoalumberjack", family: "swift",
    summary: "CocoaLumberjack DDFileLogger with its own formatter",
    example: "2026/03/01 09:00:00:123  application did finish launching")

  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    guard line.count >= 25, line[4] == Byte.slash, line[7] == Byte.slash, line[19] == Byte.colon,
      line[10] == Byte.space, line[23] == Byte.space, line[24] == Byte.space, line[0].isDigit
    else { return false }
    return line[20].isDigit && line[22].isDigit && line[13] == Byte.colon
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var stamp = Stamp()
    guard begins(line), StampScanner.iso(line, at: 0, into: &stamp), stamp.end == 23 else {
      return false
    }
    stamp.zone = .offset
    stamp.offset = 0
    if clock.set(stamp, from: line, of: &record) {
      // The text does not say so.
      record.timeQuality = .assumedZone
      record.utcOffsetMinutes = LogRecord.noOffset
    } else {
      clock.inherit(&record)
    }
    text.setBody(25, line.count, of: &record)
    return true
  }

  /// The application in a file name `<application> yyyy-MM-dd--HH-mm-ss-SSS[ N].log`; else `nil`.
  static func application(inFileName name: String) -> String? {
    let bytes = Array(name.utf8)
    let mark = Array("dddd-dd-dd--dd-dd-dd-ddd".utf8)
    guard name.hasSuffix(".log"), bytes.count > mark.count + 5 else { return nil }
    for start in stride(from: bytes.count - mark.count - 4, to: 1, by: -1) {
      let isMark = zip(bytes[start...], mark).allSatisfy { byte, wanted in
        wanted == Byte.dash ? byte == Byte.dash : byte.isDigit
      }
      guard isMark, bytes[start - 1] == Byte.space else { continue }
      let name = String(decoding: bytes[..<(start - 1)], as: UTF8.self)
      // The streams of one program, as 'logagent exec' names them.
      for stream in [".stdout", ".stderr", ".exec"]
      where name.hasSuffix(stream) && name.utf8.count > stream.utf8.count {
        return String(name.dropLast(stream.count))
      }
      return name
    }
    return nil
  }

  static let samples = [
    FormatSample(
      "2026/03/01 09:00:01:002  request failed: {\n    code = 7;\n}",
      time: "2026-03-01T09:00:01.002Z",
      body: "request failed: {\n    code = 7;\n}",
      fileName: "com.example.shop 2026-03-01--09-00-00-123.log"),
    FormatSample("2026/03/01 09:00:02:000  ", time: "2026-03-01T09:00:02Z", body: ""),
  ]
}

/// CocoaLumberjack's console formatter: local time and `App[pid:thread]`.
enum CocoaLumberjackConsoleFormat: LogFormat {
  static let info = FormatInfo(
    name: "cocoalumberjack-tty", family: "swift", summary: "CocoaLumberjack DDTTYLogger",
    example: "2026-03-01 10:00:00:123 Shop[4242:5784198] hello")

  /// Where the header's parts lie; indices into the line.
  private struct Header {
    var open = 0
    var colon = 0
    var close = 0
  }

  @inline(__always)
  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return readHeader(line, &header)
  }

  @inline(__always)
  private static func readHeader(_ line: Line, _ header: inout Header) -> Bool {
    guard line.count > 30, line[4] == Byte.dash, line[10] == Byte.space, line[19] == Byte.colon,
      line[20].isDigit, line[22].isDigit, line[23] == Byte.space
    else { return false }
    guard let open = line.index(of: Byte.openBracket, from: 25) else { return false }
    let colon = line.skipDigits(open + 1)
    guard colon > open + 1, line.at(colon) == Byte.colon,
      let close = line.index(of: Byte.closeBracket, from: colon), close - colon < 20
    else { return false }
    header.open = open
    header.colon = colon
    header.close = close
    return true
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    var header = Header()
    var stamp = Stamp()
    guard readHeader(line, &header), StampScanner.iso(line, at: 0, into: &stamp) else {
      return false
    }
    if !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    record.process = text.slice(24, header.open)
    record.pid = line.decimal(header.open + 1, header.colon) ?? -1
    let thread = header.colon + 1
    record.threadID =
      line.decimal(thread, header.close) ?? line.hexadecimal(thread, header.close) ?? -1
    text.setBody(min(line.skipBlanks(header.close + 1), line.count), line.count, of: &record)
    return true
  }

  static let samples = [
    FormatSample(
      "2026-03-01 10:00:00:123 My Shop[4242:5784198] hello", time: "2026-03-01T10:00:00.123Z",
      process: "My Shop", pid: 4242, thread: 5_784_198, body: "hello")
  ]
}
