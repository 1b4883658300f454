// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Rows of `frame` by their template. A template gets a row when it is met for the second time: one
/// that is met once would cost more than the text that it saves.
struct FrameTable {
  /// 0 for one that was met once.
  private var known = ByteTable(limit: 1024, textBytes: 64 << 10)
  private var template = FrameTemplate()
  /// Of the last records of the file: how many had a template that was known.
  private var generation: UInt32 = 0
  private var tried = 0
  private var hits = 0
  /// Records of this file that are left as they are, since their frames are all different.
  private var pause = 0

  /// Rows that records were given, while that is noted.
  var uses: Set<Int64>?

  /// After so many records it is seen whether templates are worth while.
  private static let trial = 256
  private static let pauseRecords = 8192

  /// Forgets everything, as when rows were rolled back.
  mutating func removeAll() { known.removeAll() }

  /// The last record's body is in its frame.
  var hasBody: Bool { template.hasBody }

  /// The row for the frame of a record; 0 when its text and attributes are to be stored as they are.
  mutating func id(
    of record: LogRecord, _ arena: ByteArena, _ connection: Connection
  ) throws(SQLiteError) -> Int64 {
    // One that may grow is stored again soon.
    if record.isOpen { return 0 }
    if record.generation != generation { beginFile(record.generation) }
    if pause > 0 {
      pause -= 1
      return 0
    }
    guard template.make(record, arena) else { return 0 }
    let id = try find(connection)
    tried += 1
    if id != 0 {
      hits += 1
      uses?.insert(id)
    }
    if tried == Self.trial {
      if hits * 2 < tried { pause = Self.pauseRecords }
      tried = 0
      hits = 0
    }
    return id
  }

  private mutating func beginFile(_ generation: UInt32) {
    self.generation = generation
    tried = 0
    hits = 0
    pause = 0
  }

  private mutating func find(_ connection: Connection) throws(SQLiteError) -> Int64 {
    let bytes = template.bytes.bytes(ByteSlice(start: 0, count: template.bytes.count))
    let hash = ByteHash.hash(bytes)
    guard var id = known.value(of: bytes, hash: hash) else {
      known.set(0, of: bytes, hash: hash)
      return 0
    }
    if id == 0 {
      id = try FrameRows.row(of: template.parts, hash, connection)
      known.set(id, of: bytes, hash: hash)
    }
    return id
  }
}
