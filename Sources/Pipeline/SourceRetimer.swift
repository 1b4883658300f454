// SPDX-License-Identifier: Apache-2.0

package import LogModel
package import SQLite

/// Gives the records of a source other times: those that were read without a zone, as if it had been
/// another one.
///
/// It works beside a running agent, in transactions of `batchRecords` records between which others
/// write. Each transaction also notes how far it is and in which zone the times are by now, so that
/// one that was interrupted goes on, and none is moved twice.
package struct SourceRetimer {
  /// What was done, or would be.
  package struct Summary: Sendable {
    /// Records that were looked at.
    package var records = 0
    /// Records whose time changes.
    package var changed = 0
    /// Seconds by which times move; positive is later.
    package var leastShift: Int64 = 0
    package var greatestShift: Int64 = 0
    /// The first change.
    package var first: (from: Timestamp, to: Timestamp)?
  }

  /// Up to this row the times are in this zone.
  private struct Segment {
    var lastID: Int64
    var zone: String
  }

  private struct Row {
    var id: Int64
    var time: Int64
    var quality: TimeQuality
    var file: Int64
    var hasOffset: Bool
    var severity: Int64
    var frame: Int64?
    /// Of the times in the frame's text, seconds east of UTC.
    var frameShift: Int64?
    /// The crash that it tells of.
    var crash: Int64?
  }

  private let connection: Connection
  private let source: String
  private let zone: TimeZone
  private let zoneName: String
  private let zoneNamed: (String) -> TimeZone?
  private var segments: [Segment] = []
  /// The last time of each file as it was and as it is, for records that inherit it.
  private var last: [Int64: (old: Int64, new: Int64)] = [:]
  private var frames: [Int64: [Int64: Int64]] = [:]

  package static let batchRecords = 2_000
  private static let second: Int64 = 1_000_000_000

  /// - Parameters:
  ///   - connection: the store's, for writing; for reading with `isTrial` runs only.
  ///   - source: by its name.
  ///   - zoneName: the right zone, by its IANA name.
  ///   - assumed: the zone in which times that were never moved were read.
  ///   - zoneNamed: finds zones by their names.
  /// - Throws: `SQLiteError`; `RetimeError` for a zone that is not known.
  package init(
    _ connection: Connection, source: String, zoneName: String, assumed: String,
    zoneNamed: @escaping (String) -> TimeZone? = HostTimeZone.named
  ) throws {
    guard let zone = zoneNamed(zoneName) else { throw RetimeError.unknownZone(zoneName) }
    guard zoneNamed(assumed) != nil else { throw RetimeError.unknownZone(assumed) }
    self.connection = connection
    self.source = source
    self.zone = zone
    self.zoneName = zoneName
    self.zoneNamed = zoneNamed
    segments = try Self.segments(of: source, connection)
    segments.append(Segment(lastID: Int64.max, zone: assumed))
  }

  // MARK: Which zone the times are in by now

  private static func key(_ source: String) -> String { "retimed:" + source }

  private static func segments(
    of source: String, _ connection: Connection
  ) throws(SQLiteError) -> [Segment] {
    let statement = try connection.prepare("SELECT value FROM meta WHERE key = ?")
    statement.bind(1, key(source))
    guard try statement.step() else { return [] }
    return statement.text(0).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.count == 2, let id = Int64(words[0]) else { return nil }
      return Segment(lastID: id, zone: String(words[1]))
    }
  }

  /// Notes that all up to `id` is in the new zone.
  private func save(upTo id: Int64) throws(SQLiteError) {
    let rest = segments.filter { $0.lastID > id && $0.lastID < Int64.max }
    let all = [Segment(lastID: id, zone: zoneName)] + rest
    let statement = try connection.prepare(
      "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT DO UPDATE SET value = ?2")
    statement.bind(1, Self.key(source))
    statement.bind(2, all.map { "\($0.lastID) \($0.zone)" }.joined(separator: "\n"))
    try statement.run()
  }

  // MARK: Moving

  /// Moves all times of the source.
  ///
  /// - Parameters:
  ///   - isTrial: only tell what would be done.
  ///   - shouldStop: asked between transactions.
  /// - Throws: `SQLiteError`.
  package mutating func run(
    isTrial: Bool, shouldStop: () -> Bool = { false }
  ) throws(SQLiteError) -> Summary {
    var summary = Summary()
    let end = try connection.integer("SELECT max(id) FROM record") ?? 0
    var position: Int64 = 0
    while position < end, !shouldStop() {
      let rows = try batch(after: position, upTo: end)
      let batchEnd = rows.count < Self.batchRecords ? end : rows[rows.count - 1].id
      if isTrial {
        for row in rows { _ = try move(row, &summary) }
      } else {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
          try write(try batch(after: position, upTo: batchEnd), &summary)
          try save(upTo: batchEnd)
          try connection.execute("COMMIT")
        } catch {
          try? connection.execute("ROLLBACK")
          throw error
        }
      }
      position = batchEnd
    }
    return summary
  }

  private func batch(after: Int64, upTo: Int64) throws(SQLiteError) -> [Row] {
    let statement = try connection.prepare(
      """
      SELECT r.id, r.time, c.flags >> 3 & 7, r.file, c.utc_offset IS NOT NULL, r.severity, r.frame,
        fr.shift, e.crash
      FROM record r JOIN context c ON c.id = r.context LEFT JOIN frame fr ON fr.id = r.frame
        LEFT JOIN crash_evidence e ON e.record = r.id
      WHERE r.id > ?1 AND r.id <= ?2
        AND r.file IN (SELECT id FROM file WHERE source = ?3 AND role = 0)
      ORDER BY r.id LIMIT \(Self.batchRecords)
      """)
    statement.bind(1, after)
    statement.bind(2, upTo)
    statement.bind(3, source)
    var rows: [Row] = []
    while try statement.step() {
      rows.append(
        Row(
          id: statement.integer(0), time: statement.integer(1),
          quality: TimeQuality(rawValue: UInt8(statement.integer(2))) ?? .observed,
          file: statement.integer(3), hasOffset: statement.integer(4) == 1,
          severity: statement.integer(5), frame: statement.optionalInteger(6),
          frameShift: statement.optionalInteger(7), crash: statement.optionalInteger(8)))
    }
    return rows
  }

  /// The new time of a row, which may be the old one.
  private mutating func move(_ row: Row, _ summary: inout Summary) throws(SQLiteError) -> Int64 {
    summary.records += 1
    var time = row.time
    switch row.quality {
    case .assumedZone, .inferredYear:
      if !row.hasOffset { time = try newTime(of: row) }
    case .inherited:
      if let last = last[row.file], last.old == row.time { time = last.new }
    case .zoned, .observed: break
    }
    if row.quality != .observed { last[row.file] = (row.time, time) }
    guard time != row.time else { return time }
    let shift = (time - row.time) / Self.second
    summary.leastShift = summary.changed == 0 ? shift : min(summary.leastShift, shift)
    summary.greatestShift = summary.changed == 0 ? shift : max(summary.greatestShift, shift)
    if summary.changed == 0 {
      summary.first = (Timestamp(nanoseconds: row.time), Timestamp(nanoseconds: time))
    }
    summary.changed += 1
    return time
  }

  private func newTime(of row: Row) throws(SQLiteError) -> Int64 {
    let name = segments.first { row.id <= $0.lastID }?.zone ?? zoneName
    guard name != zoneName, let old = zoneNamed(name) else { return row.time }
    let local = try localTime(of: row, in: old)
    let civil = CivilTime(utc: Timestamp(nanoseconds: local))
    let previous = last[row.file].map { Timestamp(nanoseconds: $0.new) }
    return local - Int64(zone.offset(forLocal: civil, previous: previous)) * Self.second
  }

  /// What the clock on the wall said, in nanoseconds as if it were UTC.
  private func localTime(of row: Row, in old: TimeZone) throws(SQLiteError) -> Int64 {
    if let shift = row.frameShift { return row.time + shift * Self.second }
    let offset = Int64(old.offset(at: Timestamp(nanoseconds: row.time)))
    let local = row.time + offset * Self.second
    // In an hour that the old zone's clocks skipped or showed twice two readings have one instant:
    // then the text says which it was.
    guard !old.isUniform(aroundLocalSeconds: local / Self.second) else { return local }
    let statement = try connection.prepare("SELECT head, body FROM record WHERE id = \(row.id)")
    guard try statement.step() else { return local }
    let text = String((statement.text(0) + statement.text(1)).prefix(200))
    for candidate in [local, local - 3600 * Self.second, local + 3600 * Self.second]
    where text.contains(Self.clock(candidate)) { return candidate }
    return local
  }

  private static func clock(_ local: Int64) -> String {
    let civil = CivilTime(utc: Timestamp(nanoseconds: local))
    return [civil.hour, civil.minute, civil.second].map { $0 < 10 ? "0\($0)" : "\($0)" }
      .joined(separator: ":")
  }

  private mutating func write(_ rows: [Row], _ summary: inout Summary) throws(SQLiteError) {
    let update = try connection.prepare("UPDATE record SET time = ?2, frame = ?3 WHERE id = ?1")
    var counts: [[Int64]: Int64] = [:]
    var touched: Set<Int64> = []
    for row in rows {
      let time = try move(row, &summary)
      guard time != row.time else { continue }
      update.bind(1, row.id)
      update.bind(2, time)
      update.bind(3, try frame(of: row, at: time))
      try update.run()
      counts[[Self.minute(row.time), row.severity], default: 0] -= 1
      counts[[Self.minute(time), row.severity], default: 0] += 1
      touched.insert(row.file)
      if let crash = row.crash { try move(crash: crash, of: row, to: time) }
    }
    try count(counts)
    for file in touched {
      try connection.execute(
        "UPDATE file SET last_time = (SELECT max(time) FROM record WHERE file = \(file)) "
          + "WHERE id = \(file)")
    }
  }

  private static func minute(_ time: Int64) -> Int64 {
    let minute = 60 * second
    return (time - ((time % minute) + minute) % minute) / minute
  }

  /// The frame that gives the same text with the new time: one of another shift.
  private mutating func frame(of row: Row, at time: Int64) throws(SQLiteError) -> Int64? {
    guard let frame = row.frame, let shift = row.frameShift else { return row.frame }
    let other = shift + (row.time - time) / Self.second
    if let known = frames[frame]?[other] { return known }
    let names =
      try connection.text(
        "SELECT group_concat(name) FROM pragma_table_info('frame') "
          + "WHERE name NOT IN ('id', 'hash', 'shift')") ?? ""
    // No template has the hash 0: the agent never takes this row for one of its own.
    let statement = try connection.prepare(
      """
      INSERT INTO frame (hash, shift, \(names))
      SELECT 0, ?2, \(names) FROM frame WHERE id = ?1
      RETURNING id
      """)
    statement.bind(1, frame)
    statement.bind(2, other)
    guard try statement.step() else { return row.frame }
    let id = statement.integer(0)
    frames[frame, default: [:]][other] = id
    return id
  }

  private func count(_ counts: [[Int64]: Int64]) throws(SQLiteError) {
    let statement = try connection.prepare(
      """
      INSERT INTO rollup SELECT ?1, id, ?2, ?3 FROM word WHERE text = ?4
      ON CONFLICT DO UPDATE SET records = records + ?3
      """)
    for (key, change) in counts where change != 0 {
      statement.bind(1, key[0])
      statement.bind(2, key[1])
      statement.bind(3, change)
      statement.bind(4, source)
      try statement.run()
    }
    try connection.execute("DELETE FROM rollup WHERE records = 0")
  }

  /// A crash that log lines alone tell of has their time, and so has the end of a run that is known
  /// by nothing else.
  private func move(crash: Int64, of row: Row, to time: Int64) throws(SQLiteError) {
    try connection.execute("UPDATE crash_evidence SET time = \(time) WHERE record = \(row.id)")
    try connection.execute(
      """
      UPDATE crash SET time = \(time), latest = latest + \(time - row.time)
      WHERE id = \(crash) AND sha256 IS NULL AND time = \(row.time)
      """)
    try connection.execute(
      """
      UPDATE run SET "end" = \(time)
      WHERE crash = \(crash) AND "end" = \(row.time) AND start IS NULL
      """)
  }
}

/// Why times can't be moved.
package enum RetimeError: Error, CustomStringConvertible, Sendable {
  case unknownZone(String)

  package var description: String {
    switch self {
    case .unknownZone(let name):
      "'\(name)' is no time zone that /usr/share/zoneinfo has, such as Europe/Berlin"
    }
  }
}
