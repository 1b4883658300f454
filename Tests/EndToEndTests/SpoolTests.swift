// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// Folders of crash reports, as the programs treat them.
@Suite struct SpoolTests {
  private static func report(_ number: Int, reason: String = "no tea") -> String {
    #"{"name":"SIGSEGV","reason":"\#(reason) \#(number)","stackTrace":"0 shop 0x1028a0f10 pay + 4"}"#
  }

  @Test func theAgentTellsOfACrashWithAllThatIsKnownOfIt() throws {
    let folder = try TemporaryDirectory()
    try folder.write("logs/app.log", "2025-03-01T10:00:01Z INFO n=1\n")
    let agent = try RunningAgent([folder.file("logs")], state: folder.file("state"))
    let clock = ISO8601DateFormatter().string(from: Date())
    try folder.append("logs/shop.stderr", "shop/Cart.swift:42: Fatal error: no tea\n")
    #expect(agent.wait(for: "1", "SELECT count(*) FROM crash") == "1")
    try folder.write(
      "logs/shop-77-0.0.json",
      #"{"timestamp":"\#(clock)","kind":"crashReport","description":"Illegal instruction","#
        + #""faultAddress":"0x1","platform":"x86_64 Linux","architecture":"x86_64","threads":"#
        + #"[{"crashed":true,"frames":[{"kind":"programCounter","address":"0x1","#
        + #""symbol":"pay()","image":"shop"}]}],"images":[]}"#)
    #expect(
      agent.waitForMessage("crashed: ").hasSuffix(
        "shop (pid 77) crashed: Fatal error: no tea"))
    #expect(agent.stop() == 0)
  }

  @Test func importReadsAllOfASpoolHoweverManyReportsItHolds() throws {
    let folder = try TemporaryDirectory()
    let count = 1100
    for number in 0..<count { try folder.write("spool/r\(number).json", Self.report(number)) }
    let configuration = try folder.write(
      "logagent.toml", "[[spool]]\nname = \"s\"\npath = \"\(folder.file("spool"))\"\n")
    let state = folder.file("state")
    #expect(try Logagent.run("import", "--config", configuration, state: state).status == 0)
    #expect(try Store.text(state, "SELECT count(*) FROM crashes") == "\(count)")
  }

  @Test func ofTwoAgentsOneConsumesASpoolAndTheOtherWhenThatHasDied() throws {
    let folder = try TemporaryDirectory()
    try folder.write("spool/a.json", Self.report(1))
    let configuration = try folder.write(
      "logagent.toml",
      "[[spool]]\nname = \"s\"\npath = \"\(folder.file("spool"))\"\nconsume = true\n"
        + "keep = \"1MB\"\n")
    let count = "SELECT count(*) FROM crash"
    let first = try RunningAgent(["--config", configuration], state: folder.file("one"))
    #expect(first.wait(for: "1", count) == "1")
    let second = try RunningAgent(
      ["--config", configuration], state: folder.file("two"), waitsForStart: false)
    #expect(second.waitForMessage("another agent consumes this spool") != "")
    let taken = folder.file("spool/.logagent-done/a.json")
    let deadline = Date(timeIntervalSinceNow: 10)
    while !FileManager.default.fileExists(atPath: taken), Date() < deadline { usleep(10_000) }
    #expect(FileManager.default.fileExists(atPath: taken))
    first.kill()
    try folder.write("spool/b.json", Self.report(2))
    #expect(second.wait(for: "1", count) == "1")
    #expect(try Store.text(folder.file("two"), "SELECT reason FROM crashes").contains("no tea 2"))
    #expect(second.stop() == 0)
  }
}
