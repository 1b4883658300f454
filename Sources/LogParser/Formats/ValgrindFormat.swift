// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Valgrind's tools: `==PID== text`, and `--PID-- text` where it is verbose. An error is a record with
/// its stacks, up to the empty line behind it; what the program prints between has its own records.
enum ValgrindFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "valgrind", family: "runtime", summary: "Valgrind: an error with its stacks is a record",
    example: "==1234== Invalid read of size 4")

  /// Where the text of the line at `start` begins, and its pid; `nil` for another line.
  private static func read(_ line: Line, at start: Int) -> (text: Int, pid: Int64)? {
    let mark = line.at(start)
    guard mark == Byte.equals || mark == Byte.dash, line.at(start + 1) == mark else { return nil }
    let end = line.skipDigits(start + 2)
    guard end > start + 2, line.at(end) == mark, line.at(end + 1) == mark,
      line.at(end + 2) == Byte.space || end + 2 == line.count || line.at(end + 2) == Byte.newline,
      let pid = line.decimal(start + 2, end)
    else { return nil }
    return (line.afterBlank(end + 2), pid)
  }

  static func begins(_ line: Line) -> Bool { read(line, at: 0) != nil }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    guard let header = read(line, at: 0) else {
      // Between the lines of an error stands what the program prints.
      state.isOpen = false
      return nil
    }
    let isBlank = line.skipBlanks(header.text) == line.count
    if !state.isFirst, state.key == header.pid, isBlank || line.at(header.text).isBlank {
      return .continues
    }
    return state.begin(key: header.pid)
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard let header = read(line, at: 0) else { return false }
    clock.inherit(&record)
    record.pid = header.pid
    text.setBody(min(header.text, text.count), text.count, of: &record)
    if line.has("Process terminating with default action of signal", at: header.text) {
      record.severity = .fatal
    } else if errors.contains(where: { line.has($0, at: header.text) })
      || line.slice(0, line.firstLineEnd).index(of: " are definitely lost in ", from: 0) != nil
    {
      record.severity = .error
    } else {
      return true
    }
    record.flags.add(.severityDerived)
    return true
  }

  /// How the errors of Memcheck, Helgrind and DRD begin.
  private static let errors: [StaticString] = [
    "Invalid ", "Conditional jump or move depends on ", "Use of uninitialised value ",
    "Syscall param ", "Source and destination overlap ", "Mismatched free", "Jump to the invalid ",
    "Possible data race ", "Conflicting ", "Process terminating ",
  ]

  static let samples = [
    FormatSample(
      "==1234== Invalid read of size 4\n==1234==    at 0x1: main (a.c:3)\n==1234== ", severity: 17,
      pid: 1234, body: "Invalid read of size 4\n==1234==    at 0x1: main (a.c:3)\n==1234== "),
    FormatSample("==1234== HEAP SUMMARY:", pid: 1234, body: "HEAP SUMMARY:"),
  ]
}
