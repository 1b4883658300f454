// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Whether SIGINT, SIGTERM or SIGHUP asked the command to end.
enum Interruption {
  private static let requested = Atomic<Bool>(false)

  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// From now on the first signal is only noted; the second one ends the process at once.
  static func install() {
    // The variable must exist before a handler, which may not allocate, can touch it.
    requested.store(false, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in
        Interruption.requested.store(true, ordering: .relaxed)
      }
      // Without SA_RESTART: a write or a sleep that waits returns.
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
    // A parent's thread that blocks signals has handed that down: nobody could end us.
    var ours = sigset_t()
    sigemptyset(&ours)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&ours, number) }
    pthread_sigmask(SIG_UNBLOCK, &ours, nil)
  }

  /// Signals end the process again.
  static func uninstall() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }
}
