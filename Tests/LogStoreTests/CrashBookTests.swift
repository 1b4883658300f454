// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import Testing

@Suite struct CrashBookTests {
  private static let summary = "SELECT kind, reason, pid, evidence FROM crashes ORDER BY id"
  private static let words = "assertion|Fatal error: Index out of range|7|2"

  @Test("a Swift crash takes its reason from standard error", arguments: [true, false])
  func reasonOfASwiftCrash(lineIsFirst: Bool) throws {
    let scene = try CrashScene()
    func line() throws { try scene.swiftError("Index out of range", at: -0.2) }
    if lineIsFirst { try line() }
    try scene.reopen()
    try scene.report("swift-backtrace-json", pid: 7) { $0.reason = "Illegal instruction" }
    try scene.reopen()
    if !lineIsFirst { try line() }
    #expect(try scene.rows(Self.summary) == Self.words)
    #expect(
      try scene.rows("SELECT body FROM logs WHERE crash_id NOT NULL")
        == "crash SIGILL: Fatal error: Index out of range at pay() in shop")
    #expect(
      try scene.rows("SELECT report_format, top_frame FROM crashes")
        == "swift-backtrace-json|pay() in shop")
    #expect(
      try scene.rows("SELECT count(*) FROM crash_evidences e JOIN logs l ON l.id = e.log_id") == "1"
    )
  }

  @Test func allWitnessesOfOneDeathMakeOneCrash() throws {
    let scene = try CrashScene()
    try scene.line(
      "shopping-server[7]: segfault at 0 ip 1",
      attributes: #""exception.type":"SIGSEGV","exception.message":"segfault at 0","#
        + #""process.executable.name":"shopping-server","process.pid":7"#,
      path: "/var/log/kern.log", process: "kernel", at: 0.1, quality: .zoned)
    try scene.swiftError("Index out of range", path: "/logs/shopping-server-app.stderr")
    try scene.report("elf-core", pid: 7, process: "shopping-server", at: 1) {
      $0.frames = []
      $0.signal = "SIGSEGV"
    }
    try scene.report("sanitizer", pid: 7, process: "shopping-server-app", at: 2) {
      $0.kind = .sanitizer
      $0.signal = nil
      $0.reason = "heap-use-after-free"
    }
    try scene.report("kscrash", pid: 7, process: "shopping-server-app", at: 0.5) {
      $0.version = "1.2"
    }
    #expect(
      try scene.rows("SELECT kind, signal, reason, service_version, evidence FROM crashes")
        == "assertion|SIGSEGV|heap-use-after-free|1.2|5")
  }

  @Test func twoProcessesAreTwoCrashesHoweverNear() throws {
    let scene = try CrashScene()
    try scene.report("kscrash", pid: 7)
    try scene.report("swift-backtrace-json", pid: 8, at: 0.01)
    #expect(try scene.rows("SELECT pid, evidence FROM crashes ORDER BY pid") == "7|1 ; 8|1")
  }

  @Test func anotherProcessWithTheSameIdIsAnotherCrash() throws {
    let scene = try CrashScene()
    try scene.report("kscrash", pid: 1)
    try scene.report("elf-core", pid: 1, process: "ledger", at: 1)
    #expect(try scene.rows("SELECT count(*) FROM crashes") == "2")
  }

  @Test func aContainerThatStartsAgainWithTheSameIdCrashesAgain() throws {
    let scene = try CrashScene()
    for second in 0..<3 {
      try scene.report("swift-backtrace-json", pid: 1, at: Double(second))
      try scene.swiftError("Index out of range", at: Double(second) + 0.1)
    }
    #expect(try scene.rows("SELECT evidence FROM crashes") == "2 ; 2 ; 2")
    #expect(try scene.rows("SELECT DISTINCT occurrences FROM crashes") == "3")
  }

  @Test func theWordsOfTheNextDeathStayWithIt() throws {
    let scene = try CrashScene()
    try scene.report("swift-backtrace-json", pid: 7)
    try scene.swiftError("no tea", at: 0.1)
    try scene.swiftError("no tea", at: 1.5)
    try scene.report("elf-core", pid: 7, at: 1)
    try scene.report("swift-backtrace-json", pid: 8, at: 1.4)
    #expect(try scene.rows("SELECT pid, evidence FROM crashes ORDER BY pid") == "7|3 ; 8|2")
  }

  @Test func aLineAloneIsACrashUntilAReportTellsMore() throws {
    let scene = try CrashScene()
    try scene.line(
      "ledger: ledger.c:9: main: Assertion `balance >= 0' failed.",
      attributes: #""exception.type":"Assertion failed","exception.message":"balance >= 0","#
        + #""code.file.path":"ledger.c","code.line.number":9,"code.function.name":"main""#,
      process: "ledger")
    #expect(
      try scene.rows("SELECT process, kind, reason, report_format, top_frame FROM crashes")
        == "ledger|assertion|Assertion failed: balance >= 0|log|main at ledger.c:9")
    try scene.report("elf-core", pid: 5, process: "ledger", at: 1)
    #expect(
      try scene.rows("SELECT pid, kind, reason, report_format, evidence FROM crashes")
        == "5|assertion|Assertion failed: balance >= 0|elf-core|2")
  }

  @Test func aRecordThatGrowsTellsOfOneCrash() throws {
    let scene = try CrashScene()
    try scene.swiftError("a") { $0.isOpen = true }
    try scene.swiftError("a\\nb") { $0.replacesOpenRecord = true }
    #expect(try scene.rows(Self.summary) == "assertion|Fatal error: a|-|1")
  }

  @Test func aRecordOfSeverityFatalIsNoCrashByItself() throws {
    let scene = try CrashScene()
    try scene.line("no database", isLastWords: false)
    #expect(try scene.rows("SELECT count(*) FROM crashes") == "0")
  }

  @Test("the last severe record explains a crash without words", arguments: [true, false])
  func severeRecord(lineIsFirst: Bool) throws {
    let scene = try CrashScene()
    func line() throws {
      try scene.line("no database", process: "shop", pid: 7, at: -3, isLastWords: false)
      try scene.line("not mine", process: "shop", pid: 8, at: -1, isLastWords: false)
    }
    if lineIsFirst { try line() }
    try scene.report("elf-core", pid: 7)
    if !lineIsFirst { try line() }
    #expect(try scene.rows("SELECT kind, reason FROM crashes") == "signal|no database")
  }

  @Test func aLineWithoutATimeOfItsOwnIsMatchedUntilItWasRead() throws {
    let scene = try CrashScene()
    try scene.line(
      "x", attributes: #""exception.type":"Fatal error","exception.message":"late""#, at: -3600,
      quality: .inherited, observed: 60)
    try scene.report("swift-backtrace-json", pid: 7)
    #expect(
      try scene.rows("SELECT reason, time FROM crashes")
        == "Fatal error: late|2026-11-30T12:00:00.000000000Z")
  }

  @Test func theFirstAndTheLastReportsOfAFingerprintAreKept() throws {
    let scene = try CrashScene()
    for number in 1...30 {
      try scene.report("kscrash", pid: Int64(number), at: Double(number)) {
        $0.version = number < 20 ? "1" : "2"
      }
    }
    #expect(
      try scene.rows(
        "SELECT group_concat(pid) FROM crashes c JOIN crash_report r ON r.crash = c.id")
        == "1,2,3,4,5,26,27,28,29,30")
    #expect(
      try scene.rows(
        """
        SELECT DISTINCT occurrences, substr(first_seen, 12), substr(last_seen, 12), versions
        FROM crashes
        """) == "30|12:00:01.000000000Z|12:00:30.000000000Z|1,2")
  }

  @Test func anotherReportOfACrashIsKeptBesideIt() throws {
    let scene = try CrashScene()
    try scene.report("elf-core", pid: 7) { $0.frames = [] }
    try scene.report("kscrash", pid: 7)
    #expect(
      try scene.rows(
        """
        SELECT c.report_format, hex(r.content), (SELECT hex(content) FROM evidence_report)
        FROM crashes c JOIN crash_report r ON r.crash = c.id
        """) == "kscrash|02|01")
  }

  @Test func manyLastWordsAtOneTimeCostLinearTime() throws {
    let scene = try CrashScene()
    // Restarted by a shell's loop, with one file that has no times.
    try scene.store.connection.execute("PRAGMA synchronous = OFF")
    for _ in 0..<2000 { try scene.swiftError("no tea") }
    #expect(try scene.rows("SELECT count(*), max(occurrences) FROM crashes") == "2000|2000")
  }
}
