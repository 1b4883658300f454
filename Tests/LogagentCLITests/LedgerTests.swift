// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogQuery
internal import LogagentCLI
internal import SQLite
internal import TestSupport
internal import Testing

/// Where records came from, and their files made again.
@Suite("The ledger")
struct LedgerTests {
  private let fixture: CommandLineFixture
  private let folder: TemporaryDirectory

  init() throws {
    fixture = try CommandLineFixture()
    folder = try TemporaryDirectory()
    fixture.environment["LOGAGENT_STATE_DIR"] = folder.file("state")
  }

  private static let text =
    "2025-03-01T10:00:00Z INFO one\r\n2025-03-01T10:00:01Z WARN two\r\n  at three\r\n"

  private func write(_ text: String) throws -> String {
    let path = try folder.write("logs/app.log", text)
    #expect(fixture.run("import", path).status == .ok)
    return path
  }

  @Test("makes a file again, byte by byte, also when it is gone")
  func cat() throws {
    let path = try write(Self.text)
    #expect(fixture.run("cat", "--compare", path).output == "\(path): 74 bytes are the same\n")
    try FileManager.default.removeItem(atPath: path)
    let result = fixture.run("cat", path)
    #expect(result.output == Self.text)
    #expect(result.status == .ok)
    #expect(
      fixture.run("cat", "--compare", path).output == "\(path): not on disk any more\n")
  }

  @Test(
    "makes every file of the corpus again",
    .enabled(if: Corpus.isAvailable, "the corpus of real logs is not here"))
  func corpus() throws {
    #expect(fixture.run("import", Corpus.path ?? "").status == .someInputFailed)
    let connection = try Connection(path: folder.file("state/logs.db"), mode: .readOnly)
    let row = try connection.prepare(
      "SELECT DISTINCT source FROM files WHERE role = 'log' AND state <> 'refused'")
    var same = 0
    while try row.step() {
      let output = fixture.run("cat", "--compare", "--source", row.text(0)).output
      #expect(!output.contains("differs"), "\(output)")
      same += output.split(separator: "\n").count { $0.hasSuffix("bytes are the same") }
    }
    #expect(same > 200)
    // What this program reads fast is what any client of SQLite reads.
    let store = try QueryStore(path: folder.file("state/logs.db"))
    let ours = try store.connection.prepare("SELECT original FROM logs ORDER BY id")
    let theirs = try connection.prepare("SELECT original FROM logs ORDER BY id")
    var compared = 0
    while try ours.step(), try theirs.step() {
      if ours.blob(0) != theirs.blob(0) {
        Issue.record("\(ours.text(0)) is not \(theirs.text(0))")
        break
      }
      compared += 1
    }
    #expect(compared > 10_000)
  }

  @Test("says what it cannot make again")
  func catWithout() throws {
    let path = try write("2025-03-01T10:00:00Z INFO one\n\n\n2025-03-01T10:00:01Z INFO two\n")
    let result = fixture.run("cat", "--source", "app")
    #expect(result.status == .someInputFailed)
    #expect(result.errors == "logagent: \(path): 2 of 62 bytes are not in the store\n")
    #expect(fixture.run("cat", "--source", "web").status == .nothingFound)
    #expect(fixture.run("cat").status == .usage)
  }

  @Test("finds the byte at which a file on disk differs")
  func compare() throws {
    let path = try write("2025-03-01T10:00:00Z INFO one\n2025-03-01T10:00:01Z INFO two\n")
    try folder.write(
      "logs/app.log", "2025-03-01T10:00:00Z INFO one\n2025-03-01T10:00:01Z INFO tvo\n")
    let result = fixture.run("cat", "--compare", path)
    #expect(result.output == "\(path): differs from byte 57 on\n")
    #expect(result.status == .someInputFailed)
  }

  @Test("explains a record")
  func explain() throws {
    let path = try write(Self.text)
    let text = fixture.run("explain", "2").output
    for part in [
      "\(path) (generation 1, ", "31 to 74 (43), ended by newline",
      "2025-03-01T10:00:01.000000000Z: stated, with its zone",
      "warn (13)", "the source's word is 'WARN'", "before body 2025-03-01T10:00:01Z WARN ",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    #expect(fixture.run("explain", "99").status == .nothingFound)
    #expect(fixture.run("explain", "x").status == .usage)
  }

  @Test("a wrong rule on prune's command line is no wrong configuration")
  func wrongRule() {
    let result = fixture.run("prune", "--max-age", "7")
    #expect(result.status == .usage)
    #expect(result.errors.contains("--max-age"))
    fixture.environment["LOGAGENT_RETENTION_MAX_AGE"] = "7"
    #expect(fixture.run("prune").status == .configuration)
  }

  @Test("prune applies the rule at once, and the ledger stays right")
  func prune() throws {
    let path = try write(
      (1...50).map { "2025-03-01T10:00:\($0 + 9)Z INFO n=\($0)\n" }.joined())
    fixture.now = Timestamp(nanoseconds: 1_740_823_240 * 1_000_000_000)
    #expect(fixture.run("prune", "--max-age", "10s").output == "20 records deleted\n")
    #expect(fixture.run("query", "SELECT count(*) AS n FROM logs").output == "n\n30\n")
    #expect(fixture.run("audit").status == .ok)
    let result = fixture.run("cat", path)
    #expect(result.errors.contains("of them pruned"))
  }
}
