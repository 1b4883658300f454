// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import Testing

/// Which death a witness tells of, where several are near.
@Suite struct CrashWitnessTests {
  private func assertion(_ scene: CrashScene, of program: String, owner: String) throws {
    try scene.line(
      "\(program): a.c:9: main: Assertion `tea' failed.",
      attributes: #""exception.type":"Assertion failed","exception.message":"tea""#,
      path: "/logs/\(owner).stderr 1.log", process: program, owner: owner)
  }

  @Test("standard error of one run is not that of another run of the program")
  func twoRunsOfOneProgram() throws {
    let scene = try CrashScene()
    try scene.exec("one", program: "shop", pid: 7, start: -1, end: 0, signal: "SIGABRT")
    try assertion(scene, of: "shop", owner: "two")
    try scene.exec("two", program: "shop", pid: 8, start: -1, end: 0.1, signal: "SIGABRT")
    #expect(
      try scene.rows("SELECT process, pid, kind, reason FROM crashes ORDER BY pid")
        == "one|7|signal|- ; two|8|assertion|Assertion failed: tea")
  }

  @Test("each run of a loop has its own last words, though they were all read first")
  func linesOfALoop() throws {
    let scene = try CrashScene()
    let ends = [0.1, 0.2, 0.3, 0.4]
    // The first run's file is not there any more.
    for (index, end) in ends.enumerated().dropFirst() {
      try scene.swiftError("no tea", at: end, path: "/logs/web.stderr \(index).log", owner: "web")
    }
    for (index, end) in ends.enumerated() {
      try scene.exec(
        "web", program: "shop", pid: Int64(index + 1), start: end - 0.05, end: end + 0.01,
        signal: "SIGILL")
    }
    #expect(
      try scene.rows("SELECT pid, reason, evidence FROM crashes ORDER BY pid")
        == "1|-|1 ; 2|Fatal error: no tea|2 ; 3|Fatal error: no tea|2 ; 4|Fatal error: no tea|2")
  }

  @Test func aCrashThatWasToldBeforeItsRunIsThatRun() throws {
    let scene = try CrashScene()
    try scene.report("sanitizer", pid: 7, process: "shop")
    #expect(try scene.rows("SELECT process, outcome FROM runs") == "shop|crash")
    try scene.exec("web", program: "shop", pid: 7, start: -3, end: 0.1, status: 1)
    #expect(
      try scene.rows("SELECT process, outcome, exit_status, crash_id FROM runs")
        == "web|crash|1|1")
    #expect(try scene.rows("SELECT process FROM crashes") == "web")
  }

  @Test func theWordsOfOneDeathAreNoReasonForAnother() throws {
    let scene = try CrashScene()
    try scene.exec("one", program: "shop", pid: 7, start: -3, end: -2, signal: "SIGABRT")
    try scene.line(
      "shop: a.c:9: main: Assertion `tea' failed.",
      attributes: #""exception.type":"Assertion failed","exception.message":"tea""#,
      path: "/logs/one.stderr 1.log", process: "shop", at: -2, owner: "one")
    try scene.report("elf-core", pid: 8)
    #expect(
      try scene.rows("SELECT pid, reason FROM crashes ORDER BY pid")
        == "7|Assertion failed: tea ; 8|-")
  }

  @Test("where no frame is the program's, the reason tells groups apart", arguments: [true, false])
  func groupsByReason(lineIsFirst: Bool) throws {
    let scene = try CrashScene()
    for (number, words) in ["no tea", "no milk", "no tea"].enumerated() {
      let (pid, time) = (Int64(number + 1), Double(number * 60))
      func line() throws {
        try scene.swiftError(words, at: time) { $0.pid = pid }
      }
      if lineIsFirst { try line() }
      try scene.report("swift-backtrace-json", pid: pid, at: time) {
        $0.frames = [CrashFrame(image: "libc.so.6", symbol: "__pthread_kill_implementation")]
      }
      if !lineIsFirst { try line() }
    }
    #expect(
      try scene.rows("SELECT reason, occurrences FROM crashes ORDER BY pid")
        == "Fatal error: no tea|2 ; Fatal error: no milk|1 ; Fatal error: no tea|2")
  }

  @Test func aStackThatEndsInTheCLibraryGivesWayToOneOfTheProgram() throws {
    let scene = try CrashScene()
    try scene.report("swift-backtrace-json", pid: 7) {
      $0.frames = [CrashFrame(image: "libc.so.6", symbol: "__pthread_kill_implementation")]
    }
    try scene.report("elf-core", pid: 7, at: 0.1)
    #expect(
      try scene.rows("SELECT report_format, top_frame, evidence FROM crashes")
        == "elf-core|pay() in shop|2")
  }

  @Test func aReportThatComesAnHourLaterIsOfTheSameDeath() throws {
    let scene = try CrashScene()
    try scene.line(
      "Fatal error: no tea",
      attributes: #""exception.type":"Fatal error","exception.message":"no tea""#,
      process: "shop", pid: 7, at: -0.1, quality: .zoned)
    try scene.line("others", process: "db", pid: 9, at: 3600, isLastWords: false, quality: .zoned)
    try scene.report("kscrash", pid: 7)
    #expect(
      try scene.rows("SELECT reason, evidence FROM crashes") == "Fatal error: no tea|2")
  }
}
