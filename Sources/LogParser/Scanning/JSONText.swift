// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Undoes the escapes of JSON strings.
enum JSONText {
  /// The text of a string whose content (without quotes) is `content`: the slice itself when it
  /// has no escapes, else a copy in the arena. A lone surrogate and NUL become U+FFFD.
  @inline(__always)
  static func unescaped(_ content: ByteSlice, in arena: ByteArena) -> ByteSlice {
    let bytes = arena.bytes(content)
    guard bytes.index(of: Byte.backslash, from: 0) != nil else { return content }
    return copy(content, in: arena)
  }

  private static func copy(_ content: ByteSlice, in arena: ByteArena) -> ByteSlice {
    let start = arena.count
    // An escape is never shorter than what it stands for, save U+FFFD's three bytes for six.
    arena.reserve(Int(content.count) + 4)
    let bytes = arena.bytes(content)
    var run = 0
    var index = 0
    while let slash = bytes.index(of: Byte.backslash, from: index) {
      arena.append(bytes.slice(run, slash))
      index = append(bytes, slash, to: arena)
      run = index
    }
    arena.append(bytes.slice(run, bytes.count))
    return ByteSlice(start: start, count: arena.count - start)
  }

  private static func append(_ bytes: Line, _ slash: Int, to arena: ByteArena) -> Int {
    switch bytes.at(slash + 1) {
    case UInt8(ascii: "n"): arena.append(Byte.newline)
    case UInt8(ascii: "t"): arena.append(Byte.tab)
    case UInt8(ascii: "r"): arena.append(Byte.carriageReturn)
    case UInt8(ascii: "b"): arena.append(0x08)
    case UInt8(ascii: "f"): arena.append(0x0c)
    case UInt8(ascii: "u"): return appendUnicode(bytes, slash, to: arena)
    default: arena.append(bytes.at(slash + 1))
    }
    return slash + 2
  }

  private static func appendUnicode(_ bytes: Line, _ slash: Int, to arena: ByteArena) -> Int {
    let high = UInt32(truncatingIfNeeded: bytes.hexadecimal(slash + 2, slash + 6) ?? 0xfffd)
    var end = slash + 6
    var value = high
    if high >= 0xd800, high < 0xdc00, bytes.has("\\u", at: end),
      let low = bytes.hexadecimal(end + 2, end + 6), low >= 0xdc00, low < 0xe000
    {
      value = 0x10000 + (high - 0xd800) << 10 + UInt32(truncatingIfNeeded: low) - 0xdc00
      end += 6
    }
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    let isNUL = scalar.value == 0
    for byte in UTF8.encode(isNUL ? "\u{FFFD}" : scalar) ?? UTF8.encodedReplacementCharacter {
      arena.append(byte)
    }
    return end
  }
}
