// SPDX-License-Identifier: Apache-2.0

/// Cuts a file that a home-made handler appends to into its reports.
enum HandlerBlocks {
  /// A line of five or more `=` and nothing else.
  static func isRule(_ line: String) -> Bool {
    let text = CrashText.trim(line)
    return text.utf8.count >= 5 && text.utf8.allSatisfy { $0 == UInt8(ascii: "=") }
  }

  /// `===== CRASH REPORT =====`: a rule with words of crashing in it.
  static func isTitle(_ line: String) -> Bool {
    let text = CrashText.trim(line)
    guard text.hasPrefix("====="), text.hasSuffix("="), !isRule(text) else { return false }
    return hasCrashWord(text)
  }

  static func hasCrashWord(_ text: String) -> Bool {
    let lower = text.lowercased()
    return ["crash", "exception", "崩溃", "异常", "크래시", "예외", "비정상", "오류"].contains {
      CrashText.contains(lower, $0)
    }
  }

  /// The reports' lines. A block goes from its title, or its first line, to its closing rule or to
  /// the next title.
  static func split(_ lines: ReportLines) -> [Range<Int>] {
    var cutter = Cutter()
    for index in 0..<lines.count { cutter.take(lines[index], at: index) }
    return cutter.finish(lines.count)
  }

  /// The bytes of a block: to the end of its last line that is not blank, with one line end. So a
  /// block keeps its bytes when more is appended.
  static func bytes(of block: Range<Int>, in lines: ReportLines, count: Int) -> Range<Int> {
    var last = block.upperBound - 1
    while last > block.lowerBound, CrashText.trim(lines[last]).isEmpty { last -= 1 }
    return lines.start(of: block.lowerBound)..<min(lines.start(of: last + 1), count)
  }

  private struct Cutter {
    private var blocks: [Range<Int>] = []
    private var start: Int?
    /// A label or a stack line was seen, so a rule closes the block and does not decorate it.
    private var hasContent = false

    mutating func take(_ line: String, at index: Int) {
      if isTitle(line) {
        if hasContent { close(before: index) }
        start = start ?? index
      } else if isRule(line) {
        if hasContent { close(before: index + 1) } else { start = start ?? index }
      } else if !CrashText.trim(line).isEmpty {
        start = start ?? index
        if !hasContent { hasContent = isContent(line) }
      }
    }

    private func isContent(_ line: String) -> Bool {
      HandlerLabel.read(line) != nil || StackSymbolLine.read(line) != nil
    }

    private mutating func close(before end: Int) {
      if let start { blocks.append(start..<end) }
      start = nil
      hasContent = false
    }

    mutating func finish(_ end: Int) -> [Range<Int>] {
      if hasContent { close(before: end) }
      return blocks
    }
  }
}
