// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// A till's log: German words, a place, an order number, and text that goes on over lines.
private let till: UserFormatDefinition = {
  var format = UserFormatDefinition(name: "till", place: "logagent.toml:3:1")
  format.patterns = [
    #"^(?<time>[\d.]+ [\d:,]+) (?<severity>\w+) #(?<process_pid>\d+) \[(?<scope_name>[^\]]*)\]"#
      + #"(?: order=(?<order>\w+))?(?: status=(?<http_response_status_code>\d+))? (?<body>.*)$"#
  ]
  format.timeLayouts = ["%d.%m.%Y %H:%M:%S,%L"]
  format.severities = [
    .init(severity: .fatal, pattern: "TOT"), .init(severity: .error, pattern: "FEHLER|KAPUTT"),
  ]
  format.fields = ["order": "shop.order"]
  format.samples = [
    .init(
      text: "01.03.2026 10:00:00,123 FEHLER #42 [kasse] order=a7 status=500 Lade klemmt",
      expected: [
        .init(field: "time", value: "2026-03-01T10:00:00.123Z"),
        .init(field: "severity", value: "error"), .init(field: "process.pid", value: "42"),
        .init(field: "shop.order", value: "a7"), .init(field: "body", value: "Lade klemmt"),
      ])
  ]
  return format
}()

private let record = "01.03.2026 10:00:00,123 FEHLER #42 [kasse] order=a7 status=500 Lade klemmt"

