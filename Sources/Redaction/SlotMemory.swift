// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Short runs of bytes, each in the slot that its hash names: what comes takes the place of what was
/// there. For one thread.
///
/// Not an array, which would be retained at each look-up.
struct SlotMemory: ~Copyable {
  /// Of each slot: how long its run is, then the bytes.
  private let bytes: UnsafeMutablePointer<UInt8>
  private let slotShift: UInt64
  private let bytesShift: UInt64

  /// - Parameters:
  ///   - slots: a power of two.
  ///   - slotBytes: a power of two, at most 256; a run is shorter.
  init(slots: Int, slotBytes: Int) {
    slotShift = UInt64(64 - slots.trailingZeroBitCount)
    bytesShift = UInt64(slotBytes.trailingZeroBitCount)
    bytes = .allocate(capacity: slots * slotBytes)
    bytes.initialize(repeating: 0, count: slots * slotBytes)
  }

  deinit { bytes.deallocate() }

  /// The slot of a hash whose upper bits are mixed well.
  @inline(__always)
  private func slot(_ hash: UInt64) -> UnsafeMutablePointer<UInt8> {
    bytes + Int((hash &>> slotShift) &<< bytesShift)
  }

  /// How long the run is that has this hash and stands at `start`, of which there are `count` bytes;
  /// 0 when none does.
  @inline(__always)
  func length(_ hash: UInt64, at start: UnsafePointer<UInt8>, _ count: Int) -> Int {
    let slot = slot(hash)
    let length = Int(slot[0])
    return length <= count && memcmp(slot + 1, start, length) == 0 ? length : 0
  }

  /// Remembers a run, which must be shorter than a slot.
  func insert(_ hash: UInt64, _ run: UnsafeBufferPointer<UInt8>) {
    guard let base = run.baseAddress else { return }
    let slot = slot(hash)
    slot[0] = UInt8(run.count)
    (slot + 1).update(from: base, count: run.count)
  }
}
