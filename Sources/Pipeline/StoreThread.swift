// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
package import LogModel
internal import LogStore
internal import SQLite
internal import Synchronization

/// Commits batches in the order they come, on a thread of its own that owns the write connection.
///
/// A batch that can't be committed now is tried again until it can, or until the agent stops; its
/// reader waits meanwhile, since the batches are few. So nothing is dropped and memory is bounded.
final class StoreThread: Sendable {
  /// Batches to commit, and those that are free to be filled.
  private let full: BoundedChannel<RecordBatch>
  private let free: BoundedChannel<RecordBatch>
  private let isStopping = Atomic(false)
  /// What was committed since this was last asked may tell of a crash.
  let sawCrash = Atomic(false)
  /// Batches that were handed over and are not committed yet.
  private let pending = Atomic(0)
  private let failure = Mutex<SQLiteError?>(nil)
  /// Becomes readable when the store has failed for good, so that an event loop wakes up.
  let failureSignal: FailureSignal

  /// One is filled, one waits, one is committed: more only cost memory.
  static let batchCount = 3

  private struct Context: Sendable {
    let rule: RetentionRule
    let events: any AgentEvents
  }

  /// - Parameter batchBytes: bytes of text after which a batch is full.
  init(batchBytes: Int) {
    full = BoundedChannel(capacity: Self.batchCount)
    free = BoundedChannel(capacity: Self.batchCount)
    for _ in 0..<Self.batchCount { free.send(RecordBatch(arenaBytes: batchBytes)) }
    failureSignal = FailureSignal()
  }

  /// An empty batch; waits until one is free. `nil` when the store has failed for good, or what
  /// can't be stored was given up.
  ///
  /// - Parameter shouldGiveUp: asked now and then while it waits.
  func takeBatch(shouldGiveUp: () -> Bool) -> RecordBatch? {
    while true {
      switch free.receive(milliseconds: 200) {
      case .element(let batch): return batch
      case .closed: return nil
      case .timeout: if shouldGiveUp() { hurry() }
      }
    }
  }

  /// Hands a filled batch over.
  func submit(_ batch: RecordBatch) {
    pending.add(1, ordering: .relaxed)
    full.send(batch)
  }

  /// Whether all that was handed over is committed.
  var isSettled: Bool { pending.load(ordering: .acquiring) == 0 }

  /// Why nothing can be stored any more.
  var fatalError: SQLiteError? { failure.withLock { $0 } }

  /// From now on, what can't be committed at once is given up; as its checkpoints are not stored
  /// either, it is read again at the next start.
  func hurry() { isStopping.store(true, ordering: .relaxed) }

  /// No more batches come.
  func finish() { full.close() }

  /// Starts the thread, which takes the store over.
  ///
  /// - Parameter now: the time by the agent's clock; later it is that of the last batch.
  func start(
    _ store: LogStore, rule: RetentionRule, events: any AgentEvents, now: Timestamp
  ) -> WorkerThread {
    // Handed over once, used by that thread only.
    nonisolated(unsafe) let store = store
    let context = Context(rule: rule, events: events)
    return WorkerThread(name: "logagent-store") { self.work(store, context, now) }
  }

  // After that long without a batch, memory and the log's file are given back.
  private static let restMilliseconds = 30_000

  private func work(_ store: LogStore, _ context: Context, _ start: Timestamp) {
    var now = start
    let place = Place(store)
    var isRested = false
    // Pruning goes on between batches, one bounded step at a time.
    var hasMoreToPrune = true
    while true {
      let patience = hasMoreToPrune ? 0 : (isRested ? nil : Self.restMilliseconds)
      switch full.receive(milliseconds: patience) {
      case .element(let batch):
        isRested = false
        now = batch.time
        guard commit(batch, store, place, context) else { return free.close() }
        batch.removeAll()
        pending.subtract(1, ordering: .releasing)
        free.send(batch)
        hasMoreToPrune = prune(store, context, now)
      case .timeout where hasMoreToPrune:
        hasMoreToPrune = prune(store, context, now)
      case .timeout:
        isRested = true
        try? store.settle()
        FileSystem.trimMemory()
      case .closed:
        while hasMoreToPrune { hasMoreToPrune = prune(store, context, now) }
        try? store.settle()
        return free.close()
      }
    }
  }

  /// One step; what fails now is tried again after the next batch, whose commit tells of it.
  private func prune(_ store: LogStore, _ context: Context, _ now: Timestamp) -> Bool {
    if (try? store.prune(context.rule, now: now)) == true { return true }
    return (try? store.upkeep(context.rule, now: now)) ?? false
  }

  private func fail(_ error: SQLiteError) {
    failure.withLock { $0 = error }
    failureSignal.raise()
  }

  /// The store's file as it was when work began.
  private struct Place {
    let path: String
    let status: FileStatus?

    init(_ store: LogStore) {
      path = store.path
      status = try? FileStatus(path: path)
    }

    /// SQLite would go on writing into a file that nobody can find any more.
    var isGone: Bool {
      let now = try? FileStatus(path: path)
      return now?.inode != status?.inode || now?.device != status?.device
    }
  }

  private func commit(
    _ batch: RecordBatch, _ store: LogStore, _ place: Place, _ context: Context
  ) -> Bool {
    if place.isGone {
      fail(.gone)
      return false
    }
    var delay = 100
    var hasFailed = false
    while true {
      do throws(SQLiteError) {
        try store.makeRoom(for: batch, context.rule)
        try store.commit(batch)
        if batch.mayTellOfCrash { sawCrash.store(true, ordering: .relaxed) }
        if hasFailed { context.events.storeRecovered() }
        context.events.committed(records: batch.records.count, crashes: batch.reports.count)
        for collected in batch.reports {
          guard let report = store.crash(toldBy: collected) else { continue }
          context.events.crashed(report, path: collected.path)
        }
        return true
      } catch {
        if error.isCorrupt {
          fail(error)
          return false
        }
        if !hasFailed {
          context.events.storeUnavailable(
            reason: "\(store.path): \(error.message)", retryAfterMilliseconds: delay)
        }
        hasFailed = true
        if isStopping.load(ordering: .relaxed) { return false }
        usleep(UInt32(delay) * 1000)
        delay = min(delay * 2, 1_000)
      }
    }
  }
}

/// The wall clock.
package enum SystemClock {
  /// Now.
  package static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

extension SQLiteError {
  /// The store's file was deleted or replaced while it was in use: as good as damaged.
  fileprivate static let gone = SQLiteError(
    code: 11, message: "the file was deleted or replaced while it was in use")
}

/// A pipe with which one thread wakes another that waits for descriptors.
final class FailureSignal: Sendable {
  /// Readable once `raise` was called.
  let descriptor: Int32
  private let writer: Int32

  init() {
    var ends: (Int32, Int32) = (-1, -1)
    // Without a descriptor left the failure is seen at the next look, a little later.
    withUnsafeMutableBytes(of: &ends) { _ = pipe($0.bindMemory(to: Int32.self).baseAddress) }
    (descriptor, writer) = ends
  }

  deinit {
    close(descriptor)
    close(writer)
  }

  func raise() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }
}
