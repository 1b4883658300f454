// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogagentCLI
internal import TestSupport
internal import Testing

@Suite("logagent check-config")
struct CheckConfigTests {
  private let fixture: CommandLineFixture

  init() throws {
    fixture = try CommandLineFixture()
    // What lies beside a store is never a source.
    fixture.environment["LOGAGENT_STATE_DIR"] = fixture.folder.file("state")
  }

  @Test("shows each value with its origin")
  func origins() throws {
    let path = try fixture.folder.write(
      "a.toml",
      "[retention]\nmax_age = \"48h\"\n[[source]]\nname = \"app\"\ninclude = [\"*.log\"]\n")
    fixture.environment["LOGAGENT_LIMITS_POLL_MS"] = "1s"
    let result = fixture.run("check-config", "--config", path, "--state-dir", "/x")
    #expect(result.status == .ok)
    let rows = result.output.split(separator: "\n").map {
      $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    }
    #expect(rows.contains("state_dir \"/x\" --state-dir"))
    #expect(rows.contains("retention.max_age \"2d\" \(path):2"))
    #expect(rows.contains("limits.poll_ms 1000 LOGAGENT_LIMITS_POLL_MS"))
    #expect(rows.contains("limits.max_line_bytes \"1MiB\" default"))
    #expect(rows.contains("source app (\(path):3)"))
  }

  @Test("says which files the patterns mean, and which of them cannot be read")
  func files() throws {
    for name in ["logs/a.log", "logs/b.log", "logs/c.log", "logs/deep/d.log"] {
      try fixture.folder.write(name, "x\n")
    }
    // A FIFO is unreadable for everybody, also for root.
    #expect(mkfifo(fixture.folder.file("logs/pipe.log"), 0o600) == 0)
    let path = try fixture.folder.write(
      "a.toml",
      """
      [[source]]
      name = "app"
      include = ["logs/*.log"]
      exclude = ["logs/b.log"]
      [[source]]
      name = "rest"
      include = ["logs/**/*.log"]
      [[spool]]
      name = "crashes"
      path = "none"
      """)
    let output = fixture.run("check-config", "--config", path).output
    #expect(
      output.contains("  matches 2 files:\n    \(fixture.folder.file("logs/pipe.log")): not a"))
    // A file belongs to the first source that names it.
    #expect(output.contains("rest  (\(path):5)\n  include"))
    #expect(output.components(separatedBy: "  matches 2 files:").count == 3)
    #expect(output.contains("\(fixture.folder.file("none")): not there yet\n"))
  }

  @Test("counts files that may not be opened", .enabled(if: getuid() != 0))
  func unreadable() throws {
    let log = try fixture.folder.write("a.log", "x\n")
    chmod(log, 0)
    let path = try fixture.folder.write(
      "a.toml", "[[source]]\nname = \"app\"\ninclude = [\"*.log\"]\n")
    let output = fixture.run("check-config", "--config", path).output
    #expect(output.contains("  matches 1 file, 1 unreadable:\n    \(log): Permission denied\n"))
  }

  @Test("says nothing with --quiet when all is well")
  func quiet() throws {
    let path = try fixture.folder.write(
      "a.toml", "[[source]]\nname = \"app\"\ninclude = [\"*.log\"]\n")
    let result = fixture.run("check-config", "-q", "--config", path)
    #expect(result.status == .ok && result.output == "" && result.errors == "")
  }
}
