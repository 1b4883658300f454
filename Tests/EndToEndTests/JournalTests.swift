// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// A `journalctl` that reads a text file: each of its lines is a message, and its number the cursor.
private final class FakeJournal {
  let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
    try folder.write("messages", "")
    try folder.write(
      "bin/journalctl",
      """
      #!/usr/bin/python3
      import os, select, sys
      # As the real one: it ends when nobody reads any more.
      reader = select.poll()
      reader.register(1, 0)
      after = 0
      for word in sys.argv:
          if word.startswith("--after-cursor="): after = int(word[len("--after-cursor=n"):])
      out = sys.stdout.buffer
      file = open("\(folder.file("messages"))", "rb")
      number = 0
      while True:
          line = file.readline()
          if not line:
              out.flush()
              if "--follow" not in sys.argv or os.path.exists("\(folder.file("end"))"): break
              if reader.poll(10): break
              continue
          number += 1
          if number <= after: continue
          text = line.rstrip(b"\\n").replace(b"|", b"\\n")
          out.write(b"__CURSOR=n%d\\n__REALTIME_TIMESTAMP=%d\\nPRIORITY=4\\n_PID=7\\n" % (
              number, 1796019592000000 + number))
          out.write(b"SYSLOG_IDENTIFIER=shop\\n")
          if b"\\n" in text:
              out.write(b"MESSAGE\\n" + len(text).to_bytes(8, "little") + text + b"\\n")
          else:
              out.write(b"MESSAGE=" + text + b"\\n")
          out.write(b"\\n")
      """)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.file("bin/journalctl"))
    try folder.write("logagent.toml", "[[journal]]\nname = \"journal\"\n")
  }

  func append(_ numbers: Range<Int>) throws {
    try folder.append("messages", numbers.map { "m \($0)|second line\n" }.joined())
  }

  var environment: [String: String] {
    [
      "PATH": folder.file("bin") + ":/usr/bin:/bin",
      "LOGAGENT_CONFIG": folder.file("logagent.toml"), "HOME": folder.path,
    ]
  }
}

@Suite(
  "The journal", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct JournalTests {
  private let journal: FakeJournal
  private let state: String

  init() throws {
    journal = try FakeJournal()
    state = journal.folder.file("state")
  }

  private func agent() throws -> RunningAgent {
    try RunningAgent([], state: state, environment: journal.environment)
  }

  private let count = "SELECT count(*) || ' ' || count(DISTINCT body) FROM logs"

  @Test("is a source whose entries become records with their fields")
  func fields() throws {
    try journal.append(0..<3)
    let agent = try agent()
    #expect(agent.wait(for: "3 3", count) == "3 3")
    #expect(
      try Store.text(
        state,
        """
        SELECT time || ' ' || severity || ' ' || process || ' ' || pid || ' ' || body || ' ' || source
          || ' ' || time_quality FROM logs LIMIT 1
        """) == "2026-11-30T06:19:52.000001000Z warn shop 7 m 0\nsecond line journal zoned")
    #expect(agent.stop() == 0)
  }

  @Test("is stored exactly once under kill -9 at any moment")
  func killed() throws {
    var written = 0
    for round in 0..<6 {
      let agent = try agent()
      try journal.append(written..<written + 500)
      written += 500
      // At another moment each time: when so many have arrived.
      let wanted = written - 500 + round * 90
      let deadline = Date(timeIntervalSinceNow: 10)
      while Date() < deadline {
        let stored = Int((try? Store.text(state, "SELECT count(*) FROM logs")) ?? "") ?? 0
        if stored >= wanted { break }
        usleep(1_000)
      }
      agent.kill()
    }
    let agent = try agent()
    #expect(agent.wait(for: "\(written) \(written)", count) == "\(written) \(written)")
    #expect(agent.stop() == 0)
    // The ledger comes out, too.
    let audit = try ProgramRun(
      "logagent", ["audit", "--state-dir", state], environment: ["HOME": journal.folder.path])
    #expect(audit.status == 0)
  }

  @Test("goes on when journalctl ends, and says so")
  func restarts() throws {
    try journal.append(0..<2)
    let agent = try agent()
    #expect(agent.wait(for: "2 2", count) == "2 2")
    try journal.folder.write("end", "")
    let said = agent.waitForMessage("journal:journal: journalctl has ended")
    #expect(said != "")
    try FileManager.default.removeItem(atPath: journal.folder.file("end"))
    try journal.append(2..<4)
    #expect(agent.wait(for: "4 4", count) == "4 4")
    #expect(agent.stop() == 0)
  }

  @Test("is read once by import, and its absence is told")
  func importOnce() throws {
    try journal.append(0..<5)
    func run(_ environment: [String: String]) throws -> ProgramRun {
      try ProgramRun("logagent", ["import", "--state-dir", state], environment: environment)
    }
    for _ in 0..<2 {
      #expect(try run(journal.environment).status == 0)
      #expect(try Store.text(state, count) == "5 5")
    }
    var none = journal.environment
    none["PATH"] = "/nowhere"
    let result = try run(none)
    #expect(result.status == 2)
    #expect(result.text.contains("there is no journalctl in PATH"))
  }
}
