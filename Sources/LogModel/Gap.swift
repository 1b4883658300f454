// SPDX-License-Identifier: Apache-2.0

/// Why bytes of a file will never be stored.
public enum GapReason: String, Sendable, CaseIterable {
  /// The file was truncated before they were read, and no copy of it turned up.
  case truncated
  /// The file was deleted, or its inode used again, before they were read.
  case deleted
}

/// A range of a file that is known to have been written, and lost before it was read.
public struct Gap: Hashable, Sendable {
  public var generation: UInt32
  /// The first lost byte.
  public var from: Int64
  /// The end of the lost bytes, as far as it is known.
  public var to: Int64
  public var reason: GapReason

  public init(generation: UInt32, from: Int64, to: Int64, reason: GapReason) {
    self.generation = generation
    self.from = from
    self.to = to
    self.reason = reason
  }
}
