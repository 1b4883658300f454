// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The place in the program that the stack of a sanitizer's report names, as its text goes into a
/// log: the innermost frame that is neither the sanitizer's nor the system's.
enum StackPlace {
  /// Frames that are looked at: an error is seldom further from its cause.
  private static let maxFrames = 16

  /// Sets file, line and function of `match`, when one is found below `start`.
  static func find(_ text: Line, from start: Int, _ match: inout EmbeddedFatal.Match) {
    var at = start + 1
    for _ in 0..<maxFrames where at < text.count {
      let end = text.index(of: Byte.newline, from: at) ?? text.count
      let line = String(decoding: text.slice(at, end), as: UTF8.self)
      // Bytes that are no text would move what follows them.
      if let frame = SanitizerReader.frame(line), frame.isOwn, line.utf8.count == end - at {
        return read(line, at: at, frame, &match)
      }
      at = end + 1
    }
  }

  /// `    #0 0x55 in FUNCTION FILE:LINE[:COLUMN]`, or without an address.
  private static func read(
    _ line: String, at start: Int, _ frame: CrashFrame, _ match: inout EmbeddedFatal.Match
  ) {
    guard let symbol = frame.symbol, let file = frame.file, let number = frame.line,
      let function = CrashText.find(symbol, in: line),
      let path = CrashText.find(file, in: line[function.upperBound...])
    else { return }
    func index(_ position: String.Index) -> Int {
      start + line.utf8.distance(from: line.startIndex, to: position)
    }
    (match.functionStart, match.functionEnd) = (
      index(function.lowerBound), index(function.upperBound)
    )
    (match.fileStart, match.fileEnd) = (index(path.lowerBound), index(path.upperBound))
    match.line = Int64(number)
  }
}
