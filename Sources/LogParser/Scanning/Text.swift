// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The text of one record in an arena.
///
/// `RecordParser.parse` reserves what a record's attributes can need before it makes one, and
/// `JSONWriter` never grows the arena: so `bytes` stays valid while a format reads the record.
struct Text {
  // Counting references for each record costs more than it is worth; the caller holds the arena.
  let unmanagedArena: Unmanaged<ByteArena>
  let bytes: Line
  /// The offset of the first byte in the arena.
  let start: Int

  init(_ slice: ByteSlice, in arena: ByteArena) {
    unmanagedArena = .passUnretained(arena)
    bytes = arena.bytes(slice)
    start = Int(slice.start)
  }

  var arena: ByteArena { unmanagedArena.takeUnretainedValue() }

  @inline(__always)
  var count: Int { bytes.count }

  /// The part from `from` to before `end`, counted from the text's own start.
  @inline(__always)
  func slice(_ from: Int, _ end: Int) -> ByteSlice {
    ByteSlice(start: start &+ from, count: max(0, end &- from))
  }

  /// Makes `from..<end` the body of `record`, what precedes it its head, the rest its tail.
  @inline(__always)
  func setBody(_ from: Int, _ end: Int, of record: inout LogRecord) {
    record.head = slice(0, from)
    record.body = slice(from, end)
    record.tail = slice(end, count)
  }
}
