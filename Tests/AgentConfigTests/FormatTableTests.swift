// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import TestSupport
internal import Testing

@Suite("A [[format]] of the configuration")
struct FormatTableTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func load(_ text: String) throws -> [UserFormatDefinition] {
    let path = try folder.write("etc/logagent.toml", text)
    return try ConfigurationLoader(file: path, environment: ["HOME": "/home/ada"], userID: 1000)
      .load().formats
  }

  private func problems(_ text: String) throws -> String {
    let error = #expect(throws: ConfigurationError.self) { try load(text) }
    return (error?.description ?? "").replacing(folder.file("etc") + "/", with: "")
  }

  @Test("is read with everything it can say")
  func everything() throws {
    let format = try #require(
      try load(
        #"""
        [[format]]
        name = "till"
        summary = "the tills"
        pattern = ['^(?<time>\S+) (?<severity>\w) (?<order>\d+) (?<body>.*)', '^(?<body>x.*)']
        record_start = '^\d'
        time = "%Y-%m-%dT%H:%M:%S"
        files = ["till/*.log"]
        file_pattern = 'till'
        [format.severity]
        error = ["F", "K"]
        "10" = "N"
        [format.fields]
        order = "shop.order"
        [[format.sample]]
        text = "2026-03-01T10:00:00 F 7 klemmt"
        time = 2026-03-01T10:00:00Z
        severity = "error"
        "shop.order" = 7
        """#
      ).first)
    #expect(format.name == "till")
    #expect(format.patterns.count == 2)
    #expect(format.recordStart == #"^\d"#)
    #expect(format.timeLayouts == ["%Y-%m-%dT%H:%M:%S"])
    #expect(format.files == [folder.file("etc/till/*.log")])
    #expect(format.filePattern == "till")
    #expect(format.severities.map(\.severity.number) == [17, 17, 10])
    #expect(format.severities.map(\.pattern) == ["F", "K", "N"])
    #expect(format.fields == ["order": "shop.order"])
    #expect(format.place == folder.file("etc/logagent.toml") + ":1:1")
    let sample = try #require(format.samples.first)
    #expect(sample.text == "2026-03-01T10:00:00 F 7 klemmt")
    #expect(sample.expected.map(\.field).sorted() == ["severity", "shop.order", "time"])
    #expect(
      sample.expected.first { $0.field == "time" }?.value.hasPrefix("2026-03-01T10:00:00") == true)
  }

  @Test("can name an lnav file, and files, and nothing else")
  func lnav() throws {
    let format = try #require(
      try load("[[format]]\nlnav_format = \"till.json\"\nfiles = \"/srv/*.log\"\n").first)
    #expect(format.lnavFile == folder.file("etc/till.json"))
    let text = try problems("[[format]]\nlnav_format = \"till.json\"\npattern = 'x'\n")
    #expect(text.contains("logagent.toml:3:1: format.pattern: stands in the file"))
  }

  @Test("has all its mistakes reported with their places")
  func mistakes() throws {
    let text = try problems(
      """
      [[format]]
      name = "Till 1"
      patern = 'x'
      [format.severity]
      eror = "F"
      [[format.sample]]
      text = "x"
      """)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(lines.contains { $0.hasPrefix("logagent.toml:1:1: format.pattern: expected pattern") })
    #expect(lines.contains { $0.hasPrefix("logagent.toml:2:8: format.name: expected a name of") })
    #expect(
      lines.contains { $0.contains("3:1: format.patern: unknown key; did you mean 'pattern'") })
    #expect(lines.contains { $0.contains("5:1: format.severity.eror: unknown key") })
    #expect(lines.contains { $0.contains("6:1: format.sample: expected fields beside the text") })
  }

  @Test("needs a sample, and a name of its own")
  func required() throws {
    #expect(
      try problems("[[format]]\nname = \"a\"\npattern = 'x'\n")
        .contains("format.sample: expected at least one [[format.sample]]"))
    let one = "[[format]]\nname = \"a\"\npattern = 'x'\nsample = [{text = \"x\", body = \"x\"}]\n"
    #expect(try problems(one + one).contains("format.name: expected a name of its own"))
  }
}
