// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import FileTail
internal import Glibc
internal import LogModel
internal import Synchronization

extension Agent {
  /// Follows the sources until SIGINT, SIGTERM or SIGHUP, then stores what was read and ends.
  ///
  /// - Returns: whether SIGHUP asked for another start with the configuration as it is then; the
  ///   next agent goes on at the checkpoints.
  /// - Throws: `AgentError` when the system or the store fails.
  package func run() throws(AgentError) -> Bool {
    var follower: Follower
    do throws(FileError) { follower = try Follower(self) } catch { throw .file(error) }
    follower.follow()
    wasStopped = !follower.wantsReload && !hasFailed
    try finish(isUrgent: true)
    return follower.wantsReload
  }
}

/// The event loop of a running agent: what has changed, what is due, what is read next.
private struct Follower: ~Copyable {
  private let agent: Agent
  private let loop: EventLoop
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
  private var isStopping = false
  private(set) var wantsReload = false
  private var wantsEnd = false
  private let service = ServiceNotifier(environment: ProcessEnvironment.variables())
  private var nextSignOfLife: Int64 = 0
  private var uploads: UploadSchedule?
  private var pace = ReadingPace()
  /// Files were read to their ends in this turn.
  private var hasRead = false

  private static let watcherToken: UInt32 = 1
  private static let failureToken: UInt32 = 2
  private static let journalToken: UInt32 = 3
  /// How long a stop may go on reading.
  private static let stopNanoseconds: Int64 = 3_000_000_000

  init(_ agent: Agent) throws(FileError) {
    let loop = try EventLoop()
    let watcher = try FolderWatcher()
    try loop.add(watcher.descriptor.number, token: Self.watcherToken)
    if agent.storeThread.failureSignal.descriptor >= 0 {
      try loop.add(agent.storeThread.failureSignal.descriptor, token: Self.failureToken)
    }
    let signals = loop.signalDescriptor
    agent.sink.shouldGiveUp = { EventLoop.isReadable(signals) }
    self.agent = agent
    self.loop = loop
    self.watcher = watcher
    uploads = UploadSchedule(agent.configuration, now: SystemClock.now())
  }

  mutating func follow() {
    for path in agent.sources.missing { agent.tell(path, "does not exist yet; waiting for it") }
    for zone in agent.sources.unknownZones {
      agent.tell(zone, "the system knows no such time zone")
    }
    var hasStarted = false
    while !isStopping, !agent.hasFailed {
      look()
      readQueue()
      readJournals()
      settleWaiting()
      if queue.isEmpty { agent.sink.submit() }
      if !hasStarted {
        hasStarted = true
        agent.events.started(
          sources: agent.sources.tails.count + agent.journals.count, files: agent.tailer.files.count
        )
        service.ready()
      }
      wait()
    }
    // A signal that was heard while the reader waited for the store is still to be taken.
    if !isStopping { noteSignals() }
    // What can't be stored now is not waited for any more.
    agent.sink.shouldGiveUp = { true }
    if wantsReload { service.reloading() } else { service.stopping() }
    // All that was written before the signal is read, as far as time allows; the next start goes
    // on at the checkpoints.
    needsScan = true
    look()
    let deadline = SystemClock.now().nanoseconds + Self.stopNanoseconds
    while !queue.isEmpty, !agent.hasFailed, SystemClock.now().nanoseconds < deadline {
      readQueue()
    }
  }

  // MARK: Looking

