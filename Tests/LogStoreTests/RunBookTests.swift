// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import Testing

@Suite struct RunBookTests {
  private static let runs = "SELECT process, pid, outcome, crash_id NOT NULL FROM runs ORDER BY id"

  @Test func aRunEndsAsExecSawIt() throws {
    let scene = try CrashScene()
    try scene.exec("web", program: "server", pid: 1, start: 0)
    #expect(try scene.rows(Self.runs) == "web|1|unknown|0")
    try scene.exec("web", program: "server", pid: 1, start: 0, end: 5, status: 0)
    try scene.exec("web", program: "server", pid: 2, start: 10, end: 15, status: 3)
    try scene.exec("web", program: "server", pid: 3, start: 20, end: 25, signal: "SIGTERM")
    #expect(try scene.rows(Self.runs) == "web|1|clean|0 ; web|2|exit|0 ; web|3|killed|0")
    #expect(try scene.rows("SELECT count(*) FROM crashes") == "0")
  }

  @Test func aCrashOfAProcessThatNobodyWatchedIsARunToo() throws {
    let scene = try CrashScene()
    try scene.report("kscrash", pid: 7)
    #expect(try scene.rows(Self.runs) == "shop|7|crash|1")
  }

  @Test("a run, its report under another name and its words are one crash", arguments: 0..<6)
  func oneCrash(order: Int) throws {
    let scene = try CrashScene()
    let steps: [() throws -> Void] = [
      {
        try scene.exec("web", program: "server", pid: 7, start: -5)
        try scene.exec("web", program: "server", pid: 7, start: -5, end: 0.4, signal: "SIGILL")
      },
      { try scene.report("swift-backtrace-json", pid: 7, process: "server", at: 0.1) },
      { try scene.swiftError("no tea", path: "/logs/web.stderr 2026-11-30--12-00-00-000.log") },
    ]
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    for step in orders[order] { try steps[step]() }
    #expect(
      try scene.rows("SELECT process, pid, kind, reason, report_format, evidence FROM crashes")
        == "web|7|assertion|Fatal error: no tea|swift-backtrace-json|3")
    #expect(try scene.rows(Self.runs) == "web|7|crash|1")
  }

  @Test func whatTheKernelKilledForItsMemoryIsNoCrashOfItsOwn() throws {
    let scene = try CrashScene()
    try scene.exec("web", program: "server", pid: 7, start: -5)
    try scene.line(
      "Out of memory: Killed process 7 (server)",
      attributes: #""exception.type":"out of memory","exception.message":"Out of memory","#
        + #""process.executable.name":"server","process.pid":7"#,
      path: "/var/log/kern.log", process: "kernel", quality: .zoned)
    try scene.exec("web", program: "server", pid: 7, start: -5, end: 0, signal: "SIGKILL")
    #expect(try scene.rows("SELECT kind FROM crashes") == "out-of-memory")
    #expect(try scene.rows(Self.runs) == "web|7|out-of-memory|1")
  }
}
