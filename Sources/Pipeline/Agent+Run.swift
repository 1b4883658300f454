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
    var loop: RunLoop
    do throws(FileError) { loop = try RunLoop(self) } catch { throw .file(error) }
    loop.run()
    wasStopped = !loop.wantsReload && !hasFailed
    try finish(isUrgent: true)
    return loop.wantsReload
  }
}

/// Waits for what a running agent has to do, and for signals.
private struct RunLoop: ~Copyable {
  private let agent: Agent
  private let loop: EventLoop
  private var follower: Follower
  private var isStopping = false
  private(set) var wantsReload = false
  private var wantsEnd = false
  private let service = ServiceNotifier(environment: ProcessEnvironment.variables())
  private var nextSignOfLife: Int64 = 0
  private var uploads: UploadSchedule?

  private static let watcherToken: UInt32 = 1
  private static let failureToken: UInt32 = 2
  private static let journalToken: UInt32 = 3
  /// How long a stop may go on reading.
  private static let stopNanoseconds: Int64 = 3_000_000_000

  init(_ agent: Agent) throws(FileError) {
    let loop = try EventLoop()
    let follower = try Follower(agent)
    try loop.add(follower.changes, token: Self.watcherToken)
    if agent.storeThread.failureSignal.descriptor >= 0 {
      try loop.add(agent.storeThread.failureSignal.descriptor, token: Self.failureToken)
    }
    let signals = loop.signalDescriptor
    agent.sink.shouldGiveUp = { EventLoop.isReadable(signals) }
    self.agent = agent
    self.loop = loop
    self.follower = follower
    uploads = UploadSchedule(agent.configuration, now: SystemClock.now())
  }

  mutating func run() {
    for path in agent.sources.missing { agent.tell(path, "does not exist yet; waiting for it") }
    for zone in agent.sources.unknownZones {
      agent.tell(zone, "the system knows no such time zone")
    }
    var hasStarted = false
    while !isStopping, !agent.hasFailed {
      readJournals()
      follower.turn()
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
    let deadline = SystemClock.now().nanoseconds + Self.stopNanoseconds
    follower.finish { SystemClock.now().nanoseconds >= deadline }
  }

  // MARK: Journals

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

  // MARK: Waiting

  private mutating func wait() {
    let rest = follower.takeRest()
    if rest > 0 { loop.rest(milliseconds: Int32(clamping: rest)) }
    var events: [EventLoop.Event] = []
    loop.wait(milliseconds: timeout(), into: &events)
    for event in events {
      switch event {
      // Journals are asked in each turn.
      case .readable(Self.journalToken): continue
      case .readable: follower.noteChanges()
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
      agent.tell(error.path, error.problem + "; bundles are not uploaded")
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
    var next = follower.nextTurn
    if service.watchdogInterval != nil { next = min(next, nextSignOfLife) }
    for due in agent.journals.compactMap(\.due) { next = min(next, due) }
    let now = SystemClock.now().nanoseconds
    return next <= now ? 0 : Int32(clamping: (next - now) / 1_000_000 + 1)
  }
}
