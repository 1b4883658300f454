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

  /// The bit of a gram, given as its folded bytes, the first one lowest; what is above does not
  /// count.
  @inlinable
  public static func bit(of gram: UInt64) -> Int {
    Int(truncatingIfNeeded: ((gram << 24) &* 0x9e37_79b9_7f4a_7c15) >> 47)
  }

  /// Sets the bits of all grams of `text`.
  public static func add(
    _ text: UnsafeBufferPointer<UInt8>, to bits: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let base = UnsafeRawPointer(text.baseAddress),
      let bits = UnsafeMutableRawPointer(bits.baseAddress)
    else { return }
    var position = 0
    // Eight bytes hold four grams, and are folded at once.
    while position &+ 8 <= text.count {
      setFour(base + position, bits)
      position &+= 4
    }
    if text.count >= 8 {
      // Some of them again, which is cheaper than what is left one by one.
      if position &+ length <= text.count { setFour(base + (text.count &- 8), bits) }
      return
    }
    while position &+ length <= text.count {
      var gram: UInt64 = 0
      for index in 0..<length {
        gram |= UInt64(folded(text[position &+ index])) << UInt64(8 &* index)
      }
      set(gram, bits)
      position &+= 1
    }
  }

  /// Sets the bits of the grams that eight bytes hold.
  @inline(__always)
  private static func setFour(_ bytes: UnsafeRawPointer, _ bits: UnsafeMutableRawPointer) {
    let word = folded(UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)))
    set(word, bits)
    set(word >> 8, bits)
    set(word >> 16, bits)
    set(word >> 24, bits)
  }

  @inline(__always)
  private static func set(_ gram: UInt64, _ bits: UnsafeMutableRawPointer) {
    let bit = bit(of: gram)
    // In words of four bytes, lowest first: one instruction sets a bit of a register.
    let word = bits + bit &>> 5 &* 4
    let known = UInt32(littleEndian: word.loadUnaligned(as: UInt32.self))
    let changed = known | 1 &<< UInt32(truncatingIfNeeded: bit)
    word.storeBytes(of: changed.littleEndian, as: UInt32.self)
  }

  /// Eight bytes, each as `folded` has it: the top bit of each byte is worked out first.
  @inline(__always)
  private static func folded(_ bytes: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = bytes & (0x7f &* ones)
    let fromA = low &+ (0x80 - 0x41) &* ones
    let beyondZ = low &+ (0x7f - 0x5a) &* ones
    return bytes | ((fromA ^ beyondZ) & ~bytes & (0x80 &* ones)) >> 2
  }
}
