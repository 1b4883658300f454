// SPDX-License-Identifier: Apache-2.0

/// How a file's characters are written, by the mark at its beginning.
package enum TextEncoding: Sendable {
  /// UTF-8, or bytes that are taken for it.
  case utf8
  case utf16LittleEndian
  case utf16BigEndian

  /// The encoding of a file that begins with these bytes.
  package init(fileBeginning bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.starts(with: [0xff, 0xfe]) {
      self = .utf16LittleEndian
    } else if bytes.starts(with: [0xfe, 0xff]) {
      self = .utf16BigEndian
    } else {
      self = Self.withoutMark(bytes)
    }
  }

  /// Text of ASCII in UTF-16 has a NUL in every other byte: its place tells the order.
  private static func withoutMark(_ bytes: UnsafeBufferPointer<UInt8>) -> TextEncoding {
    let pairs = min(bytes.count, 64) / 2
    guard pairs >= 4 else { return .utf8 }
    var zeros = (even: 0, odd: 0)
    for pair in 0..<pairs {
      if bytes[pair * 2] == 0 { zeros.even += 1 }
      if bytes[pair * 2 + 1] == 0 { zeros.odd += 1 }
    }
    // A line in another script may stand among the first; a run of NULs is a hole.
    if zeros.even == 0, zeros.odd * 10 >= pairs * 8 { return .utf16LittleEndian }
    return zeros.odd == 0 && zeros.even * 10 >= pairs * 8 ? .utf16BigEndian : .utf8
  }

  /// Bytes of the mark at the beginning of a file of this encoding.
  static func markLength(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return 3 }
    return bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff]) ? 2 : 0
  }
}

/// UTF-16 as UTF-8, with the way back from the places that matter to the file's own bytes.
struct TranscodedLines {
  var text: [UInt8] = []
  /// Where lines begin, and where the text ends: in `text`, and in the original.
  private var marks: [(text: Int, raw: Int)] = []

  /// - Parameters:
  ///   - bytes: whole lines of UTF-16 and the rest of one; half a character at the end is left out.
  ///   - isBigEndian: the order of the bytes of a unit.
  init(_ bytes: UnsafeBufferPointer<UInt8>, isBigEndian: Bool) {
    text.reserveCapacity(bytes.count)
    marks.append((0, 0))
    var position = 0
    while position + 1 < bytes.count {
      let unit = Self.unit(bytes, position, isBigEndian)
      var scalar = UInt32(unit)
      var length = 2
      if unit & 0xfc00 == 0xd800 {
        guard position + 3 < bytes.count else { break }
        let low = Self.unit(bytes, position + 2, isBigEndian)
        if low & 0xfc00 == 0xdc00 {
          scalar = 0x10000 + (UInt32(unit & 0x3ff) << 10 | UInt32(low & 0x3ff))
          length = 4
        }
      }
      // Half of a pair stands for nothing.
      text.append(contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{fffd}") ?? .init([]))
      position += length
      if unit == 10 { marks.append((text.count, position)) }
    }
    marks.append((text.count, position))
  }

  /// The place in the original of the start of a line, or of the end.
  func raw(of position: Int) -> Int {
    var low = 0
    var high = marks.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if marks[middle].text <= position { low = middle } else { high = middle - 1 }
    }
    return marks[low].raw
  }

  private static func unit(
    _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ isBigEndian: Bool
  ) -> UInt16 {
    let first = UInt16(bytes[position])
    let second = UInt16(bytes[position + 1])
    return isBigEndian ? first << 8 | second : second << 8 | first
  }
}

extension RecordAssembler {
  /// Calls `body` with a sample of a file's beginning as UTF-8, without its mark.
  package static func withText(
    of sample: UnsafeBufferPointer<UInt8>, _ encoding: TextEncoding,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    let text = UnsafeBufferPointer(rebasing: sample[TextEncoding.markLength(sample)...])
    if encoding == .utf8 { return body(text) }
    let lines = TranscodedLines(text, isBigEndian: encoding == .utf16BigEndian)
    lines.text.withUnsafeBufferPointer(body)
  }
}
