// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Pipeline

/// Lines that come alone are stored at once, lines that trickle in together.
@Suite struct ReadingPaceTests {
  /// Turns in which lines are read that come every `milliseconds`; gives the rests between them.
  private func rests(every milliseconds: Int64, turns: Int) -> [Int64] {
    var pace = ReadingPace()
    var now: Int64 = 1_800_000_000_000_000_000
    return (0..<turns).map { _ in
      pace.noteTurn(now: now)
      // The next line that comes after the rest wakes the reader.
      now += ((pace.rest + milliseconds) / milliseconds) * milliseconds * 1_000_000
      return pace.rest
    }
  }

  @Test func twentyLinesASecondAreReadAsTheyCome() {
    #expect(rests(every: 50, turns: 100).allSatisfy { $0 == 0 })
  }

  @Test func aHundredLinesASecondAreReadTenTimesASecond() {
    let rests = rests(every: 10, turns: 100)
    #expect(rests.first == 0)
    #expect(rests.dropFirst(6).allSatisfy { $0 == 100 })
  }

  @Test func aPauseEndsIt() {
    var pace = ReadingPace()
    for turn: Int64 in 0..<20 { pace.noteTurn(now: turn * 5_000_000) }
    #expect(pace.rest == 100)
    pace.noteTurn(now: 1_000_000_000)
    #expect(pace.rest == 0)
  }

  @Test func aClockThatIsSetDoesNotSlowItDown() {
    var pace = ReadingPace()
    pace.noteTurn(now: 1_000_000_000_000)
    pace.noteTurn(now: 1_000_000)
    #expect(pace.rest == 0)
  }
}
