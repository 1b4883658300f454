// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

@Suite("logagent retime")
struct RetimeTests {
  private let folder: TemporaryDirectory
  private let state: String

  init() throws {
    folder = try TemporaryDirectory()
    state = folder.file("state")
  }

  @discardableResult
  private func run(_ words: String...) throws -> ProgramRun {
    try ProgramRun(
      "logagent", words + ["--state-dir", state], environment: ["TZ": "UTC", "HOME": folder.path])
  }

  /// `HH:MM` of the records, in the order of the file.
  private func times() throws -> String {
    try Store.text(
      state,
      """
      SELECT group_concat(substr(time, 6, 11), ' ')
      FROM (SELECT time FROM logs ORDER BY file_generation, byte_offset)
      """)
  }

  private func originals() throws -> String {
    try Store.text(
      state,
      """
      SELECT group_concat(original, '|')
      FROM (SELECT original FROM logs ORDER BY file_generation, byte_offset)
      """)
  }

  // Winter, spring's gap (02:30 does not exist), summer, and autumn's hour that comes twice.
  private let lines = [
    "2025-01-15 12:00:00 INFO winter", "2025-03-30 01:59:00 INFO before", "a line without a time",
    "2025-03-30 03:01:00 INFO after", "2025-07-15 12:00:00 INFO summer",
    "2025-10-26 02:30:00 INFO first", "2025-10-26 02:31:00 INFO first",
    "2025-10-26 02:01:00 INFO second", "2025-10-26 03:00:00 INFO end",
    "2025-11-01 12:00:00+0000 INFO zoned",
  ]

  @Test("moves times that have no zone, in summer and winter, and leaves the text alone")
  func move() throws {
    // Enough of one kind that their texts are stored as one frame.
    let many = (10..<60).map { "2025-06-01 08:\($0):00 INFO user 7 came in" }
    try folder.write("app.log", (lines + many).joined(separator: "\n") + "\n")
    #expect(try run("import", folder.file("app.log")).status == 0)
    let before = (times: try times(), originals: try originals())
    #expect(
      try Store.text(state, "SELECT count(*) > 30 FROM record WHERE frame IS NOT NULL") == "1")

    let trial = try run("retime", "--source", "app", "--zone", "Europe/Berlin", "--dry-run")
    #expect(trial.status == 0)
    #expect(trial.text.contains("times would move by -2 h to -1 h, from UTC to Europe/Berlin"))
    #expect(try times() == before.times)

    #expect(try run("retime", "-s", "app", "-z", "Europe/Berlin").status == 0)
    let expected = [
      "01-15T11:00", "03-30T00:59", "03-30T01:01", "07-15T10:00", "10-26T00:30", "10-26T00:31",
      "10-26T01:01", "10-26T02:00", "11-01T12:00", "06-01T06:10", "06-01T06:11",
    ]
    #expect(try times().hasPrefix(expected.joined(separator: " ")))
    #expect(try originals() == before.originals)
    #expect(
      try Store.text(
        state,
        """
        SELECT (SELECT sum(records) FROM histogram) = (SELECT count(*) FROM record)
          AND NOT EXISTS (SELECT 1 FROM histogram WHERE records < 0)
          AND EXISTS (SELECT 1 FROM histogram WHERE time LIKE '2025-06-01T06:10%')
        """) == "1")
  }

  @Test("moves nothing twice, also from one wrong zone to another, and back")
  func twice() throws {
    try folder.write("app.log", lines.joined(separator: "\n") + "\n")
    try run("import", folder.file("app.log"))
    let before = try times()
    try run("retime", "-s", "app", "-z", "Europe/Berlin")
    let berlin = try times()
    let again = try run("retime", "-s", "app", "-z", "Europe/Berlin")
    #expect(again.status == 1)
    #expect(try times() == berlin)
    try run("retime", "-s", "app", "-z", "America/New_York")
    #expect(try times().hasPrefix("01-15T17:00 "))
    try run("retime", "-s", "app", "-z", "Europe/Berlin")
    #expect(try times() == berlin)
    try run("retime", "-s", "app", "-z", "UTC")
    #expect(try times() == before)
  }

  @Test("works beside a running agent, whose later records are those of its own zone")
  func besideAgent() throws {
    try folder.write("logs/app.log", lines.joined(separator: "\n") + "\n")
    let agent = try RunningAgent([folder.file("logs")], state: state, environment: ["TZ": "UTC"])
    #expect(agent.wait(for: "9", "SELECT count(*) FROM logs") == "9")
    #expect(try run("retime", "-s", "app", "-z", "Europe/Berlin").status == 0)
    try folder.append("logs/app.log", "2025-11-02 12:00:00 INFO new\n")
    #expect(agent.wait(for: "10", "SELECT count(*) FROM logs") == "10")
    #expect(try times().hasSuffix("11-02T12:00"))
    // Only the new one is still to be moved.
    #expect(
      try run("retime", "-s", "app", "-z", "Europe/Berlin").text.contains("1 of 10 times moved"))
    #expect(try times().hasPrefix("01-15T11:00") && times().hasSuffix("11-02T11:00"))
    #expect(agent.stop() == 0)
  }

  @Test("says what is wrong with its arguments")
  func mistakes() throws {
    try folder.write("app.log", lines.joined(separator: "\n") + "\n")
    try run("import", folder.file("app.log"))
    #expect(try run("retime", "--source", "app").status == 64)
    let source = try run("retime", "-s", "apq", "-z", "UTC")
    #expect(source.status == 1 && source.text.contains("did you mean 'app'?"))
    let zone = try run("retime", "-s", "app", "-z", "Europe/Berlln")
    #expect(zone.status == 64 && zone.text.contains("is no time zone"))
  }

  @Test("moves crashes and runs that only its lines tell of")
  func crashes() throws {
    try folder.write(
      "sys.log",
      """
      Mar  1 10:00:00 web1 systemd[1]: Started shop.
      Mar  1 10:00:01 web1 kernel: [ 12.3] shop[42]: segfault at 0 ip 0055 sp 007f error 4 in shop[55+1]

      """)
    #expect(try run("import", folder.file("sys.log")).status == 0)
    let ends = """
      SELECT substr(c.time, 12, 8) || ' ' || substr(r."end", 12, 8)
      FROM crashes c JOIN runs r ON r.crash_id = c.id
      """
    #expect(try Store.text(state, ends) == "10:00:01 10:00:01")
    #expect(try run("retime", "-s", "sys", "-z", "Europe/Berlin").status == 0)
    #expect(try Store.text(state, ends) == "09:00:01 09:00:01")
  }
}
