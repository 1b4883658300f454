// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogQuery
internal import LogagentCLI
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("logagent show")
struct ShowTests {
  private let fixture: CommandLineFixture
  // 2025-03-01T16:00:00Z
  private let base: Int64 = 1_740_844_800_000_000_000

  init() throws {
    fixture = try CommandLineFixture()
    let sample = fixture.sample
    try sample.addFile(2, source: "web", path: "/var/log/web.log")
    try sample.addRecord(base + 2_000_000_000, "later", severity: .warn, file: 2)
    try sample.addRecord(
      base, "start\n  with more", process: "api", pid: 7, attributes: "{\"a\":\"b\\u001b\"}")
    try sample.addRecord(base, "same time \u{1b}[31mred", severity: .error, file: 2)
    try sample.addRecord(base + 1, "Debug", severity: .debug, process: "worker")
  }

  @Test("orders by time, then by source, and indents further lines")
  func order() {
    #expect(
      fixture.run("show").output == """
        2025-03-01T16:00:00.000Z INFO  app api[7]: start
              with more
        2025-03-01T16:00:00.000Z ERROR web: same time \\x1b[31mred
        2025-03-01T16:00:00.000Z DEBUG app worker: Debug
        2025-03-01T16:00:02.000Z WARN  web: later

        """)
  }

  @Test(
    "filters",
    arguments: [
      (["--severity", "warn"], "same time \\x1b[31mred|later|"),
      (["--source=app"], "start\n  with more|Debug|"),
      (["--source=app", "--source=web", "-n1"], "later|"),
      (["--process", "api"], "start\n  with more|"),
      (["--process", "7"], "start\n  with more|"), (["--grep", "debug"], "Debug|"),
      (["--grep", "^DEBUG"], ""), (["-n", "2"], "Debug|later|"),
      (["--since", "2025-03-01T16:00:00.000000001Z"], "Debug|later|"),
      (
        ["--until", "2025-03-01T16:00:00.000000001Z", "--since=2025-03-01T16:00:00.000000001Z"],
        "Debug|"
      ),
      (["--since", "2025-03-01T16:00:02.000000001Z"], ""), (["-n0"], ""),
    ])
  func filters(_ flags: [String], _ expected: String) {
    let result = fixture.run(["show", "-o", "cat"] + flags)
    let bodies = result.output.replacing("\n  with", with: "\u{0}").replacing("\n", with: "|")
      .replacing("\u{0}", with: "\n  with")
    #expect(bodies == expected)
    #expect(result.status == (expected.isEmpty ? .nothingFound : .ok))
  }

  @Test("writes JSON with OpenTelemetry's names")
  func json() throws {
    let result = fixture.run("show", "-ojson", "-n4")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4)
    let first = try #require(
      try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
    #expect(first["time_unix_nano"] as? String == String(base))
    #expect(first["severity_number"] as? Int == 9)
    #expect(first["body"] as? String == "start\n  with more")
    #expect((first["attributes"] as? [String: String]) == ["a": "b\u{1b}"])
    #expect(first["source"] as? String == "app")
    #expect(first["process"] as? String == "api")
    #expect(first["byte_offset"] as? Int != nil)
    #expect(!result.output.utf8.contains(0x1b))
  }

  @Test("shows what was logged in full, and every field verbosely")
  func full() {
    let output = fixture.run("show", "-ofull", "--process=api").output
    #expect(output.hasPrefix("2025-03-01T16:00:00Z (record 2)\n    severity = info\n"))
    #expect(output.contains("    body = start\n          with more\n"))
    #expect(output.contains("    log_file_path = /var/log/app.log\n"))
    #expect(!output.contains("byte_offset"))
    let verbose = fixture.run("show", "-o", "verbose", "--process=api").output
    #expect(verbose.hasPrefix(output.prefix(100)))
    #expect(verbose.contains("    byte_offset = ") && verbose.contains("    original = "))
  }

  @Test("aligns, wraps and heads lines on a terminal")
  func terminal() throws {
    fixture.output.isTerminal = true
    fixture.output.columns = 60
    fixture.environment["NO_COLOR"] = "1"
    try fixture.sample.addRecord(
      base + 86_400_000_000_000, "one two three four five six seven eight nine", process: "worker")
    #expect(
      fixture.run("show").output == """
        Sat 2025-03-01 UTC
        16:00:00.000 INFO  app api[7] start
                             with more
        16:00:00.000 ERROR web        same time \\x1b[31mred
        16:00:00.000 DEBUG app worker Debug
        16:00:02.000 WARN  web        later

        Sun 2025-03-02 UTC
        16:00:00.000 INFO  app worker one two three four five six
                                      seven eight nine

        """)
  }

  @Test("shows long output in the pager, on a terminal and unless told not to")
  func pager() {
    var starts = 0
    fixture.startPager = { starts += 1 }
    _ = fixture.run("show")
    #expect(starts == 0)
    fixture.output.isTerminal = true
    _ = fixture.run("show")
    #expect(starts == 1)
    _ = fixture.run("show", "--no-pager")
    fixture.shouldStop = { true }
    _ = fixture.run("show", "-f")
    #expect(starts == 1)
  }

  @Test("uses colours on a terminal only, and not with NO_COLOR")
  func colors() {
    fixture.output.isTerminal = true
    #expect(fixture.run("show").output.contains("\u{1b}[31mERROR\u{1b}[0m"))
    fixture.environment["NO_COLOR"] = "1"
    #expect(!fixture.run("show").output.utf8.contains(0x1b))
  }

  @Test("follows until it is stopped")
  func follow() throws {
    var looks = 0
    fixture.pause = { milliseconds in
      looks += 1
      #expect(milliseconds == 200)
      _ = try? fixture.sample.addRecord(base + Int64(looks), "new \(looks)")
      if looks == 2 { _ = try? fixture.sample.addRecord(base, "new first") }
    }
    fixture.shouldStop = { looks > 2 }
    let result = fixture.run("show", "-f", "-ocat", "-n1")
    #expect(result.output.hasPrefix("later\nnew 1\nnew first\nnew 2\n"))
    #expect(result.status == .ok)
  }
}
