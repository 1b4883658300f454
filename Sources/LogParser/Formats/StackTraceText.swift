// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Java's and Python's stack traces behind a message, as `exception.type`, `.message` and
/// `.stacktrace`.
enum StackTraceText {
  /// Adds what the lines after the first of the record's body tell of an exception.
  static func annotate(_ record: inout LogRecord, _ arena: ByteArena) {
    let body = Text(record.body, in: arena)
    let first = body.bytes.firstLineEnd
    guard first < body.count else { return }
    var trace = Trace()
    guard python(body.bytes, first, &trace) || java(body.bytes, first, &trace) else { return }
    var writer = JSONWriter(body, after: record.attributes)
    if trace.typeEnd > trace.typeStart {
      writer.member("exception.type", text: body.slice(trace.typeStart, trace.typeEnd))
    }
    if trace.messageEnd > trace.messageStart {
      writer.member("exception.message", text: body.slice(trace.messageStart, trace.messageEnd))
    }
    writer.member("exception.stacktrace", text: body.slice(trace.start, body.count))
    record.attributes = writer.finish(body)
  }

  /// Whether Python's words before a stack stand at `index`.
  static func isTraceback(_ line: Line, at index: Int) -> Bool {
    line.has("Traceback (most recent call last):", at: index)
  }

  private struct Trace {
    var start = 0
    var typeStart = 0
    var typeEnd = 0
    var messageStart = 0
    var messageEnd = 0

    /// Reads `Type: message`, the message up to `end`.
    mutating func readHeader(_ line: Line, _ from: Int, _ end: Int) {
      typeStart = from
      var index = from
      while index < end, line[index].isName || line[index] == 0x24 { index += 1 }
      typeEnd = index
      guard line.at(index) == Byte.colon, index < end else { return }
      messageStart = min(line.skipBlanks(index + 1), end)
      messageEnd = end
    }
  }

  /// The last exception of a chain: it is the one that reached the logger.
  private static func python(_ line: Line, _ first: Int, _ trace: inout Trace) -> Bool {
    let mark: StaticString = "\nTraceback (most recent call last):"
    let start: Int
    if isTraceback(line, at: 0) {
      start = -1
    } else if let found = line.index(of: mark, from: first) {
      start = found
    } else {
      return false
    }
    trace.start = start + 1
    var last = start
    while let next = line.index(of: mark, from: last + 1) { last = next }
    var index = next(line, last + 1)
    while index < line.count, line[index].isBlank { index = next(line, index) }
    guard index < line.count, line[index].isLetter else { return true }
    let end = line.index(of: "\n\n", from: index) ?? line.count
    trace.readHeader(line, index, end)
    return true
  }

  /// The first line before the frames that is a class, perhaps with a message of several lines.
  private static func java(_ line: Line, _ first: Int, _ trace: inout Trace) -> Bool {
    var index = first + 1
    var header = -1
    while index < line.count {
      if isFrame(line, index) {
        trace.start = header >= 0 ? header : index
        if header >= 0 { trace.readHeader(line, header, index - 1) }
        return true
      }
      if header < 0, isClass(line, index) { header = index }
      index = next(line, index)
    }
    return false
  }

  private static func next(_ line: Line, _ start: Int) -> Int {
    (line.index(of: Byte.newline, from: start) ?? line.count - 1) + 1
  }

  private static func isFrame(_ line: Line, _ start: Int) -> Bool {
    guard line[start].isBlank else { return false }
    let word = line.skipBlanks(start)
    guard line.has("at ", at: word) else { return false }
    let end = line.index(of: Byte.newline, from: word) ?? line.count
    return line.slice(0, end).index(of: UInt8(ascii: "("), from: word) != nil
  }

  /// `a.b.Class` or `Class$InnerException`, then a colon or the end of the line.
  private static func isClass(_ line: Line, _ start: Int) -> Bool {
    guard line[start].isLetter else { return false }
    var index = start
    var hasMark = false
    while line.at(index).isName || line.at(index) == 0x24 {
      hasMark = hasMark || line[index] == Byte.dot || line[index] == 0x24
      index += 1
    }
    let isEnd = line.at(index) == Byte.newline || index == line.count
    guard isEnd || line.at(index) == Byte.colon && line.at(index + 1).isBlank else { return false }
    return hasMark || line.has("Exception", at: index - 9) || line.has("Error", at: index - 5)
  }
}
