// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A small memory of members of JSON objects, with their commas, in which some are forgotten when
/// there are many. For one thread.
///
/// Most of what stands in a line of records stood in the line before, byte for byte.
final class KnownMembers {
  private static let slots = 256
  private static let slotBytes = 256
  /// So many bytes tell a member from others: its key and the beginning of its value.
  private static let leastBytes = 20

  /// Of each slot: how long the member is, then its bytes.
  private let bytes: UnsafeMutablePointer<UInt8>

  init() {
    bytes = .allocate(capacity: Self.slots * Self.slotBytes)
    bytes.initialize(repeating: 0, count: Self.slots * Self.slotBytes)
  }

  deinit { bytes.deallocate() }

  /// How long the remembered member is that stands at `index`; 0 when none does.
  @inline(__always)
  func length(_ text: TextBytes, at index: Int) -> Int {
    guard text.count &- index >= Self.leastBytes, let base = text.baseAddress else { return 0 }
    let slot = bytes + Self.slot(base + index)
    let length = Int(slot[0])
    guard length <= text.count &- index, memcmp(slot + 1, base + index, length) == 0 else {
      return 0
    }
    return length
  }

  /// Remembers the member in a range of the text, unless it is short or long.
  func insert(_ text: TextBytes, _ range: Range<Int>) {
    guard range.count >= Self.leastBytes, range.count < Self.slotBytes, let base = text.baseAddress
    else { return }
    let slot = bytes + Self.slot(base + range.lowerBound)
    slot[0] = UInt8(range.count)
    (slot + 1).update(from: base + range.lowerBound, count: range.count)
  }

  @inline(__always)
  private static func slot(_ start: UnsafePointer<UInt8>) -> Int {
    let raw = UnsafeRawPointer(start)
    let first = raw.loadUnaligned(as: UInt64.self)
    let second = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let third = UInt64(raw.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    let mixed = (first ^ (second &* 0x9e37_79b9_7f4a_7c15)) &+ (third &* 0xc2b2_ae3d_27d4_eb4f)
    return Int((mixed &* 0xd6e8_feb8_6659_fd93) >> 56) * slotBytes
  }
}
