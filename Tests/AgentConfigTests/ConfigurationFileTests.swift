// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import TestSupport
internal import Testing

@Suite("A configuration file")
struct ConfigurationFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func load(_ text: String) throws -> Configuration {
    let path = try folder.write("etc/logagent.toml", text)
    return try ConfigurationLoader(file: path, environment: ["HOME": "/home/ada"], userID: 1000)
      .load()
  }

  @Test("sets every key")
  func everyKey() throws {
    let configuration = try load(
      """
      state_dir = "/srv/logagent"
      timezone = "UTC"

      [[source]]
      name = "app"
      include = ["/var/log/app/*.log", "/var/log/app/**/*.txt"]
      exclude = "/var/log/app/debug.log"
      timezone = "UTC"
      multiline = "timestamp"
      binary = "text"

      [[spool]]
      name = "crashes"
      path = "/var/crash"

      [limits]
      max_line_bytes = "512KiB"
      max_record_lines = 100
      max_record_bytes = 65536
      record_flush_ms = "1s"
      partial_flush_ms = 250
      max_report_bytes = "4MB"
      poll_ms = 1000

      [retention]
      max_bytes = "20MB"
      max_age = "7d"
      """)
    #expect(configuration.storePath == "/srv/logagent/logs.db")
    #expect(configuration.timeZone == "UTC")
    let source = try #require(configuration.sources.first)
    #expect(source.name == "app")
    #expect(source.include == ["/var/log/app/*.log", "/var/log/app/**/*.txt"])
    #expect(source.exclude == ["/var/log/app/debug.log"])
    #expect(source.multiline == .timestamp)
    #expect(source.binary == .text)
    #expect(configuration.spools.map(\.path) == ["/var/crash"])
    #expect(configuration.limits.maxLineBytes == 524_288)
    #expect(configuration.limits.maxRecordLines == 100)
    #expect(configuration.limits.maxRecordBytes == 65_536)
    #expect(configuration.limits.recordFlushMilliseconds == 1000)
    #expect(configuration.limits.partialFlushMilliseconds == 250)
    #expect(configuration.limits.maxReportBytes == 4_000_000)
    #expect(configuration.limits.pollMilliseconds == 1000)
    #expect(configuration.retention.maxBytes == 20_000_000)
    #expect(configuration.retention.maxAgeNanoseconds == Int64(604_800_000_000_000))
  }

  @Test("has paths relative to its own folder")
  func relativePaths() throws {
    let configuration = try load(
      """
      state_dir = "../state"
      [[source]]
      name = "app"
      include = ["logs/*.log"]
      [[spool]]
      name = "crashes"
      path = "./spool"
      """)
    #expect(configuration.stateDirectory == folder.file("state"))
    #expect(configuration.sources[0].include == [folder.file("etc/logs/*.log")])
    #expect(configuration.spools[0].path == folder.file("etc/spool"))
  }

  @Test("switches the age limit off")
  func ageOff() throws {
    #expect(try load("[retention]\nmax_age = \"off\"").retention.maxAgeNanoseconds == nil)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let text: String
    let place: String
    let message: String
    var testDescription: String { place + message }
  }

  private static let mistakes: [Mistake] = [
    Mistake(
      text: "state_dir = 3", place: "1:13: state_dir: ",
      message: "expected a path such as \"/var/lib/logagent\", got 3"),
    Mistake(
      text: "\n[retentoin]\nmax_age = \"1d\"", place: "2:2: retentoin: ",
      message: "unknown key; did you mean 'retention'?"),
    Mistake(
      text: "[limits]\n  max_line_byte = 5000", place: "2:3: limits.max_line_byte: ",
      message: "unknown key; did you mean 'max_line_bytes'?"),
    Mistake(
      text: "[limits]\nmax_line_bytes = 12", place: "2:18: limits.max_line_bytes: ",
      message: "expected 1024 to 67108864 bytes, got 12"),
    Mistake(
      text: "[retention]\nmax_age = 30", place: "2:11: retention.max_age: ",
      message: "expected a duration such as \"30d\" or \"12h\", or \"off\", got 30"),
    Mistake(
      text: "[retention]\nmax_bytes = \"20 apples\"", place: "2:13: retention.max_bytes: ",
      message: "expected a size such as 1048576, \"20MB\" or \"512KiB\", got \"20 apples\""),
    Mistake(
      text: "[[source]]\nname = \"a\"\ninclude = [\"/a\", 5]", place: "3:11: source.include: ",
      message: "expected a pattern, got 5"),
    Mistake(
      text: "[[source]]\nname = \"a\"", place: "1:1: source.include: ",
      message: "expected include = [\"/var/log/app/*.log\"], got nothing"),
    Mistake(
      text: "[[source]]\nname = \"a\"\ninclude = \"/a\"\nmultiline = \"on\"",
      place: "4:13: source.multiline: ",
      message: "expected one of \"auto\", \"timestamp\", \"off\", got \"on\""),
    Mistake(
      text:
        "[[source]]\nname = \"a\"\ninclude = \"/a\"\n[[source]]\nname = \"a\"\ninclude = \"/b\"",
      place: "5:8: source.name: ",
      message: "expected a name of its own, but \"a\" stands in line 2 too"),
    Mistake(
      text: "source = 1", place: "1:10: source: ",
      message: "expected tables, each written as [[source]], got 1"),
    Mistake(
      text: "limits = 1", place: "1:10: limits: ",
      message: "expected a table, written as [limits], got 1"),
    Mistake(
      text: "timezone = \"../etc/passwd\"", place: "1:12: timezone: ",
      message: "expected a time zone that /usr/share/zoneinfo/ has"),
    Mistake(text: "a = ", place: "1:5: ", message: "not TOML: "),
    Mistake(text: "path: *.log", place: "1:5: ", message: "not TOML: "),
  ]

  @Test("says where a mistake is, what was expected and what is there", arguments: mistakes)
  func mistake(_ mistake: Mistake) throws {
    let error = #expect(throws: ConfigurationError.self) { try load(mistake.text) }
    let text = try #require(error).description
    let expected = folder.file("etc/logagent.toml") + ":" + mistake.place + mistake.message
    #expect(text.hasPrefix(expected), "\(text)")
  }

  @Test("has all its mistakes reported, in the order of the file")
  func allMistakes() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try load("[retention]\nmax_age = 1\nmax_bytes = true\n[limits]\npoll_ms = 0")
    }
    let places = try #require(error).problems.map(\.key)
    #expect(places == ["retention.max_age", "retention.max_bytes", "limits.poll_ms"])
  }

  @Test("that is missing or a folder is named")
  func unreadable() throws {
    for (path, reason) in [
      (folder.file("no.toml"), "cannot read: No such file or directory"),
      (folder.path, "cannot read: Is a directory"),
    ] {
      let error = #expect(throws: ConfigurationError.self) {
        try ConfigurationLoader(file: path, environment: [:], userID: 1000).load()
      }
      #expect(try #require(error).description.hasSuffix(reason))
      #expect(try #require(error).description.hasPrefix(path))
    }
  }
}
