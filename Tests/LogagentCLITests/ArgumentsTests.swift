// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogagentCLI
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("The command line")
struct ArgumentsTests {
  private let fixture: CommandLineFixture

  init() throws {
    fixture = try CommandLineFixture()
    try fixture.sample.addRecord(1_796_040_000_000_000_000, "one")
  }

  @Test(
    "takes GNU's forms of flags",
    arguments: [
      ["query", "--format=csv", "SELECT 1 AS a"], ["query", "--format", "csv", "SELECT 1 AS a"],
      ["query", "-fcsv", "SELECT 1 AS a"], ["query", "-f", "csv", "SELECT 1 AS a"],
      ["query", "SELECT 1 AS a", "--format=csv", "--raw"],
      ["query", "-f", "json", "-f", "csv", "--", "SELECT 1 AS a"],
    ])
  func forms(_ words: [String]) {
    let result = fixture.run(words)
    #expect(result.output == "a\r\n1\r\n")
    #expect(result.status == .ok)
    #expect(result.errors == "")
  }

  @Test("takes common flags before the command, and joined switches")
  func before() {
    fixture.environment = [:]
    let result = fixture.run("--state-dir", fixture.folder.path, "show", "-ocat", "-n1")
    #expect(result.output == "one\n")
    #expect(fixture.run("--state-dir=" + fixture.folder.path, "show", "-ocat").output == "one\n")
  }

  @Test(
    "that is wrong says so and what is near",
    arguments: [
      (
        ["qury", "x"],
        "unknown command 'qury'; did you mean 'query'? ('logagent --help' lists them)"
      ),
      (["query", "--fromat", "csv", "x"], "unknown flag --fromat; did you mean --format?"),
      (["query", "-z", "x"], "unknown flag -z"),
      (["query", "--format"], "--format needs a value: --format FORMAT"),
      (["query", "-f"], "-f needs a value: -f FORMAT"),
      (["query", "--raw=1", "x"], "--raw takes no value"),
      (["query"], "query: SQL is missing; - reads it from standard input"),
      (["query", "a", "b"], "query: what is 'b'? See 'logagent query --help'"),
      (
        ["query", "--format", "jsn", "x"],
        "--format: expected table, csv, json, tsv, got 'jsn'; did you mean 'json'?"
      ),
      (
        ["query", "--timeout", "soon", "x"],
        "--timeout: expected a time such as 30s or 5m, got 'soon'"
      ),
      (["show", "-n", "-1"], "--lines: expected a whole number of at least 0, got '-1'"),
      (
        ["show", "--severity", "loud"],
        "--severity: expected trace, debug, info, warn, error, fatal or 1 to 24, got 'loud'"
      ),
      (
        ["show", "--grep", "(a"],
        "pattern '(a': missing closing parenthesis, at character 3"
      ),
      (["show", "-f", "--until", "now"], "--follow has no end: leave --until away"),
      (["crash"], "'crash' needs a second word: logagent crash show"),
      ([], "which command? 'logagent --help' lists them"),
    ])
  func mistakes(_ words: [String], _ message: String) {
    let result = fixture.run(words)
    #expect(result.status == .usage)
    #expect(result.errors == "logagent: \(message)\n")
    #expect(result.output == "")
  }

  @Test("has help of at most 80 columns for every command", arguments: Command.visible.map(\.name))
  func help(_ name: String) throws {
    let words = name.split(separator: " ").map(String.init)
    let result = fixture.run(words + ["--help"])
    #expect(result.status == .ok)
    #expect(result.output.hasPrefix("logagent \(name): "))
    #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(fixture.run(["help"] + words).output == result.output)
    // Examples come first, and each can be parsed.
    #expect(result.output.contains("Examples:\n  # "))
  }

  @Test("tells its version and all commands")
  func program() {
    #expect(fixture.run("--version").output == "logagent \(CLI.version)\n")
    let help = fixture.run("--help").output
    for command in Command.visible { #expect(help.contains("\n  \(command.name) ")) }
    #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
