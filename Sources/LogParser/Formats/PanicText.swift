// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The words with which Go and Rust end a process.
enum PanicText {
  static func find(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    if line.has("panic: ", at: 0) {
      match.type = "panic"
      (match.messageStart, match.messageEnd) = (7, line.count)
      return true
    }
    // Panics of other threads end only these.
    guard line.has("thread 'main' ", at: 0),
      let words = line.index(of: "panicked at ", from: 14), words < 40
    else { return false }
    match.type = "panic"
    (match.messageStart, match.messageEnd) = (words + 12, line.count)
    return true
  }
}
