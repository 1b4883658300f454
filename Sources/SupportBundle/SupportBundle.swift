// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel
internal import LogQuery
internal import Redaction
internal import SQLite

/// Writes support bundles: a range of the store as one file that can be sent.
///
/// A bundle is a `.tar.gz` of `README.txt`, `config.toml`, `crashes/ID/crash.json`,
/// `crashes/ID/report`, `logs.db`, `logs.jsonl`, `status.json`, `redactions.json`, `report.html`,
/// `manifest.json` and `SHA256SUMS`, in this order. The same rows and the same request give the same
/// bytes. It is one moment's view of the store, complete or absent.
///
/// Unless the request says otherwise it is redacted, and looked through again before it appears.
package enum SupportBundle {
  /// The version of the bundle's form, in its manifest. Readers skip members they do not know.
  package static let formatVersion = 1

  /// The bytes that `logs.db`, compressed, may need: half of what mail servers let through.
  package static let databaseRoom: Int64 = 10_000_000

  /// Makes the bundle.
  ///
  /// - Throws: `BundleError`; `QueryError` when the store can't be read; `OutputError` of a sink.
  package static func write(_ request: BundleRequest) throws -> BundleSummary {
    // What a query needs is what an export needs: a store of a version that we know.
    _ = try QueryStore(path: request.storePath)
    let target = try BundleTarget(request.output, temporaryFolder: request.temporaryFolder)
    do {
      let store = try Connection(
        path: FileSystem.realPath(request.storePath) ?? request.storePath, mode: .readOnly)
      store.setBusyTimeout(milliseconds: 5_000)
      try FrameText.install(on: store)
      let handler = ProgressHandler(store, steps: 10_000, shouldStop: request.shouldStop)
      defer { withExtendedLifetime(handler) {} }
      let redactor = request.redaction.map { Redactor($0) }
      redactor?.book = request.marks
      let job = BundleJob(request: request, store: store, target: target, redactor: redactor)
      let summary = try job.run()
      try target.commit()
      return summary
    } catch let error as SQLiteError {
      throw described(error, request, target)
    } catch let error as FileError {
      throw BundleTarget.error(.inputOutput, error, target.name)
    }
  }

  private static func described(
    _ error: SQLiteError, _ request: BundleRequest, _ target: BundleTarget
  ) -> any Error {
    if error.isInterrupted { return BundleError(.interrupted, "interrupted") }
    // Only the bundle's own database is written, so a full disk is that of the bundle.
    if error.isDiskFull {
      let full = FileError(action: "write", path: target.name, errno: ENOSPC)
      return BundleTarget.error(.inputOutput, full, target.name)
    }
    return QueryError(error, path: request.storePath)
  }
}

/// One bundle in the making.
struct BundleJob {
  let request: BundleRequest
  let store: Connection
  let target: BundleTarget
  let redactor: Redactor?

  func run() throws -> BundleSummary {
    try store.execute("BEGIN")
    let lastRecord = try store.integer("SELECT max(id) FROM record") ?? 0
    let selected = try SelectedRows(request.selection, store)
    var plan = try BundlePlan(store, selected)
    if request.database == .never { plan.databaseLeftOut = "not wanted" }
    if let maxBytes = request.maxBytes {
      try plan.fit(maxBytes, store, selected)
      try shrink(&plan, selected, to: maxBytes)
    }
    let database = try makeDatabase(plan, selected, isProved: true)
    if try plan.databaseLeftOut == nil && shouldLeaveOut(database) {
      plan.databaseLeftOut = "it would need more than \(SupportBundle.databaseRoom) bytes"
    }
    // From here on the agent may prune and shrink its log again.
    try store.execute("COMMIT")
    var contents = BundleContents(
      request: request, store: store, database: database, plan: plan, redactor: redactor)
    let target = target
    try contents.write { try target.write($0) }
    try prove(database, contents)
    var summary = BundleSummary()
    summary.records = contents.records
    summary.crashes = Int64(contents.plan.reports.count)
    summary.recordsLeftOut = plan.recordsInRange - contents.records
    summary.reportsLeftOut = Int64(contents.plan.reports.count { $0.isMissing })
    summary.bytes = target.bytes
    summary.lastRecord = lastRecord
    summary.redactions = redactor?.hits ?? []
    return summary
  }

