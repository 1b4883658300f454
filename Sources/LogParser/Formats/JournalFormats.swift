// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// systemd's journal as `journalctl -o export` writes it: fields of an entry, one a line, in their
/// binary form where a value has newlines or control characters.
enum JournalExportFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "journal-export", family: "syslog", summary: "journalctl -o export",
    example: "__CURSOR=s=33;i=1cb;b=fe;m=13;t=66")

  static func begins(_ line: Line) -> Bool { line.has("__CURSOR=", at: 0) }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if begins(line) { return state.begin() }
    // Binary values may look like anything.
    return state.isFirst ? nil : .continues
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    guard begins(text.bytes) else { return false }
    var entry = JournalEntry(text)
    var index = 0
    while index < text.count {
      let line = text.bytes
      let end = line.lineEnd(from: index)
      if let equals = line.index(of: Byte.equals, from: index), equals < end {
        entry.take(index, equals, equals + 1, end)
        index = end + 1
        continue
      }
      // NAME, then eight bytes of length, the value, and a newline.
      var start = end + 9
      guard start <= line.count else { break }
      // Bytes of a length that were repaired take more room.
      while start < line.count, line[start] & 0xc0 == 0x80 { start += 1 }
      let length = line.word(at: end + 1)
      var stop = length < UInt64(line.count - start) ? start + Int(length) : line.count
      // Where bytes were repaired the length is not true.
      if stop < line.count, line[stop] != Byte.newline { stop = line.lineEnd(from: start) }
      entry.take(index, end, start, stop)
      index = stop + 1
    }
    entry.fill(&record, &clock)
    return true
  }

  static let samples = [
    FormatSample(
      "__CURSOR=s=1\n__REALTIME_TIMESTAMP=1796019592814808\n_HOSTNAME=vm\nPRIORITY=4\n"
        + "SYSLOG_IDENTIFIER=orders\nMESSAGE=order 41\n_PID=7",
      time: "2026-11-30T06:19:52.814808Z", severity: 13, severityText: "4", process: "orders",
      pid: 7, body: "order 41", attributes: #"{"host.name":"vm"}"#),
    FormatSample(
      "__CURSOR=s=1\nMESSAGE\n\u{3}\0\0\0\0\0\0\0a\nb\n_SYSTEMD_UNIT=x.service",
      body: "a\nb", attributes: #"{"systemd.unit":"x.service"}"#),
  ]
}

/// `journalctl -o verbose`: a line with the time and the cursor, then the fields, indented.
enum JournalVerboseFormat: LogFormat {
  static let info = FormatInfo(
    name: "journal-verbose", family: "syslog", summary: "journalctl -o verbose",
    example: "Mon 2026-11-30 06:19:52.814808 UTC [s=334233a5130b4e4b;i=1cb;b=fedc;m=13;t=66;x=d1]")

  private static func readTime(_ line: Line, _ stamp: inout Stamp) -> Bool {
    line.at(0).isUpper && line.at(3) == Byte.space && line.at(4).isDigit
      && StampScanner.iso(line, at: 4, into: &stamp) && line.has(" [s=", at: stamp.end)
  }

  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    return readTime(line, &stamp)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var stamp = Stamp()
    guard readTime(text.bytes, &stamp) else { return false }
    var entry = JournalEntry(text)
    var index = text.bytes.firstLineEnd + 1
    while index < text.count {
      let line = text.bytes
      var end = line.lineEnd(from: index)
      let name = line.skipBlanks(index)
      // What is indented further goes on with the value.
      while line.has("\n     ", at: end) { end = line.lineEnd(from: end + 1) }
      if let equals = line.index(of: Byte.equals, from: name), equals < end {
        entry.take(name, equals, equals + 1, end)
      }
      index = end + 1
    }
    entry.fill(&record, &clock)
    if !clock.set(stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    return true
  }

  static let samples = [
    FormatSample(
      "Mon 2026-11-30 06:19:52.814808 UTC [s=33;i=1cb]\n    PRIORITY=3\n    MESSAGE=no disk\n"
        + "    _COMM=shopd\n    _PID=7",
      time: "2026-11-30T06:19:52.814808Z", offset: 0, severity: 17, severityText: "3",
      process: "shopd", pid: 7, body: "no disk")
  ]
}
