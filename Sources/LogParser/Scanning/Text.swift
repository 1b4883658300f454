// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The text of one record in an arena. It keeps offsets, so it outlives appends; the `Line` that
/// `bytes` gives does not.
struct Text {
  let arena: ByteArena
  let start: Int
  let count: Int

  init(_ slice: ByteSlice, in arena: ByteArena) {
    self.arena = arena
    start = Int(slice.start)
    count = Int(slice.count)
  }

  @inline(__always)
  var bytes: Line { Line(start: arena.base + start, count: count) }

  /// The part from `from` to before `end`, counted from the text's own start.
  @inline(__always)
  func slice(_ from: Int, _ end: Int) -> ByteSlice {
    ByteSlice(start: start &+ from, count: end &- from)
  }

  /// Makes `from..<end` the body of `record`, what precedes it its head, the rest its tail.
  @inline(__always)
  func setBody(_ from: Int, _ end: Int, of record: inout LogRecord) {
    record.head = slice(0, from)
    record.body = slice(from, end)
    record.tail = slice(end, count)
  }
}
