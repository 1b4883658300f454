// SPDX-License-Identifier: Apache-2.0

/// Times in Eastern Arabic (U+0660…) or Persian (U+06F0…) digits, as programs write them that use
/// the user's locale.
enum ArabicDigits {
  /// As many bytes as any time takes, two a digit.
  private static let maxBytes = 96

  /// Whether `line` begins with such a digit at `start`.
  @inline(__always)
  static func begin(_ line: Line, _ start: Int) -> Bool {
    let lead = line.at(start)
    return lead == 0xd9 || lead == 0xdb
  }

  /// Reads a stamp at `start` as if its digits were ASCII; its end is that in `line`.
  static func scan(_ line: Line, at start: Int, into stamp: inout Stamp) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: maxBytes) { buffer in
      var count = 0
      var index = start
      while index < line.count, index - start < maxBytes, line[index] != Byte.newline {
        if let digit = digit(line, index) {
          buffer[count] = digit
          index += 2
        } else {
          buffer[count] = line[index]
          index += 1
        }
        count += 1
      }
      let text = Line(rebasing: UnsafeBufferPointer(buffer)[0..<count])
      guard StampScanner.scan(text, at: 0, into: &stamp) else { return false }
      // Letters of a zone would have to be looked up in the line itself.
      if stamp.zone == .letters { stamp.zone = .absent }
      stamp.end = original(line, start, stamp.end)
      return true
    }
  }

  private static func digit(_ line: Line, _ index: Int) -> UInt8? {
    let next = line.at(index + 1)
    switch line[index] {
    case 0xd9 where next >= 0xa0 && next <= 0xa9: return next - 0xa0 + Byte.zero
    case 0xdb where next >= 0xb0 && next <= 0xb9: return next - 0xb0 + Byte.zero
    default: return nil
    }
  }

  /// The index in `line` of what became byte `end`.
  private static func original(_ line: Line, _ start: Int, _ end: Int) -> Int {
    var index = start
    for _ in 0..<end { index += digit(line, index) == nil ? 1 : 2 }
    return index
  }
}
