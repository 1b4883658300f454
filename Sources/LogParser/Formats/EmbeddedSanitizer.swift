// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The first lines of the reports of LLVM's and GCC's sanitizers.
enum EmbeddedSanitizer {
  static func findAtStart(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    switch line[0] {
    case Byte.equals: return withPid(line, &match)
    case UInt8(ascii: "W") where line.has("WARNING: ThreadSanitizer: ", at: 0):
      match.type = "ThreadSanitizer"
      match.severity = .error
      (match.messageStart, match.messageEnd) = (26, line.count)
      if let pid = line.index(of: "(pid=", from: 26) {
        match.pid = line.decimal(pid + 5, line.skipDigits(pid + 5)) ?? -1
      }
      return true
    default: return false
    }
  }

  /// `==PID==ERROR: AddressSanitizer: text`.
  private static func withPid(_ line: Line, _ match: inout EmbeddedFatal.Match) -> Bool {
    let digits = line.skipDigits(2)
    guard line.at(1) == Byte.equals, digits > 2, line.has("==", at: digits) else { return false }
    var word = digits + 2
    if line.has("ERROR: ", at: word) {
      word += 7
    } else if line.has("WARNING: ", at: word) {
      word += 9
    } else {
      return false
    }
    guard let colon = line.index(of: Byte.colon, from: word), colon > word + 9,
      line.has("Sanitizer", at: colon - 9)
    else { return false }
    // A leak is found when the process ends by itself.
    match.severity = line.has("LeakSanitizer", at: word) ? .error : .fatal
    (match.typeStart, match.typeEnd) = (word, colon)
    (match.messageStart, match.messageEnd) = (line.afterBlank(colon + 1), line.count)
    match.pid = line.decimal(2, digits) ?? -1
    return true
  }

  /// `file:line:col: runtime error: text`; the process goes on.
  static func findAfterPlace(
    _ line: Line, _ match: inout EmbeddedFatal.Match
  ) -> Bool {
    guard let words = line.index(of: ": runtime error: ", from: 0) else { return false }
    var column = words
    while column > 0, line[column - 1].isDigit { column -= 1 }
    var number = column - 1
    guard column < words, number > 0, line[number] == Byte.colon else { return false }
    while number > 0, line[number - 1].isDigit { number -= 1 }
    guard number < column - 1, number > 1, line[number - 1] == Byte.colon else { return false }
    match.type = "UndefinedBehaviorSanitizer"
    match.severity = .error
    (match.messageStart, match.messageEnd) = (words + 17, line.count)
    (match.fileStart, match.fileEnd) = (0, number - 1)
    match.line = line.decimal(number, column - 1) ?? -1
    return true
  }
}
