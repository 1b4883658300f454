// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// Counts records by minute, source and severity as they are stored, so that a histogram of any
/// span is read from a few rows, also of a time whose records are pruned.
final class Rollup {
  struct Key: Hashable {
    /// Minutes since 1970.
    var minute: Int64
    /// Row of `word`.
    var source: Int64
    var severity: UInt8
  }

  private var counts: [Key: Int64] = [:]
  /// The key of the last record, and how many had it in a row: most have their neighbour's.
  private var last = Key(minute: 0, source: 0, severity: 0)
  private var run: Int64 = 0
  private let upsert: StatementBox

  init(_ connection: Connection) throws(SQLiteError) {
    upsert = StatementBox(
      try connection.prepare(
        """
        INSERT INTO rollup VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT DO UPDATE SET records = records + ?4
        """, persistent: true))
  }

  /// Counts one record, or takes one back with a `change` of -1.
  func add(time: Int64, source: Int64, severity: UInt8, change: Int64 = 1) {
    let minute = CivilTime.floorDivide(time, 60_000_000_000).quotient
    if minute != last.minute || source != last.source || severity != last.severity {
      flushRun()
      last = Key(minute: minute, source: source, severity: severity)
    }
    run += change
  }

  /// Writes what was counted since the last call.
  func save() throws(SQLiteError) {
    flushRun()
    defer { counts.removeAll(keepingCapacity: true) }
    for (key, count) in counts where count != 0 {
      upsert.value.bind(1, key.minute)
      upsert.value.bind(2, key.source)
      upsert.value.bind(3, Int64(key.severity))
      upsert.value.bind(4, count)
      try upsert.value.run()
    }
  }

  /// Forgets what was counted since the last call of `save`.
  func discard() {
    counts.removeAll(keepingCapacity: true)
    run = 0
  }

  /// Takes a record out that is about to be deleted because it was told twice.
  static func remove(record: Int64, _ connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      INSERT INTO rollup
        SELECT (r.time - ((r.time % 60000000000) + 60000000000) % 60000000000) / 60000000000,
          w.id, r.severity, -1
        FROM record r JOIN file f ON f.id = r.file JOIN word w ON w.text = f.source
        WHERE r.id = \(record)
        ON CONFLICT DO UPDATE SET records = records - 1
      """)
  }

  private func flushRun() {
    if run != 0 { counts[last, default: 0] += run }
    run = 0
  }
}
