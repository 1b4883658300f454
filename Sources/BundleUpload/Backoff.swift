// SPDX-License-Identifier: Apache-2.0

/// How long to wait after a failure: twice as long each time, never in step with others.
enum Backoff {
  /// Milliseconds before the second attempt.
  static let firstMilliseconds: Int64 = 500
  static let mostMilliseconds: Int64 = 3_600_000

  /// The pause after so many failures without progress, with a fifth more or less by chance.
  static func milliseconds(failures: Int) -> Int64 {
    let doubled = firstMilliseconds << Int64(min(max(0, failures - 1), 20))
    let pause = min(doubled, mostMilliseconds)
    return Int64.random(in: (pause * 4 / 5)...(pause * 6 / 5))
  }
}
