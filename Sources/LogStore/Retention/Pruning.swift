// SPDX-License-Identifier: Apache-2.0

package import LogModel
package import SQLite

extension LogStore {
  /// Rows that one transaction deletes at most, so that a commit never waits long for pruning.
  private static let stepRows = 4_000
  /// About what the deletion of a row adds to the log: its share of the pages that are changed.
  private static let logBytesPerDeletion: Int64 = 256
  /// Pages that are given back to the file system in one step.
  private static let stepPages = 512

  /// Sizes the write-ahead log so that it stays within its share of the quota.
  ///
  /// - Throws: `SQLiteError`.
  package func apply(_ rule: RetentionRule) throws(SQLiteError) {
    let pages = try max(16, rule.logReserve / 2 / pageBytes())
    try connection.execute("PRAGMA wal_autocheckpoint = \(pages)")
    pruning.shield = nil
  }

  // MARK: Before a commit

  /// Deletes the oldest records until `batch` fits into the quota. The pages that become free take
  /// the batch, so the file neither grows beyond the quota nor shrinks and grows.
  ///
  /// - Returns: how many records were deleted.
  /// - Throws: `SQLiteError`; one that `isBusy` when a reader keeps the write-ahead log from being
  ///   emptied and there is no more room beside it.
  @discardableResult
  package func makeRoom(
    for batch: RecordBatch, _ rule: RetentionRule
  ) throws(SQLiteError) -> Int {
    // Beside the records: roll-ups, checkpoints, a block's grams, and pages that change a little.
    let needed = Self.estimatedBytes(batch) + min(256 << 10, rule.maxBytes / 16)
    let pruned = try free(needed, rule)
    try checkLog(needed, rule)
    return pruned
  }

  /// What a batch comes to in the database at most, in bytes.
  private static func estimatedBytes(_ batch: RecordBatch) -> Int64 {
    let text = Int64(batch.arena.count) * 5 / 4 + Int64(batch.records.count) * 128
    let reports = batch.reports.reduce(Int64(0)) { $0 + Int64($1.content.count) + (16 << 10) }
    return text + reports
  }

  private func free(_ needed: Int64, _ rule: RetentionRule) throws(SQLiteError) -> Int {
    var pruned = 0
    while try usedBytes() + needed > rule.databaseBytes {
      // In small shares, so that a small store is not emptied at one stroke.
      // One by one SQLite takes them from the ends of the tree; together it would walk through it.
      let rows =
        try connection.integer(
          "SELECT (SELECT max(id) FROM record) - (SELECT min(id) FROM record) + 1") ?? 0
      let step = min(Self.stepRows, max(8, Int(rows / 20)))
      // Deleting, too, is written to the log first.
      try checkLog(Int64(step) * Self.logBytesPerDeletion, rule)
      let deleted = try deleteOldest(step, rule)
      if deleted == 0 { break }
      pruned += deleted
    }
    return pruned
  }

  /// Sees to it that database and log together stay within the quota.
  private func checkLog(_ needed: Int64, _ rule: RetentionRule) throws(SQLiteError) {
    let room = try max(rule.logReserve, rule.maxBytes - databaseBytes()) - needed
    guard connection.logBytes > room else { return }
    try truncateLog()
    // An empty log takes any batch: there is no better moment.
    if connection.logBytes > max(0, room) { throw .readerHoldsLog }
  }

  /// Moves the log into the database and empties it, unless a reader still needs it.
  private func truncateLog() throws(SQLiteError) {
    // A reader may take minutes; whoever waits for it shall know why.
    connection.setBusyTimeout(milliseconds: 0)
    defer { connection.setBusyTimeout(milliseconds: Self.busyMilliseconds) }
    do {
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      if !error.isBusy { throw error }
    }
  }

  // MARK: After a commit

