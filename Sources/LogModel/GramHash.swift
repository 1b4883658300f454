// SPDX-License-Identifier: Apache-2.0

/// Runs of five bytes of a text, each as one of 131,072 bits: what the store's table `gram_filter`
/// holds for each block of records. A text that is searched for has only bits that the text around
/// it has; so a block that lacks one of them need not be looked at.
public enum GramHash {
  /// Bytes of a gram. Shorter ones are in every text, longer ones leave out shorter words.
  public static let length = 5
  /// Bytes of the bits of a block.
  public static let blockBytes = 16 << 10
  /// Records of a block are those whose ids agree above so many bits.
  public static let blockShift: Int64 = 12

  /// A letter of ASCII in small, so that one filter serves both ways of searching.
  @inlinable
  public static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// The bit of a gram, given as its bytes in the lower 40 bits.
  @inlinable
  public static func bit(of gram: UInt64) -> Int {
    Int(truncatingIfNeeded: ((gram & 0xff_ffff_ffff) &* 0x9e37_79b9_7f4a_7c15) >> 47)
  }

  /// Sets the bits of all grams of `text`.
  public static func add(
    _ text: UnsafeBufferPointer<UInt8>, to bits: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard text.count >= length else { return }
    var gram: UInt64 = 0
    for index in 0..<(length - 1) { gram = gram << 8 | UInt64(folded(text[index])) }
    for index in (length - 1)..<text.count {
      gram = gram << 8 | UInt64(folded(text[index]))
      let bit = bit(of: gram)
      bits[bit >> 3] |= 1 << UInt8(truncatingIfNeeded: bit & 7)
    }
  }
}
