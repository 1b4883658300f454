// SPDX-License-Identifier: Apache-2.0

/// A small memory of names, in which some are forgotten when there are many. For one thread.
final class KnownNames {
  private static let slots = 512
  private static let longest = 39

  /// Of each slot: how long the name is, then its bytes. Unchecked, as one thread asks it all the time.
  @exclusivity(unchecked) private var bytes = [UInt8](repeating: 0, count: slots * (longest + 1))

  /// Whether the name is remembered.
  func contains(_ name: TextBytes) -> Bool {
    if name.count > Self.longest { return false }
    let start = Self.slot(name)
    return bytes.withUnsafeBufferPointer { bytes in
      guard Int(bytes[start]) == name.count else { return false }
      for index in 0..<name.count where bytes[start &+ 1 &+ index] != name[index] { return false }
      return true
    }
  }

  /// Remembers it, unless it is long.
  func insert(_ name: TextBytes) {
    if name.isEmpty || name.count > Self.longest { return }
    let start = Self.slot(name)
    bytes[start] = UInt8(name.count)
    for (offset, byte) in name.enumerated() { bytes[start + 1 + offset] = byte }
  }

  private static func slot(_ name: TextBytes) -> Int {
    // FNV-1a.
    var hash: UInt32 = 2_166_136_261
    for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int((hash ^ hash >> 15) % UInt32(slots)) * (longest + 1)
  }
}