@Suite("A format of the user's own")
struct UserFormatTests {
  @Test("gives its groups to the fields that they name")
  func fields() throws {
    let file = try ParsedFile(record + "\n  zweite Zeile\n", formats: [till])
    #expect(file.formatName == "till")
    let read = try #require(file.records.first)
    #expect(file.records.count == 1)
    #expect(read.time.description == "2026-03-01T10:00:00.123Z")
    #expect(read.severity == .error)
    #expect(file.string(read.severityText) == "FEHLER")
    #expect(read.pid == 42)
    #expect(file.string(read.scope) == "kasse")
    #expect(file.string(read.body) == "Lade klemmt\n  zweite Zeile")
    #expect(
      try file.attributes(0)
        == ["shop.order": "a7", "http.response.status_code": 500] as NSDictionary)
    #expect(file.isFaithful(0))
  }

  @Test(
    "is found in the envelopes of containers and relays",
    arguments: [
      #"{"log":"RECORD\n","stream":"stdout","time":"2026-03-01T10:00:01.5Z"}"#,
      "2026-03-01T10:00:01.5Z stdout F RECORD",
      "Mar  1 10:00:01 till1 kasse[42]: RECORD",
      "<14>1 2026-03-01T10:00:01.5Z till1 kasse 42 - - RECORD",
      "2026-03-01T10:00:01.123456789Z RECORD",
    ])
  func inEnvelope(_ envelope: String) throws {
    let line = envelope.replacingOccurrences(of: "RECORD", with: record)
    let file = try ParsedFile(line + "\n" + line + "\n", formats: [till])
    try #require(file.records.count == 2)
    let read = file.records[1]
    #expect(read.time.description == "2026-03-01T10:00:00.123Z")
    #expect(file.string(read.severityText) == "FEHLER")
    #expect(file.string(read.body) == "Lade klemmt")
    let attributes = try file.attributes(1)
    #expect(attributes["shop.order"] as? String == "a7")
    #expect(
      (attributes["logagent.envelope_time"] as? String)?.hasPrefix("2026-03-01T10:00:01") == true)
    #expect(file.isFaithful(1))
  }

  @Test("is tried before the built-in formats, in any file")
  func precedes() throws {
    var json = UserFormatDefinition(name: "odd-json", place: "t")
    json.patterns = [#"^\{"odd":"(?<body>[^"]*)"\}"#]
    let text = #"{"odd":"mine"}"# + "\n" + #"{"msg":"theirs","level":"warn"}"# + "\n"
    let file = try ParsedFile(text, formats: [json])
    #expect(file.records.map { file.string($0.body) } == ["mine", "theirs"])
    #expect(file.records[1].severity == .warn)
  }

  @Test("shares a file with others: each line has its own")
  func mixed() throws {
    let text =
      "2026-03-01T09:59:59Z INFO started\n\(record)\n2026-03-01T10:00:01Z WARN slow\n"
      + "nothing that anybody knows\n"
    let file = try ParsedFile(text, formats: [till])
    #expect(file.records.map(\.severity) == [.info, .error, .warn])
    #expect(file.string(file.records[2].body) == "slow\nnothing that anybody knows")
  }

  @Test("takes lines that do not begin a record into the one before")
  func recordStart() throws {
    var format = till
    format.recordStart = #"\d\d\.\d\d\.\d{4} "#
    let odd = "01.03.2026 10:00:01 no level at all"
    let file = try ParsedFile("\(record)\nJournal weg\n\(odd)\nund weiter\n", formats: [format])
    #expect(file.records.count == 2)
    #expect(file.string(file.records[0].body) == "Lade klemmt\nJournal weg")
    // It begins a record, but no pattern reads it: it is kept as it is.
    #expect(file.texts[1] == Array("\(odd)\nund weiter".utf8))
  }

  @Test("can match a record of several lines as a whole")
  func wholeRecord() throws {
    var format = UserFormatDefinition(name: "block", place: "t")
    format.patterns = [#"^== (?<time>[^=]+) ==\n(?<severity>\w+)\n(?s)(?<body>.*)"#]
    format.recordStart = "^== "
    format.timeLayouts = ["%Y-%m-%d %H:%M"]
    let file = try ParsedFile(
      "== 2026-03-01 10:00 ==\nerror\none\ntwo\n== 2026-03-01 10:01 ==\nwarn\nthree\n",
      formats: [format])
    #expect(file.records.map(\.severity) == [.error, .warn])
    #expect(file.records.map { file.string($0.body) } == ["one\ntwo", "three"])
    #expect(file.records.last?.time.description == "2026-03-01T10:01:00Z")
  }

  @Test("keeps every byte of any text", arguments: [till])
  func isFaithful(format: UserFormatDefinition) throws {
    let bytes: [UInt8] =
      Array(record.utf8) + [0xff, 0x0a, 0x1b, 0x5b, 0x33, 0x31, 0x6d]
      + Array(record.utf8) + [0x1b, 0x5b, 0x30, 0x6d, 0x0a] + Array("  \u{1F642}\n".utf8)
    let file = try ParsedFile(bytes, formats: [format])
    #expect(file.records.count == 2)
    for index in file.records.indices { #expect(file.isFaithful(index)) }
    #expect(file.records.map(\.pid) == [42, 42])
  }

  @Test("that backtracks without end leaves its lines to the others, soon")
  func isBounded() throws {
    var format = UserFormatDefinition(name: "slow", place: "t")
    format.patterns = [#"^(?<body>(a+)+)$"#]
    let line = "2026-03-01T10:00:00Z INFO x"
    let trap = String(repeating: "a", count: 5000) + "b"
    let clock = ContinuousClock()
    var file: ParsedFile?
    let taken = try clock.measure { file = try ParsedFile("\(line)\n\(trap)\n", formats: [format]) }
    #expect(file?.records.count == 1)
    #expect(taken < .seconds(5))
  }
}

@Suite("Samples of a user's format")
struct UserFormatCheckTests {
  private func failure(_ change: (inout UserFormatDefinition) -> Void) throws -> String {
    var format = till
    change(&format)
    let error = #expect(throws: UserFormatError.self) {
      try UserFormat(format).checkSamples()
    }
    return error?.description ?? ""
  }

  @Test("that are read as they say are accepted")
  func holds() throws { try UserFormat(till).checkSamples() }

  @Test("tell where the pattern stops matching")
  func mismatch() throws {
    let text = try failure { $0.samples[0].text = "01.03.2026 10:00:00,123 FEHLER 42 [kasse] x" }
    #expect(
      text == "logagent.toml:3:1: format 'till': sample 1: the pattern stops matching at character "
        + "32: it takes '01.03.2026 10:00:00,123 FEHLER ', not '42 [kasse] x'")
  }

  @Test("tell where the time layout stops")
  func layout() throws {
    let text = try failure { $0.timeLayouts = ["%d.%m.%Y %H-%M-%S"] }
    #expect(
      text.hasSuffix(
        "the time '01.03.2026 10:00:00,123' does not follow '%d.%m.%Y %H-%M-%S': "
          + "it stops at ':00:00,123'"))
  }

  @Test("tell which field is read otherwise")
  func field() throws {
    let text = try failure { $0.samples[0].expected = [.init(field: "severity", value: "warn")] }
    #expect(text.hasSuffix("sample 1: expected severity = 'warn', got 'error'"))
    let missing = try failure { $0.samples[0].expected = [.init(field: "url.path", value: "/")] }
    #expect(missing.hasSuffix("expected url.path = '/', got nothing"))
  }

  @Test("are needed")
  func none() throws { #expect(try failure { $0.samples = [] }.contains("it has no sample")) }

  @Test(
    "are not reached when the format can't be compiled",
    arguments: [
      ("(", "missing closing parenthesis"), ("(?<a.b>x)", "pattern"),
    ])
  func pattern(_ pattern: String, _ reason: String) throws {
    #expect(try failure { $0.patterns = [pattern] }.contains(reason))
  }

  @Test("are not reached when fields name a group that is not there")
  func unknownGroup() throws {
    let text = try failure { $0.fields = ["ordre": "shop.order"] }
    #expect(
      text.hasSuffix("fields names a group 'ordre' that no pattern has; did you mean 'order'?"))
  }
}
