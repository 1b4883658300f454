// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// The spans of time around crashes whose records outlive the others.
///
/// The newest crashes are shielded as far as their own quota reaches; a crash beyond it is to go,
/// and its context is as any other record again.
struct CrashShield {
  /// Sorted, and apart from each other.
  private(set) var spans: [ClosedRange<Int64>] = []
  /// Crashes beyond the quota, those first that are missed least.
  private(set) var surplus: [Int64] = []
  /// The last crash that it knows.
  private var lastCrash: Int64 = 0

  private struct Crash {
    var id: Int64
    var time: Int64
    var latest: Int64
    var bytes: Int64
    var hasReport: Bool
  }

  /// About the bytes of a crash's rows beside its report.
  private static let rowBytes: Int64 = 1024
  /// In nanoseconds.
  private static let longestDoubt: Int64 = 3_600_000_000_000
  /// Of a record in the store, for each byte in its file, with its columns and indexes.
  private static let storedPerByte: Int64 = 2

  init() {}

  init(_ connection: Connection, _ rule: RetentionRule) throws(SQLiteError) {
    let crashes = try Self.crashes(connection)
    lastCrash = crashes.reduce(0) { max($0, $1.id) }
    // Crashes themselves come first; what they leave of their quota is for the records around them.
    var used: Int64 = 0
    let kept = crashes.prefix { crash in
      used += crash.bytes
      return used <= rule.crashMaxBytes
    }
    if kept.count < crashes.count { used -= crashes[kept.count].bytes }
    // Those whose report was not kept are one of many like them.
    let rest = crashes[kept.count...].reversed()
    surplus = rest.filter { !$0.hasReport }.map(\.id) + rest.filter(\.hasReport).map(\.id)
    var covered: [ClosedRange<Int64>] = []
    let wanted = kept.flatMap { Self.spans(around: $0.time, $0.latest, rule) }
    for span in wanted.sorted(by: { $0.lowerBound > $1.lowerBound }) {
      if let last = covered.last, last.lowerBound <= span.upperBound {
        // What the neighbour's span covers already is counted once.
        let start = min(last.lowerBound, span.lowerBound)
        used += try Self.bytes(connection, start, last.lowerBound &- 1)
        if used > rule.crashMaxBytes { break }
        covered[covered.count - 1] = start...max(last.upperBound, span.upperBound)
      } else {
        used += try Self.bytes(connection, span.lowerBound, span.upperBound)
        if used > rule.crashMaxBytes { break }
        covered.append(span)
      }
    }
    spans = covered.reversed()
  }

  /// Shields the crashes that have come since.
  mutating func addNewCrashes(
    _ connection: Connection, _ rule: RetentionRule
  ) throws(SQLiteError) {
    let row = try connection.prepare(
      "SELECT id, time, max(time, coalesce(latest, time)) FROM crash WHERE id > ? ORDER BY id")
    row.bind(1, lastCrash)
    while try row.step() {
      lastCrash = row.integer(0)
      for span in Self.spans(around: row.integer(1), row.integer(2), rule) { add(span) }
    }
  }

  /// A crash without a time of its own happened between the record before it and when it was read.
  /// After a long silence, or in an old file, that may be any time: then the ends alone count.
  private static func spans(
    around time: Int64, _ latest: Int64, _ rule: RetentionRule
  ) -> [ClosedRange<Int64>] {
    let around = { (first: Int64, last: Int64) in
      (first &- rule.contextBefore)...(last &+ rule.contextAfter)
    }
    return latest &- time <= longestDoubt
      ? [around(time, latest)] : [around(time, time), around(latest, latest)]
  }

  private mutating func add(_ span: ClosedRange<Int64>) {
    let touching = spans.filter { $0.overlaps(span) }
    let start = touching.first.map { min($0.lowerBound, span.lowerBound) } ?? span.lowerBound
    let end = touching.last.map { max($0.upperBound, span.upperBound) } ?? span.upperBound
    spans.removeAll { $0.overlaps(span) }
    let place = spans.firstIndex { $0.lowerBound > end } ?? spans.count
    spans.insert(start...end, at: place)
  }

  /// As a condition on records in SQL, with its `AND`; empty when it shields nothing.
  var condition: String {
    spans.map { " AND time NOT BETWEEN \($0.lowerBound) AND \($0.upperBound)" }.joined()
  }

  /// All crashes, the newest first.
  private static func crashes(_ connection: Connection) throws(SQLiteError) -> [Crash] {
    let row = try connection.prepare(
      """
      SELECT c.id, c.time, max(c.time, coalesce(c.latest, c.time)), c.has_report,
        coalesce(length(r.content), 0) + length(c.frames) + coalesce((
          SELECT sum(length(er.content)) FROM crash_evidence e
          JOIN evidence_report er ON er.evidence = e.id WHERE e.crash = c.id), 0)
      FROM crash c LEFT JOIN crash_report r ON r.crash = c.id
      ORDER BY c.time DESC, c.id DESC
      """)
    var crashes: [Crash] = []
    while try row.step() {
      crashes.append(
        Crash(
          id: row.integer(0), time: row.integer(1), latest: row.integer(2),
          bytes: row.integer(4) + rowBytes, hasReport: row.integer(3) != 0))
    }
    return crashes
  }

  private static func bytes(
    _ connection: Connection, _ first: Int64, _ last: Int64
  ) throws(SQLiteError) -> Int64 {
    if first > last { return 0 }
    let sum = try connection.integer(
      """
      SELECT sum(byte_length) FROM record
      WHERE time BETWEEN \(first) AND \(last) AND crash IS NULL
      """)
    return (sum ?? 0) * storedPerByte
  }
}
