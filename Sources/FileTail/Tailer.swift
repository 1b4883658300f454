// SPDX-License-Identifier: Apache-2.0

internal import FileIO
package import LogModel

/// What a new file is, by its first bytes.
package enum ContentKind: Sendable {
  case log
  /// A crash report; not read here.
  case report
  /// Not text, and why that is thought.
  case binary(String)
}

/// Knows which generation each file is, across renames, truncations, copies and restarts.
///
/// Events only say when to look; what is true is read from the file system by `scan`. A generation
/// is found again by inode and content: its first bytes, and the bytes before its checkpoint.
package final class Tailer {
  /// Decides what a new file is, from its first bytes (up to 4,096).
  package typealias Classifier = (UnsafeBufferPointer<UInt8>, String) -> ContentKind

  package let sources: [TailSource]
  let excludedFolders: [String]
  let classify: Classifier
  /// Files that are being read, or wait for more.
  package internal(set) var files: [FileKey: TailFile] = [:]
  /// Generations that are not being read: of earlier runs, finished, or refused.
  var resting: [UInt32: FileGeneration] = [:]
  var filesByPath: [String: TailFile] = [:]
  /// Generations whose row must be written although no file is open for them.
  var changed: [UInt32: FileGeneration] = [:]
  /// Files that were looked at and are none of ours, with the size they had.
  var ignored: [FileKey: Int64] = [:]
  /// Files that look like a copy of one that is still there: since when.
  var deferred: [FileKey: Timestamp] = [:]
  /// What was lost, and which generations go on after all, since the last batch.
  var losses: [Gap] = []
  var resumed: [UInt32] = []
  let budget = ReaderBudget()
  var lastLook: LastLook?
  private var nextID: UInt32
  private var hasScanned = false

  /// Problems of names that are no generation: by path.
  package internal(set) var problems: [String: String] = [:]

  /// How long a file without a name is kept open for a writer that still holds it.
  package static let unnamedGrace: Int64 = 10_000_000_000
  /// How many files without a name are kept open: each costs a descriptor, and its disk space.
  package static let unnamedLimit = 32
  /// How many generations that ended are kept in mind, in case that a copy of them turns up.
  package static let restingLimit = 4096
  /// How long a file that looks like a copy waits for the original to be truncated or removed.
  package static let copyGrace: Int64 = 3_000_000_000

  /// - Parameters:
  ///   - sources: what to look for.
  ///   - excludedFolders: what never to read.
  ///   - known: the generations of role `log` in the store.
  ///   - nextID: greater than any id in the store.
  ///   - classify: decides what a new file is.
  package init(
    sources: [TailSource], excludedFolders: [String] = [], known: [FileGeneration],
    nextID: UInt32, classify: @escaping Classifier
  ) {
    self.sources = sources
    self.excludedFolders = excludedFolders
    self.classify = classify
    self.nextID = nextID
    for generation in known { resting[generation.id] = generation }
    forgetOldest()
  }

  /// A key for a new generation; also for others who make generations in the same store.
  package func makeID() -> UInt32 {
    defer { nextID += 1 }
    return nextID
  }

  /// Files that are not read, each with the reason in its `problem`.
  package var refusedGenerations: [FileGeneration] {
    resting.values.filter { $0.state == .refused }
  }

  /// Whether this is what reads its generation: not when it was truncated, has gone, or a copy of it
  /// is read in its place. Read all the same, it would be stored twice.
  package func isCurrent(_ file: TailFile) -> Bool { files[key(of: file)] === file }

  /// Whether files wait because they look like copies of others.
  package var hasDeferredCopies: Bool { !deferred.isEmpty }

  /// The file that goes by this name, after the last scan.
  package func file(at path: String) -> TailFile? { filesByPath[path] }

  /// Looks at what is there, and returns the files that may hold something new, oldest first,
  /// with the folders to watch.
  package func scan(now: Timestamp) -> (ready: [TailFile], folders: Set<String>) {
    let discovery = Discovery(sources: sources, excludedFolders: excludedFolders)
    problems = discovery.problems
    filesByPath.removeAll(keepingCapacity: true)
    var unknown: [Candidate] = []
    var ready: [(Timestamp, TailFile)] = []
    var seen: Set<FileKey> = []
    for candidate in discovery.candidates {
      seen.insert(candidate.key)
      if let file = files[candidate.key] {
        refresh(file, candidate, now: now)
        if file.mayHaveMore { ready.append((candidate.status.modified, file)) }
      } else {
        unknown.append(candidate)
      }
    }
    // Known inodes first: that shows which files were truncated, and so may have a copy.
    var strange: [Candidate] = []
    var undecided: [FileKey: ContentError] = [:]
    for candidate in unknown {
      do throws(ContentError) {
        if let file = try resume(candidate, now: now) {
          ready.append((candidate.status.modified, file))
        } else {
          strange.append(candidate)
        }
      } catch {
        undecided[candidate.key] = error
        problems[candidate.path] = error.problem
      }
    }
    for (key, file) in files where !seen.contains(key) { loseName(file, now: now) }
    for candidate in strange {
      do throws(ContentError) {
        var file = try continueCopy(
          candidate, present: seen, undecided: undecided, now: now)
        if file == nil { file = try begin(candidate, now: now) }
        if let file {
          ready.append((candidate.status.modified, file))
        }
      } catch { problems[candidate.path] = error.problem }
    }
    settle(discovery, present: seen)
    lastLook = LastLook(discovery, files: files, start: now)
    let unnamed = files.values.filter { $0.unnamedSince != nil }
    // The discovery is in order of age; a stable merge keeps it so.
    let ordered = ready.enumerated().sorted {
      $0.element.0 == $1.element.0
        ? $0.offset < $1.offset : $0.element.0 < $1.element.0
    }
    return (unnamed + ordered.map(\.element.1), discovery.folders)
  }

  /// Takes down which names lead where, and forgets what is there no more.
  private func settle(_ discovery: Discovery, present: Set<FileKey>) {
    for candidate in discovery.candidates {
      guard let file = files[candidate.key] else { continue }
      for alias in candidate.aliases { filesByPath[alias] = file }
    }
    deferred = deferred.filter { present.contains($0.key) }
    ignored = ignored.filter { present.contains($0.key) }
    if !hasScanned {
      hasScanned = true
      markVanished()
    }
    forgetRefused(present: present)
  }

  /// Puts into a batch what has changed beside records and checkpoints.
  package func putChanges(into batch: RecordBatch) {
    batch.generations += takeChangedGenerations()
    batch.gaps += losses
    batch.resumed += resumed
    losses.removeAll()
    resumed.removeAll()
  }

  /// The generations whose rows the next batch must write.
  private func takeChangedGenerations() -> [FileGeneration] {
    var result = Array(changed.values)
    changed.removeAll()
    for file in files.values where file.isGenerationDirty {
      file.isGenerationDirty = false
      result.append(file.generation)
    }
    return result.sorted { $0.id < $1.id }
  }

  /// Ends the current generation of a file that was truncated, and begins the next one.
  package func truncate(_ file: TailFile, now: Timestamp) -> TailFile {
    file.set(state: .truncated)
    noteLoss(file, .truncated)
    rest(file)
    var identity = file.generation.identity
    identity.headLength = 0
    identity.headHash = 0
    var generation = FileGeneration(
      id: makeID(), source: file.generation.source, path: file.generation.path,
      identity: identity, firstSeen: now)
    generation.format = file.generation.format
    generation.process = file.generation.process
    let next = TailFile(
      generation: generation, sourceIndex: file.sourceIndex, now: now, budget: budget)
    if let reader = file.reader { next.adopt(reader) }
    next.modified = file.modified
    let key = FileKey(device: identity.device, inode: identity.inode)
    files[key] = next
    for (path, known) in filesByPath where known === file { filesByPath[path] = next }
    return next
  }

  /// Ends a file that has no name any more and has been read to its end.
  package func retire(_ file: TailFile) { end(file, .gone) }

  func end(_ file: TailFile, _ state: FileState) {
    file.set(state: state)
    noteLoss(file, state == .truncated ? .truncated : .deleted)
    files[key(of: file)] = nil
    rest(file)
    file.close()
  }

  /// Files that lost their name long enough ago to be retired; sooner when there are many.
  package func expired(now: Timestamp) -> [TailFile] {
    guard files.values.contains(where: { $0.unnamedSince != nil }) else { return [] }
    let unnamed = files.values.filter { $0.unnamedSince != nil }
      .sorted { $0.lastGrowth < $1.lastGrowth }
    let surplus = max(0, unnamed.count - Self.unnamedLimit)
    return unnamed.enumerated().filter { index, file in
      let since = max(file.unnamedSince ?? now, file.lastGrowth)
      return index < surplus || now.nanoseconds - since.nanoseconds > Self.unnamedGrace
    }.map(\.element)
  }

  func key(of file: TailFile) -> FileKey {
    FileKey(device: file.generation.identity.device, inode: file.generation.identity.inode)
  }

  /// Keeps a generation in mind: a copy, or the file under another name, may turn up.
  func rest(_ file: TailFile) {
    resting[file.generation.id] = file.generation
    forgetOldest()
    if file.isGenerationDirty {
      changed[file.generation.id] = file.generation
      file.isGenerationDirty = false
    }
  }

  /// What was seen of the file and not stored is lost, unless a copy turns up.
  private func noteLoss(_ file: TailFile, _ reason: GapReason) {
    let checkpoint = file.checkpoint
    let end = file.isCompressed ? file.readEnd : max(file.readEnd, file.provenSize)
    guard end > checkpoint.offset else { return }
    losses.append(
      Gap(generation: checkpoint.generation, from: checkpoint.offset, to: end, reason: reason))
  }

  /// Generations of earlier runs whose file is nowhere any more.
  private func markVanished() {
    for generation in resting.values
    where generation.state == .active || generation.state == .rotated {
      do throws(FileError) {
        let status = try FileStatus(path: generation.path)
        let identity = generation.identity
        // It may be there, and only not looked at this time.
        if status.inode == identity.inode, status.device == identity.device { continue }
      } catch {
        if !error.isNotFound { continue }
      }
      setAside(generation, state: .gone)
    }
  }

  /// A file that was refused and is there no more is nobody's problem.
  private func forgetRefused(present: Set<FileKey>) {
    for var generation in refusedGenerations {
      let identity = generation.identity
      if present.contains(FileKey(device: identity.device, inode: identity.inode)) { continue }
      generation.problem = ""
      setAside(generation, state: .gone)
    }
  }

  /// Bounds the memory: of ended generations the oldest are forgotten, in large steps.
  private func forgetOldest() {
    guard resting.count > Self.restingLimit * 2 else { return }
    let ended = resting.values.filter { $0.state == .gone || $0.state == .truncated }
    for generation in ended.sorted(by: { $0.id < $1.id }).dropLast(Self.restingLimit) {
      resting[generation.id] = nil
    }
  }

  private func refresh(_ file: TailFile, _ candidate: Candidate, now: Timestamp) {
    file.unnamedSince = nil
    file.modified = candidate.status.modified
    file.seenSize = candidate.status.size
    noteSize(of: file)
    let moved = !candidate.aliases.contains(file.generation.path)
    file.set(state: moved ? .rotated : nil, path: moved ? candidate.path : nil)
  }

  private func noteSize(of file: TailFile) {
    defer { file.closeIfCrowded() }
    guard file.seenSize > max(file.readEnd, file.provenSize), let reader = try? file.open(),
      (try? ContentIdentity.tailMatches(reader, file.checkpoint)) == true
    else { return }
    file.provenSize = file.seenSize
  }

  private func loseName(_ file: TailFile, now: Timestamp) {
    if file.unnamedSince != nil { return }
    file.unnamedSince = now
    // Closed and without a name it can't be opened any more.
    if file.reader == nil { retire(file) }
  }
}
