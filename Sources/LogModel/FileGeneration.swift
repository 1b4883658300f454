// SPDX-License-Identifier: Apache-2.0

/// What a file is to the agent. The raw value is stored.
public enum FileRole: UInt8, Sendable {
  /// A log file: lines become records.
  case log = 0
  /// A crash report: the whole file becomes one crash, or several.
  case report = 1
}

/// Where a generation stands. The raw value is stored and named in the `files` view.
public enum FileState: UInt8, Sendable, CaseIterable {
  /// It may still grow.
  case active = 0
  /// It has been renamed, and is read to its end.
  case rotated = 1
  /// It was truncated; another generation goes on under the same name.
  case truncated = 2
  /// It was deleted, or moved out of sight, and read as far as could be.
  case gone = 3
  /// It is not read, for the reason given with it.
  case refused = 4

  /// The name used in the `files` view.
  public var name: String {
    switch self {
    case .active: "active"
    case .rotated: "rotated"
    case .truncated: "truncated"
    case .gone: "gone"
    case .refused: "refused"
    }
  }
}

/// What tells one file from another, beside its name.
public struct FileIdentity: Hashable, Sendable {
  public var device: UInt64
  public var inode: UInt64
  /// How many of the first bytes `headHash` covers, up to 1,024 (uncompressed).
  public var headLength: Int
  public var headHash: UInt64

  public init(device: UInt64, inode: UInt64, headLength: Int = 0, headHash: UInt64 = 0) {
    self.device = device
    self.inode = inode
    self.headLength = headLength
    self.headHash = headHash
  }

  /// The most bytes that `headHash` covers.
  public static let maxHeadLength = 1024
  /// The most bytes that a checkpoint's `tailHash` covers.
  public static let maxTailLength = 64
}

/// One life of a file, from creation to truncation or deletion; a row of the store's `file` table.
public struct FileGeneration: Sendable {
  /// Its key in the store and in `LogRecord.generation`. Given by the agent, never used twice.
  public var id: UInt32
  public var role: FileRole = .log
  /// The name of the source or spool that it belongs to.
  public var source: String
  /// Where it was last seen.
  public var path: String
  public var identity: FileIdentity
  public var state: FileState = .active
  /// The detected format, by name; empty while unknown.
  public var format = ""
  /// Why it is refused, or what is wrong with it now; empty when all is well.
  public var problem = ""
  /// The name of the process that writes it, where the file's name tells; else empty.
  public var process = ""
  public var firstSeen: Timestamp
  public var checkpoint: Checkpoint

  public init(
    id: UInt32, source: String, path: String, identity: FileIdentity, firstSeen: Timestamp
  ) {
    self.id = id
    self.source = source
    self.path = path
    self.identity = identity
    self.firstSeen = firstSeen
    self.checkpoint = Checkpoint(generation: id)
  }
}

/// How far a generation is stored. Committed in the transaction of the records that it counts.
public struct Checkpoint: Hashable, Sendable {
  public var generation: UInt32
  /// The first byte that is not stored.
  public var offset: Int64 = 0
  /// Where the last record begins while it may still grow; -1 when it is closed. Reading goes on
  /// there, and a record that has grown replaces the stored one.
  public var openOffset: Int64 = -1
  /// FNV-1a of the last `tailLength` bytes before `offset`: tells truncate-and-refill from append.
  public var tailHash: UInt64 = 0
  public var tailLength: Int = 0
  /// The file's size when it was last looked at (uncompressed size unknown: bytes read so far).
  public var size: Int64 = 0
  /// The time of its last record that had one, for those that have none; nanoseconds, or `noTime`.
  public var lastTime: Int64 = Checkpoint.noTime
  /// Bytes passed over, with a reason: blank lines, holes, the rest of overlong lines.
  public var skippedBytes: Int64 = 0

  public static let noTime = Int64.min

  public init(generation: UInt32) { self.generation = generation }
}

/// FNV-1a, 64 bits: identity of a few bytes, not protection against malice.
///
/// - Parameter bytes: what is hashed; its length is part of the hash.
public func fingerprint(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  var length = UInt64(bytes.count)
  for _ in 0..<8 {
    hash = (hash ^ (length & 0xff)) &* 0x100_0000_01b3
    length >>= 8
  }
  return hash
}
