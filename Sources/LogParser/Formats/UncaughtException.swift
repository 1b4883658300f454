// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What Java, Python and Apple's runtime print when an exception ends a thread or the program.
enum UncaughtException {
  /// `Exception in thread NAME:` (Python), `Exception in thread "NAME" Class: text` (Java), and
  /// `*** Terminating app due to uncaught exception 'NAME', reason: 'TEXT'` (Apple).
  static func find(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    if line.has(appleStart, at: 0) { return findApple(line, &match) }
    guard line.has("Exception in thread ", at: 0) else { return false }
    match.type = "uncaught exception"
    match.severity = .error
    guard line.at(20) == Byte.quote, let quote = line.index(of: Byte.quote, from: 21) else {
      return true
    }
    let start = line.afterBlank(quote + 1)
    let end = line.index(of: ": ", from: start) ?? line.count
    if end > start {
      (match.typeStart, match.typeEnd) = (start, end)
      (match.messageStart, match.messageEnd) = (min(end + 2, line.count), line.count)
    }
    return true
  }

  private static let appleStart: StaticString = "*** Terminating app due to uncaught exception '"

  private static func findApple(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    let start = appleStart.utf8CodeUnitCount
    guard let end = line.index(of: "'", from: start) else { return false }
    (match.typeStart, match.typeEnd) = (start, end)
    if line.has("', reason: '", at: end) {
      match.messageStart = end + 12
      match.messageEnd = line.count
      if line[line.count - 1] == 0x27, line.count > match.messageStart { match.messageEnd -= 1 }
    }
    return true
  }
}
