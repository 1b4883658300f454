// SPDX-License-Identifier: Apache-2.0

package import LogModel
package import SQLite

/// How much is kept.
package struct RetentionRule: Hashable, Sendable {
  /// Bytes of the store's files together, write-ahead log included.
  package var maxBytes: Int64
  /// Nanoseconds; `nil` for no limit.
  package var maxAge: Int64?

  package init(maxBytes: Int64, maxAge: Int64?) {
    self.maxBytes = maxBytes
    self.maxAge = maxAge
  }

  /// What is set aside for the write-ahead log, in bytes.
  var logReserve: Int64 { min(4 << 20, maxBytes / 8) }
  /// The largest the database file may be, in bytes.
  var databaseBytes: Int64 { maxBytes - logReserve }
}

extension LogStore {
  /// Rows that one transaction deletes at most, so that a commit never waits long for pruning.
  private static let pruneStep = 2_000

  /// Sizes the write-ahead log so that it stays within its share of the quota.
  ///
  /// - Throws: `SQLiteError`.
  package func apply(_ rule: RetentionRule) throws(SQLiteError) {
    let pages = max(16, rule.logReserve / 2 / 4096)
    try connection.execute("PRAGMA wal_autocheckpoint = \(pages)")
  }

  /// Deletes the oldest records until the store fits the rule, and gives the pages back.
  ///
  /// - Returns: how many records were deleted.
  /// - Throws: `SQLiteError`.
  @discardableResult
  package func prune(_ rule: RetentionRule, now: Timestamp) throws(SQLiteError) -> Int {
    var pruned = 0
    if let maxAge = rule.maxAge {
      pruned += try deleteRecords(before: now.nanoseconds - maxAge)
    }
    if try databaseBytes() > rule.databaseBytes {
      // Somewhat below the limit, so that the next batch doesn't prune again.
      let target = rule.databaseBytes / 20 * 19
      while try usedBytes() > target {
        // In small shares, so that a small store is not emptied at one stroke.
        let rows = try connection.integer("SELECT max(id) - min(id) + 1 FROM record") ?? 0
        let deleted = try deleteOldest(min(Self.pruneStep, max(8, Int(rows / 20))))
        if deleted == 0 { break }
        pruned += deleted
      }
      try connection.execute("PRAGMA incremental_vacuum")
      // The file only shrinks when the log is moved into it.
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    return pruned
  }

  private func deleteRecords(before limit: Int64) throws(SQLiteError) -> Int {
    guard let oldest = try connection.integer("SELECT min(time) FROM record"), oldest < limit
    else { return 0 }
    var pruned = 0
    while true {
      let deleted = try delete(
        "SELECT id FROM record WHERE time < \(limit) ORDER BY time LIMIT \(Self.pruneStep)")
      pruned += deleted
      if deleted < Self.pruneStep { return pruned }
    }
  }

  private func deleteOldest(_ count: Int) throws(SQLiteError) -> Int {
    try delete("SELECT id FROM record WHERE crash IS NULL ORDER BY time, id LIMIT \(count)")
  }

  /// Deletes the records whose ids `selection` gives, and counts their bytes with their files.
  private func delete(_ selection: String) throws(SQLiteError) -> Int {
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute(
        """
        CREATE TEMP TABLE IF NOT EXISTS doomed (id INTEGER PRIMARY KEY);
        DELETE FROM doomed;
        INSERT INTO doomed \(selection);
        UPDATE file SET pruned_bytes = pruned_bytes + d.bytes FROM (
          SELECT file, sum(byte_length) AS bytes FROM record
          WHERE id IN doomed AND crash IS NULL GROUP BY file) AS d
        WHERE d.file = file.id;
        DELETE FROM record WHERE id IN doomed;
        """)
      let deleted = connection.changes
      let before = try connection.integer(
        "SELECT value FROM meta WHERE key = 'pruned_records'")
      try setMeta("pruned_records", (before ?? 0) + Int64(deleted))
      return deleted
    }
  }

  private func databaseBytes() throws(SQLiteError) -> Int64 {
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    return try pages * (connection.integer("PRAGMA page_size") ?? 4096)
  }

  private func usedBytes() throws(SQLiteError) -> Int64 {
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    return try databaseBytes() - free * (connection.integer("PRAGMA page_size") ?? 4096)
  }
}
