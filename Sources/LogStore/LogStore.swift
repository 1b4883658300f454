// SPDX-License-Identifier: Apache-2.0

package import LogModel
package import SQLite

/// The one writer of a store: records and checkpoints, in one transaction a batch.
///
/// Used by one thread at a time. After an error nothing of the batch is stored, and the same batch
/// can be committed again.
package final class LogStore {
  /// `PRAGMA user_version` of the files that this code writes.
  package static let schemaVersion: Int64 = 1
  /// `PRAGMA application_id`: "logA", so that file(1) and we know our files.
  package static let applicationID: Int64 = 0x6c6f_6741

  package let path: String
  package let connection: Connection
  // One thread at a time: its checks at run time would be made for each record.
  @exclusivity(unchecked)
  var contexts = ContextTable()
  @exclusivity(unchecked)
  private var frames = FrameTable()
  /// For batches that come without having been prepared.
  private lazy var preparer = BatchPreparer()
  let grams: GramFilter
  let observations: ObservationTable
  let inserter: RecordInserter
  private let checkpoints: CheckpointWriter
  var nextRecordID: Int64
  /// The row of each generation's last record while it may still grow.
  private var openRecords: [UInt32: Int64] = [:]
  /// Those of them whose text holds further records.
  private var partedRows: Set<Int64> = []
  /// Reused by each batch.
  @exclusivity(unchecked)
  private var keys: [RowKeys] = []
  /// Of a batch: what the roll-up counts of its records that may still grow, by row.
  private var openFacts: [Int64: (time: Int64, severity: UInt8)] = [:]
  /// Of a batch: the records that may tell of a death, or of a run.
  private var tellers: [Int] = []
  let rollup: Rollup
  private let growth: StatementBox
  /// The word of each generation's source.
  private var sourceWords: [UInt32: Int64] = [:]
  var pruning = PruningState()
  var upkeep = Upkeep()

  static let busyMilliseconds: Int32 = 10_000

  /// Opens the store, and makes its tables in a new or empty file.
  ///
  /// - Parameters:
  ///   - path: the file; the caller sees to its folder and permissions.
  ///   - cacheBytes: memory for SQLite's page cache.
  ///   - pageBytes: the size of the pages of a new file.
  /// - Throws: `StoreError`.
  package init(
    path: String, cacheBytes: Int = 4 << 20, pageBytes: Int = 4096
  ) throws(StoreError) {
    self.path = path
    do throws(SQLiteError) {
      connection = try Connection(path: path, mode: .readWrite)
      connection.setBusyTimeout(milliseconds: Self.busyMilliseconds)
      try Self.prepare(connection, cacheBytes: cacheBytes, pageBytes: pageBytes)
    } catch { throw .sqlite(path: path, error) }
    try Self.migrate(connection, path: path)
    do throws(SQLiteError) {
      inserter = try RecordInserter(connection)
      observations = try ObservationTable(connection)
      checkpoints = try CheckpointWriter(connection)
      rollup = try Rollup(connection)
      grams = try GramFilter(connection)
      growth = StatementBox(
        try connection.prepare(
          "UPDATE file SET records = records + ?2 WHERE id = ?1", persistent: true))
      let lastID = try connection.integer("SELECT max(id) FROM record") ?? 0
      let usedID = try connection.integer("SELECT value FROM meta WHERE key = 'next_record'") ?? 1
      nextRecordID = max(lastID + 1, usedID)
      try loadOpenRecords()
    } catch { throw .sqlite(path: path, error) }
  }

  private static func prepare(
    _ connection: Connection, cacheBytes: Int, pageBytes: Int
  ) throws(SQLiteError) {
    // Page size and auto_vacuum only take effect before the first table is made.
    try connection.execute(
      """
      PRAGMA page_size = \(pageBytes);
      PRAGMA auto_vacuum = INCREMENTAL;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -\(cacheBytes / 1024);
      PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = 0;
      """)
  }

  private static func migrate(_ connection: Connection, path: String) throws(StoreError) {
    let version: Int64
    let objects: Int64
    do throws(SQLiteError) {
      version = try connection.integer("PRAGMA user_version") ?? 0
      objects = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
    } catch { throw .sqlite(path: path, error) }
    guard version != 0 || objects == 0 else { throw .foreign(path: path) }
    guard version <= schemaVersion else { throw .newerSchema(path: path, version: version) }
    guard version < 1 else { return }
    do throws(SQLiteError) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute(SchemaVersion1.sql)
        try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = 1;")
      }
    } catch { throw .sqlite(path: path, error) }
  }

  private func loadOpenRecords() throws(SQLiteError) {
    let rows = try connection.prepare(
      "SELECT f.id, f.open_record, c.flags FROM file f LEFT JOIN record r ON r.id = f.open_record "
        + "LEFT JOIN context c ON c.id = r.context WHERE f.open_record IS NOT NULL")
    while try rows.step() {
      openRecords[UInt32(truncatingIfNeeded: rows.integer(0))] = rows.integer(1)
      let flags = RecordFlags(rawValue: UInt32(truncatingIfNeeded: rows.integer(2) >> 8))
      if flags.contains(.hasParts) { partedRows.insert(rows.integer(1)) }
    }
  }

  // MARK: Writing

  /// Stores a batch with its checkpoints, or nothing of it.
  ///
  /// - Throws: `SQLiteError`; the batch may be committed again.
  package func commit(_ batch: RecordBatch) throws(SQLiteError) {
    if !batch.isPrepared { preparer.prepare(batch) }
    let firstID = nextRecordID
    let open = openRecords
    let parted = partedRows
    do throws(SQLiteError) {
      try connection.transaction { () throws(SQLiteError) in
        for generation in batch.generations {
          try checkpoints.save(generation)
          sourceWords[generation.id] = nil
        }
        try insert(batch)
        for report in batch.reports { try insert(report) }
        try save(batch.gaps, resumed: batch.resumed)
        for checkpoint in batch.checkpoints {
          try checkpoints.save(
            checkpoint,
            openRecord: checkpoint.openOffset < 0 ? nil : openRecords[checkpoint.generation])
          if checkpoint.openOffset < 0,
            let row = openRecords.removeValue(forKey: checkpoint.generation)
          {
            partedRows.remove(row)
          }
        }
        if nextRecordID != firstID { try setMeta("next_record", nextRecordID) }
        try rollup.save()
        try save(cursors: batch.cursors)
        if let problems = batch.problems { try save(problems) }
      }
    } catch {
      nextRecordID = firstID
      openRecords = open
      partedRows = parted
      contexts.removeAll()
      frames.removeAll()
      observations.rollBack()
      sourceWords.removeAll()
      rollup.discard()
      grams.rollBack()
      throw error
    }
  }

  private func insert(_ batch: RecordBatch) throws(SQLiteError) {
    keys.removeAll(keepingCapacity: true)
    tellers.removeAll(keepingCapacity: true)
    openFacts.removeAll(keepingCapacity: true)
    var replacing = false
    var stale: [(record: LogRecord, row: Int64, end: Int64)] = []
    var earliest = Int64.max
    var added = AddedRecords()
    try frames.load(batch, connection)
    try contexts.load(batch, connection)
    for (index, record) in batch.records.enumerated() {
      if CrashTeller.concerns(record, batch.arena) { tellers.append(index) }
      var key = RowKeys(id: nextRecordID)
      if record.replacesOpenRecord, let row = openRecords[record.generation] {
        key.id = row
        replacing = true
        if partedRows.remove(row) != nil { stale.append((record, row, nextRecordID)) }
        try uncount(row, record.generation)
      } else {
        nextRecordID += 1
        added.count(record.generation)
        try observations.note(record.observedTime, of: key.id)
      }
      earliest = min(earliest, record.time.nanoseconds)
      if record.generation != added.sourceGeneration {
        added.sourceGeneration = record.generation
        added.source = try source(of: record.generation)
      }
      rollup.add(
        time: record.time.nanoseconds, source: added.source, severity: record.severity.number)
      // Of all records of a file only the last can be open.
      if record.isOpen {
        openFacts[key.id] = (record.time.nanoseconds, record.severity.number)
        openRecords[record.generation] = key.id
        if record.flags.contains(.hasParts) { partedRows.insert(key.id) }
      } else if record.replacesOpenRecord {
        openRecords[record.generation] = nil
      }
      key.context = contexts.row(of: record.context)
      if record.template != 0 {
        key.frame = frames.row(of: record.template)
        let template = batch.templates[Int(record.template) - 1]
        key.isBodyFramed = template.hasBody
        key.constants = template.constants
      }
      keys.append(key)
    }
    try addGrams(of: batch)
    try inserter.store(batch.records, keys, batch.arena, replacing: replacing)
    for (record, row, end) in stale { try removeParts(of: record, row: row, before: end) }
    pruning.noteInserted(earliest)
    added.finish()
    for (generation, count) in added.counts {
      growth.value.bind(1, Int64(generation))
      growth.value.bind(2, count)
      try growth.value.run()
    }
    for index in tellers {
      let record = batch.records[index]
      // Of a death that a record told of before it grew, nothing new is to be made.
      try CrashTeller(connection).tell(record, row: keys[index].id, batch.arena)
    }
  }

  private func addGrams(of batch: RecordBatch) throws(SQLiteError) {
    try batch.grams.withUnsafeBufferPointer { (grams) throws(SQLiteError) in
      for first in stride(from: 0, to: keys.count, by: RecordBatch.gramRecords) {
        let start = first / RecordBatch.gramRecords * GramHash.blockBytes
        let bits = UnsafeBufferPointer(rebasing: grams[start..<(start + GramHash.blockBytes)])
        var ids: ClosedRange<Int64>?
        for index in first..<min(keys.count, first + RecordBatch.gramRecords) {
          let id = keys[index].id
          if batch.records[index].replacesOpenRecord {
            try self.grams.replace(bits, id: id, connection)
          } else {
            ids = (ids?.lowerBound ?? id)...id
          }
        }
        if let ids { try self.grams.add(bits, ids: ids) }
      }
    }
  }

  /// Of a batch: how many records each generation got, and whose source is known at hand.
  private struct AddedRecords {
    private(set) var counts: [UInt32: Int64] = [:]
    /// Records of one file come in a row; the dictionary is asked once for all of them.
    private var last: UInt32 = 0
    private var run: Int64 = 0
    var sourceGeneration: UInt32 = 0
    var source: Int64 = 0

    mutating func count(_ generation: UInt32) {
      if generation != last {
        finish()
        last = generation
      }
      run += 1
    }

    mutating func finish() {
      if run > 0 { counts[last, default: 0] += run }
      run = 0
    }
  }

  /// Takes a record that is about to be replaced out of the roll-up.
  private func uncount(_ row: Int64, _ generation: UInt32) throws(SQLiteError) {
    if let facts = openFacts.removeValue(forKey: row) {
      // It came in this batch; the row is not there yet, or still the one before.
      rollup.add(
        time: facts.time, source: try source(of: generation), severity: facts.severity, change: -1)
      return
    }
    let select = try connection.prepare("SELECT time, severity FROM record WHERE id = ?")
    select.bind(1, row)
    guard try select.step() else { return }
    rollup.add(
      time: select.integer(0), source: try source(of: generation),
      severity: UInt8(truncatingIfNeeded: select.integer(1)), change: -1)
  }

  /// The word of a generation's source.
  func source(of generation: UInt32) throws(SQLiteError) -> Int64 {
    if let known = sourceWords[generation] { return known }
    let name = try connection.text("SELECT source FROM file WHERE id = \(generation)") ?? ""
    // The mutable access, as only it lets typed errors through.
    var nameBytes = Array(name.utf8)
    let word = try nameBytes.withUnsafeMutableBufferPointer {
      (bytes) throws(SQLiteError) in try contexts.word(UnsafeBufferPointer(bytes), connection)
    }
    sourceWords[generation] = word
    return word
  }

  /// Removes the parts of a record that has grown: they were stored again with it.
  private func removeParts(
    of record: LogRecord, row: Int64, before end: Int64
  ) throws(SQLiteError) {
    let select = try connection.prepare(
      "SELECT id FROM record WHERE id > ? AND id < ? AND file = ? AND byte_offset = ? "
        + "AND byte_length = 0")
    select.bind(1, row)
    select.bind(2, end)
    select.bind(3, Int64(record.generation))
    select.bind(4, record.byteOffset)
    var rows: [Int64] = []
    while try select.step() { rows.append(select.integer(0)) }
    for row in rows {
      try uncount(row, record.generation)
      try connection.execute("DELETE FROM record WHERE id = \(row)")
    }
    growth.value.bind(1, Int64(record.generation))
    growth.value.bind(2, Int64(-rows.count))
    try growth.value.run()
  }

  /// Their files are gone for good.
  func forgetOpenRecords(of generations: [Int64]) {
    for id in generations {
      guard let row = openRecords.removeValue(forKey: UInt32(truncatingIfNeeded: id)) else {
        continue
      }
      partedRows.remove(row)
    }
  }

  // MARK: Frames and contexts in use

  /// From now on it is noted which frames and contexts records are given.
  func noteUses() {
    forgetUses()
    frames.uses = []
    contexts.uses = []
  }

  /// Those that were given since, and words that are known as sources.
  func notedUses() -> (frames: Set<Int64>, contexts: Set<Int64>, words: Set<Int64>) {
    (frames.uses ?? [], contexts.uses ?? [], Set(sourceWords.values))
  }

  /// Ends it; what is known may be of rows that are gone.
  func forgetUses() {
    frames.uses = nil
    contexts.uses = nil
    frames.removeAll()
    contexts.removeAll()
  }

  // MARK: Reading back, at start

  /// Every generation in the store with its checkpoint.
  ///
  /// - Throws: `SQLiteError`.
  package func generations() throws(SQLiteError) -> [FileGeneration] {
    try CheckpointWriter.load(connection)
  }

  /// Moves what is in the write-ahead log into the database, and gives memory back.
  ///
  /// - Throws: `SQLiteError`.
  package func settle() throws(SQLiteError) {
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.releaseMemory()
  }
}
