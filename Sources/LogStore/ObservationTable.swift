// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// The times at which records were read: a row of `observation` for each run of records that were
/// read together, since one for each record would be a twentieth of the store.
final class ObservationTable {
  private var last = Int64.min
  private let insert: StatementBox

  init(_ connection: Connection) throws(SQLiteError) {
    insert = StatementBox(
      try connection.prepare("INSERT OR REPLACE INTO observation VALUES (?, ?)", persistent: true))
  }

  /// Notes when the new record `id` was read; ids come in their order.
  ///
  /// - Throws: `SQLiteError`.
  func note(_ time: Timestamp, of id: Int64) throws(SQLiteError) {
    if time.nanoseconds == last { return }
    insert.value.bind(1, id)
    insert.value.bind(2, time.nanoseconds)
    try insert.value.run()
    last = time.nanoseconds
  }

  /// The last row may be gone.
  func rollBack() { last = .min }

  /// Removes the rows of runs of which no record is left.
  ///
  /// - Parameter ids: where to look; the run that goes on behind them stays.
  /// - Throws: `SQLiteError`.
  static func removeUnused(
    in ids: ClosedRange<Int64>, _ connection: Connection
  ) throws(SQLiteError) {
    let delete = try connection.prepare(
      """
      DELETE FROM observation WHERE record IN (
        SELECT o.record FROM (
          SELECT record, lead(record) OVER (ORDER BY record) AS next
          FROM observation WHERE record BETWEEN ?1 AND ?2
        ) o
        WHERE o.next NOT NULL AND coalesce(
          (SELECT r.id FROM record r WHERE r.id >= o.record ORDER BY r.id LIMIT 1), o.next) >= o.next
      )
      """)
    delete.bind(1, ids.lowerBound)
    delete.bind(2, ids.upperBound)
    try delete.run()
  }
}