  private func prove(_ database: RangeDatabase, _ contents: BundleContents) throws {
    // Rules of its own: counts and marks belong to what was written.
    guard let rules = request.redaction, let lines = database.proof else { return }
    let proof = BundleProof(
      redactor: Redactor(rules), lines: lines, database: database.connection,
      exempt: contents.dumps,
      shouldStop: request.shouldStop
    ) { bytes in
      let rows = contents.records * bytes / max(1, contents.recordBytes)
      request.progress(
        BundleProgress(
          step: .checking, rows: rows, totalRows: contents.records, bytes: target.bytes))
    }
    let file = try target.finished()
    try proof.run(file.number, name: target.name)
  }

  /// Takes fewer records until the bundle fits, by making it without writing it.
  private func shrink(
    _ plan: inout BundlePlan, _ selected: SelectedRows, to maxBytes: Int64
  ) throws {
    while true {
      if request.shouldStop() { throw BundleError(.interrupted, "interrupted") }
      var bytes: Int64 = 0
      var contents = BundleContents(
        request: request, store: store,
        database: try makeDatabase(plan, selected, isProved: false), plan: plan,
        redactor: redactor)
      try contents.write { bytes += Int64($0.count) }
      if bytes <= maxBytes { return }
      if plan.databaseLeftOut == nil, request.database == .auto {
        plan.databaseLeftOut = Self.noRoom(maxBytes)
        // That is a third at most: then the page's copy has no room either.
        if bytes > maxBytes * 2, plan.recordCount > 1000 { plan.pageRows = 1000 }
      } else if plan.pageRows > 1000, plan.recordCount > 1000 {
        // The page holds a second copy of each record that it shows.
        plan.pageRows = 1000
      } else if plan.recordCount > 0 {
        plan.shrink(bytes, to: maxBytes)
      } else if let largest = plan.reports.indices.filter({ plan.reports[$0].leftOut == nil })
        .max(by: { plan.reports[$0].compressedSize < plan.reports[$1].compressedSize })
      {
        plan.reports[largest].leftOut = Self.noRoom(maxBytes)
      } else {
        throw BundleError(
          .tooSmall, "--max-size \(maxBytes): an empty bundle needs \(bytes) bytes")
      }
    }
  }

  private static func noRoom(_ maxBytes: Int64) -> String {
    "no room: the bundle may have \(maxBytes) bytes"
  }

  private func shouldLeaveOut(_ database: RangeDatabase) throws -> Bool {
    if !database.copied.isComplete { return true }
    return try request.database == .auto
      && database.compressedSize(ifAbove: SupportBundle.databaseRoom) > SupportBundle.databaseRoom
  }

  private func makeDatabase(
    _ plan: BundlePlan, _ selected: SelectedRows, isProved: Bool
  ) throws -> RangeDatabase {
    redactor?.reset()
    return try RangeDatabase(
      from: store, at: temporaryPath("db"), linesPath: temporaryPath("lines"),
      selected: selected,
      cutoff: plan.cutoff(store, selected), plan: plan, choice: request.database,
      redactor: redactor, isProved: isProved
    ) { rows in
      if request.shouldStop() { throw BundleError(.interrupted, "interrupted") }
      request.progress(
        BundleProgress(step: .copying, rows: rows, totalRows: plan.recordCount, bytes: 0))
    }
  }

  /// A hidden name for a file that loses it at once, beside the bundle.
  private func temporaryPath(_ kind: String) -> String {
    let folder = target.folder ?? request.temporaryFolder
    // SQLite refuses links on the way to a file.
    let real = FileSystem.realPath(folder) ?? folder
    let name = target.folder == nil ? "logagent" : FileSystem.name(of: target.name)
    return "\(real)/.\(name).\(kind).\(getpid()).tmp"
  }
}
