// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The words with which the Swift runtime of any version ends a process.
enum SwiftRuntimeError {
  /// Finds the texts that name no place, or name it last.
  static func findAtStart(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    switch line[0] {
    case UInt8(ascii: "F") where line.has("Fatal error", at: 0):
      return plain(line, 0, "Fatal error", &match)
    case UInt8(ascii: "S") where line.has("Swift runtime failure: ", at: 0):
      return plain(line, 0, "Swift runtime failure", &match)
    case UInt8(ascii: "f") where line.has("fatal error: ", at: 0):
      return plain(line, 0, "Fatal error", &match)
    case UInt8(ascii: "P") where line.has("Precondition failed: ", at: 0):
      return plain(line, 0, "Precondition failed", &match)
    case UInt8(ascii: "T") where line.has("Thread ", at: 0):
      // Xcode's console: "Thread 1: Fatal error: …".
      let digits = line.skipDigits(7)
      guard digits > 7, line.has(": Fatal error", at: digits) else { break }
      return plain(line, digits + 2, "Fatal error", &match)
    default: break
    }
    return withoutLocation(line, &match)
  }

  /// `Fatal error[: text[: file F, line N]]` at `start`; the last `: file` is the location.
  private static func plain(
    _ line: Line, _ start: Int, _ type: StaticString, _ match: inout EmbeddedFatal.Match
  ) -> Bool {
    let wordsEnd = start + type.utf8CodeUnitCount
    guard wordsEnd == line.count || line[wordsEnd] == Byte.colon else { return false }
    match.type = type
    match.messageStart = line.afterBlank(wordsEnd + 1)
    match.messageEnd = line.count
    var from = wordsEnd
    while let file = line.index(of: ": file ", from: from) {
      from = file + 7
      guard let comma = line.index(of: ", line ", from: from),
        let number = line.decimal(comma + 7, line.skipDigits(comma + 7))
      else { continue }
      match.messageEnd = max(match.messageStart, file)
      (match.fileStart, match.fileEnd) = (from, comma)
      match.line = number
    }
    return true
  }

  /// Whether the runtime's words in this line are followed by a message of the program's own.
  static func hasVerbatimMessage(_ line: Line) -> Bool {
    var match = EmbeddedFatal.Match()
    let first = line.slice(0, line.firstLineEnd)
    guard first.count > 8, findAtStart(first, &match) || findAfterPlace(first, &match) else {
      return false
    }
    // Those of the runtime's own have no words before them.
    return match.messageEnd == first.count && match.messageStart > 0
      && match.messageEnd > match.messageStart && !first.has("SWIFT TASK ", at: 0)
  }

  private static func withoutLocation(
    _ line: Line, _ match: inout EmbeddedFatal.Match
  ) -> Bool {
    if line.has("SWIFT TASK CONTINUATION MISUSE: ", at: 0) {
      match.type = "Swift task continuation misuse"
      match.messageStart = 32
      // The process lives on after a leak; after a second resume it does not.
      match.severity = line.index(of: "leaked its continuation", from: 32) != nil ? .warn : .fatal
    } else if line.has("Object 0x", at: 0),
      line.index(of: " deallocated with non-zero retain count ", from: 9) != nil
    {
      match.type = "Deallocated with non-zero retain count"
    } else if line.isEqual("freed pointer was not the last allocation") {
      match.type = "Task allocator misuse"
    } else if line.has("Could not cast value of type '", at: 0) {
      match.type = "Could not cast value"
    } else if line.has("Simultaneous accesses to 0x", at: 0) {
      match.type = "Simultaneous accesses"
    } else {
      return false
    }
    match.messageEnd = line.count
    return true
  }

  /// `F:N: Fatal error[: text]` and its relatives.
  static func findAfterPlace(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    var colon = 0
    while let found = line.index(of: Byte.colon, from: colon + 1), found < 512 {
      colon = found
      let digits = line.skipDigits(found + 1)
      guard digits > found + 1, line.at(digits) == Byte.colon, line.at(digits + 1) == Byte.space
      else { continue }
      for type: StaticString in ["Fatal error", "Precondition failed", "Assertion failed"]
      where line.has(type, at: digits + 2) {
        guard plain(line, digits + 2, type, &match) else { return false }
        guard isPath(line, found) else { return false }
        (match.fileStart, match.fileEnd) = (0, found)
        match.line = line.decimal(found + 1, digits) ?? -1
        return true
      }
    }
    return false
  }

  private static func isPath(_ line: Line, _ end: Int) -> Bool {
    guard end > 2 else { return false }
    var hasDot = false
    for index in 0..<end {
      if line[index] == Byte.dot { hasDot = true }
      if line[index] == Byte.tab || line[index] == Byte.quote { return false }
    }
    return hasDot
  }
}
