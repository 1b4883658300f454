// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogQuery
internal import SQLite

/// The members of one bundle, written in the order of their names.
struct BundleContents {
  let request: BundleRequest
  let store: Connection
  let database: RangeDatabase
  var plan: BundlePlan
  private(set) var records: Int64 = 0

  init(
    request: BundleRequest, store: Connection, database: RangeDatabase, plan: BundlePlan
  ) {
    self.request = request
    self.store = store
    self.database = database
    self.plan = plan
  }

  /// Writes the archive.
  ///
  /// - Throws: what the sink throws, `BundleError`, `SQLiteError`, `FileError`.
  mutating func write(to sink: @escaping ArchiveWriter.Sink) throws {
    let covered = try coveredRange()
    let newest = max(covered?.upperBound ?? 0, try newestCrash() ?? 0)
    let archive = try ArchiveWriter(time: newest / 1_000_000_000, sink: sink)
    var members: [BundleManifest.Member] = []
    try addMember("README.txt", Array(BundleReadme.text.utf8), archive, &members)
    for index in reportsByName() { try addReport(index, archive, &members) }
    if plan.databaseLeftOut == nil { try addDatabase(archive, &members) }
    try addRecords(archive, &members)
    let manifest = BundleManifest(
      request: request, plan: plan, records: records, covered: covered, members: members)
    try archive.add("manifest.json", manifest.json(database.connection, problems: problems()))
    try archive.finish()
  }

  // MARK: Crashes

  private func reportsByName() -> [Int] {
    plan.reports.indices.sorted { String(plan.reports[$0].id) < String(plan.reports[$1].id) }
  }

  private mutating func addReport(
    _ index: Int, _ archive: ArchiveWriter, _ members: inout [BundleManifest.Member]
  ) throws {
    let report = plan.reports[index]
    var row: [UInt8] = []
    let select = try database.connection.prepare("SELECT * FROM crashes WHERE id = \(report.id)")
    if try select.step() { RecordJSON(select).append(select, to: &row) }
    try addMember("crashes/\(report.id)/crash.json", row + [10], archive, &members)
    guard report.leftOut == nil else { return }
    // Asked for one by one: together they may be large. One may have been pruned by now.
    let content = try store.prepare("SELECT content FROM crash_report WHERE crash = \(report.id)")
    guard try content.step() else {
      plan.reports[index].leftOut = "pruned while the bundle was made"
      return
    }
    let bytes: [UInt8]
    do throws(CompressionError) {
      bytes = try Zlib.inflate(content.blob(0), limit: 1 << 30)
    } catch {
      plan.reports[index].leftOut = "its bytes in the store cannot be read: \(error)"
      return
    }
    try addMember("crashes/\(report.id)/report", bytes, archive, &members)
    plan.reports[index].member = "crashes/\(report.id)/report"
    plan.reports[index].isCut = Int64(bytes.count) < report.size
  }

  private mutating func addMember(
    _ name: String, _ bytes: [UInt8], _ archive: ArchiveWriter,
    _ members: inout [BundleManifest.Member]
  ) throws {
    if request.shouldStop() { throw BundleError(.interrupted, "interrupted") }
    try archive.add(name, bytes)
    members.append(
      .init(name: name, size: Int64(bytes.count), sha256: SHA256.hex(bytes)))
  }

  // MARK: Logs

  private func addDatabase(
    _ archive: ArchiveWriter, _ members: inout [BundleManifest.Member]
  ) throws {
    let size = try database.size()
    var hash = SHA256()
    try archive.add("logs.db", size: size) { write in
      try database.read {
        if request.shouldStop() { throw BundleError(.interrupted, "interrupted") }
        hash.update($0)
        try write($0)
      }
    }
    members.append(.init(name: "logs.db", size: size, sha256: hash.finish()))
  }

  /// The log's own records; crashes have members of their own.
  ///
  /// Two passes over the same rows: a tar header needs the size first.
  private mutating func addRecords(
    _ archive: ArchiveWriter, _ members: inout [BundleManifest.Member]
  ) throws {
    var size: Int64 = 0
    var count: Int64 = 0
    var hash = SHA256()
    try forEachPiece {
      size += Int64($0.count)
      count += Int64($0.count { $0 == UInt8(ascii: "\n") })
      hash.update($0)
    }
    records = count
    try archive.add("logs.jsonl", size: size) { write in try forEachPiece(write) }
    members.append(.init(name: "logs.jsonl", size: size, sha256: hash.finish()))
  }

  private func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let select = try database.connection.prepare(
      """
      SELECT \(RecordJSON.columns) FROM logs WHERE crash_id IS NULL ORDER BY \(RecordJSON.order)
      """)
    let encoder = RecordJSON(select)
    var piece: [UInt8] = []
    while try select.step() {
      encoder.append(select, to: &piece)
      piece.append(UInt8(ascii: "\n"))
      if piece.count >= 64 << 10 {
        if request.shouldStop() { throw BundleError(.interrupted, "interrupted") }
        try piece.withUnsafeBytes { try body($0) }
        piece.removeAll(keepingCapacity: true)
      }
    }
    try piece.withUnsafeBytes { try body($0) }
  }

  // MARK: Facts

  private func coveredRange() throws -> ClosedRange<Int64>? {
    let select = try database.connection.prepare(
      "SELECT min(time), max(time) FROM record WHERE crash IS NULL")
    guard try select.step(), !select.isNull(0) else { return nil }
    return select.integer(0)...select.integer(1)
  }

  private func newestCrash() throws -> Int64? {
    try database.connection.integer("SELECT max(time) FROM crash")
  }

  /// What was wrong with files when the bundle was made, by path.
  private func problems() throws -> [(path: String, reason: String)] {
    let select = try store.prepare(
      """
      SELECT key, value FROM json_each(COALESCE(
        (SELECT value FROM meta WHERE key = 'problems' AND json_valid(value)), '{}'))
      UNION
      SELECT path, problem FROM files WHERE problem IS NOT NULL AND state IN ('active', 'refused')
      ORDER BY 1, 2
      """)
    var problems: [(path: String, reason: String)] = []
    while try select.step() { problems.append((select.text(0), select.text(1))) }
    return problems
  }
}
