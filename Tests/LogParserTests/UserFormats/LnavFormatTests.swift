// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// In the manner of lnav's format files; written for this test.
private let file = #"""
  {
    "$schema": "https://lnav.org/schemas/format-v1.schema.json",
    "till_log": {
      "title": "Till",
      "description": "Log of a till",
      "url": "http://example.com",
      "file-pattern": "till.*\\.log",
      "regex": {
        "std": {
          "pattern": "^(?<ts>\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}\\.\\d{3}) <(?<level>\\w)> (?<tid>\\d+) (?<src>[\\w.]+):(?<srcline>\\d+) (?<body>.*)$"
        },
        "bare": { "pattern": "^(?<ts>\\d{10})\\|(?<body>.*)$" }
      },
      "timestamp-field": "ts",
      "timestamp-format": ["%Y-%m-%d %H:%M:%S.%L", "%s"],
      "src-file-field": "src",
      "src-line-field": "srcline",
      "level": { "error": "^E", "warning": "W", "info": "^I$", "stats": "^S" },
      "value": { "tid": { "kind": "string", "identifier": true } },
      "sample": [
        { "line": "2026-03-01 10:00:00.250 <E> 7 till.c:12 drawer stuck", "level": "error" },
        { "line": "1772359200|started" }
      ]
    },
    "other_log": { "json": true, "line-format": [] }
  }
  """#

@Suite("An lnav format file")
struct LnavFormatTests {
  private func definition(_ text: String = file) throws -> UserFormatDefinition {
    try #require(try LnavFormat.definitions(Array(text.utf8), path: "till.json").first)
  }

  @Test("becomes a format whose samples hold")
  func imports() throws {
    let format = try definition()
    #expect(format.name == "till-log")
    try UserFormat(format).checkSamples()
    let read = try ParsedFile(
      "2026-03-01 10:00:00.250 <W> 7 till.c:12 drawer slow\n  and on\n1772359200|started\n",
      formats: [format])
    #expect(read.formatName == "till-log")
    #expect(read.records.map(\.severity.number) == [13, 0])
    #expect(read.records[0].time.description == "2026-03-01T10:00:00.25Z")
    #expect(read.records[1].time.description == "2026-03-01T10:00:00Z")
    #expect(read.records[0].threadID == 7)
    #expect(try read.attributes(0)["code.file.path"] as? String == "till.c")
    #expect(try read.attributes(0)["code.line.number"] as? Int == 12)
    #expect(read.string(read.records[0].body) == "drawer slow\n  and on")
  }

  @Test("has its samples checked")
  func checksSamples() throws {
    let format = try definition(file.replacing("<E> 7 till.c", with: "<E> seven till.c"))
    #expect(throws: UserFormatError.self) { try UserFormat(format).checkSamples() }
  }

  @Test("applies to the files that its expression names")
  func filePattern() throws {
    let format = try UserFormat(try definition())
    #expect(format.allows(path: "/srv/till-2.log"))
    #expect(!format.allows(path: "/srv/shop.log"))
  }

  @Test(
    "that can't be taken says why",
    arguments: [
      ("{\n\"a\": ", "till.json:2: not JSON"), ("[]", "expected an object of formats"),
      (#"{"a":{"json":true}}"#, "'a' describes JSON lines"), (#"{"a":{}}"#, "'a' has no regex"),
      ("{}", "it holds no format"),
    ])
  func refuses(_ text: String, _ reason: String) throws {
    let error = #expect(throws: LnavFormat.Failure.self) {
      try LnavFormat.definitions(Array(text.utf8), path: "till.json")
    }
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }
}