  /// Takes one bounded step of what the rule asks for beside the room for a batch: ages, numbers,
  /// the sources' own quotas, crashes beyond theirs, and a file that is larger than a new quota.
  ///
  /// - Returns: whether there is more to do.
  /// - Throws: `SQLiteError`.
  package func prune(_ rule: RetentionRule, now: Timestamp) throws(SQLiteError) -> Bool {
    if try free(0, rule) > 0 { return true }
    if let maxAge = rule.maxAge, try pruneAge(before: now.nanoseconds - maxAge) { return true }
    if let most = rule.maxRecords {
      let excess = try keptRecords() - most
      if excess > 0, try deleteOldest(min(Self.stepRows, Int(excess)), rule) > 0 { return true }
    }
    for (source, limit) in rule.sources {
      if try prune(source, limit, rule, now: now) { return true }
    }
    if try pruneCrashes(rule, now: now) { return true }
    return try shrink(rule)
  }

  /// How many records were ever deleted for the rule.
  ///
  /// - Throws: `SQLiteError`.
  package func prunedRecords() throws(SQLiteError) -> Int64 {
    try meta("pruned_records") ?? 0
  }

  /// Does all that the rule asks for.
  ///
  /// - Throws: `SQLiteError`.
  package func pruneFully(_ rule: RetentionRule, now: Timestamp) throws(SQLiteError) {
    while try prune(rule, now: now) {}
  }

  /// Gives pages back that are free and beyond the quota.
  private func shrink(_ rule: RetentionRule) throws(SQLiteError) -> Bool {
    let excess = try databaseBytes() - rule.databaseBytes
    guard excess > 0, try connection.integer("PRAGMA freelist_count") ?? 0 > 0 else {
      return false
    }
    try connection.execute("PRAGMA incremental_vacuum(\(Self.stepPages))")
    // The file only shrinks when the log is moved into it.
    try truncateLog()
    return true
  }

  // MARK: What goes

  /// Deletes what is older than `limit`, crashes too: who sets an age wants nothing beyond it.
  private func pruneAge(before limit: Int64) throws(SQLiteError) -> Bool {
    guard let oldest = try connection.integer("SELECT min(time) FROM record"), oldest < limit
    else { return false }
    let crashes = try connection.integers(
      "SELECT id FROM crash WHERE time < \(limit) ORDER BY time LIMIT 100")
    if !crashes.isEmpty {
      try deleteCrashes(crashes)
      return true
    }
    let deleted = try delete { doomed throws(SQLiteError) in
      _ = try doom(
        &doomed, "time < \(limit) AND crash IS NULL ORDER BY time, id LIMIT \(Self.stepRows)")
    }
    return deleted > 0
  }

  /// Deletes the oldest records that no crash needs; then, if nothing else is left, those too.
  /// Crashes only go for their own quota.
  private func deleteOldest(_ count: Int, _ rule: RetentionRule) throws(SQLiteError) -> Int {
    let shield = try currentShield(rule)
    let deleted = try delete { doomed throws(SQLiteError) in
      var rest = count
      var start = pruning.nothingBefore
      for span in shield.spans where rest > 0 {
        if span.upperBound < start { continue }
        rest -= try doom(
          &doomed,
          """
          time >= \(start) AND time < \(span.lowerBound) AND crash IS NULL
          ORDER BY time, id LIMIT \(rest)
          """)
        if rest > 0 { start = span.upperBound &+ 1 }
      }
      if rest > 0 {
        _ = try doom(
          &doomed, "time >= \(start) AND crash IS NULL ORDER BY time, id LIMIT \(rest)")
      }
      pruning.nothingBefore = start
    }
    if deleted > 0 { return deleted }
    return try delete { doomed throws(SQLiteError) in
      _ = try doom(&doomed, "crash IS NULL ORDER BY time, id LIMIT \(count)")
    }
  }

  private func currentShield(_ rule: RetentionRule) throws(SQLiteError) -> CrashShield {
    if pruning.shield == nil {
      pruning.shield = try CrashShield(connection, rule)
      pruning.nothingBefore = .min
    } else {
      try pruning.shield?.addNewCrashes(connection, rule)
    }
    return pruning.shield ?? CrashShield()
  }

