// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// What is read of a single line, alone in its file.
private func read(
  _ line: String, zone: LogModel.TimeZone = .utc, modified: String = "2025-03-01T12:00:00Z"
) -> (time: String, flags: RecordFlags, severity: UInt8, quality: TimeQuality) {
  var context = FileContext.test()
  context.zone = zone
  context.modified = parseTime(modified) ?? context.modified
  let file = ParsedFile(line, context: context)
  guard file.records.count == 1 else { return ("\(file.records.count) records", [], 0, .observed) }
  let record = file.records[0]
  let time = record.timeQuality == .observed ? "none" : record.time.description
  return (time, record.flags, record.severity.number, record.timeQuality)
}

@Suite("Times in logs")
struct StampScannerTests {
  @Test(
    "a time is read in each of its forms",
    arguments: [
      ("2025-03-01 08:00:00,123", "2025-03-01T08:00:00.123Z"),
      ("2025-03-01 08:00:00.123456789", "2025-03-01T08:00:00.123456789Z"),
      ("2025-03-01T08:00:00.1Z", "2025-03-01T08:00:00.1Z"),
      ("2025-03-01T08:00:00.1234567899Z", "2025-03-01T08:00:00.123456789Z"),
      ("2025-03-01T08:00:00.999999999999Z", "2025-03-01T08:00:00.999999999Z"),
      ("2025/03/01 08:00:00:123", "2025-03-01T08:00:00.123Z"),
      ("2025/03/01 08:00:00", "2025-03-01T08:00:00Z"),
      ("2025-03-01  8:00:00", "2025-03-01T08:00:00Z"),
      ("1 Mar 2025 08:00:00,5", "2025-03-01T08:00:00.5Z"),
      ("01 Mar 2025 08:00:00.500", "2025-03-01T08:00:00.5Z"),
      ("Sat Mar 1 08:00:00 2025", "2025-03-01T08:00:00Z"),
      ("Sat Mar  1 08:00:00.000250 2025", "2025-03-01T08:00:00.00025Z"),
      ("Sat, 01 Mar 2025 08:00:00 GMT", "2025-03-01T08:00:00Z"),
      ("Sat 2025-03-01 08:00:00 UTC", "2025-03-01T08:00:00Z"),
      ("Mar 1, 2025 8:00:00 PM", "2025-03-01T20:00:00Z"),
      ("Mar 1 2025 08:00:00", "2025-03-01T08:00:00Z"),
      ("01/Mar/2025:08:00:00 +0100", "2025-03-01T07:00:00Z"),
      ("3/1/2025 8:05:09 AM", "2025-03-01T08:05:09Z"),
      ("3/1/2025 12:00:00 AM", "2025-03-01T00:00:00Z"),
      ("3/1/2025 12:20:05 PM", "2025-03-01T12:20:05Z"),
      ("3/1/2025, 8:20:05 pm", "2025-03-01T20:20:05Z"),
      ("3/1/2025 8:20:05\u{202F}PM", "2025-03-01T20:20:05Z"),
      ("2025-03-01 08:20:05PM", "2025-03-01T20:20:05Z"),
      ("2025-03-01 08:20:05 PM EST", "2025-03-02T01:20:05Z"),
      ("25/03/01 08:00:00", "2025-03-01T08:00:00Z"),
      ("[2025-03-01 08:00:01]", "2025-03-01T08:00:01Z"),
      ("Mar  1 08:00:00", "2025-03-01T08:00:00Z"),
      ("Mar  1 08:00:00.25", "2025-03-01T08:00:00.25Z"),
      ("1740816000", "2025-03-01T08:00:00Z"),
      ("1740816000.123456789", "2025-03-01T08:00:00.123456789Z"),
      ("1740816000123", "2025-03-01T08:00:00.123Z"),
      ("1740816000123456", "2025-03-01T08:00:00.123456Z"),
      ("1740816000123456789", "2025-03-01T08:00:00.123456789Z"),
      ("2025-02-28T23:59:60Z", "2025-03-01T00:00:00Z"),
    ])
  func readsForms(form: String, time: String) {
    let found = read(form + " INFO first")
    #expect(found.time == time)
    #expect(found.severity == 9)
  }

