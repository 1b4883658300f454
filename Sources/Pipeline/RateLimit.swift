// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// How many events of each kind are told: `most` in `window`, and then how many were not.
struct RateLimit {
  /// What to do with an event.
  struct Verdict: Equatable {
    var isAdmitted: Bool
    /// Events of this kind that were left out since the last one that was told.
    var suppressed: Int
  }

  private struct Window {
    var start: Timestamp
    var count = 0
    var suppressed = 0
  }

  static let most = 20
  /// Nanoseconds.
  static let window: Int64 = 10_000_000_000

  private var windows: [String: Window] = [:]

  /// Counts an event of this kind.
  mutating func admit(_ kind: String, at now: Timestamp) -> Verdict {
    var window = windows[kind] ?? Window(start: now)
    var suppressed = 0
    let age = now.nanoseconds &- window.start.nanoseconds
    // A clock that was set back begins another window, too.
    if age >= Self.window || age < 0 {
      suppressed = window.suppressed
      window = Window(start: now)
    }
    let isAdmitted = window.count < Self.most
    window.count += 1
    if !isAdmitted { window.suppressed += 1 }
    windows[kind] = window
    return Verdict(isAdmitted: isAdmitted, suppressed: suppressed)
  }
}
