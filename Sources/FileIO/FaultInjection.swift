// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import Synchronization

/// Lets tests make system calls on files fail, one after the other. A release build has nothing of
/// it.
package enum FaultInjection {
  /// The system calls that can be made to fail.
  package enum Call: String, Sendable, CaseIterable {
    case open, create, status, read, write, synchronize, list, rename, remove
  }

  #if DEBUG
    private struct Plan {
      var call: Call
      var errno: Int32
      /// Calls that still succeed.
      var countdown: Int
      /// Calls that fail then.
      var failures: Int
      var hits = 0
    }

    /// By the folder below which files are concerned: tests run side by side.
    private static let plans = Mutex<[String: Plan]>([:])
    private static let isActive = Atomic(false)

    /// From now on, of the calls `call` on files below `folder` one fails after `countdown` others.
    package static func plan(
      _ call: Call, errno: Int32, after countdown: Int, below folder: String, failures: Int = 1
    ) {
      plans.withLock {
        $0[folder] = Plan(call: call, errno: errno, countdown: countdown, failures: failures)
      }
      isActive.store(true, ordering: .releasing)
    }

    /// Ends the plan for `folder`; returns how many calls it has made fail.
    @discardableResult
    package static func clear(below folder: String) -> Int {
      plans.withLock { $0.removeValue(forKey: folder)?.hits ?? 0 }
    }

    /// Whether this call is to fail; `errno` is set then.
    static func hits(_ call: Call, _ path: String) -> Bool {
      guard isActive.load(ordering: .acquiring) else { return false }
      return plans.withLock { plans in
        for (folder, plan) in plans where plan.call == call && path.hasPrefix(folder) {
          if plan.countdown > 0 {
            plans[folder]?.countdown -= 1
          } else if plan.hits < plan.failures {
            plans[folder]?.hits += 1
            Glibc.errno = plan.errno
            return true
          }
        }
        return false
      }
    }
  #else
    @inline(__always)
    static func hits(_ call: Call, _ path: @autoclosure () -> String) -> Bool { false }
  #endif
}
