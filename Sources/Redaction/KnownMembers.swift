// SPDX-License-Identifier: Apache-2.0

/// A small memory of members of JSON objects, with their commas, in which some are forgotten when
/// there are many. For one thread.
///
/// Most of what stands in a line of records stood in the line before, byte for byte.
final class KnownMembers {
  /// So many bytes tell a member from others: its key and the beginning of its value.
  private static let leastBytes = 20
  private static let slotBytes = 256

  private let memory = SlotMemory(slots: 256, slotBytes: slotBytes)

  /// How long the remembered member is that stands at `index`; 0 when none does.
  @inline(__always)
  func length(_ text: TextBytes, at index: Int) -> Int {
    let room = text.count &- index
    guard room >= Self.leastBytes, let base = text.baseAddress else { return 0 }
    return memory.length(Self.hash(base + index), at: base + index, room)
  }

  /// Remembers the member in a range of the text, unless it is short or long.
  func insert(_ text: TextBytes, _ range: Range<Int>) {
    guard range.count >= Self.leastBytes, range.count < Self.slotBytes, let base = text.baseAddress
    else { return }
    memory.insert(Self.hash(base + range.lowerBound), text.slice(range))
  }

  @inline(__always)
  private static func hash(_ start: UnsafePointer<UInt8>) -> UInt64 {
    let raw = UnsafeRawPointer(start)
    let first = raw.loadUnaligned(as: UInt64.self)
    let second = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    let third = UInt64(raw.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    let mixed = (first ^ (second &* 0x9e37_79b9_7f4a_7c15)) &+ (third &* 0xc2b2_ae3d_27d4_eb4f)
    return mixed &* 0xd6e8_feb8_6659_fd93
  }
}
