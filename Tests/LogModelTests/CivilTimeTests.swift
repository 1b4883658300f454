// SPDX-License-Identifier: Apache-2.0

import LogModel
import Testing

@Suite struct CivilTimeTests {
  @Test(
    "a timestamp prints as RFC 3339 with as many decimals as it has",
    arguments: [
      (0, "1970-01-01T00:00:00Z"),
      (1_735_689_600_123_456_789, "2025-01-01T00:00:00.123456789Z"),
      (1_735_689_600_500_000_000, "2025-01-01T00:00:00.5Z"),
      (-1, "1969-12-31T23:59:59.999999999Z"),
      (951_782_400_000_000_000, "2000-02-29T00:00:00Z"),
    ] as [(Int64, String)])
  func prints(nanoseconds: Int64, text: String) {
    #expect(Timestamp(nanoseconds: nanoseconds).description == text)
  }

  @Test func everyDayOfFourCenturiesComesBack() {
    for day in stride(from: -146_097, through: 146_097, by: 1) {
      let date = CivilTime.date(daysSince1970: day)
      #expect(
        CivilTime.daysSince1970(year: date.year, month: date.month, day: date.day) == day)
    }
  }

  @Test func impossibleDatesAreNotValid() {
    #expect(!CivilTime(year: 2025, month: 2, day: 29).isValid)
    #expect(!CivilTime(year: 2025, month: 13, day: 1).isValid)
    #expect(!CivilTime(year: 2025, month: 1, day: 1, hour: 24).isValid)
    #expect(CivilTime(year: 2024, month: 2, day: 29, second: 60).isValid)
  }

  @Test func timesBeyondTheRangeOfNanosecondsAreNone() {
    #expect(CivilTime(year: 2300, month: 1, day: 1).timestamp() == nil)
    #expect(CivilTime(year: 2262, month: 4, day: 11).timestamp() != nil)
  }
}
