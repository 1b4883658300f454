// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
package import FileIO
internal import FileTail
internal import Glibc
internal import LogModel

/// What a running agent does between two waits: looks at files where that is due, reads what has
/// come, and settles what has waited long enough.
///
/// Nothing here waits, and time is the agent's: a test plays days in a moment.
package struct Follower: ~Copyable {
  private let agent: Agent
  private var watcher: FolderWatcher
  private var watched: Set<String> = []
  /// Files to read, in order.
  private var queue: [TailFile] = []
  private var queued: Set<ObjectIdentifier> = []
  /// Files with an open record or an unterminated line, by generation.
  private var waiting: [UInt32: TailFile] = [:]
  private var needsScan = true
  private var needsReports = true
  private var nextPoll: Int64 = 0
  private var nextReports = Int64.max
  private var pace = ReadingPace()
  /// Files were read to their ends in this turn.
  private var hasRead = false

  /// - Throws: `FileError` when the system gives no means to watch folders.
  package init(_ agent: Agent) throws(FileError) {
    self.agent = agent
    watcher = try FolderWatcher()
  }

  /// Readable when something was changed: then `noteChanges` is to be called.
  var changes: Int32 { watcher.descriptor.number }

  /// Whether the next turn has something to read at once.
  package var hasMore: Bool { !queue.isEmpty }

  /// When the next turn is due if nothing happens before, in nanoseconds.
  var nextTurn: Int64 {
    if !queue.isEmpty || needsScan { return .min }
    var next = min(nextPoll, nextReports)
    for file in waiting.values {
      next = min(next, restDue(file) ?? next, recordDue(file) ?? next)
    }
    return next
  }

  /// Milliseconds to rest before the next turn, so that lines that trickle in are stored together.
  mutating func takeRest() -> Int64 {
    defer { hasRead = false }
    return hasRead ? pace.rest : 0
  }

  /// Takes one turn; what was read is handed over when all was read.
  package mutating func turn() {
    look()
    readQueue()
    settleWaiting()
    if queue.isEmpty { agent.sink.submit() }
  }

  /// Reads all that is there now, until `isOver`.
  package mutating func finish(until isOver: () -> Bool) {
    needsScan = true
    look()
    while !queue.isEmpty, !agent.hasFailed, !isOver() { readQueue() }
  }

  // MARK: Looking

  private mutating func look() {
    let now = agent.now()
    let isDue = now.nanoseconds >= nextPoll
    if needsScan || agent.hasStaleName || isDue && !isUnchanged {
      needsScan = false
      agent.hasStaleName = false
      scan(now)
    } else if isDue {
      scheduleNextPoll(now)
      // Reports among logs have been seen with the logs.
      needsReports = needsReports || agent.collector.hasSpools
    }
    if needsReports || now.nanoseconds >= nextReports {
      needsReports = false
      nextReports = agent.collectReports(now: now)?.nanoseconds ?? Int64.max
    }
  }

  private mutating func scan(_ now: Timestamp) {
    let found = agent.tailer.scan(now: now)
    // The watches first: what changes after the look then makes an event.
    let wanted = found.folders.union(agent.collector.folders)
    let isNew = !wanted.isSubset(of: watched)
    for folder in wanted {
      do throws(FileError) {
        try watcher.watch(folder)
        agent.recover(folder)
      } catch {
        if !error.isNotFound { agent.tell(folder, watchProblem(error)) }
      }
    }
    watched = wanted
    for file in found.ready { enqueue(file) }
    agent.reader.forget(except: agent.tailer.files.values)
    agent.keeper.tidy(agent, now: now)
    if isNew {
      // Between the look and the first watch a file may have come.
      for file in agent.tailer.scan(now: now).ready { enqueue(file) }
    }
    agent.tellScanProblems()
    scheduleNextPoll(now)
    needsReports = true
  }

  /// A directory's quota looks at the age of files, not only at what has changed.
  private var isUnchanged: Bool { !agent.keeper.isAsked && agent.tailer.isUnchanged }

  private mutating func scheduleNextPoll(_ now: Timestamp) {
    nextPoll = now.nanoseconds + Int64(agent.configuration.limits.pollMilliseconds) * 1_000_000
  }

  private func watchProblem(_ error: FileError) -> String {
    error.errno == ENOSPC
      ? "no inotify watch left: raise fs.inotify.max_user_watches; it is polled meanwhile"
      : error.problem
  }

  private mutating func enqueue(_ file: TailFile) {
    if queued.insert(ObjectIdentifier(file)).inserted { queue.append(file) }
  }

  // MARK: Reading

  private mutating func readQueue() {
    if queue.isEmpty { return }
    let turn = queue
    queue.removeAll(keepingCapacity: true)
    queued.removeAll(keepingCapacity: true)
    let now = agent.now()
    for file in turn where agent.tailer.isCurrent(file) {
      let (current, hasMore) = agent.read(file, .follow, now: now)
      // It was truncated: now it shows what was copied before.
      if current !== file, agent.tailer.hasDeferredCopies { needsScan = true }
      if hasMore {
        enqueue(current)
      } else if restDue(current) != nil || recordDue(current) != nil {
        waiting[current.generation.id] = current
      }
    }
    pace.noteTurn(now: now.nanoseconds)
    hasRead = queue.isEmpty
  }

  /// Closes records and stores unterminated lines whose time is up; retires files without a name.
  private mutating func settleWaiting() {
    let now = agent.now()
    for (id, file) in waiting {
      guard agent.tailer.isCurrent(file) else {
        waiting[id] = nil
        continue
      }
      var current = file
      if let due = restDue(file), now.nanoseconds >= due {
        current = agent.read(file, .partial, now: now).0
        // What is left now is no line: blanks.
        current.tip.hasRest = false
      }
      if let due = recordDue(current), now.nanoseconds >= due {
        agent.reader.closeRecord(of: current, into: agent.sink)
        // Blank lines behind the record belong to nothing now, and are passed over.
        current = agent.read(current, .follow, now: now).0
      }
      let isDone = restDue(current) == nil && recordDue(current) == nil
      waiting[id] = isDone ? nil : current
    }
    for file in agent.tailer.expired(now: now) {
      _ = agent.read(file, .end(.rotated), now: now)
      agent.reader.forget(file)
      agent.tailer.retire(file)
      waiting[file.generation.id] = nil
    }
  }

  /// When an unterminated line is stored as it is, in nanoseconds.
  private func restDue(_ file: TailFile) -> Int64? {
    guard file.tip.hasRest else { return nil }
    let limit = agent.configuration.limits.partialFlushMilliseconds
    return file.lastGrowth.nanoseconds + Int64(limit) * 1_000_000
  }

  /// When the open record takes no more lines. One without its newline stays open.
  private func recordDue(_ file: TailFile) -> Int64? {
    guard file.checkpoint.openOffset >= 0, !file.tip.endsUnterminated else { return nil }
    let limit = agent.configuration.limits.recordFlushMilliseconds
    return file.lastGrowth.nanoseconds + Int64(limit) * 1_000_000
  }

  // MARK: Changes

  /// Takes note of what the system says has changed.
  package mutating func noteChanges() {
    for change in watcher.changes() {
      switch change {
      case .content(let path):
        if let file = agent.tailer.file(at: path) {
          enqueue(file)
        } else if agent.collector.covers(path) {
          needsReports = true
          if agent.sources.mixedPaths.isEmpty { continue }
          needsScan = true
        } else {
          needsScan = true
        }
      case .names: needsScan = true
      case .overflow:
        needsScan = true
        for file in agent.tailer.files.values { enqueue(file) }
      }
    }
  }
}