  /// Deletes crashes beyond their quota, a few at a time. What they come to is not asked at each
  /// commit: it takes a look at all of them.
  private func pruneCrashes(_ rule: RetentionRule, now: Timestamp) throws(SQLiteError) -> Bool {
    guard try connection.integer("SELECT 1 FROM crash LIMIT 1") != nil else { return false }
    if abs(now.nanoseconds - pruning.shieldMade) > 60_000_000_000 {
      pruning.shieldMade = now.nanoseconds
      pruning.shield = nil
    }
    let surplus = try currentShield(rule).surplus
    if surplus.isEmpty { return false }
    try deleteCrashes(Array(surplus.prefix(100)))
    return true
  }

  /// One step of a source's own quota: its records in the order in which they were stored.
  private func prune(
    _ source: String, _ limit: RetentionRule.SourceRule, _ rule: RetentionRule, now: Timestamp
  ) throws(SQLiteError) -> Bool {
    let usage = try connection.prepare(
      """
      SELECT sum("offset" - skipped_bytes - pruned_bytes), sum(records) FROM file
      WHERE role = 0 AND source = ?
      """)
    usage.bind(1, source)
    guard try usage.step() else { return false }
    let (bytes, records) = (usage.integer(0), usage.integer(1))
    usage.reset()
    if let most = limit.maxRecords, records > most {
      return try deleteOldest(min(Self.stepRows, Int(records - most)), of: source) > 0
    }
    if let most = limit.maxBytes, bytes > most {
      // As many as the excess comes to, by the average.
      let excess = Int(((bytes - most) * max(1, records) + bytes - 1) / bytes)
      return try deleteOldest(min(Self.stepRows, excess), of: source) > 0
    }
    guard let age = limit.maxAge else { return false }
    return try pruneAge(of: source, before: now.nanoseconds - age)
  }

  private func deleteOldest(_ count: Int, of source: String) throws(SQLiteError) -> Int {
    let files = try fileList(of: source)
    let shielded = pruning.shield?.condition ?? ""
    return try delete { doomed throws(SQLiteError) in
      // Rows of one source have no index: the walk goes on where the last one ended.
      _ = try doom(
        &doomed,
        """
        id > \(pruning.walked[source] ?? 0) AND file IN (\(files)) AND crash IS NULL\(shielded)
        ORDER BY id LIMIT \(count)
        """)
      if let last = doomed.ids.last { pruning.walked[source] = last }
    }
  }

  private func pruneAge(of source: String, before limit: Int64) throws(SQLiteError) -> Bool {
    let start = pruning.agedBefore[source] ?? .min
    guard start < limit else { return false }
    let files = try fileList(of: source)
    let shielded = pruning.shield?.condition ?? ""
    let deleted = try delete { doomed throws(SQLiteError) in
      _ = try doom(
        &doomed,
        """
        time >= \(start) AND time < \(limit) AND file IN (\(files)) AND crash IS NULL\(shielded)
        ORDER BY time, id LIMIT \(Self.stepRows)
        """)
    }
    if deleted < Self.stepRows { pruning.agedBefore[source] = limit }
    return deleted > 0
  }

  private func fileList(of source: String) throws(SQLiteError) -> String {
    let files = try connection.prepare("SELECT id FROM file WHERE role = 0 AND source = ?")
    files.bind(1, source)
    var ids: [String] = []
    while try files.step() { ids.append(String(files.integer(0))) }
    return ids.joined(separator: ",")
  }

  // MARK: Deleting

  /// Notes records to be deleted; returns how many there are. One that may still grow stays: it is
  /// stored again as a whole, with all its bytes.
  private func doom(
    _ doomed: inout DoomedRecords, _ condition: String
  ) throws(SQLiteError) -> Int {
    try doomed.take(
      connection.prepare(
        """
        SELECT id, file, byte_length FROM record WHERE id NOT IN
          (SELECT open_record FROM file WHERE open_record NOT NULL) AND \(condition)
        """))
  }

