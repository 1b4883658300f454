// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import CrashSpool
internal import FileIO
internal import LogModel
internal import LogParser

/// Looks through the spools, and through folders where reports lie among logs.
final class CrashCollector {
  /// What one look came to.
  struct Outcome {
    /// By path: what is wrong now; `nil` when it is well again.
    var problems: [String: String?] = [:]
    /// When a file that may still be written to should be looked at again.
    var nextLook: Timestamp?
  }

  private var scanners: [SpoolScanner] = []
  /// By the scanner's place: what takes the stored reports of spools that are to be consumed.
  private var consumers: [Int: SpoolConsumer] = [:]
  /// The scanners whose spools another agent consumes.
  private var foreign: Set<Int> = []
  private let roots: [String]
  /// Of times in reports that name none.
  private let zone: TimeZone

  /// - Parameters:
  ///   - configuration: the spools and the bound on a report.
  ///   - mixedPaths: folders with reports among other files, and files that may be reports.
  ///   - known: the generations of role `report` in the store.
  init(_ configuration: Configuration, mixedPaths: [String], known: [FileGeneration]) {
    let maxBytes = configuration.limits.maxReportBytes
    for spool in configuration.spools {
      if spool.isConsumed {
        consumers[scanners.count] = SpoolConsumer(
          directory: spool.path, keptBytes: spool.keptBytes)
      }
      scanners.append(
        SpoolScanner(
          source: spool.name, directory: spool.path, maxReportBytes: maxBytes, known: known))
    }
    let state = FileSystem.absolutePath(configuration.stateDirectory) + "/"
    for path in mixedPaths {
      let isFolder = (try? FileStatus(path: path))?.kind == .folder
      let folder = isFolder ? path : FileSystem.folder(of: path)
      let filter = ReportFilter(only: isFolder ? nil : path, excluding: state)
      scanners.append(
        SpoolScanner(
          source: FileSystem.name(of: folder), directory: folder, maxReportBytes: maxBytes,
          known: known, accepts: filter.accepts))
    }
    roots = configuration.spools.map(\.path)
    zone = configuration.timeZone.flatMap { HostTimeZone.named($0) } ?? HostTimeZone.current()
  }

  /// The folders of the spools that exist now, to be watched.
  var folders: Set<String> {
    var folders: Set<String> = []
    for root in roots where (try? FileStatus(path: root))?.kind == .folder {
      folders.insert(root)
      folders.formUnion(Self.folders(below: root, depth: 0))
    }
    return folders
  }

  /// Whether folders were named whose files are all reports.
  var hasSpools: Bool { !roots.isEmpty }

  /// Whether a path lies in a spool.
  func covers(_ path: String) -> Bool { roots.contains { path.hasPrefix($0 + "/") } }

  /// Takes the reports away whose spools are to be consumed; all that was put into batches must be
  /// committed.
  ///
  /// - Returns: by path, why a report could not be taken.
  func consume() -> [String: String] {
    var problems: [String: String] = [:]
    for (index, consumer) in consumers {
      problems.merge(scanners[index].hand(to: consumer)) { first, _ in first }
    }
    return problems
  }

  /// Puts new reports into the batch.
  ///
  /// - Parameter isSettled: all that was put into batches before is committed.
  func look(
    now: Timestamp, newID: () -> UInt32, into sink: BatchSink, isSettled: Bool
  ) -> Outcome {
    var outcome = Outcome()
    if isSettled, !consumers.isEmpty {
      outcome.problems = consume().mapValues { .some($0) }
    }
    for index in scanners.indices {
      guard isOwn(index, now, &outcome) else { continue }
      let scan = scanners[index].scan(now: now, newID: newID, isComplete: Self.isComplete)
      for generation in scan.problems {
        sink.batch.generations.append(generation)
        outcome.problems[generation.path] =
          generation.problem.isEmpty ? .some(nil) : generation.problem
      }
      for file in scan.ready {
        add(file, observed: now, to: sink)
        outcome.problems[file.generation.path] = .some(nil)
      }
      if let look = scan.nextLook { outcome.nextLook = min(outcome.nextLook ?? look, look) }
      if consumers[index] != nil, !scan.ready.isEmpty {
        // Soon they are committed, and can be taken away.
        let soon = Timestamp(nanoseconds: now.nanoseconds + 1_000_000_000)
        outcome.nextLook = min(outcome.nextLook ?? soon, soon)
      }
    }
    return outcome
  }

