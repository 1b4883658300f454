// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogagentCLI
internal import TestSupport
internal import Testing

@Suite("A time on the command line")
struct TimeArgumentTests {
  // 2026-11-30T12:00:00.5Z
  private static let now = Timestamp(nanoseconds: 1_796_040_000_500_000_000)
  /// One hour east, always.
  private static let zone = LocalZone(
    civil: { CivilTime(utc: Timestamp(nanoseconds: $0.nanoseconds + 3_600_000_000_000)) },
    timestamp: { $0.timestamp(utcOffset: 3600) })

  @Test(
    "is an instant",
    arguments: [
      ("now", "2026-11-30T12:00:00.5Z"), ("today", "2026-11-29T23:00:00Z"),
      ("yesterday", "2026-11-28T23:00:00Z"), ("tomorrow", "2026-11-30T23:00:00Z"),
      ("2h", "2026-11-30T10:00:00.5Z"), ("30m", "2026-11-30T11:30:00.5Z"),
      ("3d", "2026-11-27T12:00:00.5Z"), ("1h30m", "2026-11-30T10:30:00.5Z"),
      ("-2h", "2026-11-30T10:00:00.5Z"), ("2h ago", "2026-11-30T10:00:00.5Z"),
      ("2025-03-01", "2025-02-28T23:00:00Z"), ("2025-03-01 16:00", "2025-03-01T15:00:00Z"),
      ("2025-03-01T16:00:00", "2025-03-01T15:00:00Z"),
      ("2025-03-01T16:00:00.5Z", "2025-03-01T16:00:00.5Z"),
      ("2025-03-01T17:00:00.5+01:00", "2025-03-01T16:00:00.5Z"),
      ("2025-03-01T12:30:00-0330", "2025-03-01T16:00:00Z"),
      ("2025-03-01T16:00:00.123456789z", "2025-03-01T16:00:00.123456789Z"),
      ("2025-03-01 16:00:00,25Z", "2025-03-01T16:00:00.25Z"), ("09:15", "2026-11-30T08:15:00Z"),
      ("@0", "1970-01-01T00:00:00Z"), ("@1740844800.5", "2025-03-01T16:00:00.5Z"),
      ("@-1.5", "1969-12-31T23:59:58.5Z"), ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"),
    ])
  func instants(_ text: String, _ expected: String) {
    #expect(TimeArgument.parse(text, now: Self.now, zone: Self.zone)?.description == expected)
  }

  @Test(
    "is nothing else",
    arguments: [
      "yesterdayish", "", "2025-02-30T00:00:00Z", "2025-13-01", "2025-03-01T24:00:00Z", "2h3",
      "2025-03-01T16:00:00X", "2025-03-01T16:00:00+99:00", "2025-03-01Z16", "12", "@", "@x", "@1.",
      "h", "-", "2025-3-1", "25:00", "@99999999999999999999", "2025-03-01T16:00:00.Z",
      "9999999999d",
    ])
  func nonsense(_ text: String) {
    #expect(TimeArgument.parse(text, now: Self.now, zone: Self.zone) == nil)
  }

  @Test("that is nonsense is quoted", arguments: ["yesterdayish", "2025-02-30T00:00:00Z"])
  func quoted(_ text: String) throws {
    let result = try CommandLineFixture().run("show", "--since", text)
    #expect(result.status == .usage)
    #expect(result.errors.hasPrefix("logagent: --since: '\(text)' is no time; write 2h, "))
  }

  @Test("must not be later than the end of the range")
  func order() throws {
    let result = try CommandLineFixture().run("show", "--since", "1h", "--until", "2h")
    #expect(result.status == .usage)
    #expect(result.errors.contains("is later than --until"))
  }

  @Test("in the host's zone goes there and back")
  func hostZone() {
    for nanoseconds: Int64 in [0, 1_796_040_000_500_000_000, 1_751_000_000_000_000_000] {
      let civil = LocalZone.host.civil(Timestamp(nanoseconds: nanoseconds))
      #expect(LocalZone.host.timestamp(civil)?.nanoseconds == nanoseconds)
    }
  }
}
