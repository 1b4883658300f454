// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import LogModel

/// Where the next byte of a JSON object goes, in memory with room for what is put.
///
/// A member is written with a copy of its writer's pen, which the compiler keeps in a register.
/// Moved in the writer itself the cursor would be loaded and stored again for each piece, since for
/// all that the compiler knows the piece may lie on top of it: half the time of writing a member.
struct JSONPen {
  var cursor: UnsafeMutablePointer<UInt8>

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    cursor.pointee = byte
    cursor += 1
  }

  @inline(__always)
  mutating func put(_ text: StaticString) {
    cursor.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    cursor += text.utf8CodeUnitCount
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    cursor.update(from: start, count: bytes.count)
    cursor += bytes.count
  }

  /// Puts a part of the arena whose byte 0 is at `base`.
  @inline(__always)
  mutating func put(_ slice: ByteSlice, of base: UnsafeMutablePointer<UInt8>) {
    let source = UnsafeRawPointer(base + Int(slice.start))
    let count = Int(slice.count)
    if count > 64 {
      UnsafeMutableRawPointer(cursor).copyMemory(from: source, byteCount: count)
    } else {
      // Short pieces are the rule, and a call costs more than they do.
      var index = 0
      while index < count {
        UnsafeMutableRawPointer(cursor + index).copyMemory(from: source + index, byteCount: 16)
        index &+= 16
      }
    }
    cursor += count
  }

  /// Puts a JSON string of valid UTF-8 in an arena; it may need six bytes for each byte.
  @inline(__always)
  mutating func string(_ text: ByteSlice, of base: UnsafeMutablePointer<UInt8>) {
    put(Byte.quote)
    let source = UnsafeRawPointer(base + Int(text.start))
    let count = Int(text.count)
    var index = 0
    while index < count {
      // Sixteen bytes at a time while none of them needs an escape. The arena reaches further than
      // the text, so what is read behind its end is only ignored.
      let bytes = source + index
      UnsafeMutableRawPointer(cursor).copyMemory(from: bytes, byteCount: 16)
      let step = min(16, count &- index)
      let special = Int(la_first_escaped(bytes))
      if special >= step {
        cursor += step
        index &+= step
      } else {
        cursor += special
        index &+= special
        self = Self.escape(source.load(fromByteOffset: index, as: UInt8.self), self)
        index &+= 1
      }
    }
    put(Byte.quote)
  }

  /// Puts a byte of a JSON string, escaped where that is needed.
  @inline(__always)
  mutating func escaped(_ byte: UInt8) {
    if byte < 0x20 || byte == Byte.quote || byte == Byte.backslash {
      self = Self.escape(byte, self)
    } else {
      put(byte)
    }
  }

  // By value: a pen that is lent has to lie in memory.
  @inline(never)
  private static func escape(_ byte: UInt8, _ pen: JSONPen) -> JSONPen {
    var pen = pen
    pen.put(Byte.backslash)
    switch byte {
    case Byte.newline: pen.put(UInt8(ascii: "n"))
    case Byte.carriageReturn: pen.put(UInt8(ascii: "r"))
    case Byte.tab: pen.put(UInt8(ascii: "t"))
    case Byte.quote, Byte.backslash: pen.put(byte)
    default:
      pen.put("u00")
      pen.put((byte >> 4) + 48)
      pen.put(byte & 15 < 10 ? (byte & 15) + 48 : (byte & 15) + 87)
    }
    return pen
  }
}
