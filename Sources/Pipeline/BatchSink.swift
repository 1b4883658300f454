// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The batch that is being filled, and where full ones go.
final class BatchSink {
  private let store: StoreThread
  private var current: RecordBatch?
  /// Whether the store has failed for good, so that nothing can be handed over any more.
  private(set) var hasFailed = false

  init(_ store: StoreThread) { self.store = store }

  /// The batch to fill now; waits for the writer when all batches are under way.
  var batch: RecordBatch {
    if let current { return current }
    guard let next = store.takeBatch() else {
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
    store.submit(batch)
  }
}
