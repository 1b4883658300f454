// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import Testing

@Suite("A time layout")
struct TimeLayoutTests {
  /// Reads `text` as the time of a record whose format has `layout`.
  private func read(_ layout: String, _ text: String) throws -> LogRecord {
    var definition = UserFormatDefinition(name: "t", place: "test")
    definition.patterns = ["<(?<time>[^>]*)>"]
    definition.timeLayouts = [layout]
    let file = try ParsedFile("<\(text)>", formats: [definition])
    return try #require(file.records.first)
  }

  @Test(
    "reads what strptime reads, and fractions, epochs and zones",
    arguments: [
      ("%Y-%m-%d %H:%M:%S", "2026-03-01 10:00:00", "2026-03-01T10:00:00Z"),
      ("%Y-%m-%dT%H:%M:%S.%f%z", "2026-03-01T10:00:00.123456+0100", "2026-03-01T09:00:00.123456Z"),
      ("%Y-%m-%dT%H:%M:%S%z", "2026-03-01T10:00:00Z", "2026-03-01T10:00:00Z"),
      ("%d.%m.%Y, %H:%M:%S,%L", "01.03.2026, 10:00:00,5", "2026-03-01T10:00:00.5Z"),
      ("%d/%b/%Y:%T %z", "01/MAR/2026:10:00:00 -0330", "2026-03-01T13:30:00Z"),
      ("%A, %B %e, %Y %l:%M:%S %p", "Sunday, March  1, 2026  1:00:00 PM", "2026-03-01T13:00:00Z"),
      ("%a %b %d %H:%M:%S %Z %Y", "Sun Mar 01 10:00:00 CET 2026", "2026-03-01T09:00:00Z"),
      ("%I:%M %p %D", "12:05 a.m. 03/01/26", "2026-03-01T00:05:00Z"),
      ("%y%m%d %H%M%S", "690301 100000", "1969-03-01T10:00:00Z"),
      ("%y%m%d %H%M%S", "680301 100000", "2068-03-01T10:00:00Z"),
      ("%Y%m%d%H%M%S", "20260301100000", "2026-03-01T10:00:00Z"),
      ("%Y.%j %R", "2024.060 10:00", "2024-02-29T10:00:00Z"),
      ("%s", "1772359200", "2026-03-01T10:00:00Z"),
      ("%s.%N", "1772359200.000000001", "2026-03-01T10:00:00.000000001Z"),
      ("%i", "1772359200123", "2026-03-01T10:00:00.123Z"),
      ("%6", "1772359200123456", "2026-03-01T10:00:00.123456Z"),
      ("%9", "1772359200123456789", "2026-03-01T10:00:00.123456789Z"),
      ("%i", "-500", "1969-12-31T23:59:59.5Z"),
      ("%q", "69a40e20", "2026-03-01T10:00:00Z"),
      ("%@", "@4000000069a40e2a00000000", "2026-03-01T10:00:00Z"),
      ("%F %H:%M:%S.%f", "2026-03-01 10:00:00.1234567899", "2026-03-01T10:00:00.123456789Z"),
      ("%% %F %T", "% 2026-03-01 10:00:00", "2026-03-01T10:00:00Z"),
    ])
  func reads(_ layout: String, _ text: String, _ expected: String) throws {
    let record = try read(layout, text)
    #expect(parseTime(expected) == record.time)
    #expect(record.timeQuality.rawValue <= TimeQuality.assumedZone.rawValue)
  }

  @Test(
    "gives no time to a text that does not follow it, or names a time that does not exist",
    arguments: [
      ("%Y-%m-%d %H:%M:%S", "2026-03-01 10:00"), ("%Y-%m-%d", "2026-03-01 10:00"),
      ("%Y-%m-%d", "2026-02-30"), ("%H:%M:%S", "25:00:00"), ("%I:%M %p", "13:00 PM"),
      ("%d %b %Y", "01 Mär 2026"), ("%d %b %Y", "01 ma 2026"), ("%s", "99999999999999999"),
      ("%z %F", "+25:99 2026-03-01"), ("%@", "@400000006"), ("%Y.%j", "2026.400"), ("%Y", ""),
    ])
  func refuses(_ layout: String, _ text: String) throws {
    guard let record = try? read(layout, text) else { return }
    #expect(record.timeQuality == .observed)
  }

  @Test("infers a year and a date that it leaves out")
  func infers() throws {
    let record = try read("%b %d %H:%M:%S", "Nov 30 02:59:59")
    #expect(record.time.description == "2026-11-30T02:59:59Z")
    #expect(record.timeQuality == .inferredYear)
    #expect(try read("%H:%M:%S", "10:00:00").timeQuality == .inferredYear)
  }

  @Test(
    "says what is wrong with it",
    arguments: [
      ("%Y-%Q", "time layout '%Y-%Q': unknown directive %Q"),
      ("%Y-%m-%d %", "% without a letter, at character 10"),
      ("%Y %H", "a year needs a month and a day"), ("%m %H", "a month and a day need each other"),
      ("%j", "%j needs a year"), ("plain", "no date, no time of day and no epoch"),
    ])
  func errors(_ layout: String, _ message: String) throws {
    let error = #expect(throws: TimeLayoutError.self) { try TimeLayout(layout) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
