// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// apt's `history.log` and `term.log`: what one run did is one record, from its start to its end.
enum AptFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "apt", family: "linux", summary: "apt's history.log and term.log, a record for each run",
    example: "Start-Date: 2026-11-30  06:25:01")

  private static func timeStart(_ line: Line) -> Int? {
    if line.has("Start-Date: ", at: 0) { return 12 }
    return line.has("Log started: ", at: 0) ? 13 : nil
  }

  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    return timeStart(line).map { StampScanner.iso(line, at: $0, into: &stamp) } ?? false
  }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if begins(line) { return state.begin() }
    return state.isFirst ? nil : .continues
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var stamp = Stamp()
    guard let start = timeStart(text.bytes),
      StampScanner.iso(text.bytes, at: start, into: &stamp)
    else { return false }
    if !clock.set(stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    text.setBody(min(text.bytes.firstLineEnd + 1, text.count), text.count, of: &record)
    var writer = JSONWriter(text)
    if let command = text.bytes.index(of: "\nCommandline: ", from: 0) {
      let from = command + 14
      writer.member(
        "process.command_line", text: text.slice(from, text.bytes.lineEnd(from: from)))
    }
    record.attributes = writer.finish(text)
    return true
  }

  static let samples = [
    FormatSample(
      "Start-Date: 2026-11-30  06:25:01\nCommandline: apt install x\nInstall: x:amd64 (1)\n"
        + "End-Date: 2026-11-30  06:25:05",
      time: "2026-11-30T06:25:01Z",
      body: "Commandline: apt install x\nInstall: x:amd64 (1)\nEnd-Date: 2026-11-30  06:25:05",
      attributes: #"{"process.command_line":"apt install x"}"#)
  ]
}