  @Test(
    "what is no time costs the time and not the record",
    arguments: [
      "2025-02-30 10:00:00", "2025-13-01 00:00:00", "2025-03-01T24:00:00Z", "2025-00-01 00:00:00",
      "2025-03-01 10:60:00", "2025-03-01 10:00:61", "2023-02-29 10:00:00", "3/1/2025 13:00:00 PM",
    ])
  func keepsRecord(form: String) {
    let found = read(form + " INFO first")
    #expect(found.time == "none")
    #expect(found.severity == 9)
  }

  @Test(
    "the hour 24 names two days, and gives no time in any format",
    arguments: [
      "Mar  1 24:00:00 web1 app[7]: x", "<13>1 2025-03-01T24:00:00Z web1 app 7 - - x",
      #"10.0.0.1 - - [01/Mar/2025:24:00:00 +0000] "GET / HTTP/1.1" 200 1"#,
      #"{"time":"2025-03-01T24:00:00Z","level":"info","msg":"x"}"#,
      #"{"log":"x\n","stream":"stdout","time":"2025-03-01T24:00:00Z"}"#,
      "2025-03-01T24:00:00Z stdout F x", "2025-03-01T24:00:00+0000 info app: [x] x",
      "2025/03/01 24:00:00 [info] 7#7: x", "2025-03-01 24:00:00 UTC [1] LOG:  x",
      "[Sat Mar 01 24:00:00.123456 2025] [core:notice] [pid 1] x", "250301 24:00:00 [Note] x",
      "03-01 24:00:00.000  123  123 I Tag: x", "I0301 24:00:00.000000       1 a.go:1] x",
      "1:M 01 Mar 2025 24:00:00.000 * x", "ts=2025-03-01T24:00:00Z level=info msg=x",
      "24:00:00 INFO x", "2025-03-01 24:00 x", "Sat Mar  1 24:00:00 2025 x",
    ])
  func twentyFour(line: String) {
    let file = ParsedFile(line + "\n" + line + "\n")
    #expect(file.records.count == 2)
    #expect(file.records.allSatisfy { $0.timeQuality == .observed })
    #expect(file.records.indices.allSatisfy(file.isFaithful))
  }

  @Test("numbers of other lengths are no time among epochs")
  func refusesOtherNumbers() {
    let file = ParsedFile(
      "1735689600 INFO a\n0 INFO b\n1234567 INFO c\n1735689600123456789000 INFO d")
    #expect(file.records.map(\.timeQuality) == [.zoned, .inherited, .inherited, .inherited])
    #expect(file.records.allSatisfy { $0.severity == .info })
  }

