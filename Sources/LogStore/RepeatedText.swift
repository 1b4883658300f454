// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Passes by what a text has in common with the last one of its kind, at its start and its end: half
/// of a line of a server is a time, names and an agent that the line before had as well.
struct RepeatedText {
  /// By kind; empty for none.
  private var last: [ByteSlice] = []

  /// The next text of each kind is new as a whole.
  mutating func forget() { last.removeAll(keepingCapacity: true) }

  /// The part of `text` that differs.
  ///
  /// - Parameters:
  ///   - kind: a small number.
  ///   - overlap: bytes on both sides of the part that belong to it too.
  mutating func news(in text: ByteSlice, kind: Int, overlap: Int, _ arena: ByteArena) -> ByteSlice {
    while kind >= last.count { last.append(.empty) }
    let before = last[kind]
    last[kind] = text
    let most = min(Int(text.count), Int(before.count))
    let base = UnsafeRawPointer(arena.base)
    let prefix = Self.prefix(base + Int(text.start), base + Int(before.start), most)
    let suffix = Self.suffix(base + text.end, base + before.end, most - prefix)
    let start = max(0, prefix - overlap)
    let end = min(Int(text.count), Int(text.count) - suffix + overlap)
    return ByteSlice(start: Int(text.start) + start, count: max(0, end - start))
  }

  /// How many of `most` bytes from two addresses on are the same.
  private static func prefix(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ most: Int) -> Int
  {
    var count = 0
    while count &+ 8 <= most {
      let difference = word(one, count) ^ word(other, count)
      if difference != 0 { return count &+ difference.trailingZeroBitCount / 8 }
      count &+= 8
    }
    while count < most,
      one.load(fromByteOffset: count, as: UInt8.self)
        == other.load(fromByteOffset: count, as: UInt8.self)
    { count &+= 1 }
    return count
  }

  /// And of those before two addresses.
  private static func suffix(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ most: Int) -> Int
  {
    var count = 0
    while count &+ 8 <= most {
      let difference = word(one, -8 &- count) ^ word(other, -8 &- count)
      if difference != 0 { return count &+ difference.leadingZeroBitCount / 8 }
      count &+= 8
    }
    while count < most,
      one.load(fromByteOffset: -1 &- count, as: UInt8.self)
        == other.load(fromByteOffset: -1 &- count, as: UInt8.self)
    { count &+= 1 }
    return count
  }

  @inline(__always)
  private static func word(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}
