// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A queue of fixed length between two threads; a full one makes the sender wait.
///
/// `@unchecked Sendable`: every access to the elements is made with the mutex held.
package final class BoundedChannel<Element>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var elements: [Element] = []
  private let capacity: Int
  private var isClosed = false

  /// - Parameter capacity: the most elements that wait in it.
  package init(capacity: Int) {
    self.capacity = capacity
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    // The monotonic clock: a step of the wall clock must not prolong a wait.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Adds an element at the end, waiting for room; false when the channel is closed.
  @discardableResult
  package func send(_ element: Element) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while elements.count >= capacity, !isClosed { pthread_cond_wait(changed, mutex) }
    if isClosed { return false }
    elements.append(element)
    pthread_cond_broadcast(changed)
    return true
  }

  /// What came of waiting for an element.
  package enum Received {
    case element(Element)
    case timeout
    case closed
  }

  /// Takes the first element, waiting up to `milliseconds` (`nil`: for ever) for one. What was sent
  /// before the channel was closed is still received.
  package func receive(milliseconds: Int? = nil) -> Received {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    var deadline = timespec()
    if let milliseconds {
      clock_gettime(CLOCK_MONOTONIC, &deadline)
      let nanoseconds = deadline.tv_nsec + (milliseconds % 1000) * 1_000_000
      deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
      deadline.tv_nsec = nanoseconds % 1_000_000_000
    }
    // Not isEmpty: in generic code that looks the array's type up, at each waking.
    while elements.count == 0 {
      if isClosed { return .closed }
      if milliseconds == nil {
        pthread_cond_wait(changed, mutex)
      } else if pthread_cond_timedwait(changed, mutex, &deadline) == ETIMEDOUT {
        return elements.isEmpty ? .timeout : .element(takeFirst())
      }
    }
    return .element(takeFirst())
  }

  /// Wakes all who wait; nothing more can be sent.
  package func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  private func takeFirst() -> Element {
    pthread_cond_broadcast(changed)
    return elements.removeFirst()
  }
}
