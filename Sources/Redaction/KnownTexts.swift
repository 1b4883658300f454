// SPDX-License-Identifier: Apache-2.0

/// A small memory of short texts, in which some are forgotten when there are many. For one thread.
final class KnownTexts {
  private static let slotBytes = 64

  private let memory = SlotMemory(slots: 1024, slotBytes: slotBytes)

  /// Whether the text is remembered.
  @inline(__always)
  func contains(_ text: TextBytes) -> Bool {
    guard let hash = Self.hash(text), let base = text.baseAddress else { return false }
    return memory.length(hash, at: base, text.count) == text.count
  }

  /// Remembers it, unless it is long.
  func insert(_ text: TextBytes) {
    if let hash = Self.hash(text) { memory.insert(hash, text) }
  }

  /// `nil` for a text that is empty or long.
  @inline(__always)
  private static func hash(_ text: TextBytes) -> UInt64? {
    guard text.count > 0, text.count < slotBytes, let base = text.baseAddress else { return nil }
    // Its first and its last bytes and its length tell texts of logs apart, and are quickly read.
    let first: UInt64
    let last: UInt64
    let raw = UnsafeRawPointer(base)
    if text.count >= 8 {
      first = raw.loadUnaligned(as: UInt64.self)
      last = raw.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self)
    } else {
      var word: UInt64 = 0
      for byte in text { word = word << 8 | UInt64(byte) }
      first = word
      last = 0
    }
    let mixed = (first ^ (last &* 0x9e37_79b9_7f4a_7c15)) &+ UInt64(text.count)
    return mixed &* 0xd6e8_feb8_6659_fd93
  }
}
