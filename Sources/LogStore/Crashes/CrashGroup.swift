// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// The group of a crash whose stack does not reach the program: its reason tells crashes apart, and
/// that may come later than the report, from another witness.
enum CrashGroup {
  /// Computes the fingerprint again from all that is known by now.
  static func refresh(_ crash: Int64, _ connection: Connection) throws(SQLiteError) {
    let row = try connection.prepare(
      """
      SELECT kind, signal, exception_type, process, reason, fingerprint,
        frames = '[]' AND top_frame NOT NULL FROM crash WHERE id = ?
      """)
    row.bind(1, crash)
    // Where the stack is not kept, what it said cannot be asked again.
    guard try row.step(), row.integer(6) == 0 else { return }
    var report = CrashReport(format: "")
    report.frames = try frames(of: crash, connection)
    guard CrashFingerprint.dependsOnReason(report) else { return }
    report.kind = CrashKind(rawValue: row.text(0)) ?? .unknown
    report.signal = row.optionalText(1)
    report.exceptionType = row.optionalText(2)
    report.process = row.optionalText(3)
    report.reason = row.optionalText(4)
    CrashFingerprint.apply(to: &report)
    guard report.fingerprint != row.text(5) else { return }
    let update = try connection.prepare("UPDATE crash SET fingerprint = ? WHERE id = ?")
    update.bind(1, report.fingerprint)
    update.bind(2, crash)
    try update.run()
  }

  private static func frames(
    of crash: Int64, _ connection: Connection
  ) throws(SQLiteError) -> [CrashFrame] {
    let select = try connection.prepare(
      """
      SELECT json_extract(f.value, '$.image'), json_extract(f.value, '$.symbol'),
        json_extract(f.value, '$.offset'), json_extract(f.value, '$.file')
      FROM crash c, json_each(c.frames) f WHERE c.id = ?
      """)
    select.bind(1, crash)
    var frames: [CrashFrame] = []
    while try select.step() {
      frames.append(
        CrashFrame(
          image: select.optionalText(0), symbol: select.optionalText(1),
          offset: select.optionalInteger(2).map { UInt64(bitPattern: $0) },
          file: select.optionalText(3)))
    }
    return frames
  }
}
