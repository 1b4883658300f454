// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Headers of coloured lines: what is needed to recognise them, without the arena.
enum LineCleaner {
  /// As many bytes as any header is looked for in.
  private static let headBytes = 1024

  /// Calls `body` with `line`, or with a copy of its head without colours when it has any.
  static func withClean<Result>(_ line: Line, _ body: (Line) -> Result) -> Result {
    guard hasEscape(line) else { return body(line) }
    let head = line.slice(0, min(line.count, headBytes))
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: head.count) { buffer in
      var count = 0
      var index = 0
      while index < head.count {
        let escaped = TextRepair.escapeLength(head, at: index)
        if escaped > 0 {
          index += escaped
        } else {
          buffer[count] = head[index]
          count += 1
          index += 1
        }
      }
      return body(Line(rebasing: UnsafeBufferPointer(buffer)[0..<count]))
    }
  }

  /// Whether an escape sequence may stand in the line's head.
  @inline(__always)
  static func hasEscape(_ line: Line) -> Bool {
    line.slice(0, min(line.count, headBytes)).index(of: Byte.escape, from: 0) != nil
  }
}
