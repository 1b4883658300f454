// SPDX-License-Identifier: Apache-2.0

package import LogModel
package import SQLite

/// What grows beside the records, and outlives them: frames, contexts and words that no record uses
/// any more, the times at which it was read, files that are long gone, and roll-ups. Over a year they would take the place of records.
struct Upkeep {
  /// When to look again, in nanoseconds since 1970.
  fileprivate var nextLook = Int64.min
  fileprivate var sweep: Sweep?

  /// A walk through all records that notes which frames and contexts they use.
  fileprivate struct Sweep {
    /// The last record that was looked at.
    var position: Int64 = 0
    /// Newer rows are not touched.
    let lastFrame: Int64
    let lastContext: Int64
    let lastWord: Int64
  }

  fileprivate static let pause: Int64 = 600_000_000_000
  /// Records that one step looks at: some ten milliseconds.
  fileprivate static let stepRecords: Int64 = 20_000
  /// So many are never worth a walk.
  fileprivate static let fewFrames: Int64 = 1_000
  fileprivate static let fewWords: Int64 = 5_000
  fileprivate static let fewContexts: Int64 = 5_000
  fileprivate static let fewObservations: Int64 = 20_000
  /// Bytes of a row of `rollup`, about.
  fileprivate static let rollupBytes: Int64 = 24
  /// Bytes of a row of `run`, `gap` or `crash_pruned` with its indexes, about.
  fileprivate static let sideRowBytes: Int64 = 256
  /// A file that is gone so long does not come back as a copy.
  fileprivate static let goneNanoseconds: Int64 = 90 * 86_400 * 1_000_000_000
}

extension LogStore {
  /// Takes one bounded step. For the process that writes the records alone: another one does not
  /// know which frames it is about to use.
  ///
  /// - Parameters:
  ///   - rule: its bytes bound the roll-ups.
  ///   - now: the time.
  /// - Returns: whether there is more to do.
  /// - Throws: `SQLiteError`; the step may be taken again.
  package func upkeep(_ rule: RetentionRule, now: Timestamp) throws(SQLiteError) -> Bool {
    if upkeep.sweep != nil { return try continueSweep() }
    // A clock that was set back does not stop it.
    guard now.nanoseconds >= upkeep.nextLook || now.nanoseconds < upkeep.nextLook - Upkeep.pause
    else { return false }
    if try mergeRollups(rule) { return true }
    try connection.transaction { () throws(SQLiteError) in
      try removeOldest(most: max(1_000, rule.maxBytes / 100 / Upkeep.sideRowBytes))
      try closeRecords(goneBefore: now.nanoseconds - Upkeep.goneNanoseconds)
      try removeGoneFiles(before: now.nanoseconds - Upkeep.goneNanoseconds)
    }
    upkeep.nextLook = now.nanoseconds + Upkeep.pause
    return try beginSweep()
  }

  // MARK: Roll-ups

  /// Roll-ups take a fiftieth of the quota: of a quarter of them, the oldest, minutes become hours;
  /// when they are hours already, they go.
  private func mergeRollups(_ rule: RetentionRule) throws(SQLiteError) -> Bool {
    let most = max(1_000, rule.maxBytes / 50 / Upkeep.rollupBytes)
    let count = try connection.integer("SELECT count(*) FROM rollup") ?? 0
    guard count > most,
      let end = try connection.integer(
        "SELECT minute FROM rollup ORDER BY minute LIMIT 1 OFFSET \(count / 4)")
    else { return false }
    return try connection.transaction { () throws(SQLiteError) -> Bool in
      // An hour is merged as a whole.
      let end = end / 60 * 60 + 60
      try connection.execute(
        """
        INSERT INTO rollup
          SELECT minute - (minute % 60 + 60) % 60, source, severity, sum(records) FROM rollup
          WHERE minute < \(end) AND minute % 60 <> 0 GROUP BY 1, 2, 3
          ON CONFLICT DO UPDATE SET records = records + excluded.records;
        DELETE FROM rollup WHERE minute < \(end) AND minute % 60 <> 0;
        """)
      let merged = connection.changes
      if merged < count / 16 {
        try connection.execute("DELETE FROM rollup WHERE minute < \(end)")
      }
      return merged > 0 || connection.changes > 0
    }
  }

  // MARK: Runs, gaps and pruned crashes

  /// Of runs, gaps and crashes that were pruned each takes a hundredth of the quota; the oldest go.
  private func removeOldest(most: Int64) throws(SQLiteError) {
    for (table, key, age) in [
      ("run", "id", "id"), ("gap", "id", "id"), ("crash_pruned", "fingerprint", "last_seen"),
    ] {
      let excess = try (connection.integer("SELECT count(*) FROM \(table)") ?? 0) - most
      guard excess > 0 else { continue }
      try connection.execute(
        """
        DELETE FROM \(table)
        WHERE \(key) IN (SELECT \(key) FROM \(table) ORDER BY \(age) LIMIT \(excess))
        """)
    }
  }

  // MARK: Files

