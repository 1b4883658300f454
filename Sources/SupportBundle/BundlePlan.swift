// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// Which of the rows of the range a bundle takes.
struct BundlePlan {
  /// A crash report of the range.
  struct Report {
    var id: Int64
    /// Where it was collected.
    var path: String
    /// Of the file, in bytes.
    var size: Int64
    var sha256: String
    /// As it lies in the store.
    var compressedSize: Int64
    /// Why it is not in the bundle; `nil` when it is.
    var leftOut: String?
    /// Whether there ever was one: of some crashes only records of logs tell.
    var hasReport: Bool
    /// Whether the bundle lacks something that there was.
    var isMissing: Bool { hasReport && leftOut != nil }
    /// Its name in the bundle, once it is there.
    var member: String?
    /// The store kept only its beginning, by `limits.max_report_bytes`.
    var isCut = false
  }

  /// By id.
  var reports: [Report]
  /// Without those that stand for a crash.
  let recordsInRange: Int64
  /// Why `logs.db` is not in the bundle; `nil` when it is.
  var databaseLeftOut: String?
  /// Records to take: those around crashes first, then the newest.
  var recordCount: Int64
  /// Records that `report.html` shows, the newest.
  var pageRows = ReportPage.mostRows

  /// Why a crash has no report in the bundle; `nil` when it has.
  private static func reason(hasReport: Bool, hasBytes: Bool) -> String? {
    if hasBytes { return nil }
    return hasReport ? "its bytes are not in the store" : "only records of logs tell of it"
  }

  /// Everything of the range.
  ///
  /// - Throws: `SQLiteError`.
  init(_ store: Connection, _ rows: SelectedRows) throws {
    let select = try store.prepare(
      """
      SELECT id, path, size, sha256, length(content)
      FROM crash LEFT JOIN crash_report r ON r.crash = id
      WHERE \(rows.crashes) ORDER BY id
      """)
    reports = []
    while try select.step() {
      reports.append(
        Report(
          id: select.integer(0), path: select.text(1), size: select.integer(2),
          sha256: select.text(3), compressedSize: select.integer(4),
          leftOut: Self.reason(hasReport: !select.isNull(3), hasBytes: !select.isNull(4)),
          hasReport: !select.isNull(3)))
    }
    let count = try store.prepare(
      "SELECT count(*) FROM record WHERE time BETWEEN ? AND ? AND \(rows.records) AND crash IS NULL"
    )
    var records: Int64 = 0
    for span in rows.spans {
      count.bind(1, span.lowerBound)
      count.bind(2, span.upperBound)
      if try count.step() { records += count.integer(0) }
      count.reset()
    }
    recordsInRange = records
    recordCount = recordsInRange
  }

  /// Leaves out what surely has no room: reports beyond half of the bytes, newest first, and
  /// records that would have to shrink to a fortieth.
  mutating func fit(_ maxBytes: Int64, _ store: Connection, _ rows: SelectedRows) throws {
    var room = maxBytes / 2
    for index in reports.indices.reversed() where reports[index].leftOut == nil {
      if reports[index].compressedSize + 1024 <= room {
        room -= reports[index].compressedSize + 1024
      } else {
        reports[index].leftOut = "no room: the bundle may have \(maxBytes) bytes"
      }
    }
    let sum = try store.prepare("SELECT sum(byte_length) FROM record WHERE \(rows.records)")
    _ = try sum.step()
    let ratio = Double(maxBytes) * 40 / max(1, Double(sum.integer(0)))
    if ratio < 1 { recordCount = Int64(Double(recordCount) * ratio) }
  }

  /// Takes fewer records, after a bundle of these came out as `bytes` long.
  mutating func shrink(_ bytes: Int64, to maxBytes: Int64) {
    let reportBytes = reports.reduce(4096) { $0 + ($1.leftOut == nil ? $1.compressedSize : 0) }
    let room = Double(max(0, maxBytes - reportBytes))
    let used = Double(max(1, bytes - reportBytes))
    let wanted = Int64(Double(recordCount) * min(1, room / used) * 0.96)
    recordCount = max(0, min(wanted, recordCount - 1))
  }

  /// The last record to take, in the order of what matters; `nil` when all are.
  ///
  /// - Throws: `SQLiteError`.
  func cutoff(
    _ store: Connection, _ rows: SelectedRows
  ) throws -> RangeDatabase.Cutoff? {
    if recordCount >= recordsInRange { return nil }
    if recordCount == 0 { return .nothing }
    let select = try store.prepare(
      """
      SELECT \(rows.isContext), time, id FROM record WHERE \(rows.records) AND crash IS NULL
      ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT 1 OFFSET \(recordCount - 1)
      """)
    guard try select.step() else { return nil }
    return RangeDatabase.Cutoff(
      isContext: select.integer(0), time: select.integer(1), id: select.integer(2))
  }
}
