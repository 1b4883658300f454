// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What Java and Python print when an exception ends a thread, without any header.
enum UncaughtException {
  /// `Exception in thread NAME:` (Python) and `Exception in thread "NAME" Class: text` (Java).
  static func find(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
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
}
