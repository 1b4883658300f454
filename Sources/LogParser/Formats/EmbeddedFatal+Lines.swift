// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Lines behind a fatal error: Swift prints its message as it is, with its line breaks. A stack
/// behind them tells that they are the message; without one they are what comes next in the stream.
extension EmbeddedFatal: MultiRecordFormat {
  /// Where the record of the fatal error ends: the end of the text, or the newline before a line
  /// that is none of its own.
  static func messageEnd(_ text: Line) -> Int {
    let end = text.firstLineEnd
    guard end < text.count, !text.at(end + 1).isBlank, SwiftRuntimeError.hasVerbatimMessage(text)
    else { return text.count }
    var start = end + 1
    while start < text.count {
      let stop = text.lineEnd(from: start)
      if stop > start, StackBlock.isReportLine(text.slice(start, stop)) { return text.count }
      start = stop + 1
    }
    return end
  }

  static func parseFurther(
    _ text: ByteSlice, in arena: ByteArena, _ clock: inout Clock, _ first: LogRecord,
    into records: inout [LogRecord]
  ) {
    let line = arena.bytes(text)
    let further = FurtherRecords(first, textLength: line.count)
    var start = line.firstLineEnd + 1
    while start < line.count {
      var end = line.index(of: Byte.newline, from: start) ?? line.count
      while end < line.count, line.at(end + 1).isBlank || line.at(end + 1) == Byte.newline {
        end = line.index(of: Byte.newline, from: end + 1) ?? line.count
      }
      var record = further.next()
      clock.inherit(&record)
      record.body = ByteSlice(start: Int(text.start) + start, count: end - start)
      records.append(record)
      start = end + 1
    }
  }
}