  private mutating func look() {
    let now = SystemClock.now()
    if needsScan || agent.hasStaleName || now.nanoseconds >= nextPoll {
      needsScan = false
      agent.hasStaleName = false
      scan(now)
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
    agent.keeper.tidy(agent, now: now)
    if isNew {
      // Between the look and the first watch a file may have come.
      for file in agent.tailer.scan(now: now).ready { enqueue(file) }
    }
    agent.tellScanProblems()
    nextPoll = now.nanoseconds + Int64(agent.configuration.limits.pollMilliseconds) * 1_000_000
    needsReports = true
  }

  private func watchProblem(_ error: FileError) -> String {
    error.errno == ENOSPC
      ? "no inotify watch left: raise fs.inotify.max_user_watches; it is polled meanwhile"
      : error.description
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
    let now = SystemClock.now()
    for file in turn {
      let (current, hasMore) = agent.read(file, .follow, now: now)
      if hasMore {
        enqueue(current)
      } else if restDue(current) != nil || recordDue(current) != nil {
        waiting[current.generation.id] = current
      }
    }
    pace.noteTurn(now: now.nanoseconds)
    hasRead = queue.isEmpty
  }

  private mutating func readJournals() {
    for journal in agent.journals {
      let before = journal.descriptor
      agent.read(journal, follows: true)
      // One that has ended took its descriptor out of the loop.
      if let descriptor = journal.descriptor, descriptor != before {
        try? loop.add(descriptor, token: Self.journalToken)
      }
    }
  }

  /// Closes records and stores unterminated lines whose time is up; retires files without a name.
  private mutating func settleWaiting() {
    let now = SystemClock.now()
    for (id, file) in waiting {
      // Another generation goes on with its file: read by this one it would be found truncated once
      // more, and stored twice.
      if file.generation.state == .truncated || file.generation.state == .gone {
        waiting[id] = nil
        continue
      }
      var current = file
      if let due = restDue(file), now.nanoseconds >= due {
        current = agent.read(file, .partial, now: now).0
        // What is left now is no line: blanks.
        current.hasRest = false
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
    guard file.hasRest else { return nil }
    let limit = agent.configuration.limits.partialFlushMilliseconds
    return file.lastGrowth.nanoseconds + Int64(limit) * 1_000_000
  }

  /// When the open record takes no more lines. One without its newline stays open.
  private func recordDue(_ file: TailFile) -> Int64? {
    guard file.checkpoint.openOffset >= 0, !file.endsUnterminated else { return nil }
    let limit = agent.configuration.limits.recordFlushMilliseconds
    return file.lastGrowth.nanoseconds + Int64(limit) * 1_000_000
  }

  // MARK: Waiting

  private mutating func wait() {
    if hasRead, pace.rest > 0 { loop.rest(milliseconds: Int32(clamping: pace.rest)) }
    hasRead = false
    var events: [EventLoop.Event] = []
    loop.wait(milliseconds: timeout(), into: &events)
    for event in events {
      switch event {
      // Journals are asked in each turn.
      case .readable(Self.journalToken): continue
      case .readable: noteChanges()
      case .signal(let number):
        note(signal: number)
      }
    }
    giveSignOfLife()
    startUploads()
  }

  private mutating func startUploads() {
    let sawCrash = agent.storeThread.sawCrash.exchange(false, ordering: .relaxed)
    if let error = uploads?.step(now: SystemClock.now(), sawCrash: sawCrash) {
      agent.tell(error.path, error.description + "; bundles are not uploaded")
    }
  }

  private mutating func noteSignals() {
    var events: [EventLoop.Event] = []
    loop.wait(milliseconds: 0, into: &events)
    for case .signal(let number) in events { note(signal: number) }
  }

  /// Several signals may come at once: one that asks for the end outweighs those that ask for a
  /// reload.
  private mutating func note(signal: Int32) {
    isStopping = true
    if signal != SIGHUP { wantsEnd = true }
    wantsReload = !wantsEnd
  }

  private mutating func giveSignOfLife() {
    guard let interval = service.watchdogInterval else { return }
    let now = SystemClock.now().nanoseconds
    guard now >= nextSignOfLife else { return }
    nextSignOfLife = now + interval
    service.isAlive()
  }

  private func timeout() -> Int32 {
    if !queue.isEmpty || needsScan { return 0 }
    let now = SystemClock.now().nanoseconds
    var next = min(nextPoll, nextReports)
    if service.watchdogInterval != nil { next = min(next, nextSignOfLife) }
    for due in agent.journals.compactMap(\.due) { next = min(next, due) }
    for file in waiting.values {
      next = min(next, restDue(file) ?? next, recordDue(file) ?? next)
    }
    return Int32(clamping: max(0, (next - now) / 1_000_000 + 1))
  }

  private mutating func noteChanges() {
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
