// SPDX-License-Identifier: Apache-2.0

/// Documents in base64, as queues and clouds wrap them: `eyJ…` is `{"…`.
enum WrappedText {
  /// The run of base64 that begins two bytes before the `J` at `index`; `nil` when it is short.
  static func range(_ text: TextBytes, at index: Int) -> Range<Int>? {
    let start = index - 2
    guard text.matches("ey", at: start),
      digit(text.byte(start - 1)) == nil || text.isEscape(start - 1)
    else { return nil }
    var end = index + 1
    while end < text.count, digit(text[end]) != nil { end += 1 }
    guard end - start >= 24 else { return nil }
    while text.byte(end) == UInt8(ascii: "=") { end += 1 }
    return start..<end
  }

  /// What the run stands for, up to its padding.
  static func decoded(_ run: TextBytes) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(run.count / 4 * 3 + 3)
    var bits: UInt32 = 0
    var count = 0
    for byte in run {
      guard let digit = digit(byte) else { break }
      bits = bits << 6 | UInt32(digit)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  /// Of either alphabet, that of URLs too.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x41...0x5a: byte - 0x41
    case 0x61...0x7a: byte - 0x61 + 26
    case 0x30...0x39: byte - 0x30 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
