// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Saves and loads the rows of `file`: generations and how far they are stored.
final class CheckpointWriter {
  private let generation: StatementBox
  private let checkpoint: StatementBox

  init(_ connection: Connection) throws(SQLiteError) {
    // The checkpoint's columns are left alone here: they only change with the records.
    generation = StatementBox(
      try connection.prepare(
        """
        INSERT INTO file
          (id, role, source, path, device, inode, head_length, head_hash, state, format, problem,
           process, first_seen, "offset", tail_hash, tail_length, size, skipped_bytes)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0, 0, 0, 0, 0)
        ON CONFLICT (id) DO UPDATE SET
          source = ?3, path = ?4, device = ?5, inode = ?6, head_length = ?7, head_hash = ?8,
          state = ?9, format = ?10, problem = ?11, process = ?12
        """, persistent: true))
    checkpoint = StatementBox(
      try connection.prepare(
        """
        UPDATE file SET "offset" = ?2, open_offset = ?3, open_record = ?4, tail_hash = ?5,
          tail_length = ?6, size = ?7, skipped_bytes = ?8, last_time = ?9
        WHERE id = ?1
        """, persistent: true))
  }

  func save(_ file: FileGeneration) throws(SQLiteError) {
    generation.value.bind(1, Int64(file.id))
    generation.value.bind(2, Int64(file.role.rawValue))
    generation.value.bind(3, file.source)
    generation.value.bind(4, file.path)
    generation.value.bind(5, Int64(bitPattern: file.identity.device))
    generation.value.bind(6, Int64(bitPattern: file.identity.inode))
    generation.value.bind(7, Int64(file.identity.headLength))
    generation.value.bind(8, Int64(bitPattern: file.identity.headHash))
    generation.value.bind(9, Int64(file.state.rawValue))
    generation.value.bind(10, file.format)
    generation.value.bind(11, file.problem)
    generation.value.bind(12, file.process)
    generation.value.bind(13, file.firstSeen.nanoseconds)
    try generation.value.run()
  }

  func save(_ value: Checkpoint, openRecord: Int64?) throws(SQLiteError) {
    checkpoint.value.bind(1, Int64(value.generation))
    checkpoint.value.bind(2, value.offset)
    checkpoint.value.bind(3, value.openOffset < 0 ? nil : value.openOffset)
    checkpoint.value.bind(4, openRecord)
    checkpoint.value.bind(5, Int64(bitPattern: value.tailHash))
    checkpoint.value.bind(6, Int64(value.tailLength))
    checkpoint.value.bind(7, value.size)
    checkpoint.value.bind(8, value.skippedBytes)
    checkpoint.value.bind(9, value.lastTime == Checkpoint.noTime ? nil : value.lastTime)
    try checkpoint.value.run()
  }

  static func load(_ connection: Connection) throws(SQLiteError) -> [FileGeneration] {
    let row = try connection.prepare(
      """
      SELECT id, role, source, path, device, inode, head_length, head_hash, state, format, problem,
        process, first_seen, "offset", open_offset, tail_hash, tail_length, size, skipped_bytes,
        last_time
      FROM file ORDER BY id
      """)
    var generations: [FileGeneration] = []
    while try row.step() {
      let identity = FileIdentity(
        device: UInt64(bitPattern: row.integer(4)), inode: UInt64(bitPattern: row.integer(5)),
        headLength: Int(row.integer(6)), headHash: UInt64(bitPattern: row.integer(7)))
      var file = FileGeneration(
        id: UInt32(truncatingIfNeeded: row.integer(0)), source: row.text(2), path: row.text(3),
        identity: identity, firstSeen: Timestamp(nanoseconds: row.integer(12)))
      file.role = FileRole(rawValue: UInt8(truncatingIfNeeded: row.integer(1))) ?? .log
      file.state = FileState(rawValue: UInt8(truncatingIfNeeded: row.integer(8))) ?? .active
      file.format = row.text(9)
      file.problem = row.text(10)
      file.process = row.text(11)
      file.checkpoint.offset = row.integer(13)
      file.checkpoint.openOffset = row.optionalInteger(14) ?? -1
      file.checkpoint.tailHash = UInt64(bitPattern: row.integer(15))
      file.checkpoint.tailLength = Int(row.integer(16))
      file.checkpoint.size = row.integer(17)
      file.checkpoint.skippedBytes = row.integer(18)
      file.checkpoint.lastTime = row.optionalInteger(19) ?? Checkpoint.noTime
      generations.append(file)
    }
    return generations
  }
}
