// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The record that grows while a `RecordAssembler` reads lines.
struct RecordDraft {
  /// Positions in the buffer: first byte, end of the last line's content, end of its break.
  var start = -1
  var contentEnd = 0
  var end = 0
  var lines = 0
  var hasCarriageReturns = false
  var flags = RecordFlags()
  var lineBreak = LineBreak.newline
  var isOverlong = false

  var isEmpty: Bool { start < 0 }

  /// The record's text in the arena, without the CR of line ends.
  func copy(from bytes: UnsafeBufferPointer<UInt8>, to arena: ByteArena) -> ByteSlice {
    guard hasCarriageReturns else { return arena.appendSlice(bytes.slice(start, contentEnd)) }
    let textStart = arena.count
    var position = start
    while position < contentEnd {
      let newline = LineScan.newline(bytes, from: position) ?? contentEnd
      let lineEnd = min(newline, contentEnd)
      let isReturn = newline < contentEnd && lineEnd > position && bytes[lineEnd - 1] == 13
      let textEnd = isReturn ? lineEnd - 1 : lineEnd
      arena.append(UnsafeBufferPointer(rebasing: bytes[position..<textEnd]))
      if newline < contentEnd { arena.append(10) }
      position = newline + 1
    }
    return ByteSlice(start: textStart, count: arena.count - textStart)
  }
}
