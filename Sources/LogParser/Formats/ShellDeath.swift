// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What a shell says of a program that a signal ended, with the names that the C library has for
/// signals: `Segmentation fault (core dumped)`, and in a script `FILE: line N:  PID Aborted
/// (core dumped) COMMAND`.
enum ShellDeath {
  /// The words alone: the process may have told more itself.
  static func find(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    guard line.count < 48, let end = signal(line, 0, &match) else { return false }
    // "Aborted" and "Killed" by themselves may be anything.
    guard
      line.slice(end, line.count).isEqual(" (core dumped)")
        || end == line.count && line.has("Segmentation", at: 0)
    else { return false }
    match.isHearsay = true
    return true
  }

  /// `FILE: line N:  PID WORDS`.
  static func findAfterPlace(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    guard let mark = line.slice(0, min(line.count, 300)).index(of: ": line ", from: 1) else {
      return false
    }
    let colon = line.skipDigits(mark + 7)
    let pid = line.skipBlanks(colon + 1)
    let pidEnd = line.skipDigits(pid)
    guard colon > mark + 7, line.at(colon) == Byte.colon, pidEnd > pid, line.at(pidEnd).isBlank,
      let number = line.decimal(pid, pidEnd),
      let end = signal(line, line.skipBlanks(pidEnd), &match)
    else { return false }
    match.pid = number
    var command = line.skipBlanks(end)
    if line.has("(core dumped)", at: command) { command = line.skipBlanks(command + 13) }
    let stop = line.skipToken(command)
    match.programStart = command
    for index in command..<max(command, stop) where line[index] == Byte.slash {
      match.programStart = index + 1
    }
    match.programEnd = stop > match.programStart ? stop : 0
    return true
  }

  /// Reads a signal's name at `start`; its end.
  private static func signal(
    _ line: Line, _ start: Int, _ match: inout EmbeddedFatal.Match
  ) -> Int? {
    for (name, type) in names where line.has(name, at: start) {
      let end = start + name.utf8CodeUnitCount
      guard end == line.count || line[end].isBlank else { return nil }
      match.type = type
      (match.messageStart, match.messageEnd) = (start, end)
      return end
    }
    return nil
  }

  private static let names: [(StaticString, StaticString)] = [
    ("Segmentation fault", "SIGSEGV"), ("Aborted", "SIGABRT"), ("Bus error", "SIGBUS"),
    ("Illegal instruction", "SIGILL"), ("Floating point exception", "SIGFPE"),
    ("Trace/breakpoint trap", "SIGTRAP"), ("Bad system call", "SIGSYS"), ("Killed", "SIGKILL"),
  ]
}
