// SPDX-License-Identifier: Apache-2.0

/// How long to rest after a turn of reading, so that lines that trickle in are stored together.
///
/// A line that comes alone is stored at once. When lines come in quick succession, each turn rests
/// longer than the last: waking up, reading and committing for each of them costs a hundred times
/// what the line does.
struct ReadingPace {
  /// Lines further apart than this are not waited for.
  private static let quickMilliseconds: Int64 = 20
  private static let leastMilliseconds: Int64 = 10
  private static let mostMilliseconds: Int64 = 100

  /// To rest before the next turn, in milliseconds.
  private(set) var rest: Int64 = 0
  private var lastTurn: Int64 = 0

  /// Takes note of a turn that has read something.
  ///
  /// - Parameter now: when, in nanoseconds.
  mutating func noteTurn(now: Int64) {
    let waited = (now - lastTurn) / 1_000_000 - rest
    // A clock that was set shows as a long or a negative wait.
    let isQuick = waited >= -1_000 && waited < Self.quickMilliseconds
    rest = isQuick ? min(max(rest * 2, Self.leastMilliseconds), Self.mostMilliseconds) : 0
    lastTurn = now
  }
}
