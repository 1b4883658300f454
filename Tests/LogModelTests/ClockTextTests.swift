// SPDX-License-Identifier: Apache-2.0

import LogModel
import Testing

/// The text of a second is the clock's on the wall, whatever second was asked for before.
@Suite struct ClockTextTests {
  private func text(_ clock: ClockText, _ part: ClockText.Part) -> String {
    clock.withBytes(of: part) { String(decoding: $0, as: UTF8.self) }
  }

  @Test func aShiftAndTimesBefore1970MoveTheDayToo() {
    var clock = ClockText()
    for (time, shift, date, wall) in [
      (1_772_352_000_999_999_999, 0, "2026-03-01", "08:00:00"),
      (1_772_352_000_000_000_000, -8 * 3600 - 1, "2026-02-28", "23:59:59"),
      (-1, 0, "1969-12-31", "23:59:59"),
      (-1, 3600, "1970-01-01", "00:59:59"),
      (1_772_352_000_000_000_000, 0, "2026-03-01", "08:00:00"),
    ] as [(Int64, Int64, String, String)] {
      clock.set(time, shift: shift)
      #expect(text(clock, .date) == date)
      #expect(text(clock, .clock) == wall)
    }
  }
}
