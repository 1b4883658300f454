// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// A program on a pseudo-terminal, as a person has it.
final class TerminalSession {
  private let process = Process()
  private let controller: FileHandle
  private(set) var text = ""

  init(_ words: [String], environment: [String: String], columns: UInt16 = 80) throws {
    // What posix_openpt, unlockpt and ptsname do, which Swift's Glibc does not show.
    let number = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var lock: Int32 = 0
    var index: UInt32 = 0
    guard number >= 0, ioctl(number, 0x4004_5431, &lock) == 0,
      ioctl(number, 0x8004_5430, &index) == 0
    else { throw CocoaError(.fileReadUnknown) }
    let path = "/dev/pts/\(index)"
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(number, UInt(TIOCSWINSZ), &size)
    controller = FileHandle(fileDescriptor: number, closeOnDealloc: true)
    // Read and write: the terminal stays there until the program has it.
    guard let terminal = FileHandle(forUpdatingAtPath: path) else {
      throw CocoaError(.fileReadUnknown)
    }
    process.executableURL = BuiltProgram.url("logagent")
    process.arguments = words
    process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm"].merging(environment) { $1 }
    process.standardInput = terminal
    process.standardOutput = terminal
    process.standardError = terminal
    try process.run()
    try? terminal.close()
  }

  /// Reads until `wanted` has come, or the program has ended; at most 20 seconds.
  @discardableResult
  func wait(for wanted: String) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 20)
    while !text.contains(wanted) {
      var ready = pollfd(fd: controller.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let rest = deadline.timeIntervalSinceNow
      guard rest > 0, poll(&ready, 1, Int32(rest * 1000)) > 0 else { return false }
      // At the end of the program reading a terminal fails.
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(controller.fileDescriptor, &bytes, bytes.count)
      if count <= 0 { return text.contains(wanted) }
      text += String(decoding: bytes[..<count], as: UTF8.self).replacing("\r\n", with: "\n")
    }
    return true
  }

  func type(_ line: String) { try? controller.write(contentsOf: Data(line.utf8)) }

  func interrupt() { kill(process.processIdentifier, SIGINT) }

  /// Waits for the end; returns the exit status.
  func end() -> Int32 {
    wait(for: "\u{0}")
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus
  }
}

@Suite("On a terminal", .serialized)
struct TerminalTests {
  private let folder: TemporaryDirectory
  private let state: String

  init() throws {
    folder = try TemporaryDirectory()
    state = folder.file("state")
    let lines = (0..<50).map {
      "2026-11-30T10:00:\($0 < 10 ? "0" : "")\($0)+0000 info api : n \($0)\n"
    }
    try folder.write("api.log", lines.joined())
    _ = try ProgramRun("logagent", ["import", "--state-dir", state, folder.file("api.log")])
  }

  private func run(_ words: [String], _ more: [String: String] = [:]) throws -> TerminalSession {
    try TerminalSession(
      words, environment: ["LOGAGENT_STATE_DIR": state, "HOME": folder.path].merging(more) { $1 })
  }

  @Test("show goes through the pager, with the pager's name taken as git does")
  func pager() throws {
    let paged = ["PAGER": "sed s/^/paged:/"]
    var session = try run(["show"], paged)
    #expect(session.end() == 0)
    #expect(session.text.contains("paged:") && session.text.contains("n 49"))
    #expect(session.text.contains("\u{1b}["), "colours stay")
    session = try run(["show"], paged.merging(["LOGAGENT_PAGER": "sed s/^/ours:/"]) { $1 })
    _ = session.end()
    #expect(session.text.contains("ours:") && !session.text.contains("paged:"))
    for quiet in [["LOGAGENT_PAGER": ""], ["LOGAGENT_PAGER": "cat"]] {
      session = try run(["show"], paged.merging(quiet) { $1 })
      _ = session.end()
      #expect(!session.text.contains("paged:"))
    }
    session = try run(["show", "--no-pager"], paged)
    _ = session.end()
    #expect(!session.text.contains("paged:"))
  }

  @Test("a pager that is left early is no failure, and one that is missing hides nothing")
  func leftPager() throws {
    var session = try run(["show"], ["PAGER": "head -n 2"])
    #expect(session.end() == 0)
    #expect(session.text.split(separator: "\n").count == 2)
    session = try run(["show"], ["PAGER": "no-such-pager"])
    _ = session.end()
    #expect(session.text.contains("no-such-pager"))
  }

  @Test("query is a session, with a history for the next one")
  func session() throws {
    let session = try run(["query"])
    #expect(session.wait(for: "logagent> "))
    session.type("SELECT count(*) AS records FROM logs;\n")
    #expect(session.wait(for: "     50\n"))
    session.type(".quit\n")
    #expect(session.end() == 0)
    let history = folder.file(".local/state/logagent/query_history")
    // Without readline and libedit there is none.
    if let text = try? String(contentsOfFile: history, encoding: .utf8) {
      #expect(text.contains("count"))
      let attributes = try FileManager.default.attributesOfItem(atPath: history)
      #expect((attributes[.posixPermissions] as? Int ?? 0) & 0o077 == 0)
    }
  }

  @Test("show -f goes on across a rotation and ends with SIGINT")
  func follow() throws {
    let state = folder.file("state2")
    let logs = folder.file("logs")
    try folder.write("logs/api.log", "2026-11-30T10:00:00+0000 info api : first\n")
    let agent = try RunningAgent([logs], state: state)
    #expect(agent.wait(for: "1", "SELECT count(*) FROM logs") == "1")
    let session = try run(["show", "-f", "-o", "cat", "--state-dir", state])
    #expect(session.wait(for: "first"))
    try folder.append("logs/api.log", "2026-11-30T10:00:01+0000 info api : before\n")
    #expect(session.wait(for: "before"))
    try FileManager.default.moveItem(atPath: logs + "/api.log", toPath: logs + "/api.log.1")
    try folder.append("logs/api.log.1", "2026-11-30T10:00:02+0000 info api : late\n")
    try folder.write("logs/api.log", "2026-11-30T10:00:03+0000 info api : after\n")
    #expect(session.wait(for: "after"))
    #expect(session.wait(for: "late"))
    session.interrupt()
    #expect(session.end() == 0)
    #expect(session.text.split(separator: "\n").count == 4)
    #expect(agent.stop() == 0)
  }
}
