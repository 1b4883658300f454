// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import Synchronization
import TestSupport

/// A running `logagentd`, killed when the value goes.
final class RunningAgent {
  let process = Process()
  let state: String
  private let errors = Pipe()
  private let transcript = Transcript()

  /// What it has said on standard error.
  private final class Transcript: Sendable {
    let said = Mutex((text: "", isOver: false))
  }

  /// Starts it, and returns when it watches.
  init(
    _ paths: [String], state: String, environment: [String: String] = [:],
    descriptors: Int? = nil, waitsForStart: Bool = true
  ) throws {
    self.state = state
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let program = BuiltProgram.url("logagentd")
    let words = ["--state-dir", state] + paths
    process.executableURL = program
    process.arguments = words
    if let descriptors {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let script = "ulimit -n \(descriptors); exec \"$0\" \"$@\""
      process.arguments = ["-c", script, program.path] + words
    }
    process.standardError = errors
    try process.run()
    errors.fileHandleForReading.readabilityHandler = { [transcript] handle in
      let data = handle.availableData
      if data.isEmpty { handle.readabilityHandler = nil }
      transcript.said.withLock {
        $0.text += String(decoding: data, as: UTF8.self)
        $0.isOver = data.isEmpty
      }
    }
    if waitsForStart, waitForMessage("watching") == "" { throw CocoaError(.executableLoad) }
  }

  /// Waits for a line with these words; returns it, or nothing when none comes.
  func waitForMessage(_ words: String, seconds: Double = 10) -> String {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while true {
      let (text, isOver) = transcript.said.withLock { $0 }
      let line = text.split(separator: "\n").first { $0.contains(words) }
      if let line, text.hasSuffix("\n") { return String(line) }
      if isOver || Date() > deadline { return "" }
      usleep(5_000)
    }
  }

  deinit { kill() }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks it to end; returns its exit status.
  func stop() -> Int32 {
    process.terminate()
    let deadline = Date(timeIntervalSinceNow: 20)
    while process.isRunning, Date() < deadline { usleep(10_000) }
    if process.isRunning {
      kill()
      return -1
    }
    return process.terminationStatus
  }

  /// Waits until the query gives `expected`, at most ten seconds; returns the last answer.
  func wait(for expected: String, _ sql: String) -> String {
    var answer = ""
    let deadline = Date(timeIntervalSinceNow: 10)
    while Date() < deadline {
      answer = (try? Store.text(state, sql)) ?? ""
      if answer == expected { break }
      usleep(10_000)
    }
    return answer
  }
}

/// The programs that were built with these tests.
enum BuiltProgram {
  static func url(_ name: String) -> URL {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path),
      folder.path != "/"
    {
      folder.deleteLastPathComponent()
    }
    return folder.appendingPathComponent(name)
  }
}

enum Store {
  static func text(_ state: String, _ sql: String) throws -> String {
    let connection = try Connection(path: state + "/logs.db", mode: .readOnly)
    return try connection.text(sql) ?? ""
  }
}
