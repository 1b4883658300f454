// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import Glibc

/// A thread that runs one closure, and can be waited for.
package final class WorkerThread {
  private var thread = pthread_t()
  private var isJoined = false

  private final class Work {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// - Parameters:
  ///   - name: as top and debuggers show it; at most 15 bytes.
  ///   - body: what it runs.
  package init(name: String, _ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(name: name, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // SQLite's deepest calls need some 100 KiB.
    pthread_attr_setstacksize(&attributes, 512 << 10)
    defer { pthread_attr_destroy(&attributes) }
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        let work = Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        la_thread_name(work.name)
        // The thread that waits for them hears the signals.
        la_ignore_signals_in_thread()
        work.body()
        return nil
      }, work.toOpaque())
    precondition(status == 0, "the system gives no more threads: \(status)")
  }

  /// Waits for its end.
  package func join() {
    if isJoined { return }
    isJoined = true
    pthread_join(thread, nil)
  }
}
