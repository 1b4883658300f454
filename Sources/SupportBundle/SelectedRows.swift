// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// A selection as conditions of SQL on the store's tables.
///
/// What can't be said in a condition, the ids of chosen records and the times around crashes, lies
/// in temporary tables of the connection.
struct SelectedRows {
  /// Of `record`.
  let records: String
  /// Of `crash`.
  let crashes: String
  /// Of `record`: that it lies around a crash; of 0 or 1.
  let isContext: String
  /// Of `run`.
  let runs: String
  /// Of `rollup`.
  let minutes: String

  /// - Parameters:
  ///   - selection: what is wanted.
  ///   - store: a connection inside a read transaction.
  /// - Throws: `SQLiteError`, and what the selection throws.
  init(_ selection: BundleSelection, _ store: Connection) throws {
    let range = selection.range
    // Records whose own time can't be right count by their arrival; such a time lies before 2000 or
    // after the arrival, so the index on time still finds them.
    var inRange = """
      (time >= \(range.lowerBound) OR time < 946684800000000000)
      AND (CASE WHEN context IN (SELECT id FROM main.context WHERE flags >> 8 & 32) THEN
        (SELECT o.time FROM observation o WHERE o.record <= record.id
          ORDER BY o.record DESC LIMIT 1)
        ELSE time END)
        BETWEEN \(range.lowerBound) AND \(range.upperBound)
      """
    if selection.afterRecord > 0 { inRange += " AND id > \(selection.afterRecord)" }
    if let ids = selection.crashes {
      crashes = "id IN (\(ids.map { String($0) }.joined(separator: ", ")))"
    } else if selection.afterRecord > 0 {
      // A crash stands in the logs as a record, or records of logs tell of it.
      crashes = """
        time BETWEEN \(range.lowerBound) AND \(range.upperBound)
        AND (COALESCE(record, 0) > \(selection.afterRecord)
          OR id IN (SELECT crash FROM crash_evidence WHERE record > \(selection.afterRecord)))
        """
    } else {
      crashes = "time BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    }
    isContext = try Self.makeContext(selection, crashes, store)
    runs = """
      COALESCE("end", \(range.upperBound)) >= \(range.lowerBound)
      AND COALESCE(start, "end") <= \(range.upperBound)
      """
    // Counts by minute are of all records of the range, which a narrower choice does not hold.
    let isWhole =
      selection.records == nil && !selection.isContextOnly && selection.afterRecord == 0
    minutes =
      isWhole
      ? "minute BETWEEN \(range.lowerBound) / 60000000000 AND \(range.upperBound) / 60000000000"
      : "0"
    var chosen = inRange
    if let provider = selection.records {
      try Self.makeTable("chosen", store)
      let insert = try store.prepare("INSERT OR IGNORE INTO temp.chosen (id) VALUES (?)")
      try provider { id in
        insert.bind(1, id)
        try insert.run()
      }
      chosen += " AND id IN (SELECT id FROM temp.chosen)"
    }
    if selection.isContextOnly {
      records = selection.records == nil ? isContext : "\(isContext) AND (\(chosen))"
    } else if selection.addsContext {
      records = "((\(chosen)) OR \(isContext))"
    } else {
      records = chosen
    }
  }

  private static func makeTable(_ name: String, _ store: Connection) throws(SQLiteError) {
    try store.execute(
      """
      DROP TABLE IF EXISTS temp.\(name);
      CREATE TABLE temp.\(name) (id INTEGER PRIMARY KEY, upper INTEGER)
      """)
  }

  /// The times around crashes, without overlaps, as a condition.
  private static func makeContext(
    _ selection: BundleSelection, _ crashes: String, _ store: Connection
  ) throws(SQLiteError) -> String {
    let select = try store.prepare("SELECT time FROM crash WHERE \(crashes) ORDER BY time")
    var spans: [(lower: Int64, upper: Int64)] = []
    while try select.step() {
      let time = select.integer(0)
      let lower = time.subtractingReportingOverflow(selection.contextBefore).partialValue
      let upper = time.addingReportingOverflow(selection.contextAfter).partialValue
      if let last = spans.last, lower <= last.upper {
        spans[spans.count - 1].upper = max(last.upper, upper)
      } else {
        spans.append((lower, upper))
      }
    }
    if spans.isEmpty { return "0" }
    try makeTable("crash_span", store)
    let insert = try store.prepare("INSERT INTO temp.crash_span VALUES (?, ?)")
    for span in spans {
      insert.bind(1, span.lower)
      insert.bind(2, span.upper)
      try insert.run()
    }
    // The span that begins last before the record is the only one that can hold it.
    return """
      COALESCE((SELECT upper FROM temp.crash_span WHERE crash_span.id <= time
        ORDER BY crash_span.id DESC LIMIT 1) >= time, 0)
      """
  }
}
