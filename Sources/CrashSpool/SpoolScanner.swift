// SPDX-License-Identifier: Apache-2.0

package import FileIO
package import LogModel

/// Collects the finished files of a folder into which crash reporters write.
///
/// The folder belongs to others: it is only read. A file is finished when its form says so, or when
/// size and modification time have not changed for two seconds. Files are known again, also after
/// a restart, by inode, size and modification time, and are then not opened. One file that can't be
/// read has a problem; it stops no other.
package struct SpoolScanner {
  /// How long a file must rest before it is taken whatever it holds, in nanoseconds.
  package static let restNanoseconds: Int64 = 2_000_000_000
  /// A scan ends early at so many files or bytes, so that memory is bounded and others get a turn.
  package static let maxFilesPerScan = 512
  /// See `maxFilesPerScan`; a single larger file is taken whole.
  package static let maxBytesPerScan = 32 << 20
  /// Bytes of a file that are read to be parsed, where less is kept: what matters may stand last.
  package static let maxParsedBytes = 64 << 20

  /// Bytes of a compressed file's content that are stored: a core's notes, and no memory.
  static let maxUnpackedBytes = 1 << 20

  private let source: String
  private let directory: String
  private let maxReportBytes: Int
  private let accepts: Filter?
  /// By path: what is stored of a file, or its problem.
  private var settled: [String: FileGeneration] = [:]
  /// By path: files that may still be written to.
  private var pending: [String: Pending] = [:]

  /// Whether a file is a report at all, in a folder that holds other files too.
  package typealias Filter = (String, FileStatus) -> Bool

  private struct Pending {
    var status: FileStatus
    /// When it was first seen like this.
    var since: Timestamp
    /// It was read like this, and its form said that it goes on.
    var isUnfinished = false
  }

  /// A scanner of one folder.
  ///
  /// - Parameters:
  ///   - source: the spool's name.
  ///   - directory: an absolute path; the folder may be made later.
  ///   - maxReportBytes: the most bytes of a report that are to be stored.
  ///   - known: the store's generations of role `report` of this spool.
  ///   - accepts: which files are looked at; `nil` for all, as everything in a spool is a report.
  package init(
    source: String, directory: String, maxReportBytes: Int, known: [FileGeneration],
    accepts: Filter? = nil
  ) {
    self.accepts = accepts
    self.source = source
    self.directory = directory
    self.maxReportBytes = maxReportBytes
    for generation in known where generation.role == .report && generation.state != .gone {
      if generation.path == directory || generation.path.hasPrefix(directory + "/") {
        settled[generation.path] = generation
      }
    }
  }

  /// Looks through the folder and those in it.
  ///
  /// - Parameters:
  ///   - now: the time against which rest is measured.
  ///   - newID: gives the id of a new generation.
  ///   - isComplete: whether a file, by its content and its name, is finished by its own form.
  /// - Returns: what is new. It counts as stored from then on.
  package mutating func scan(
    now: Timestamp, newID: () -> UInt32, isComplete: ([UInt8], String) -> Bool
  ) -> SpoolScan {
    let walk = SpoolWalk(directory)
    var scan = SpoolScan()
    forgetVanished(walk, in: &scan)
    // Among other files, what can't be a report is somebody else's to name.
    for (path, status, reason) in walk.refused where accepts == nil {
      setProblem(reason, path, status, now, newID, in: &scan)
    }
    var budget = Self.maxBytesPerScan
    for (path, status) in walk.files where !isKnown(path, status, in: &scan) {
      if let accepts, status.size == 0 || !accepts(path, status) { continue }
      guard scan.ready.count < Self.maxFilesPerScan, budget > 0 else {
        scan.nextLook = now
        break
      }
      look(at: path, status, now, newID, isComplete, in: &scan)
      if let last = scan.ready.last, last.generation.path == path { budget -= last.bytes.count }
    }
    return scan
  }
}

// MARK: - What is known

extension SpoolScanner {
  /// Whether the file is stored as it is. A file that was renamed within the spool is followed.
  private mutating func isKnown(
    _ path: String, _ status: FileStatus, in scan: inout SpoolScan
  ) -> Bool {
    guard let generation = settled[path] else { return false }
    if CompressedHead.isDamage(generation.problem) { return Self.same(generation, status) }
    // Whether it can be opened now, the status does not tell: problems are tried again.
    guard generation.problem.isEmpty || status.size == 0 else { return false }
    return Self.same(generation, status)
      && (generation.problem == Self.emptyReport) == (status.size == 0)
  }

  private static let emptyReport = "empty report"

  /// What is stored of the files that are there.
  var stored: [String: FileGeneration] {
    settled.filter { $0.value.problem.isEmpty && $0.value.checkpoint.offset > 0 }
  }

  static func same(_ generation: FileGeneration, _ status: FileStatus) -> Bool {
    generation.identity.device == status.device && generation.identity.inode == status.inode
      && generation.checkpoint.size == status.size
      && generation.checkpoint.lastTime == status.modified.nanoseconds
  }

  /// Lets go of files that are no longer there; one that only has another name keeps its place.
  private mutating func forgetVanished(_ walk: SpoolWalk, in scan: inout SpoolScan) {
    let present = Set(walk.files.map(\.path)).union(walk.refused.map(\.path))
    for path in pending.keys where !present.contains(path) { pending[path] = nil }
    let vanished = settled.filter { path, _ in
      !present.contains(path) && !walk.unlisted.contains { path.hasPrefix($0) }
    }
    guard !vanished.isEmpty else { return }
    var arrived: [UInt64: (path: String, status: FileStatus)] = [:]
    for file in walk.files where settled[file.path] == nil { arrived[file.status.inode] = file }
    for (path, var generation) in vanished.sorted(by: { $0.value.id < $1.value.id }) {
      settled[path] = nil
      if let file = arrived[generation.identity.inode], Self.same(generation, file.status) {
        generation.path = file.path
        settled[file.path] = generation
      } else {
        generation.state = .gone
        generation.problem = ""
      }
      scan.problems.append(generation)
    }
  }
}