  /// The last record of a file that was truncated or deleted while it was open could grow by a copy
  /// of the file alone. As long as it may grow it is not pruned.
  private func closeRecords(goneBefore limit: Int64) throws(SQLiteError) {
    let gone = try connection.integers(
      """
      SELECT id FROM file WHERE open_record NOT NULL
        AND state IN (\(FileState.truncated.rawValue), \(FileState.gone.rawValue))
        AND first_seen < \(limit) AND coalesce(last_time, 0) < \(limit) LIMIT 1000
      """)
    if gone.isEmpty { return }
    let list = gone.map(String.init).joined(separator: ",")
    try connection.execute(
      "UPDATE file SET open_record = NULL, open_offset = NULL WHERE id IN (\(list))")
    forgetOpenRecords(of: gone)
  }

  private func removeGoneFiles(before limit: Int64) throws(SQLiteError) {
    try connection.execute(
      """
      DELETE FROM file WHERE role = 0 AND records = 0
        AND state IN (\(FileState.truncated.rawValue), \(FileState.gone.rawValue))
        AND first_seen < \(limit) AND coalesce(last_time, 0) < \(limit)
        AND id NOT IN (SELECT file FROM gap)
        AND id NOT IN (SELECT file FROM crash) AND id NOT IN (SELECT file FROM crash_evidence)
      """)
  }

  // MARK: What records refer to

  /// Begins a walk when there are twice as many as the last one has left.
  private func beginSweep() throws(SQLiteError) -> Bool {
    let limits = [
      ("frame", Upkeep.fewFrames), ("word", Upkeep.fewWords), ("context", Upkeep.fewContexts),
      ("observation", Upkeep.fewObservations),
    ]
    var isDue = false
    for (table, few) in limits where try hasDoubled(table, few: few) { isDue = true }
    guard isDue else { return false }
    try connection.execute(
      """
      CREATE TEMP TABLE IF NOT EXISTS used_frame (id INTEGER PRIMARY KEY);
      CREATE TEMP TABLE IF NOT EXISTS used_context (id INTEGER PRIMARY KEY);
      DELETE FROM used_frame;
      DELETE FROM used_context;
      """)
    upkeep.sweep = Upkeep.Sweep(
      lastFrame: try connection.integer("SELECT max(id) FROM frame") ?? 0,
      lastContext: try connection.integer("SELECT max(id) FROM context") ?? 0,
      lastWord: try connection.integer("SELECT max(id) FROM word") ?? 0)
    // A record that was looked at may grow, and take another frame.
    noteUses()
    return true
  }

  private func continueSweep() throws(SQLiteError) -> Bool {
    guard var sweep = upkeep.sweep else { return false }
    let last = try connection.integer("SELECT max(id) FROM record") ?? 0
    // Ids may have gaps as large as what was pruned.
    let first =
      try connection.integer(
        "SELECT min(id) FROM record WHERE id > \(sweep.position)") ?? last
    let end = min(last, first - 1 + Upkeep.stepRecords)
    try mark("id BETWEEN \(first) AND \(end)")
    if sweep.position < end {
      try ObservationTable.removeUnused(in: (sweep.position + 1)...end, connection)
    }
    sweep.position = end
    upkeep.sweep = sweep
    guard end >= last else { return true }
    try connection.transaction { () throws(SQLiteError) in try finish(sweep) }
    upkeep.sweep = nil
    forgetUses()
    return false
  }

  /// Whether there are twice as many as the last walk has left.
  private func hasDoubled(_ table: String, few: Int64) throws(SQLiteError) -> Bool {
    let count = try connection.integer("SELECT count(*) FROM \(table)") ?? 0
    return try count > few + 2 * (meta("kept_\(table)") ?? 0)
  }

  private func mark(_ condition: String) throws(SQLiteError) {
    try connection.execute(
      """
      INSERT OR IGNORE INTO used_frame SELECT frame FROM record
        WHERE \(condition) AND frame NOT NULL;
      INSERT OR IGNORE INTO used_context SELECT context FROM record WHERE \(condition);
      """)
  }

  private func finish(_ sweep: Upkeep.Sweep) throws(SQLiteError) {
    let uses = notedUses()
    for id in uses.frames {
      try connection.execute("INSERT OR IGNORE INTO used_frame VALUES (\(id))")
    }
    for id in uses.contexts {
      try connection.execute("INSERT OR IGNORE INTO used_context VALUES (\(id))")
    }
    let sources = uses.words.map(String.init).joined(separator: ", ")
    // Those of 'logagent retime', which may be at work, have the hash 0.
    try connection.execute(
      """
      DELETE FROM frame WHERE id <= \(sweep.lastFrame) AND hash <> 0 AND id NOT IN used_frame;
      DELETE FROM context WHERE id <= \(sweep.lastContext) AND id NOT IN used_context;
      DELETE FROM word WHERE id <= \(sweep.lastWord) AND id NOT IN (\(sources))
        AND id NOT IN (SELECT source FROM rollup)
        AND id NOT IN (SELECT scope FROM context WHERE scope NOT NULL
          UNION SELECT process FROM context WHERE process NOT NULL
          UNION SELECT severity_text FROM context WHERE severity_text NOT NULL);
      INSERT OR REPLACE INTO meta SELECT 'kept_frame', count(*) FROM frame;
      INSERT OR REPLACE INTO meta SELECT 'kept_context', count(*) FROM context;
      INSERT OR REPLACE INTO meta SELECT 'kept_word', count(*) FROM word;
      INSERT OR REPLACE INTO meta SELECT 'kept_observation', count(*) FROM observation;
      DELETE FROM used_frame;
      DELETE FROM used_context;
      """)
  }
}
