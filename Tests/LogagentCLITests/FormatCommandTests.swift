// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogagentCLI
internal import TestSupport
internal import Testing

@Suite("A [[format]] on the command line")
struct FormatCommandTests {
  private let fixture: CommandLineFixture
  /// The fixture's own folder is the state directory, in which no logs are looked for.
  private let logs: TemporaryDirectory

  init() throws {
    fixture = try CommandLineFixture()
    logs = try TemporaryDirectory()
  }

  /// The block of the example configuration that describes a format.
  private func example() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(
      contentsOf: root.appendingPathComponent("etc/logagent.toml"), encoding: .utf8)
    let block = text.split(separator: "\n").drop { $0 != "## [[format]]" }.prefix {
      $0 != "## lnav_format = \"till.json\""
    }
    return block.dropLast().filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
      .joined(separator: "\n") + "\n"
  }

  private func run(_ words: [String], _ configuration: String) throws -> CommandLineFixture.Result {
    let path = try fixture.folder.write("logagent.toml", configuration)
    return fixture.run(words + ["--config", path])
  }

  @Test("is checked with its samples, and the example holds")
  func check() throws {
    let source = "[[source]]\nname = \"a\"\ninclude = \"*.log\"\n"
    let result = try run(["check-config"], source + example())
    #expect(result.errors == "")
    #expect(result.status == .ok)
    #expect(result.output.contains("format till: "))
    let broken = try example().replacing("FEHLER #42", with: "FEHLER 42")
    let refused = try run(["check-config"], broken)
    #expect(refused.status == .configuration)
    #expect(
      refused.errors.contains(
        "format 'till': sample 1: the pattern stops matching at character 32: it takes "
          + "'01.03.2026 10:00:00,123 FEHLER ', not '42 order=a7 Lade klemmt'"),
      "\(refused.errors)")
    #expect(refused.errors.contains("logagent.toml:"))
  }

  @Test("takes part in detection and in the list")
  func detection() throws {
    let log = try logs.write(
      "srv/till.log",
      "01.03.2026 10:00:00,123 FEHLER #42 order=a7 Lade klemmt\n"
        + "01.03.2026 10:00:01,000 INFO #42 weiter\n")
    let configuration = try example().replacing(
      "/srv/till/", with: logs.file("srv") + "/")
    let result = try run(["formats", log], configuration)
    #expect(result.status == .ok)
    #expect(result.output.contains("format  till: 2 of the first 2 lines begin a record"))
    #expect(result.output.contains("Lade klemmt"))
    #expect(result.output.contains("shop.order"))
    // It is for other files only.
    let elsewhere = try run(["formats", log], example())
    #expect(!elsewhere.output.contains("till:"))
    #expect(try run(["formats", "--list"], configuration).output.contains("till"))
  }

  @Test("can be taken from an lnav file, and printed for the configuration")
  func lnav() throws {
    let lnav = #"""
      {"till_log": {"title": "It's a till", "regex": {
        "a": {"pattern": "^(?<timestamp>\\S+ \\S+) <(?<level>\\w)> (?<body>.*)$"}},
        "timestamp-format": ["%Y-%m-%d %H:%M:%S"], "level": {"error": "E", "info": "I", "stats": "S"},
        "sample": [{"line": "2026-03-01 10:00:00 <E> stuck", "level": "error"}]}}
      """#
    let file = try fixture.folder.write("till.json", lnav)
    let printed = fixture.run("formats", "--import", file)
    #expect(printed.status == .ok)
    #expect(printed.errors == "")
    // What is printed is a configuration, and means the same.
    let log = try logs.write("a.log", "2026-03-01 10:00:00 <E> jammed\n")
    let named = "[[format]]\nlnav_format = \"till.json\"\n"
    for configuration in [printed.output, named] {
      #expect(try run(["check-config"], configuration).status == .ok)
      let result = try run(["formats", log], configuration)
      #expect(result.output.contains("format  till-log: 1 of"))
      #expect(result.output.contains("error"))
    }
    let broken = try fixture.folder.write(
      "broken.json", lnav.replacing("<E> stuck", with: "[E] stuck"))
    let refused = fixture.run("formats", "--import", broken)
    #expect(refused.status == .dataError)
    #expect(refused.errors.contains("sample 1: the pattern stops matching at character 21"))
  }

  @Test("that can't be compiled stops what would use it")
  func mistakes() throws {
    let configuration = try example().replacing("(?<time>", with: "(?<time")
    for words in [["check-config"], ["formats", "x.log"], ["import", "x.log"]] {
      let result = try run(words, configuration)
      #expect(result.status == .configuration, "\(words): \(result.errors)")
      #expect(result.errors.contains("format 'till': pattern"))
    }
    let name = try example().replacing("\"till\"", with: "\"nginx-error\"")
    #expect(try run(["check-config"], name).errors.contains("another format has this name"))
  }

  @Test("the list is a table with what each format maps")
  func list() {
    let lines = fixture.run("formats", "--list").output.split(separator: "\n")
    #expect(lines.first?.hasPrefix("NAME") == true)
    let words = lines.first { $0.hasPrefix("swift-log ") }?.split(separator: " ") ?? []
    #expect(words.prefix(3) == ["swift-log", "swift", "time,severity,logger"])
    #expect(lines.first { $0.hasPrefix("plain ") }?.contains(" severity  ") == true)
  }

  @Test("a file for --import that is not there, or no format file, is named once")
  func importOfNoFormat() throws {
    let missing = fixture.run("formats", "--import", "/none.json")
    #expect(missing.status == .noInput)
    #expect(missing.errors == "logagent: /none.json: cannot open: No such file or directory\n")
    let path = try fixture.folder.write("notes.txt", "no format\n")
    let refused = fixture.run("formats", "--import", path)
    #expect(refused.status == .dataError)
    #expect(refused.errors.hasPrefix("logagent: \(path):1: not JSON"), "\(refused.errors)")
  }

  @Test("the reference page is that of the formats")
  func page() throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("contrib/docs/formats.md")
    let page = fixture.run("formats", "--list", "--markdown").output
    if ProcessInfo.processInfo.environment["LOGAGENT_RECORD"] == "1" {
      try Data(page.utf8).write(to: url)
    }
    #expect(
      try String(contentsOf: url, encoding: .utf8) == page,
      "logagent formats --list --markdown > contrib/docs/formats.md")
  }
}
