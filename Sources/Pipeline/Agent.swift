// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
package import FileIO
internal import FileTail
package import LogModel
package import LogParser
package import LogStore
internal import SQLite

/// Why an agent ended other than by being told to.
package enum AgentError: Error, CustomStringConvertible, Sendable {
  /// A `[[format]]` of the configuration can't be used.
  case format(UserFormatError)
  case start(StartError)
  case store(StoreError)
  case file(FileError)

  package var description: String {
    switch self {
    case .format(let error): error.description
    case .start(let error): error.description
    case .store(let error): error.description
    case .file(let error): error.description
    }
  }
}

/// What an agent did.
package struct AgentSummary: Sendable {
  /// Paths that could not be read, with the reason.
  package var problems: [String: String] = [:]
  /// Files that are known and read.
  package var files = 0
}

/// Reads sources and spools into the store: for ever, or once.
package final class Agent {
  let configuration: Configuration
  let events: any AgentEvents
  let tailer: Tailer
  let reader: LogReader
  let collector: CrashCollector
  let sources: AgentSources
  let storeThread: StoreThread
  let sink: BatchSink
  let keeper: DirectoryKeeper
  let journals: [JournalSource]
  /// The clock; a test may have one that it turns itself.
  let now: () -> Timestamp
  private let directory: DirectoryBox
  private let writer: WorkerThread
  /// Problems that were told, by path.
  var told: [String: String] = [:]
  /// Paths of which the last look at all names said so.
  private var toldByScan: Set<String> = []
  /// A signal asked it to end, rather than a failure.
  var wasStopped = false
  /// A closed file's name leads elsewhere by now: only a look at all names tells where it is.
  var hasStaleName = false

  private final class DirectoryBox {
    let directory: StateDirectory
    init(_ directory: consuming StateDirectory) { self.directory = directory }
  }

  /// Opens the store; from here on the state directory is this agent's.
  ///
  /// - Parameters:
  ///   - configuration: what to read and keep.
  ///   - findsRotated: a file that is named also stands for its rotated siblings.
  ///   - events: is told what happens.
  ///   - now: the clock.
  /// - Throws: `AgentError`.
  package init(
    _ configuration: Configuration, findsRotated: Bool, events: any AgentEvents,
    now: @escaping () -> Timestamp = SystemClock.now
  ) throws(AgentError) {
    self.now = now
    self.configuration = configuration
    self.events = events
    let formats: UserFormats
    do throws(UserFormatError) {
      formats = try UserFormats(configuration.formats)
    } catch { throw .format(error) }
    do throws(StartError) {
      directory = DirectoryBox(try StateDirectory(configuration))
    } catch { throw .start(error) }
    let damage = DamagedStore.reason(toSetAside: configuration.storePath)
    if damage != nil { try Self.setAside(configuration.storePath) }
    let rule = RetentionRule(configuration)
    storeThread = StoreThread(batchBytes: rule.batchBytes)
    let store: LogStore
    let generations: [FileGeneration]
    let cursors: [String: String]
    do throws(StoreError) {
      store = try LogStore(path: configuration.storePath, pageBytes: rule.pageBytes)
      (generations, cursors) = try Self.load(store, rule)
    } catch { throw .store(error) }
    sources = AgentSources(configuration, findsRotated: findsRotated)
    tailer = Tailer(
      sources: sources.tails,
      excludedFolders: [FileSystem.absolutePath(configuration.stateDirectory)],
      known: generations.filter { $0.role == .log && !$0.path.hasPrefix(JournalSource.pathPrefix) },
      nextID: (generations.map(\.id).max() ?? 0) + 1,
      classify: ContentClassifier.classify)
    reader = LogReader(
      limits: AssemblyLimits(configuration.limits), rules: sources.rules, tailer: tailer,
      formats: formats, clock: now)
    collector = CrashCollector(
      configuration, mixedPaths: sources.mixedPaths,
      known: generations.filter { $0.role == .report })
    sink = BatchSink(storeThread, now: now)
    keeper = DirectoryKeeper(configuration)
    let tailer = tailer
    let zone = configuration.timeZone.flatMap(HostTimeZone.named) ?? HostTimeZone.current()
    journals = configuration.journals.map { journal in
      JournalSource(
        journal, known: generations.last { $0.path == JournalSource.path(journal.name) },
        cursor: cursors[journal.name], newID: tailer.makeID,
        limits: AssemblyLimits(configuration.limits), zone: zone, now: now())
    }
    writer = storeThread.start(store, rule: rule, events: events, now: now())
    if let damage {
      let kept = DamagedStore.keptPath(of: configuration.storePath)
      tell(
        configuration.storePath,
        "the store was damaged (\(damage)); it is kept as \(kept), and all files are read again")
    }
  }

  private static func setAside(_ store: String) throws(AgentError) {
    do throws(FileError) { try DamagedStore.setAside(store) } catch { throw .file(error) }
    // A new file of the right mode, as at a first start.
    do throws(FileError) {
      _ = try FileDescriptor.create(store)
    } catch { throw .file(error) }
  }

  private static func load(
    _ store: LogStore, _ rule: RetentionRule
  ) throws(StoreError) -> ([FileGeneration], cursors: [String: String]) {
    do throws(SQLiteError) {
      try store.apply(rule)
      return (try store.generations(), try store.cursors())
    } catch { throw .sqlite(path: store.path, error) }
  }

  /// Nothing can be stored any more.
  var hasFailed: Bool { sink.hasFailed || storeThread.fatalError != nil }

  // MARK: Shared by `run` and `import`

  /// Reads one file for one turn, and settles what may come of it; true when there is more.
  func read(_ file: TailFile, _ goal: ReadGoal, now: Timestamp) -> (TailFile, hasMore: Bool) {
    var file = file
    // A truncated file is followed by another generation of it, at most once in a turn.
    for _ in 0..<2 {
      do throws(ContentError) {
        switch try reader.read(file, goal, into: sink, now: now) {
        case .done:
          clearProblem(of: file)
          file.closeIfCrowded()
          return (file, false)
        case .more: return (file, true)
        case .truncated(let next):
          reader.forget(file)
          file = next
        }
      } catch .file(let error)
        where error.isNotFound || error.errno == FileTailErrno.stale
      {
        hasStaleName = true
        recover(file.generation.path)
        return (file, false)
      } catch {
        // What was there until now is not lost: the next scan finds the file by its identity.
        file.set(problem: error.problem)
        tell(file.generation.path, error.problem)
        return (file, false)
      }
    }
    return (file, true)
  }

  func collectReports(now: Timestamp) -> Timestamp? {
    let outcome = collector.look(
      now: now, newID: tailer.makeID, into: sink, isSettled: storeThread.isSettled)
    for (path, reason) in outcome.problems {
      if let reason { tell(path, reason) } else { recover(path) }
    }
    return outcome.nextLook
  }

  func tell(_ path: String, _ reason: String) {
    guard told[path] != reason else { return }
    told[path] = reason
    sink.batch.problems = told
    events.problem(path: path, reason: reason)
  }

  func recover(_ path: String) {
    guard told.removeValue(forKey: path) != nil else { return }
    sink.batch.problems = told
    events.recovered(path: path)
  }

  private func clearProblem(of file: TailFile) {
    if !file.generation.problem.isEmpty { file.set(problem: "") }
    recover(file.generation.path)
  }

  func tellScanProblems() {
    var problems = tailer.problems
    for generation in tailer.refusedGenerations where sources.covers(generation.path) {
      problems[generation.path] = generation.problem
    }
    for (path, reason) in problems { tell(path, reason) }
    // What can be read now, or is there no more.
    for path in toldByScan where problems[path] == nil { recover(path) }
    toldByScan = Set(problems.keys)
  }

  /// Hands over what is left, and waits until it is committed.
  ///
  /// - Parameter isUrgent: what can't be committed now is given up, and read at the next start.
  /// - Throws: `AgentError` when the store has failed.
  package func finish(isUrgent: Bool) throws(AgentError) {
    // First, so that a store that is waited for does not hold up the last batch.
    if isUrgent { storeThread.hurry() }
    if !hasFailed {
      tailer.putChanges(into: sink.batch)
      sink.submit()
    }
    storeThread.finish()
    writer.join()
    if let error = storeThread.fatalError {
      throw .store(.sqlite(path: configuration.storePath, error))
    }
    // What was given up is not stored, and must stay.
    guard storeThread.isSettled else { return }
    for (path, reason) in collector.consume() { events.problem(path: path, reason: reason) }
  }
}
