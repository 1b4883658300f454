// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogStore

/// The batch that is being filled, and where full ones go.
final class BatchSink {
  private let store: StoreThread
  private var current: RecordBatch?
  private let preparer = BatchPreparer()
  /// Whether nothing can be handed over any more: the store has failed, or the agent is to end.
  private(set) var hasFailed = false

  /// Whether somebody who waits for the agent's end is to be heard while all batches are under way:
  /// then what can't be stored now is given up, and read again at the next start.
  var shouldGiveUp: () -> Bool = { false }

  private let now: () -> Timestamp

  /// - Parameter now: the agent's clock.
  init(_ store: StoreThread, now: @escaping () -> Timestamp) {
    self.store = store
    self.now = now
  }

  /// Whether all that was read is committed.
  var isSettled: Bool { (current?.isEmpty ?? true) && store.isSettled }

  /// The batch to fill now; waits for the writer when all batches are under way.
  var batch: RecordBatch {
    if let current { return current }
    guard let next = store.takeBatch(shouldGiveUp: shouldGiveUp) else {
      hasFailed = true
      return RecordBatch()
    }
    current = next
    return next
  }

  /// Hands the batch over if it is full.
  func submitIfFull() {
    if let current, current.isFull { submit() }
  }

  /// Hands over what there is.
  func submit() {
    guard let batch = current, !batch.isEmpty else { return }
    current = nil
    preparer.prepare(batch)
    batch.time = now()
    store.submit(batch)
  }
}