  @Test(
    "offsets and names of zones are understood",
    arguments: [
      ("2026-03-01T10:00:00+05:30", "2026-03-01T04:30:00Z"),
      ("2026-03-01T10:00:00-0330", "2026-03-01T13:30:00Z"),
      ("2026-03-01T10:00:00+1245", "2026-02-28T21:15:00Z"),
      ("2026-03-01T10:00:00+14:00", "2026-02-28T20:00:00Z"),
      ("2026-03-01T10:00:00-00:00", "2026-03-01T10:00:00Z"),
      ("2026-03-01T10:00:00+01", "2026-03-01T09:00:00Z"),
      ("2026-03-01T10:00:00\u{2212}01:00", "2026-03-01T11:00:00Z"),
      ("2026-03-01T10:00:00+01:00[Europe/Berlin]", "2026-03-01T09:00:00Z"),
      ("2026-03-01T10:00:00z", "2026-03-01T10:00:00Z"),
      ("2026-03-01 10:00:00 +0530", "2026-03-01T04:30:00Z"),
      ("2026-03-01 10:00:00 UTC", "2026-03-01T10:00:00Z"),
      ("2026-08-14 09:30:00 CET", "2026-08-14T08:30:00Z"),
      ("2026-08-14 09:30:00 CEST", "2026-08-14T07:30:00Z"),
      ("2026-08-14 09:30:00 EDT", "2026-08-14T13:30:00Z"),
      ("2026-02-14 09:30:00 PST", "2026-02-14T17:30:00Z"),
      ("2026-02-14 09:30:00 JST", "2026-02-14T00:30:00Z"),
      ("2026-02-14 09:30:00 PKT", "2026-02-14T04:30:00Z"),
      ("2026-02-14 09:30:00 NZDT", "2026-02-13T20:30:00Z"),
      ("Fri 2026-05-01 10:00:00 -03 web1", "2026-05-01T13:00:00Z"),
      ("Fri May  1 10:00:00 -03 2026", "2026-05-01T13:00:00Z"),
      ("Fri May  1 10:00:00 PM CEST 2026", "2026-05-01T20:00:00Z"),
      ("Fri 01 May 2026 10:00:00 AM +0545", "2026-05-01T04:15:00Z"),
      ("2026-122T10:00:00Z", "2026-05-02T10:00:00Z"),
      ("2026-03-01 10:00:00 -10 degrees", "2026-03-01T09:00:00Z"),
      ("2026-03-01 10:00:00 GET /index", "2026-03-01T09:00:00Z"),
      ("2026-03-01 10:00:00 ALERT disk", "2026-03-01T09:00:00Z"),
    ])
  func readsZones(text: String, time: String) throws {
    let found = read(text + " x", zone: try zone("Europe/Berlin"))
    #expect(found.time == time)
    #expect(!found.flags.contains(.zoneUnknown))
  }

  @Test(
    "an ambiguous or unknown zone gives no time and says so",
    arguments: ["CST", "IST", "BST", "QQT", "EST5EDT"])
  func refusesZones(name: String) throws {
    let found = read("2024-08-14 09:30:00 \(name) INFO x", zone: try zone("Europe/Berlin"))
    #expect(found.time == "none")
    #expect(found.flags.contains(.zoneUnknown))
    #expect(found.severity == 9)
  }

  @Test("an ambiguous zone counts where the source's own zone uses it")
  func readsOwnZone() throws {
    let chicago = try zone("America/Chicago")
    #expect(read("2024-02-14 09:30:00 CST INFO", zone: chicago).time == "2024-02-14T15:30:00Z")
    #expect(read("2024-08-14 09:30:00 CST INFO", zone: chicago).time == "none")
    #expect(read("2024-08-14 09:30:00 INFO x", zone: chicago).time == "2024-08-14T14:30:00Z")
    let london = try zone("Europe/London")
    #expect(read("2024-08-14 09:30:00 BST INFO", zone: london).time == "2024-08-14T08:30:00Z")
  }

  @Test("a JSON number is a time by its magnitude, without rounding")
  func readsNumbers() {
    let rows = [
      (#"{"ts":1735689600123456789,"msg":"a"}"#, "2025-01-01T00:00:00.123456789Z"),
      (#"{"ts":1735689600.5,"msg":"b"}"#, "2025-01-01T00:00:00.5Z"),
      (#"{"ts":1735689600.1234567899,"msg":"b"}"#, "2025-01-01T00:00:00.123456789Z"),
      (#"{"ts":1735689600123.25,"msg":"b"}"#, "2025-01-01T00:00:00.12325Z"),
      (#"{"ts":"1735689600123","msg":"b"}"#, "2025-01-01T00:00:00.123Z"),
      (#"{"ts":-1.5,"msg":"b"}"#, "1969-12-31T23:59:58.5Z"),
      (#"{"ts":0,"msg":"e"}"#, "1970-01-01T00:00:00Z"),
      (#"{"ts":99999999999999999999,"msg":"e"}"#, "none"),
      (#"{"ts":1e9,"msg":"e"}"#, "none"),
    ]
    for (line, time) in rows { #expect(read(line).time == time, "\(line)") }
    #expect(read(#"{"ts":0,"msg":"e"}"#).flags == .timeSuspect)
    #expect(read(#"{"ts":1735689600,"msg":"e"}"#).flags == [])
  }
}
