// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogQuery
internal import Redaction
internal import SQLite

/// The members of one bundle, written in the order of their names.
struct BundleContents {
  let request: BundleRequest
  let store: Connection
  let database: RangeDatabase
  var plan: BundlePlan
  let redactor: Redactor?
  private(set) var records: Int64 = 0
  /// Of `logs.jsonl`.
  private(set) var recordBytes: Int64 = 0
  /// Members that no rule can read and that were wanted as they are.
  private(set) var dumps: Set<String> = []

  init(
    request: BundleRequest, store: Connection, database: RangeDatabase, plan: BundlePlan,
    redactor: Redactor?
  ) {
    self.redactor = redactor
    self.request = request
    self.store = store
    self.database = database
    self.plan = plan
  }

  /// Writes the archive.
  ///
  /// - Throws: what the sink throws, `BundleError`, `SQLiteError`, `FileError`.
  mutating func write(to sink: @escaping ArchiveWriter.Sink) throws {
    let covered = database.copied.times
    let newest = max(database.copied.newest, try newestCrash() ?? 0)
    let archive = try ArchiveWriter(time: newest / 1_000_000_000, sink: sink)
    var members: [BundleManifest.Member] = []
    // Paths stand in the manifest, which counts what was masked: so they come first.
    for index in plan.reports.indices {
      plan.reports[index].path = masked(plan.reports[index].path, "path", in: "crashes")
    }
    let problems = try problems()
    let readme = BundleReadme.text(isRedacted: redactor != nil)
    try addMember("README.txt", Array(readme.utf8), archive, &members)
    if let text = request.configuration {
      let place = RedactionPlace("config.toml")
      let bytes = redactor.map { ReportText.masked(text, $0, place) } ?? text
      try addMember("config.toml", bytes, archive, &members)
    }
    for index in reportsByName() { try addReport(index, archive, &members) }
    if plan.databaseLeftOut == nil { try addDatabase(archive, &members) }
    try addRecords(archive, &members)
    try addMember("status.json", status(), archive, &members)
    // What counts the marks comes when all are made.
    try addMember(
      "redactions.json", RedactionSummary.json(redactor?.hits ?? []), archive, &members)
    var manifest = BundleManifest(
      request: request, plan: plan, records: records, counts: try counts(), covered: covered,
      members: members,
      redactions: redactor?.hits ?? [], host: masked(request.host, "host", in: "manifest.json"),
      selection: request.selection.asked.map { masked($0, "selection", in: "manifest.json") })
    let page = try ReportPage.make(manifest, database.connection, problems, redactor)
    try addMember(ReportPage.name, page, archive, &members)
    manifest.members = members
    try addMember(
      "manifest.json", manifest.json(problems: problems), archive,
      &members)
    try archive.add("SHA256SUMS", BundleManifest.sums(members))
    try archive.finish()
  }

  private func masked(_ text: String, _ field: String, in file: String) -> String {
    redactor?.redacted(text, at: RedactionPlace(file, field)) ?? text
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
    var bytes: [UInt8]
    do throws(CompressionError) {
      bytes = try Zlib.inflate(content.blob(0), limit: 1 << 30)
    } catch {
      plan.reports[index].leftOut = "its bytes in the store cannot be read: \(error)"
      return
    }
    plan.reports[index].isCut = Int64(bytes.count) < report.size
    let name = "crashes/\(report.id)/report"
    if let redactor {
      if ReportText.isText(bytes) {
        bytes = ReportText.masked(bytes, redactor, RedactionPlace(name))
      } else if request.includesDumps {
        dumps.insert(name)
      } else {
        plan.reports[index].leftOut =
          "it is no text, so it cannot be redacted; --include-dumps takes it as it is"
        return
      }
    }
    try addMember(name, bytes, archive, &members)
    plan.reports[index].member = name
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
  /// They were compressed while the rows were copied: a tar header needs the size first.
  private mutating func addRecords(
    _ archive: ArchiveWriter, _ members: inout [BundleManifest.Member]
  ) throws {
    records = database.copied.records
    let lines = database.lines.segment
    recordBytes = lines.length
    try archive.add("logs.jsonl", database.lines)
    members.append(.init(name: "logs.jsonl", size: recordBytes, sha256: lines.sha256))
  }

  // MARK: Facts

  /// Records by source, then by severity.
  private func counts() throws -> [(source: String, severity: String, records: Int64)] {
    let select = try database.connection.prepare("SELECT id, source FROM file")
    var sources: [Int64: String] = [:]
    while try select.step() { sources[select.integer(0)] = select.text(1) }
    return database.copied.counts.bySource(sources)
  }

  private func newestCrash() throws -> Int64? {
    try database.connection.integer("SELECT max(min(time, observed_time)) FROM crash")
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
    while try select.step() {
      problems.append(
        (
          masked(select.text(0), "path", in: "manifest.json"),
          masked(select.text(1), "reason", in: "manifest.json")
        ))
    }
    return problems
  }

  /// What the store holds of the bundle's files and sources, beyond the range.
  private func status() throws -> [UInt8] {
    var text: [UInt8] = Array("{\"files\":[".utf8)
    for (index, view) in ["files", "sources"].enumerated() {
      if index > 0 { text += Array("],\"sources\":[".utf8) }
      let select = try database.connection.prepare("SELECT * FROM \(view)")
      let encoder = RecordJSON(select)
      var isFirst = true
      while try select.step() {
        text += Array(isFirst ? "\n  ".utf8 : ",\n  ".utf8)
        isFirst = false
        encoder.append(select, to: &text)
      }
    }
    return text + Array("]}\n".utf8)
  }
}
