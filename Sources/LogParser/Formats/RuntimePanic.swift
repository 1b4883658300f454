// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// How Go and Rust say that a program, or one of its threads, gives up.
enum RuntimePanic {
  static func find(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    if line.has("panic: ", at: 0) {
      match.type = "panic"
      (match.messageStart, match.messageEnd) = (7, line.count)
      return true
    }
    guard line.has("thread '", at: 0), let panicked = line.index(of: " panicked at ", from: 8)
    else {
      return false
    }
    match.type = "panic"
    // A panic ends its thread; the process lives on, unless it was the main one.
    if !line.has("thread 'main' ", at: 0) { match.severity = .error }
    rust(line, panicked + 13, &match)
    return true
  }

  /// `file:line:column:` with the message on the next line, or `'message', file:line:column`.
  private static func rust(_ line: Line, _ start: Int, _ match: inout EmbeddedFatal.Match) {
    var place = start
    match.hasMessageBelow = line[line.count - 1] == Byte.colon
    if line.at(start) == UInt8(ascii: "'") {
      var quote = line.count - 1
      while quote > start, !line.has("', ", at: quote) { quote -= 1 }
      guard quote > start else { return }
      (match.messageStart, match.messageEnd) = (start + 1, quote)
      place = quote + 3
    }
    guard let colon = line.index(of: Byte.colon, from: place) else { return }
    let digits = line.skipDigits(colon + 1)
    guard let number = line.decimal(colon + 1, digits), line.at(digits) == Byte.colon else {
      return
    }
    (match.fileStart, match.fileEnd) = (place, colon)
    match.line = number
  }

  /// Lines of a dump of goroutines that are not indented.
  static func isGoLine(_ line: Line) -> Bool {
    if line.has("goroutine ", at: 0) || line.has("created by ", at: 0)
      || line.has("[signal ", at: 0) || line.has("exit status ", at: 0)
      || line.has("...", at: 0) || line.has("runtime stack:", at: 0)
    {
      return true
    }
    // "main.(*Cart).add(0xc42, 0x1)": a call without blanks before its arguments.
    guard line[line.count - 1] == UInt8(ascii: ")") else { return false }
    var index = 0
    while line.at(index).isName || line.at(index) == Byte.slash || line.at(index) == 0x2a
      || line.at(index) == 0x28 || line.at(index) == 0x29 || line.at(index) == 0x5b
    {
      if line[index] == 0x28, index > 0 { return true }
      index += 1
    }
    return false
  }
}
