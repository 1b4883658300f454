// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// A selection as conditions of SQL on the store's tables.
///
/// What can't be said in a condition, the ids of chosen records and the times around crashes, lies
/// in temporary tables of the connection.
struct SelectedRows {
  /// Of `record`.
  let records: String
  /// Times of `record` between which all of them lie, in order and without overlaps: what is asked
  /// for each of these reads no more of the index on time than it needs.
  let spans: [ClosedRange<Int64>]
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
    crashes = Self.crashes(selection)
    let context = try Self.contextSpans(selection, crashes, store)
    isContext = try Self.makeContext(context, store)
    var spans = selection.isContextOnly ? [] : Self.spans(from: range.lowerBound)
    if selection.isContextOnly || selection.addsContext { spans = Self.merged(spans + context) }
    // Many would be asked for longer than all rows are looked at.
    self.spans = spans.count > 200 ? [Int64.min...Int64.max] : spans
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
    let chosen = try Self.chosen(selection, store)
    if selection.isContextOnly {
      records = selection.records == nil ? isContext : "\(isContext) AND (\(chosen))"
    } else if selection.addsContext {
      records = "((\(chosen)) OR \(isContext))"
    } else {
      records = chosen
    }
  }

  /// The records of the range, or of those the ones that were asked for.
  private static func chosen(_ selection: BundleSelection, _ store: Connection) throws -> String {
    let range = selection.range
    // Records whose own time can't be right count by their arrival.
    let hasSuspect = try store.integer(
      "SELECT EXISTS (SELECT 1 FROM main.context WHERE flags >> 8 & 32)")
    var condition =
      hasSuspect == 0
      ? "time BETWEEN \(range.lowerBound) AND \(range.upperBound)"
      : """
      (time >= \(range.lowerBound) OR time < \(year2000))
      AND (CASE WHEN context IN (SELECT id FROM main.context WHERE flags >> 8 & 32) THEN
        (SELECT o.time FROM observation o WHERE o.record <= record.id
          ORDER BY o.record DESC LIMIT 1)
        ELSE time END)
        BETWEEN \(range.lowerBound) AND \(range.upperBound)
      """
    if selection.afterRecord > 0 { condition += " AND id > \(selection.afterRecord)" }
    guard let provider = selection.records else { return condition }
    try makeTable("chosen", store)
    let insert = try store.prepare("INSERT OR IGNORE INTO temp.chosen (id) VALUES (?)")
    try provider { id in
      insert.bind(1, id)
      try insert.run()
    }
    return condition + " AND id IN (SELECT id FROM temp.chosen)"
  }

  private static func crashes(_ selection: BundleSelection) -> String {
    if let ids = selection.crashes {
      return "id IN (\(ids.map { String($0) }.joined(separator: ", ")))"
    }
    let range = selection.range
    let inRange = "time BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    guard selection.afterRecord > 0 else { return inRange }
    // A crash stands in the logs as a record, or records of logs tell of it.
    return """
      \(inRange)
      AND (COALESCE(record, 0) > \(selection.afterRecord)
        OR id IN (SELECT crash FROM crash_evidence WHERE record > \(selection.afterRecord)))
      """
  }

  private static func makeTable(_ name: String, _ store: Connection) throws(SQLiteError) {
    try store.execute(
      """
      DROP TABLE IF EXISTS temp.\(name);
      CREATE TABLE temp.\(name) (id INTEGER PRIMARY KEY, upper INTEGER)
      """)
  }

  private static let year2000: Int64 = 946_684_800_000_000_000

  /// Where records since a time lie. A time that can't be right lies before 2000 or after the
  /// arrival.
  private static func spans(from lower: Int64) -> [ClosedRange<Int64>] {
    lower <= year2000
      ? [Int64.min...Int64.max] : [Int64.min...year2000 - 1, lower...Int64.max]
  }

  private static func merged(_ spans: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, span.lowerBound <= last.upperBound {
        let upper = max(last.upperBound, span.upperBound)
        result[result.count - 1] = last.lowerBound...upper
      } else {
        result.append(span)
      }
    }
    return result
  }

  /// The times around crashes, without overlaps.
  private static func contextSpans(
    _ selection: BundleSelection, _ crashes: String, _ store: Connection
  ) throws(SQLiteError) -> [ClosedRange<Int64>] {
    let select = try store.prepare("SELECT time FROM crash WHERE \(crashes) ORDER BY time")
    var spans: [ClosedRange<Int64>] = []
    while try select.step() {
      let time = select.integer(0)
      let lower = time.subtractingReportingOverflow(selection.contextBefore).partialValue
      let upper = time.addingReportingOverflow(selection.contextAfter).partialValue
      if lower <= upper { spans.append(lower...upper) }
    }
    return merged(spans)
  }

  /// That a record's time lies in one of the spans, as a condition.
  private static func makeContext(
    _ spans: [ClosedRange<Int64>], _ store: Connection
  ) throws(SQLiteError) -> String {
    if spans.isEmpty { return "0" }
    try makeTable("crash_span", store)
    let insert = try store.prepare("INSERT INTO temp.crash_span VALUES (?, ?)")
    for span in spans {
      insert.bind(1, span.lowerBound)
      insert.bind(2, span.upperBound)
      try insert.run()
    }
    // The span that begins last before the record is the only one that can hold it.
    return """
      COALESCE((SELECT upper FROM temp.crash_span WHERE crash_span.id <= time
        ORDER BY crash_span.id DESC LIMIT 1) >= time, 0)
      """
  }
}
