// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

@Suite struct RunTests {
  static let bodies = "SELECT group_concat(body, '|') FROM (SELECT body FROM record ORDER BY id)"

  private func line(_ n: Int, _ text: String = "") -> String {
    "2025-03-01T10:00:\(n < 10 ? "0" : "")\(n)Z INFO n=\(n)\(text)\n"
  }

  @Test func linesAreStoredWhileTheyAreWrittenAcrossRotationAndTruncation() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    try folder.append("logs/app.log", line(2))
    #expect(agent.wait(for: "n=1|n=2", Self.bodies) == "n=1|n=2")
    try FileManager.default.moveItem(
      atPath: folder.file("logs/app.log"), toPath: folder.file("logs/app.log.1"))
    try folder.append("logs/app.log.1", line(3))
    try folder.append("logs/app.log", line(4))
    #expect(agent.wait(for: "n=1|n=2|n=3|n=4", Self.bodies) == "n=1|n=2|n=3|n=4")
    try folder.write("logs/new", line(5))
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("logs/app.log")))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data(line(6).utf8))
    let sorted = "SELECT group_concat(body, '|') FROM (SELECT body FROM record ORDER BY body)"
    #expect(
      agent.wait(for: "n=1|n=2|n=3|n=4|n=5|n=6", sorted) == "n=1|n=2|n=3|n=4|n=5|n=6")
    #expect(agent.stop() == 0)
  }

  @Test func aFileThatIsRewrittenInPlaceWhileItsLastRecordIsOpenIsReadOnce() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    let agent = try RunningAgent(
      [folder.file("logs")], state: folder.file("state"),
      environment: ["LOGAGENT_LIMITS_RECORD_FLUSH_MS": "300"])
    #expect(agent.wait(for: "n=1", Self.bodies) == "n=1")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("logs/app.log")))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: Data((line(2) + line(3)).utf8))
    #expect(agent.wait(for: "n=1|n=2|n=3", Self.bodies) == "n=1|n=2|n=3")
    // Until the record that was open before would be closed.
    usleep(900_000)
    #expect(try Store.text(agent.state, Self.bodies) == "n=1|n=2|n=3")
  }

  @Test func whatWasRotatedWhileTheAgentWasDownIsFinishedFirst() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    var agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "n=1", Self.bodies) == "n=1")
    agent.kill()
    try folder.append("logs/app.log", line(2))
    try FileManager.default.moveItem(
      atPath: folder.file("logs/app.log"), toPath: folder.file("logs/app.log.1"))
    try folder.append("logs/app.log", line(3))
    agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "n=1|n=2|n=3", Self.bodies) == "n=1|n=2|n=3")
  }

  @Test func aRecordGrowsWithItsLinesAndIsStoredOnce() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", "")
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    try folder.append("logs/app.log", line(1))
    #expect(agent.wait(for: "n=1", Self.bodies) == "n=1")
    try folder.append("logs/app.log", "  at one\n  at two\n")
    let whole = "n=1\n  at one\n  at two"
    #expect(agent.wait(for: whole, Self.bodies) == whole)
    #expect(try Store.text(agent.state, "SELECT count(*) FROM record") == "1")
  }

  @Test func everyLineIsStoredOnceThoughTheAgentIsKilledAgainAndAgain() throws {
    let folder = try TemporaryDirectory()
    let total = 20_000
    try folder.write("logs/app.log", "")
    let logs = folder.file("logs")
    let writer = Thread {
      var file = fopen(logs + "/app.log", "a")
      for n in 1...total {
        fputs("2025-03-01T10:00:00.\(100_000 + n)Z INFO n=\(n)\n", file)
        if n % 7 == 0 { fputs("  more of \(n)\n", file) }
        if n % 100 == 0 {
          fflush(file)
          usleep(5_000)
        }
        guard n % 3000 == 0 else { continue }
        for old in stride(from: 9, to: 0, by: -1) {
          rename(logs + "/app.log.\(old)", logs + "/app.log.\(old + 1)")
        }
        rename(logs + "/app.log", logs + "/app.log.1")
        fclose(file)
        file = fopen(logs + "/app.log", "a")
      }
      fclose(file)
    }
    writer.start()
    for round in 0..<10 {
      let agent = try RunningAgent([logs], state: folder.file("state"))
      usleep(UInt32(20_000 + round * 9_000))
      agent.kill()
    }
    let agent = try RunningAgent([logs], state: folder.file("state"))
    let expected = "\(total)|\(total)|\(total / 7)"
    let sql = """
      SELECT count(*) || '|' || count(DISTINCT body) || '|' || sum(body LIKE '%more of%')
      FROM record
      """
    #expect(agent.wait(for: expected, sql) == expected)
  }

  @Test func twoAgentsDoNotShareAStateDirectory() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(throws: (any Error).self) {
      try RunningAgent([folder.file("logs")], state: folder.file("state"))
    }
    #expect(agent.process.isRunning)
  }

  @Test func hangupReadsTheConfigurationAgainAndLosesNothing() throws {
    let folder = try TemporaryDirectory()
    func configure(_ text: String) throws {
      try folder.write("logagent.toml", "state_dir = \"state\"\n" + text)
    }
    func source(_ name: String) -> String {
      "[[source]]\nname = \"\(name)\"\ninclude = [\"logs/\(name).log\"]\n"
    }
    try folder.write("logs/one.log", line(1))
    try folder.write("logs/two.log", line(2))
    try configure(source("one"))
    let agent = try RunningAgent(
      ["--config", folder.file("logagent.toml")], state: folder.file("state"))
    #expect(agent.wait(for: "n=1", Self.bodies) == "n=1")
    try configure(source("one") + "include = 5\n")
    kill(agent.process.processIdentifier, SIGHUP)
    try folder.append("logs/one.log", line(3))
    #expect(agent.wait(for: "n=1|n=3", Self.bodies) == "n=1|n=3")
    try configure(source("one") + source("two") + "[[format]]\nname = \"bad\"\npattern = \"(\"\n")
    kill(agent.process.processIdentifier, SIGHUP)
    try folder.append("logs/one.log", line(4))
    #expect(agent.wait(for: "n=1|n=3|n=4", Self.bodies) == "n=1|n=3|n=4")
    try configure(source("one") + source("two"))
    kill(agent.process.processIdentifier, SIGHUP)
    #expect(agent.wait(for: "n=1|n=3|n=4|n=2", Self.bodies) == "n=1|n=3|n=4|n=2")
    #expect(agent.stop() == 0)
  }

  @Test func theWishToEndOutweighsAReloadThatIsAskedForAtOnce() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    for _ in 0..<5 {
      let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
      // While it is stopped the signals come together.
      kill(agent.process.processIdentifier, SIGSTOP)
      kill(agent.process.processIdentifier, SIGHUP)
      kill(agent.process.processIdentifier, SIGTERM)
      kill(agent.process.processIdentifier, SIGCONT)
      #expect(agent.stop() == 0)
    }
  }

  @Test func systemdIsToldWhenTheAgentWatchesAndThatItLives() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    let path = folder.file("notify")
    let listener = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    let agent = try RunningAgent(
      [folder.file("logs")], state: folder.file("state"),
      environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"])
    var told: [String] = []
    while told.filter({ $0 == "WATCHDOG=1" }).count < 2 {
      var buffer = [UInt8](repeating: 0, count: 100)
      let count = recv(listener, &buffer, buffer.count, 0)
      told.append(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
    }
    #expect(told.contains("READY=1"))
    #expect(agent.stop() == 0)
  }

  @Test func moreFilesThanDescriptorsAreFollowed() throws {
    let folder = try TemporaryDirectory()
    let count = 700
    for n in 0..<count { try folder.write("logs/app-\(n).log", line(1)) }
    let agent = try RunningAgent(
      [folder.file("logs")], state: folder.file("state"), descriptors: 330)
    let sql = "SELECT count(*) FROM record"
    #expect(agent.wait(for: "\(count)", sql) == "\(count)")
    for n in 0..<count { try folder.append("logs/app-\(n).log", line(2)) }
    try FileManager.default.moveItem(
      atPath: folder.file("logs/app-0.log"), toPath: folder.file("logs/app-0.log.1"))
    try folder.append("logs/app-0.log.1", line(3))
    #expect(agent.wait(for: "\(count * 2 + 1)", sql) == "\(count * 2 + 1)")
    let folderOfDescriptors = "/proc/\(agent.process.processIdentifier)/fd"
    let open = try FileManager.default.contentsOfDirectory(atPath: folderOfDescriptors)
    #expect(open.count < 330)
    #expect(try Store.text(agent.state, "SELECT count(*) FROM files WHERE problem <> ''") == "0")
  }

  @Test func aStoreThatIsDeletedUnderTheAgentIsMadeAgainFromTheFiles() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "n=1", Self.bodies) == "n=1")
    for name in try FileManager.default.contentsOfDirectory(atPath: agent.state)
    where name.hasPrefix("logs.db") {
      try FileManager.default.removeItem(atPath: agent.state + "/" + name)
    }
    try folder.append("logs/app.log", line(2))
    #expect(agent.wait(for: "n=1|n=2", Self.bodies) == "n=1|n=2")
    #expect(agent.stop() == 0)
  }

  /// Damaged in its pages, in the number of its form, and in the version of its schema.
  @Test(arguments: [(4096, 8192), (44, 4), (60, 4)] as [(UInt64, Int)])
  func aDamagedStoreIsKeptAsideAndTheFilesAreReadAgain(offset: UInt64, count: Int) throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1) + line(2))
    var agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "n=1|n=2", Self.bodies) == "n=1|n=2")
    #expect(agent.stop() == 0)
    let store = folder.file("state/logs.db")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: store))
    try handle.seek(toOffset: offset)
    try handle.write(contentsOf: Data(repeating: 0x9a, count: count))
    try handle.close()
    agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    #expect(agent.wait(for: "n=1|n=2", Self.bodies) == "n=1|n=2")
    #expect(FileManager.default.fileExists(atPath: store + ".damaged"))
  }

  @Test func aLineOfManyMegabytesCostsNoMemoryAndDelaysNothing() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", line(1))
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    for _ in 0..<20 {
      try folder.append("logs/app.log", String(repeating: "x", count: 1_000_000))
    }
    try folder.append("logs/app.log", "\n" + line(2))
    let sql = """
      SELECT group_concat(byte_length || ' ' || line_break, '|')
      FROM (SELECT * FROM logs ORDER BY id)
      """
    let expected = "30 newline|20000001 length_limit|30 newline"
    #expect(agent.wait(for: expected, sql) == expected)
    let status = try String(
      contentsOfFile: "/proc/\(agent.process.processIdentifier)/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    #expect((Int(peak.filter(\.isNumber)) ?? 0) < 60_000)
  }
}