  /// Deletes the records that `choose` dooms, and counts their bytes with their files.
  private func delete(
    _ choose: (inout DoomedRecords) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Int {
    try connection.transaction { () throws(SQLiteError) in
      var doomed = DoomedRecords()
      try choose(&doomed)
      guard doomed.count > 0 else { return 0 }
      let update = try connection.prepare(
        "UPDATE file SET pruned_bytes = pruned_bytes + ?2, records = records - ?3 WHERE id = ?1")
      for (file, share) in doomed.fileShares {
        update.bind(1, file)
        update.bind(2, share.bytes)
        update.bind(3, share.records)
        try update.run()
      }
      let delete = try connection.prepare("DELETE FROM record WHERE id BETWEEN ?1 AND ?2")
      for run in doomed.runs {
        delete.bind(1, run.lowerBound)
        delete.bind(2, run.upperBound)
        try delete.run()
      }
      try GramFilter.removeSparse(afterDeleting: doomed.range, connection)
      try setMeta("pruned_records", try prunedRecords() + Int64(doomed.count))
      return doomed.count
    }
  }

  private func deleteCrashes(_ crashes: [Int64]) throws(SQLiteError) {
    if crashes.isEmpty { return }
    let list = crashes.map(String.init).joined(separator: ",")
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute(
        """
        INSERT INTO crash_pruned
          SELECT fingerprint, count(*), min(time), max(time) FROM crash
          WHERE id IN (\(list)) GROUP BY fingerprint
          ON CONFLICT (fingerprint) DO UPDATE SET crashes = crash_pruned.crashes + excluded.crashes,
            first_seen = min(first_seen, excluded.first_seen),
            last_seen = max(last_seen, excluded.last_seen);
        DELETE FROM record WHERE id IN (SELECT record FROM crash WHERE id IN (\(list)));
        DELETE FROM evidence_report WHERE evidence IN
          (SELECT id FROM crash_evidence WHERE crash IN (\(list)));
        DELETE FROM crash_evidence WHERE crash IN (\(list));
        DELETE FROM crash_report WHERE crash IN (\(list));
        DELETE FROM crash_acknowledged WHERE crash IN (\(list));
        DELETE FROM crash WHERE id IN (\(list));
        """)
    }
    pruning.shield = nil
  }

  // MARK: Sizes

  private func keptRecords() throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT sum(records) FROM file WHERE role = 0") ?? 0
  }

  private func databaseBytes() throws(SQLiteError) -> Int64 {
    try (connection.integer("PRAGMA page_count") ?? 0) * pageBytes()
  }

  private func pageBytes() throws(SQLiteError) -> Int64 {
    try connection.integer("PRAGMA page_size") ?? 4096
  }

  private func usedBytes() throws(SQLiteError) -> Int64 {
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    return try databaseBytes() - free * pageBytes()
  }
}

/// What pruning remembers from one step to the next, so that none looks at the same rows again.
struct PruningState {
  var shield: CrashShield?
  /// When the shield was last made anew, in nanoseconds.
  var shieldMade: Int64 = 0
  /// Before this time only records that are shielded are left.
  var nothingBefore = Int64.min
  /// The last record of a source that its own quota has deleted.
  var walked: [String: Int64] = [:]
  /// Before these times sources hold nothing that is too old.
  var agedBefore: [String: Int64] = [:]

  /// Takes note of a batch whose earliest record is of `time`.
  mutating func noteInserted(_ time: Int64) {
    nothingBefore = min(nothingBefore, time)
    for (source, before) in agedBefore where time < before { agedBefore[source] = time }
  }
}

extension SQLiteError {
  /// The log can't be emptied, and there is no more room beside it.
  fileprivate static let readerHoldsLog = SQLiteError(
    code: 5,
    message: "a program that reads the store keeps its write-ahead log from being emptied, and "
      + "retention.max_bytes leaves no more room; waiting until it ends")
}
