// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A small memory of short texts, in which some are forgotten when there are many. For one thread.
final class KnownTexts {
  private static let slots = 1024
  private static let slotBytes = 64

  /// Of each slot: how long the text is, then its bytes. Not an array, which would be retained at
  /// each look-up.
  private let bytes: UnsafeMutablePointer<UInt8>

  init() {
    bytes = .allocate(capacity: Self.slots * Self.slotBytes)
    bytes.initialize(repeating: 0, count: Self.slots * Self.slotBytes)
  }

  deinit { bytes.deallocate() }

  /// Whether the text is remembered.
  @inline(__always)
  func contains(_ text: TextBytes) -> Bool {
    guard let start = Self.slot(text), let base = text.baseAddress,
      Int(bytes[start]) == text.count
    else { return false }
    return memcmp(bytes + start + 1, base, text.count) == 0
  }

  /// Remembers it, unless it is long.
  func insert(_ text: TextBytes) {
    guard let start = Self.slot(text), let base = text.baseAddress else { return }
    bytes[start] = UInt8(text.count)
    (bytes + start + 1).update(from: base, count: text.count)
  }

  /// Where it stands, if it is remembered; `nil` when it is empty or long.
  @inline(__always)
  private static func slot(_ text: TextBytes) -> Int? {
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
    return Int((mixed &* 0xd6e8_feb8_6659_fd93) >> 54) * slotBytes
  }
}
