// SPDX-License-Identifier: Apache-2.0

internal import LogQuery

/// Breaks text into lines of a width.
enum TextWrap {
  /// The lines of `text`, none wider than `width` columns: broken at blanks where there are some,
  /// else anywhere.
  ///
  /// - Parameters:
  ///   - text: without control characters but newlines.
  ///   - width: in columns, at least 1.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.utf8.count <= width {
        lines.append(String(line))
      } else {
        breakLine(line, width, &lines)
      }
    }
    return lines
  }

  private static func breakLine(_ line: Substring, _ width: Int, _ lines: inout [String]) {
    var rest = line
    while !rest.isEmpty {
      var used = 0
      var end = rest.startIndex
      var blank: Substring.Index?
      while end < rest.endIndex {
        let columns = SafeText.width(String(rest[end]))
        if used + columns > width, end > rest.startIndex { break }
        // A blank near the start would leave nearly all of the line empty.
        if rest[end] == " ", used > width / 2 { blank = end }
        used += columns
        end = rest.index(after: end)
      }
      if end == rest.endIndex {
        lines.append(String(rest))
        return
      }
      if rest[end] == " " { blank = end }
      lines.append(String(rest[..<(blank ?? end)]))
      rest = rest[(blank ?? end)...]
      if rest.first == " " { rest.removeFirst() }
    }
  }
}
