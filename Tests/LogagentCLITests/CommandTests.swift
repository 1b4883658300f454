// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogQuery
internal import LogagentCLI
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("logagent")
struct CommandTests {
  private let fixture: CommandLineFixture
  private let base: Int64 = 1_740_844_800_000_000_000

  init() throws { fixture = try CommandLineFixture() }

  @Test("query reads SQL from standard input")
  func standardInput() {
    fixture.input = "SELECT count(*) AS n\nFROM logs;\n"
    #expect(fixture.run("query", "-").output == "n\n0\n")
  }

  @Test(
    "query ends with the status of its error",
    arguments: [
      ("SELECT nope", LogagentCLI.ExitStatus.dataError), ("DELETE FROM record", .notAllowed),
      ("SELECT 1; SELECT 2", .notAllowed),
    ])
  func queryErrors(_ sql: String, _ status: LogagentCLI.ExitStatus) {
    let result = fixture.run("query", sql)
    #expect(result.status == status)
    #expect(result.errors.hasPrefix("logagent: "))
    #expect(result.output == "")
  }

  @Test("ends quietly when the reader goes, and loudly when the disk is full")
  func outputErrors() {
    fixture.output.failure = OutputError(
      name: "standard output", reason: "Broken pipe", isClosed: true)
    var result = fixture.run("query", "SELECT 1")
    #expect(result.status == .ok)
    #expect(result.errors == "")
    fixture.output.failure = OutputError(
      name: "standard output", reason: "No space left on device", isClosed: false)
    result = fixture.run("query", "SELECT 1")
    #expect(result.status == .inputOutput)
    #expect(
      result.errors == "logagent: standard output: cannot write: No space left on device\n")
  }

  @Test("says how to make a store when there is none")
  func noStore() {
    for command in [["query", "SELECT 1"], ["show"], ["crashes"], ["status"]] {
      let result = fixture.run(command + ["--state-dir", fixture.folder.file("none")])
      #expect(result.status == .noInput)
      #expect(result.errors.contains("none/logs.db: there is no store yet; 'logagent run' or"))
    }
  }

  @Test("a file of --database that is not there is told as that")
  func noDatabase() {
    let result = fixture.run("query", "SELECT 1", "--database", "/none.db")
    #expect(result.status == .noInput)
    #expect(result.errors == "logagent: /none.db: no such file\n")
  }

  @Test("what finds no record says so, and names the source that there is not")
  func nothingFound() throws {
    try fixture.sample.addRecord(base, "here")
    for command in ["show", "stats"] {
      let result = fixture.run(command, "--source", "ap", "--source", "api")
      #expect(result.status == .nothingFound)
      #expect(
        result.errors == """
          logagent: no source 'ap'; did you mean 'app'?
          logagent: no source 'api'; did you mean 'app'?
          logagent: no records found

          """)
    }
    #expect(fixture.run("show", "--grep", "there").errors == "logagent: no records found\n")
  }

  @Test("a wrong pattern is quoted as it was written")
  func wrongPattern() {
    #expect(fixture.run("show", "--grep", "(").errors.hasPrefix("logagent: pattern '(': "))
  }

  @Test(
    "a statement that writes is not allowed, whatever it is",
    arguments: [
      "DELETE FROM logs", "DELETE FROM record", "DROP VIEW logs",
    ])
  func writing(sql: String) {
    let result = fixture.run("query", sql)
    #expect(result.status == .notAllowed)
    #expect(result.errors.contains("a query can only read"))
  }

  @Test("crashes lists them, and says when there is none")
  func crashes() throws {
    var result = fixture.run("crashes")
    #expect(result.status == .nothingFound)
    #expect(result.errors == "logagent: no crashes found\n")
    try fixture.sample.addCrash(1, base, report: Array("{}".utf8))
    result = fixture.run("crashes", "--since", "2025-03-01T16:00:00Z")
    #expect(
      result.output == """
        id\ttime\tprocess\tpid\tkind\tsignal\treason\toccurrences\ttop_frame
        1\t2025-03-01T16:00:00.000000000Z\tapi\t42\tsignal\tSIGSEGV\tbad access\t1\tmain

        """)
    #expect(fixture.run("crashes", "--process", "it's").status == .nothingFound)
    #expect(fixture.run("crashes", "--process", "42").status == .ok)
  }

  @Test("on a terminal crashes with one cause are one entry")
  func crashesOnATerminal() throws {
    for number: Int64 in 1...3 {
      try fixture.sample.addCrash(number, base + number, report: [UInt8(number)], pid: 40 + number)
    }
    try fixture.sample.addCrash(4, base + 60_000_000_000, report: [4], process: "web\u{1B}[2J")
    fixture.output.isTerminal = true
    let result = fixture.run("crashes", "--no-pager")
    #expect(
      result.output == """
        3  2025-03-01T16:00:00Z  api[43]  SIGSEGV  4 times since 2025-03-01T16:00:00Z
            bad access
            at main

        4  2025-03-01T16:01:00Z  web\\x1b[2J[42]  SIGSEGV  4 times since 2025-03-01T16:00:00Z
            bad access
            at main

        """)
    try fixture.sample.connection.execute(
      """
      UPDATE crash SET reason = NULL, signal_code = 'SEGV_MAPERR', fault_address = 12 WHERE id = 4
      """)
    #expect(fixture.run("crashes", "--no-pager").output.contains("\n    SEGV_MAPERR at 0xc\n"))
    #expect(
      fixture.run("crashes", "--no-pager", "--format", "table").output.contains("occurren"))
    #expect(fixture.run("crashes", "--no-pager", "--process", "db").status == .nothingFound)
  }

  @Test("crash show tells the crash, its stack and what was said around it")
  func crashShow() throws {
    let sample = fixture.sample
    try sample.addCrash(3, base, report: Array("the \u{0} report".utf8))
    try sample.addRecord(base - 60_000_000_001, "too early")
    try sample.addRecord(base - 60_000_000_000, "first", process: "db")
    try sample.addRecord(base - 1, "last words", process: "api", pid: 42)
    try sample.addRecord(base + 5_000_000_000, "where is api?", process: "web")
    try sample.addRecord(base + 5_000_000_001, "too late")
    let text = fixture.run("crash", "show", "3").output
    #expect(text.hasPrefix("3  2025-03-01T16:00:00Z  api[42]  SIGSEGV\n    bad access\n"))
    #expect(text.contains("signal              SIGSEGV\n"))
    #expect(text.contains("\nStack, innermost first:\n   0  main in api at main.swift:7\n"))
    #expect(
      text.hasSuffix(
        """
        Records around it:
          2025-03-01T15:59:00.000Z INFO  app db: first
        > 2025-03-01T15:59:59.999Z INFO  app api[42]: last words
          2025-03-01T16:00:05.000Z INFO  app web: where is api?

        """))
    #expect(!fixture.run("crash", "show", "3", "--context", "1s").output.contains("first\n"))
    #expect(fixture.run("crash", "show", "3", "-fraw").output == "the \u{0} report")
    let object = try JSONSerialization.jsonObject(
      with: Data(fixture.run("crash", "show", "3", "-fjson").bytes))
    let crash = try #require(object as? [String: Any])
    #expect((crash["records"] as? [Any])?.count == 3)
    #expect((crash["frames"] as? [Any])?.count == 1)
  }

  @Test("crash show writes any report as an Apple crash text")
  func appleText() throws {
    let report = """
      {"images":[{"name":"api","path":"/bin/api","buildId":"ab","baseAddress":"0x10",
      "endOfText":"0x20"}]}
      """
    try fixture.sample.addCrash(3, base, report: Array(report.utf8))
    let text = fixture.run("crash", "show", "3", "--format", "apple").output
    for line in [
      "Process:             api [42]\n", "Date/Time:           2025-03-01 16:00:00.000 +0000\n",
      "Exception Type:      EXC_BAD_ACCESS (SIGSEGV)\n",
      "Termination Reason:  SIGNAL 11 Segmentation fault\n",
      "\nApplication Specific Information:\nbad access\n",
      "\nThread 0 Crashed:\n0   api                           \t0x0000000000000010 main + 0 (main.swift:7)\n",
      "\nBinary Images:\n0x0000000000000010 - 0x000000000000001f api ??? <ab> /bin/api\n",
    ] { #expect(text.contains(line), "\(line)") }
    try fixture.sample.addCrash(4, base, report: [1])
    #expect(!fixture.run("crash", "show", "4", "-fapple").output.contains("Binary Images"))
  }

  @Test("crashes tells of the last run until it is acknowledged")
  func lastRun() throws {
    #expect(fixture.run("crashes", "--last-run", "api").status == .nothingFound)
    try fixture.sample.addCrash(3, base, report: [1])
    try fixture.sample.connection.execute(
      """
      INSERT INTO run (process, program, pid, start, "end", outcome, crash)
      VALUES ('web', 'api', 42, \(base - 9), \(base), 'crash', 3),
        ('web', 'api', 43, \(base + 9), NULL, 'unknown', NULL)
      """)
    // The run without an end is the one that asks.
    for name in ["web", "api"] {
      let result = fixture.run("crashes", "--last-run", name)
      #expect(result.status == .crashed)
      #expect(
        result.output
          == "the last run of \(name) crashed: bad access at main (2025-03-01T16:00:00Z, crash 3)\n"
      )
    }
    #expect(fixture.run("crashes", "--ack").status == .usage)
    #expect(fixture.run("crashes", "--last-run", "web", "--ack").status == .crashed)
    let known = fixture.run("crashes", "--last-run", "web")
    #expect(known.status == .ok)
    #expect(known.output.contains("acknowledged"))
    try fixture.sample.connection.execute(
      """
      INSERT INTO run (process, pid, start, "end", outcome) VALUES
        ('web', 44, \(base + 20), \(base + 21), 'clean'), ('o''web', 45, 1, 2, 'killed')
      """)
    #expect(fixture.run("crashes", "--last-run", "web").output.contains("ended well"))
    #expect(fixture.run("crashes", "--last-run", "o'web").output.contains("was killed"))
  }

  @Test("crash show knows crashes that are there")
  func noCrash() {
    #expect(fixture.run("crash", "show", "9").status == .nothingFound)
    #expect(fixture.run("crash", "show", "nine").status == .usage)
  }

  @Test("status tells sources, sizes and problems")
  func status() throws {
    try fixture.sample.addFile(2, source: "web", path: "/var/log/a\u{1b}", problem: "no text")
    try fixture.sample.addRecord(base, "x")
    try fixture.sample.connection.execute(
      "INSERT INTO meta VALUES ('problems', '{\"/var/log/b\":\"Permission denied\"}')")
    let text = fixture.run("status").output
    #expect(text.contains("records  1, 2025-03-01T16:00:00Z to 2025-03-01T16:00:00Z\n"))
    #expect(text.contains("\n  /var/log/a\\x1b: no text\n"))
    #expect(text.contains("\n  /var/log/b: Permission denied\n"))
    let object = try JSONSerialization.jsonObject(
      with: Data(fixture.run("status", "--json").bytes))
    let status = try #require(object as? [String: Any])
    #expect((status["errors"] as? [String: String])?["/var/log/b"] == "Permission denied")
    #expect((status["sources"] as? [Any])?.count == 2)
    #expect(status["checkpoints"] as? Int == 2)
    #expect((status["size_bytes"] as? Int ?? 0) > 4096)
  }

  @Test("check-config shows what a configuration means")
  func checkConfig() throws {
    let path = try fixture.folder.write(
      "a.toml", "[[source]]\nname = \"app\"\ninclude = [\"logs/*.log\"]\n")
    let result = fixture.run("check-config", "--config", path)
    #expect(result.status == .ok)
    #expect(result.output.contains("source app"))
    #expect(result.output.contains(fixture.folder.file("logs/*.log")))
    try fixture.folder.write("b.toml", "[limit]\nx = 1\nstate_dirs = 3\n[[source]]\n")
    let wrong = fixture.run("check-config", "--config", fixture.folder.file("b.toml"))
    #expect(wrong.status == .configuration)
    #expect(wrong.errors.contains("b.toml:1:2: limit: unknown key; did you mean 'limits'?"))
    #expect(wrong.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("logagent: ") })
  }

  @Test("has no command that takes a broken configuration in silence")
  func brokenConfiguration() {
    fixture.environment["LOGAGENT_LIMITS_POLL_MS"] = "never"
    #expect(fixture.run("query", "SELECT 1").status == .configuration)
  }
}
