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
  private let failure = Mutex<SQLiteError?>(nil)

  static let batchCount = 4

  private struct Context: Sendable {
    let rule: RetentionRule
    let events: any AgentEvents
  }

  init(batchCount: Int = StoreThread.batchCount) {
    full = BoundedChannel(capacity: batchCount)
    free = BoundedChannel(capacity: batchCount)
    for _ in 0..<batchCount { free.send(RecordBatch()) }
  }

  /// An empty batch; waits until one is free. `nil` when the store has failed for good.
  func takeBatch() -> RecordBatch? {
    if case .element(let batch) = free.receive() { return batch }
    return nil
  }

  /// Hands a filled batch over.
  func submit(_ batch: RecordBatch) { full.send(batch) }

  /// Why nothing can be stored any more.
  var fatalError: SQLiteError? { failure.withLock { $0 } }

  /// No more batches come. `isUrgent`: what can't be committed at once is given up; as its
  /// checkpoints are not stored either, it is read again at the next start.
  func finish(isUrgent: Bool) {
    if isUrgent { isStopping.store(true, ordering: .relaxed) }
    full.close()
  }

  /// Starts the thread, which takes the store over.
  func start(
    _ store: LogStore, rule: RetentionRule, events: any AgentEvents
  ) -> WorkerThread {
    // Handed over once, used by that thread only.
    nonisolated(unsafe) let store = store
    let context = Context(rule: rule, events: events)
    return WorkerThread(name: "logagent-store") { self.work(store, context) }
  }

  // After that long without a batch, memory and the log's file are given back.
  private static let restMilliseconds = 30_000

  private func work(_ store: LogStore, _ context: Context) {
    var isRested = false
    while true {
      switch full.receive(milliseconds: isRested ? nil : Self.restMilliseconds) {
      case .element(let batch):
        isRested = false
        guard commit(batch, store, context) else { return free.close() }
        batch.removeAll()
        free.send(batch)
      case .timeout:
        isRested = true
        try? store.settle()
        FileSystem.trimMemory()
      case .closed:
        try? store.settle()
        return free.close()
      }
    }
  }

  private func commit(_ batch: RecordBatch, _ store: LogStore, _ context: Context) -> Bool {
    var delay = 100
    var hasFailed = false
    while true {
      do throws(SQLiteError) {
        try store.commit(batch)
        try store.prune(context.rule, now: SystemClock.now())
        if hasFailed { context.events.storeRecovered() }
        context.events.committed(records: batch.records.count, crashes: batch.reports.count)
        return true
      } catch {
        if error.isCorrupt {
          failure.withLock { $0 = error }
          return false
        }
        if !hasFailed {
          context.events.storeUnavailable(
            reason: error.message, retryAfterMilliseconds: delay)
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
