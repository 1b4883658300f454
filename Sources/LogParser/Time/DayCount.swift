// SPDX-License-Identifier: Apache-2.0

/// How many midnights lie between the times of a file that names no dates: its clock falls at each.
struct DayCount {
  /// What becomes of the day from one time to the next.
  enum Step {
    case same, next
    /// A line that was written late, from before the midnight that was just counted.
    case before
  }

  private(set) var midnights = 0
  /// Second of the day of the last time.
  private(set) var last: Int?

  /// Threads write their lines out of order by seconds, and summer time ends by an hour: a clock that
  /// falls by more has passed midnight.
  private static let minimalFall = 7200
  /// A clock that leaps ahead by so much goes back over a midnight.
  private static let minimalLeap = 79_200

  static func step(from before: Int, to second: Int) -> Step {
    if before - second > minimalFall { return .next }
    return second - before > minimalLeap ? .before : .same
  }

  /// Goes through whole lines.
  mutating func take(_ lines: Line) {
    var start = 0
    while start < lines.count {
      let end = lines.lineEnd(from: start)
      LineCleaner.withClean(lines.slice(start, end)) { note($0) }
      start = end + 1
    }
  }

  private mutating func note(_ line: Line) {
    var lead = TimestampedFormat.Lead()
    guard TimestampedFormat.findTime(line, &lead), lead.stamp.shape == .withoutDate,
      lead.stamp.isValid
    else { return }
    let second = lead.stamp.secondOfDay
    if let before = last {
      switch Self.step(from: before, to: second) {
      case .same: break
      case .next: midnights += 1
      case .before: return
      }
    }
    last = second
  }
}
