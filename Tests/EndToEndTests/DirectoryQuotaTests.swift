// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// An application's old log files go when the configuration says so, and only then.
@Suite struct DirectoryQuotaTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func configure(_ quota: String) throws {
    try folder.write(
      "logagent.toml",
      """
      state_dir = "state"
      [limits]
      poll_ms = 50
      record_flush_ms = 50
      [[source]]
      name = "app"
      include = ["logs/app*"]
      \(quota)
      """)
  }

  /// `app 1.log` is the oldest.
  private func write(_ numbers: ClosedRange<Int>) throws {
    for number in numbers {
      let path = try folder.write(
        "logs/app \(number).log", "2025-03-01T10:00:00Z INFO n=\(number)\n")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 + Double(number))],
        ofItemAtPath: path)
    }
  }

  private var names: [String] {
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder.file("logs"))
    return (all ?? []).filter { !$0.hasPrefix(".") }.sorted()
  }

  private func waitForNames(_ wanted: [String]) -> [String] {
    let deadline = Date(timeIntervalSinceNow: 10)
    while names != wanted, Date() < deadline { usleep(10_000) }
    return names
  }

  private func start() throws -> RunningAgent {
    try RunningAgent(["--config", folder.file("logagent.toml")], state: folder.file("state"))
  }

  @Test func theOldestFilesGoWhenAllOfThemIsStored() throws {
    try configure("directory_quota = { max_files = 3 }")
    try write(1...6)
    let agent = try start()
    #expect(waitForNames(["app 4.log", "app 5.log", "app 6.log"]).count == 3)
    #expect(
      agent.wait(for: "6", "SELECT count(*) FROM record WHERE body LIKE 'n=%'") == "6")
    #expect(try Store.text(agent.state, "SELECT count(*) FROM gaps") == "0")
    #expect(agent.stop() == 0)
  }

  @Test func aFileThatIsBeingWrittenAndTheNewestStay() throws {
    try configure("directory_quota = { max_bytes = 0 }")
    try write(1...4)
    let handle = try FileHandle(
      forWritingTo: URL(fileURLWithPath: folder.file("logs/app 2.log")))
    let agent = try start()
    #expect(waitForNames(["app 2.log", "app 4.log"]) == ["app 2.log", "app 4.log"])
    try handle.close()
    #expect(waitForNames(["app 4.log"]) == ["app 4.log"])
    #expect(agent.stop() == 0)
  }

  @Test func aQuotaThatIsSetLaterWorksAtOnceAndNoneDeletesNothing() throws {
    try configure("")
    try write(1...5)
    let agent = try start()
    #expect(agent.wait(for: "5", "SELECT count(*) FROM record") == "5")
    #expect(names.count == 5)
    try configure("directory_quota = { max_files = 2 }")
    kill(agent.process.processIdentifier, SIGHUP)
    #expect(waitForNames(["app 4.log", "app 5.log"]) == ["app 4.log", "app 5.log"])
    #expect(agent.stop() == 0)
  }
}
