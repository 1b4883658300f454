// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The lines of Pacemaker's own files, behind their time: `host program [pid] (function) level: text`,
/// before version 2 `[pid] host program: level: function: text`, and Corosync's
/// `[pid] host program level [part] text`.
enum PacemakerLine {
  /// Reads what begins at `start`, behind the time; false when it is something else.
  static func read(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) -> Bool {
    let limited = line.slice(0, line.firstLineEnd)
    return limited.at(start) == Byte.openBracket
      ? readOld(limited, start, text, &record) : readNew(limited, start, text, &record)
  }

  private static func readNew(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) -> Bool {
    let program = line.skipBlanks(line.skipToken(start))
    // Long names have no blank before the bracket.
    let token = line.skipToken(program)
    let programEnd = line.slice(0, token).index(of: Byte.openBracket, from: program) ?? token
    let pid = line.skipBlanks(programEnd) + 1
    let pidEnd = line.skipDigits(pid)
    guard programEnd > program, pidEnd > pid, line[pid - 1] == Byte.openBracket,
      line.has("] (", at: pidEnd), let close = line.index(of: ") ", from: pidEnd),
      readLevel(line, line.skipBlanks(close + 1), text, &record)
    else { return false }
    record.process = text.slice(program, programEnd)
    record.pid = line.decimal(pid, pidEnd) ?? -1
    return true
  }

  private static func readOld(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) -> Bool {
    let pidEnd = line.skipDigits(start + 1)
    guard pidEnd > start + 1, line.has("] ", at: pidEnd) else { return false }
    let program = line.skipBlanks(line.skipToken(pidEnd + 2))
    var programEnd = line.skipToken(program)
    let level = line.skipBlanks(programEnd)
    guard programEnd > program + 1, readLevel(line, level, text, &record) else { return false }
    if line[programEnd - 1] == Byte.colon { programEnd -= 1 }
    record.process = text.slice(program, programEnd)
    record.pid = line.decimal(start + 1, pidEnd) ?? -1
    return true
  }

  /// `level: text`, or `level [part] text`.
  private static func readLevel(
    _ line: Line, _ start: Int, _ text: Text, _ record: inout LogRecord
  ) -> Bool {
    var end = start
    while line.at(end).isLetter { end += 1 }
    let next = line.skipBlanks(end)
    guard line.at(end) == Byte.colon || next > end && line.at(next) == Byte.openBracket,
      let severity = LevelWords.severity(of: line.slice(start, end), .syslog)
    else { return false }
    record.severity = severity
    record.severityText = text.slice(start, end)
    let body = line.at(end) == Byte.colon ? line.skipBlanks(end + 1) : next
    text.setBody(min(body, text.count), text.count, of: &record)
    return true
  }
}