  /// Whether the spool is ours to read: of those that are to be consumed one agent has each.
  private func isOwn(_ index: Int, _ now: Timestamp, _ outcome: inout Outcome) -> Bool {
    guard let consumer = consumers[index] else { return true }
    guard consumer.claim() == .own else {
      foreign.insert(index)
      outcome.problems[consumer.folder] = .some("another agent consumes this spool")
      let later = Timestamp(nanoseconds: now.nanoseconds + 5_000_000_000)
      outcome.nextLook = min(outcome.nextLook ?? later, later)
      return false
    }
    if foreign.remove(index) != nil { outcome.problems[consumer.folder] = .some(nil) }
    return true
  }

  private func add(_ file: SpoolFile, observed: Timestamp, to sink: BatchSink) {
    var reports = CrashReportParser.parse(
      file.bytes, name: file.reportName, modified: file.modified, inSpool: true, zone: zone)
    for index in reports.indices {
      CoreStack.complete(&reports[index], core: file.bytes) { ProgramFile($0) }
    }
    var generation = file.generation
    generation.format = reports.first?.format ?? CrashReportParser.unknownFormat
    let batch = sink.batch
    batch.generations.append(generation)
    for var collected in collect(file: file, reports: reports, observed: observed) {
      collected.content = Zlib.deflate(collected.bytes)
      collected.bytes = []
      batch.reports.append(collected)
    }
    batch.note(generation.checkpoint)
    // Reports are large beside records: one file a batch bounds the memory.
    sink.submit()
  }

  private static func isComplete(_ bytes: [UInt8], _ name: String) -> Bool {
    let format = bytes.prefix(4096).withUnsafeBufferPointer {
      CrashReportParser.recognise(head: $0, name: name)
    }
    return format.map { CrashReportParser.isComplete(bytes, format: $0) } ?? false
  }

  private static func folders(below folder: String, depth: Int) -> Set<String> {
    guard depth < 8, let names = try? FileSystem.names(in: folder) else { return [] }
    var found: Set<String> = []
    for name in names where !name.hasPrefix(".") {
      let path = folder + "/" + name
      guard (try? FileStatus(path: path, followLinks: false))?.kind == .folder else { continue }
      found.insert(path)
      found.formUnion(folders(below: path, depth: depth + 1))
    }
    return found
  }
}

/// Tells reports from other files by their first bytes, and remembers what it has seen.
private final class ReportFilter {
  private let only: String?
  private let excluded: String
  private var judged: [FileStatus: Bool] = [:]

  private static let headBytes = 4096
  private static let memory = 4096

  init(only: String?, excluding: String) {
    self.only = only
    excluded = excluding
  }

  func accepts(_ path: String, _ status: FileStatus) -> Bool {
    if let only, path != only { return false }
    if path.hasPrefix(excluded) { return false }
    // A file that has grown is the same file, and is what it was, once its head is full.
    var key = status
    key.modified = Timestamp(nanoseconds: 0)
    key.size = min(status.size, Int64(Self.headBytes))
    if let known = judged[key] { return known }
    let name = FileSystem.name(of: path)
    guard
      let head = try? FileSystem.contents(
        of: path, limit: Self.headBytes, followLinks: false)
    else { return false }
    let isReport =
      head.withUnsafeBufferPointer { CrashReportParser.recognise(head: $0, name: name) } != nil
    if judged.count >= Self.memory { judged.removeAll() }
    judged[key] = isReport
    return isReport
  }
}
