// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import Testing

@testable import Pipeline

@Suite("The agent's own log")
struct RateLimitTests {
  private func at(_ seconds: Int64) -> Timestamp { Timestamp(nanoseconds: seconds * 1_000_000_000) }

  @Test("tells so many events of a kind, then how many it left out")
  func limit() {
    var limit = RateLimit()
    for _ in 0..<RateLimit.most {
      #expect(limit.admit("a", at: at(1)) == .init(isAdmitted: true, suppressed: 0))
    }
    for _ in 0..<5 {
      #expect(limit.admit("a", at: at(2)) == .init(isAdmitted: false, suppressed: 0))
    }
    // Another kind is not concerned.
    #expect(limit.admit("b", at: at(2)).isAdmitted)
    #expect(limit.admit("a", at: at(12)) == .init(isAdmitted: true, suppressed: 5))
    #expect(limit.admit("a", at: at(13)) == .init(isAdmitted: true, suppressed: 0))
  }

  @Test("goes on when the clock is set back")
  func clock() {
    var limit = RateLimit()
    for _ in 0...RateLimit.most { _ = limit.admit("a", at: at(100)) }
    #expect(limit.admit("a", at: at(50)) == .init(isAdmitted: true, suppressed: 1))
  }
}
