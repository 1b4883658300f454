// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// PostgreSQL's messages of several lines in syslog: `name[pid]: [n-m] text`, where `n` numbers the
/// messages of a process, and `m` the lines of one.
struct SyslogSequence {
  /// Where such a line says it.
  struct Place {
    var pid: Int64 = 0
    var message: Int64 = 0
    var line: Int64 = 0
    var textStart = 0
  }

  /// The farthest such a number is looked for.
  private static let maxHeader = 200

  private var last = Place()

  static func read(_ line: Line) -> Place? {
    let head = line.slice(0, min(line.count, maxHeader))
    guard let close = head.index(of: "]: [", from: 0) else { return nil }
    var open = close
    while open > 0, head[open - 1].isDigit { open -= 1 }
    let dash = head.skipDigits(close + 4)
    let end = head.skipDigits(dash + 1)
    guard open > 0, head[open - 1] == Byte.openBracket, head.at(dash) == Byte.dash,
      head.has("] ", at: end), let pid = head.decimal(open, close),
      let message = head.decimal(close + 4, dash), let number = head.decimal(dash + 1, end)
    else { return nil }
    return Place(pid: pid, message: message, line: number, textStart: end + 2)
  }

  /// Whether `line` is a further line of the message that the line before belongs to.
  mutating func continues(_ line: Line) -> Bool {
    guard let place = Self.read(line) else {
      last = Place()
      return false
    }
    let isNext =
      place.line == last.line + 1 && place.line > 1 && place.pid == last.pid
      && place.message == last.message
    last = place
    return isNext
  }

  /// The message without the headers of its further lines, in the arena; its first line is that of
  /// the record's body as it stands.
  static func join(_ text: Text, _ record: inout LogRecord) {
    let whole = text.slice(0, text.count)
    let first = text.bytes.firstLineEnd
    let arena = text.arena
    arena.reserve(text.count)
    let start = arena.count
    arena.append(copyOf: text.slice(Int(record.body.start) - text.start, first))
    var from = first
    while from < text.count {
      let end = text.bytes.lineEnd(from: from + 1)
      // Not kept as a pointer: appending may not move the arena, but nothing says so here.
      let line = text.bytes.slice(from + 1, end)
      var textStart = read(line)?.textStart ?? 0
      arena.append(Byte.newline)
      if line.has("#011", at: textStart) {
        arena.append(Byte.tab)
        textStart += 4
      }
      arena.append(copyOf: text.slice(from + 1 + textStart, end))
      from = end
    }
    (record.head, record.tail) = (.empty, .empty)
    record.original = whole
    record.body = ByteSlice(start: start, count: arena.count - start)
  }
}
