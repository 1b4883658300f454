// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// What the running agent does when the disk is full, the store is locked or damaged.
@Suite struct StorageFaultTests {
  private static let counts = "SELECT count(*) || '|' || count(DISTINCT body) FROM record"

  private func lines(_ range: ClosedRange<Int>) -> String {
    range.map { "2025-03-01T10:00:00.\(100_000 + $0)Z INFO n=\($0) \(Self.filler)\n" }.joined()
  }

  private static let filler = String(repeating: "x", count: 150)

  @Test(.enabled(if: SmallFileSystem.isAvailable, "needs root, to mount a small file system"))
  func aFullDiskIsWaitedForAndNothingIsLostOrDoubled() throws {
    let folder = try TemporaryDirectory()
    let disk = try SmallFileSystem(kilobytes: 1500)
    try folder.write("logs/app.log", lines(1...10_000))
    let agent = try RunningAgent([folder.file("logs")], state: disk.path + "/state")
    let problem = agent.waitForMessage("the store can't be written")
    #expect(problem.contains("full"), "\(problem)")
    try disk.resize(kilobytes: 64 << 10)
    #expect(agent.wait(for: "10000|10000", Self.counts) == "10000|10000")
    #expect(agent.waitForMessage("can be written again") != "")
    #expect(agent.stop() == 0)
  }

  @Test(.enabled(if: SmallFileSystem.isAvailable, "needs root, to mount a small file system"))
  func aSignalIsHeardThoughAllThatIsReadWaitsForTheDisk() throws {
    let folder = try TemporaryDirectory()
    let disk = try SmallFileSystem(kilobytes: 1500)
    // More than all batches hold.
    try folder.write("logs/app.log", lines(1...60_000))
    var agent = try RunningAgent(
      [folder.file("logs")], state: disk.path + "/state", waitsForStart: false)
    #expect(agent.waitForMessage("the store can't be written") != "")
    let start = Date()
    #expect(agent.stop() == 0)
    #expect(Date().timeIntervalSince(start) < 5)
    try disk.resize(kilobytes: 256 << 10)
    agent = try RunningAgent([folder.file("logs")], state: disk.path + "/state")
    #expect(agent.wait(for: "60000|60000", Self.counts) == "60000|60000")
  }

  @Test func aStoreThatIsCutWhileItIsReadIsToldAndNotDiedOf() throws {
    let folder = try TemporaryDirectory()
    let log = try folder.write("app.log", lines(1...60_000))
    let state = folder.file("state")
    #expect(try ProgramRun("logagent", ["import", "--state-dir", state, log]).status == 0)
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { truncate(state + "/logs.db", 8192) }
    // It would take minutes.
    let run = try ProgramRun(
      "logagent",
      [
        "query", "--state-dir", state,
        "SELECT sum(length(l.original)) FROM logs l, (SELECT id FROM logs LIMIT 5000)",
      ])
    // An error of the disk, or of the data that was read before.
    #expect(run.status == 74 || run.status == 65, "\(run.status): \(run.text)")
    #expect(run.text.contains("logagent: "))
  }

  @Test func aStoreThatIsLockedByAnotherProgramIsWaitedFor() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", lines(1...10))
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "10|10", Self.counts) == "10|10")
    let other = try Connection(path: folder.file("state/logs.db"), mode: .readWrite)
    try other.execute("BEGIN IMMEDIATE")
    try folder.append("logs/app.log", lines(11...20))
    #expect(agent.waitForMessage("the store can't be written", seconds: 20).contains("locked"))
    try other.execute("COMMIT")
    #expect(agent.wait(for: "20|20", Self.counts) == "20|20")
  }

  @Test func aDamagedLogOfTheDatabaseLosesNothing() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", lines(1...2000))
    var agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "2000|2000", Self.counts) == "2000|2000")
    agent.kill()
    let log = folder.file("state/logs.db-wal")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: log))
    #expect(bytes.count > 100_000)
    for place in stride(from: bytes.count / 2, to: bytes.count, by: 500) { bytes[place] ^= 0x55 }
    try bytes.write(to: URL(fileURLWithPath: log))
    agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "2000|2000", Self.counts) == "2000|2000")
  }

  @Test(.enabled(if: SmallFileSystem.isAvailable, "needs root, to mount"))
  func aFileThatIsAlsoSeenThroughABindMountIsStoredOnce() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/real/app.log", lines(1...10))
    try FileManager.default.createDirectory(
      atPath: folder.file("logs/bound"), withIntermediateDirectories: true)
    try SmallFileSystem.run(
      "mount", "--bind", folder.file("logs/real"), folder.file("logs/bound"))
    defer { try? SmallFileSystem.run("umount", "-l", folder.file("logs/bound")) }
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    try folder.append("logs/bound/app.log", lines(11...20))
    #expect(agent.wait(for: "20|20", Self.counts) == "20|20")
    #expect(try Store.text(agent.state, "SELECT count(*) FROM files") == "1")
  }
}