// MARK: - One file

extension SpoolScanner {
  private mutating func look(
    at path: String, _ status: FileStatus, _ now: Timestamp, _ newID: () -> UInt32,
    _ isComplete: ([UInt8], String) -> Bool, in scan: inout SpoolScan
  ) {
    guard status.size > 0 else {
      pending[path] = nil
      return setProblem(Self.emptyReport, path, status, now, newID, in: &scan)
    }
    let hasRested = rests(path, status, now)
    if !hasRested, pending[path]?.isUnfinished == true { return wait(path, in: &scan) }
    switch SpoolReader.read(path, maxBytes: max(maxReportBytes, Self.maxParsedBytes)) {
    case .unstable:
      wait(path, in: &scan)
    case .problem(let reason):
      setProblem(reason, path, status, now, newID, in: &scan)
    case .content(let content):
      guard hasRested || isComplete(content.bytes, FileSystem.name(of: path)) else {
        pending[path]?.isUnfinished = true
        return wait(path, in: &scan)
      }
      take(path, unpacked: content, now, newID, in: &scan)
    }
  }

  /// Takes a file, or of a compressed one the head of what it holds.
  private mutating func take(
    _ path: String, unpacked content: SpoolReader.Content, _ now: Timestamp,
    _ newID: () -> UInt32, in scan: inout SpoolScan
  ) {
    guard let method = CompressedHead.Method(content.bytes) else {
      return take(path, content, now, newID, in: &scan)
    }
    switch CompressedHead.read(path, method) {
    case .problem(let reason):
      pending[path] = nil
      setProblem(reason, path, content.status, now, newID, in: &scan)
    case .bytes(let bytes):
      var content = content
      content.bytes = bytes
      take(path, content, now, newID, isUnpacked: true, in: &scan)
    }
  }

  /// Notes the file as it is now, and tells whether it has been so for long enough.
  private mutating func rests(_ path: String, _ status: FileStatus, _ now: Timestamp) -> Bool {
    if pending[path]?.status != status {
      pending[path] = Pending(status: status, since: now)
    }
    let since = pending[path]?.since ?? now
    let oldest = min(since.nanoseconds, status.modified.nanoseconds)
    let (age, overflow) = now.nanoseconds.subtractingReportingOverflow(oldest)
    return !overflow && age >= Self.restNanoseconds
  }

  private func wait(_ path: String, in scan: inout SpoolScan) {
    guard let since = pending[path]?.since else { return }
    let due = Timestamp(nanoseconds: since.nanoseconds &+ Self.restNanoseconds)
    scan.nextLook = min(scan.nextLook ?? due, due)
  }

  private mutating func take(
    _ path: String, _ content: SpoolReader.Content, _ now: Timestamp, _ newID: () -> UInt32,
    isUnpacked: Bool = false, in scan: inout SpoolScan
  ) {
    pending[path] = nil
    var generation = generation(path, content.status, now, newID, in: &scan)
    let head = content.bytes.prefix(FileIdentity.maxHeadLength)
    generation.identity.headLength = head.count
    generation.identity.headHash = head.withUnsafeBufferPointer { fingerprint($0) }
    generation.problem = ""
    generation.checkpoint.offset = content.status.size
    settled[path] = generation
    scan.ready.append(
      SpoolFile(
        generation: generation, bytes: content.bytes,
        keptBytes: isUnpacked ? min(maxReportBytes, Self.maxUnpackedBytes) : maxReportBytes,
        size: content.status.size, sha256: content.sha256, modified: content.status.modified,
        isUnpacked: isUnpacked))
  }

  private mutating func setProblem(
    _ problem: String, _ path: String, _ status: FileStatus?, _ now: Timestamp,
    _ newID: () -> UInt32, in scan: inout SpoolScan
  ) {
    var generation = generation(path, status, now, newID, in: &scan)
    let isNews = generation.problem != problem
    generation.problem = problem
    settled[path] = generation
    if isNews { scan.problems.append(generation) }
  }

  /// The generation at a path, as the file is now; a new one when another file lies there.
  private mutating func generation(
    _ path: String, _ status: FileStatus?, _ now: Timestamp, _ newID: () -> UInt32,
    in scan: inout SpoolScan
  ) -> FileGeneration {
    let identity = FileIdentity(device: status?.device ?? 0, inode: status?.inode ?? 0)
    var generation: FileGeneration
    if let old = settled[path], Self.sameFile(old.identity, identity) {
      generation = old
    } else {
      if var old = settled[path] {
        old.state = .gone
        old.problem = ""
        scan.problems.append(old)
      }
      generation = FileGeneration(
        id: newID(), source: source, path: path, identity: identity, firstSeen: now)
      generation.role = .report
    }
    generation.checkpoint.size = status?.size ?? 0
    generation.checkpoint.lastTime = status?.modified.nanoseconds ?? Checkpoint.noTime
    return generation
  }

  private static func sameFile(_ one: FileIdentity, _ other: FileIdentity) -> Bool {
    one.device == other.device && one.inode == other.inode
  }
}
