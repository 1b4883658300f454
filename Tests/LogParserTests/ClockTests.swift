// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

@Suite("Years, days and offsets that the text leaves out")
struct ClockTests {
  private func times(
    _ lines: [String], modified: String, zone: LogModel.TimeZone = .utc, now: String? = nil
  ) -> [String] {
    var context = FileContext.test(zone: zone)
    context.modified = parseTime(modified) ?? context.modified
    context.now = now.flatMap(parseTime) ?? context.modified
    return ParsedFile(lines.joined(separator: "\n"), context: context).records.map {
      $0.time.description
    }
  }

  @Test(
    "a time without year gets it from the file's last change and from order",
    arguments: [
      (
        "2024-01-02T08:00:00Z", ["Dec 30 10:00:00", "Dec 31 23:59:59", "Jan  1 00:00:00"],
        ["2023-12-30T10:00:00Z", "2023-12-31T23:59:59Z", "2024-01-01T00:00:00Z"]
      ),
      (
        "2023-02-01T00:00:00Z",
        [
          "Oct  5 01:00:00", "Jan 20 02:00:00", "May  7 03:00:00", "Oct 30 03:30:00",
          "Jan 31 04:00:00",
        ],
        [
          "2021-10-05T01:00:00Z", "2022-01-20T02:00:00Z", "2022-05-07T03:00:00Z",
          "2022-10-30T03:30:00Z", "2023-01-31T04:00:00Z",
        ]
      ),
      (
        "2024-05-10T12:00:00Z", ["May 10 11:00:00", "May  9 23:00:00", "May 10 11:59:00"],
        ["2024-05-10T11:00:00Z", "2024-05-09T23:00:00Z", "2024-05-10T11:59:00Z"]
      ),
      (
        "2024-03-01T00:10:00Z", ["Feb 29 12:00:00.250", "Mar  1 00:00:00"],
        ["2024-02-29T12:00:00.25Z", "2024-03-01T00:00:00Z"]
      ),
      (
        "2016-01-22T08:00:00Z", ["Mar 11 00:00:00", "Jan 22 07:53:01", "Jan 22 07:54:01"],
        ["2015-03-11T00:00:00Z", "2016-01-22T07:53:01Z", "2016-01-22T07:54:01Z"]
      ),
      (
        "2026-03-01T00:00:02Z", ["Feb 28 10:00:00", "Feb 29 12:00:00", "Mar  1 00:00:00"],
        ["2026-02-28T10:00:00Z", "2024-02-29T12:00:00Z", "2026-03-01T00:00:00Z"]
      ),
    ])
  func infersYears(modified: String, stamps: [String], expected: [String]) {
    let lines = stamps.map { $0 + " host app[7]: text" }
    #expect(times(lines, modified: modified) == expected)
  }

  @Test("years go on when the file grows")
  func goesOnThroughYears() {
    let stamps = [
      "Jan  2 07:59:59", "Jun 15 10:00:00", "Oct  1 10:00:00", "Dec 31 23:59:58", "Jan  1 00:00:01",
    ]
    var context = FileContext.test()
    context.modified = Timestamp(seconds: 1_704_182_400) ?? context.modified
    var parser = RecordParser(file: context)
    Array("Jan  2 07:59:59 host app[7]: x\n".utf8).withUnsafeBufferPointer {
      parser.detect(sample: $0)
    }
    let arena = ByteArena(capacity: 4096)
    var found: [String] = []
    for stamp in stamps {
      let start = arena.count
      arena.append(stamp + " host app[7]: x")
      var record = LogRecord()
      record.observedTime = Timestamp(seconds: 1_740_000_000) ?? context.now
      parser.parse(
        ByteSlice(start: start, count: arena.count - start), in: arena, into: &record)
      found.append(record.time.description)
    }
    #expect(
      found == [
        "2024-01-02T07:59:59Z", "2024-06-15T10:00:00Z", "2024-10-01T10:00:00Z",
        "2024-12-31T23:59:58Z", "2025-01-01T00:00:01Z",
      ])
  }

  @Test("a time without date gets the file's day, and the next one past midnight")
  func infersDays() {
    let lines = ["21:40:07.300412 NOTE start", "23:59:59 NOTE late", "00:00:01 NOTE next"]
    let found = times(lines, modified: "2023-06-09T00:00:02Z")
    #expect(
      found == ["2023-06-08T21:40:07.300412Z", "2023-06-08T23:59:59Z", "2023-06-09T00:00:01Z"])
  }

  @Test("a time without date counts all midnights of its file back from its last change")
  func infersSeveralDays() {
    let lines = [
      "18:00:00 NOTE day one", "23:59:59 NOTE late", "00:00:01 NOTE day two",
      "23:59:58 NOTE written late", "17:00:00 NOTE evening", "09:00:00 NOTE day three",
      "08:59:58 NOTE another thread", "10:00:00 NOTE end", "",
    ]
    #expect(
      times(lines, modified: "2023-06-09T10:00:00Z") == [
        "2023-06-07T18:00:00Z", "2023-06-07T23:59:59Z", "2023-06-08T00:00:01Z",
        "2023-06-07T23:59:58Z", "2023-06-08T17:00:00Z", "2023-06-09T09:00:00Z",
        "2023-06-09T08:59:58Z", "2023-06-09T10:00:00Z",
      ])
  }

  @Test("a clock that falls without a midnight makes no day of the future")
  func inventsNoDay() {
    let lines = (0..<6).flatMap { _ in ["12:00:00 NOTE of one zone", "09:00:00 NOTE of another"] }
    let found = times(lines, modified: "2023-06-09T12:00:00Z")
    #expect(found.allSatisfy { $0 <= "2023-06-09T12:00:00Z" })
  }

  @Test("the repeated hour takes the second offset once the clock has gone back")
  func readsRepeatedHour() throws {
    let lines = [
      "2026/10/25 02:59:58 [error] 7#7: a", "2026/10/25 02:59:59 [error] 7#7: b",
      "2026/10/25 02:00:00 [error] 7#7: c", "2026/10/25 02:30:00 [error] 7#7: d",
      "2026/10/25 03:00:00 [error] 7#7: e",
    ]
    let found = times(lines, modified: "2026-10-25T02:00:00Z", zone: try zone("Europe/Berlin"))
    #expect(
      found == [
        "2026-10-25T00:59:58Z", "2026-10-25T00:59:59Z", "2026-10-25T01:00:00Z",
        "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z",
      ])
  }

  @Test("a skipped hour takes the offset before it")
  func readsSkippedHour() throws {
    let found = times(
      ["2026-03-29 02:30:00 INFO x"], modified: "2026-03-29T02:00:00Z",
      zone: try zone("Europe/Berlin"))
    #expect(found == ["2026-03-29T01:30:00Z"])
  }

  @Test("a time far ahead of its arrival is suspect, and kept")
  func flagsFuture() {
    let file = ParsedFile(
      "2026-03-03T10:00:00Z INFO a\n2026-03-01T10:00:00Z INFO b",
      context: .test(now: 1_772_359_200))
    #expect(file.records.map { $0.flags.contains(.timeSuspect) } == [true, false])
    #expect(file.records[0].time.description == "2026-03-03T10:00:00Z")
  }

  @Test("a record without time inherits the last one")
  func inherits() {
    let file = ParsedFile(
      "first\n2026-03-01T10:00:00Z INFO a\nlast",
      context: .test(multiline: .off))
    #expect(file.records.map(\.timeQuality) == [.observed, .zoned, .inherited])
    #expect(file.records[2].time == file.records[1].time)
  }
}
