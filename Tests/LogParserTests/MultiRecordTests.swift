// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

private func otlp(_ records: [String]) -> String {
  #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"#
    + #""scopeLogs":[{"scope":{"name":"a.b"},"logRecords":["# + records.joined(separator: ",")
    + "]}]}]}"
}

private func otlpRecord(_ n: Int) -> String {
  #"{"timeUnixNano":"177235920000000000\#(n)","severityNumber":\#(9 + n * 4),"body":{"stringValue":"m\#(n)"}}"#
}

@Suite("Several records in one line or document")
struct MultiRecordTests {
  private func bodies(_ file: ParsedFile) -> [String] { file.records.map { file.string($0.body) } }

  @Test("an OTLP line has as many as it exports, each with what is common to all")
  func otlpLine() throws {
    let file = ParsedFile(otlp((0...2).map(otlpRecord)) + "\n" + otlp([otlpRecord(3)]))
    #expect(bodies(file) == ["m0", "m1", "m2", "m3"])
    #expect(file.records.map(\.severity.number) == [9, 13, 17, 21])
    #expect(file.records.map { $0.time.nanoseconds % 10 } == [0, 1, 2, 3])
    #expect(file.records.map { $0.flags.contains(.part) } == [false, true, true, false])
    for index in file.records.indices {
      #expect(file.string(file.records[index].scope) == "a.b")
      #expect(try file.attributes(index)["service.name"] as? String == "shop")
    }
    #expect(file.texts[1] == Array(otlpRecord(1).utf8))
  }

  @Test("so has an OTLP document of many lines")
  func otlpDocument() throws {
    let object = try JSONSerialization.jsonObject(
      with: Data(otlp((0...1).map(otlpRecord)).utf8))
    let pretty = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted])
    let file = ParsedFile(Array(pretty), context: .test())
    #expect(file.formatName == "json-document")
    #expect(bodies(file) == ["m0", "m1"])
  }

  private let events =
    #""logEvents":[{"id":"1","timestamp":1772359200001,"message":"{\"level\":\"error\",\"msg\":\"boom\"}\n"},"#
    + #"{"id":"2","timestamp":1772359200349,"message":"2026-03-01 09:00:00,349 WARN [main] a.B - slow"}]"#

  @Test("CloudWatch's events are opened, alone and back to back as Firehose writes them")
  func cloudWatch() throws {
    let one =
      #"{"messageType":"DATA_MESSAGE","owner":"12","logGroup":"g","logStream":"s","# + events + "}"
    for text in [one, one + one] {
      let file = ParsedFile(text)
      #expect(file.formatName == "json-batch")
      #expect(bodies(file) == (text == one ? ["boom", "slow"] : ["boom", "slow", "boom", "slow"]))
      #expect(file.records[0].severity == .error)
      #expect(file.records[0].time.description == "2026-03-01T10:00:00.001Z")
      // The payload names no zone: the envelope tells which it is in.
      #expect(file.records[1].severity == .warn)
      #expect(file.records[1].time.description == "2026-03-01T10:00:00.349Z")
      #expect(try file.attributes(1)["aws.log.group.names"] as? [String] == ["g"])
    }
  }

  @Test("CloudWatch's answers as the command line prints them", .enabled(if: Corpus.isAvailable))
  func cloudWatchDocument() throws {
    let entry = try #require(CorpusEntry.named("server/aws/cloudwatch_get_log_events.json"))
    let file = try entry.parse()
    #expect(file.records.count == entry.records)
    #expect(bodies(file) == ["START RequestId: 8f507cfc-xmpl", "boom"])
    #expect(file.records[1].severity == .error)
    #expect(file.records[1].time == entry.last.flatMap(parseTime))
  }

  @Test("Loki, CloudTrail, arrays of log lines, and objects back to back")
  func others() {
    let loki =
      #"{"streams":[{"stream":{"app":"a","level":"warn"},"values":[["1772359200000000001","x"],"#
      + #"["1772359200000000002","y"]]},{"stream":{"app":"b"},"values":[["1772359200000000003","z"]]}]}"#
    var file = ParsedFile(loki)
    #expect(bodies(file) == ["x", "y", "z"])
    #expect(file.records.map(\.severity.number) == [13, 13, 0])
    file = ParsedFile(
      #"{"Records":[{"eventTime":"2026-03-01T10:00:00Z","eventName":"A"},"#
        + #"{"eventTime":"2026-03-01T10:00:01Z","eventName":"B"}]}"#)
    #expect(file.records.map { $0.time.nanoseconds / 1_000_000_000 % 10 } == [0, 1])
    let line = #"{"time":"2026-03-01T10:00:00Z","level":"info","msg":"m"}"#
    #expect(bodies(ParsedFile("[\(line),\(line)]")) == ["m", "m"])
    #expect(bodies(ParsedFile("\(line)\(line)\n\(line)\(line)")) == ["m", "m", "m", "m"])
  }

  @Test(
    "a log line that only has a list stays one record",
    arguments: [
      #"{"time":"2026-03-01T10:00:00Z","msg":"m","events":[{"timestamp":1,"message":"x"}]}"#,
      #"{"records":[1,2],"msg":"m"}"#, #"{"streams":[{"id":1}],"level":"info","msg":"m"}"#,
    ])
  func notABatch(_ line: String) {
    let file = ParsedFile(line)
    #expect(bodies(file) == ["m"])
    #expect(file.formatName == "json-lines")
  }

  @Test("what a batch says of all its records is copied within bounds")
  func isBounded() throws {
    let label = String(repeating: "x", count: 300_000)
    let records = (0..<20_000).map { _ in "{}" }.joined(separator: ",")
    let text =
      #"{"resourceLogs":[{"resource":{"attributes":[{"key":"l","value":{"stringValue":"\#(label)"}}]},"#
      + #""scopeLogs":[{"logRecords":[\#(records)]}]}]}"#
    let file = ParsedFile(text)
    #expect(file.records.count == 10_001)
    #expect(file.arena.count < text.utf8.count * 24)
    // What is beyond the limit is not lost.
    #expect(file.string(file.records[10_000].body).hasPrefix("{},{},"))
    #expect(file.string(file.records[10_000].body).hasSuffix("]}]}]}"))
  }
}

@Suite("Streams that are woven into each other")
struct WovenStreamTests {
  private static let cri = [
    "2026-03-01T10:00:00.1Z stdout P out-", "2026-03-01T10:00:00.2Z stderr P err-",
    "2026-03-01T10:00:00.3Z stderr F done", "2026-03-01T10:00:00.4Z stdout P more-",
    "2026-03-01T10:00:00.5Z stdout F done", "2026-03-01T10:00:00.6Z stdout F next",
  ]
  private static let docker = [
    #"{"log":"out-","stream":"stdout","time":"2026-03-01T10:00:00.1Z"}"#,
    #"{"log":"err-","stream":"stderr","time":"2026-03-01T10:00:00.2Z"}"#,
    #"{"log":"done\n","stream":"stderr","time":"2026-03-01T10:00:00.3Z"}"#,
    #"{"log":"more-","stream":"stdout","time":"2026-03-01T10:00:00.4Z"}"#,
    #"{"log":"done\n","stream":"stdout","time":"2026-03-01T10:00:00.5Z"}"#,
    #"{"log":"next\n","stream":"stdout","time":"2026-03-01T10:00:00.6Z"}"#,
  ]

  @Test("each unfinished line goes on in its own stream", arguments: [cri, docker])
  func parts(_ lines: [String]) throws {
    let file = ParsedFile(lines.joined(separator: "\n") + "\n")
    #expect(file.records.map { file.string($0.body) } == ["out-more-done", "err-done", "next"])
    #expect(file.records.map { $0.time.nanoseconds / 100_000_000 % 10 } == [1, 2, 6])
    #expect(file.records.map { $0.flags.contains(.part) } == [false, true, false])
    #expect(try file.attributes(1)["log.iostream"] as? String == "stderr")
    for index in file.records.indices { #expect(file.isFaithful(index)) }
    #expect(file.texts[0] == Array(lines[0...4].joined(separator: "\n").utf8))
    #expect(file.texts[1] == Array(lines[1...2].joined(separator: "\n").utf8))
  }

  @Test("an unfinished line whose writer has died holds the others back only so long")
  func isBounded() {
    let others = (1...30).map { "2026-03-01T10:00:\($0 < 10 ? "0" : "")\($0)Z stderr F e\($0)" }
    let file = ParsedFile(([Self.cri[0]] + others).joined(separator: "\n"))
    #expect(file.records.count == 31)
    #expect(file.records.map { $0.flags.contains(.part) }.lastIndex(of: true) == 10)
    #expect(file.string(file.records[30].body) == "e30")
  }

  @Test("details of PostgreSQL go to the message of their process and moment")
  func postgres() throws {
    let lines = [
      "2026-03-01 10:00:00.100 UTC [7] ERROR:  no table",
      "2026-03-01 10:00:00.100 UTC [8] LOG:  hello",
      "2026-03-01 10:00:00.100 UTC [7] STATEMENT:  select *", "\tfrom x",
      "2026-03-01 10:00:00.100 UTC [9] ERROR:  no row",
      "2026-03-01 10:00:00.100 UTC [9] DETAIL:  none",
      "2026-03-01 10:00:00.200 UTC [8] LOG:  bye", "2026-03-01 10:00:00.200 UTC [7] LOG:  again",
    ]
    let file = ParsedFile(lines.joined(separator: "\n") + "\n")
    #expect(
      file.records.map { file.string($0.body) } == ["no table", "hello", "no row", "bye", "again"])
    #expect(file.records.map(\.pid) == [7, 8, 9, 8, 7])
    #expect(file.records.map { $0.flags.contains(.part) } == [false, true, true, false, false])
    #expect(try file.attributes(0)["db.query.text"] as? String == "select *\n\tfrom x")
    #expect(try file.attributes(2)["postgresql.detail"] as? String == "none")
    for index in file.records.indices { #expect(file.isFaithful(index)) }
  }

  @Test("a detail of PostgreSQL at another time is as severe as its message, and names it")
  func lateDetail() throws {
    let file = ParsedFile(
      """
      2026-03-01 10:00:00.100 UTC [7] ERROR:  no table
      2026-03-01 10:00:00.200 UTC [8] LOG:  hello
      2026-03-01 10:00:00.300 UTC [7] STATEMENT:  select *
      2026-03-01 10:00:00.400 UTC [9] DETAIL:  of what came before the file

      """)
    #expect(file.records.map(\.severity.number) == [17, 9, 17, 0])
    #expect(file.string(file.records[2].severityText) == "STATEMENT")
    #expect(try file.attributes(2)["postgresql.message_offset"] != nil)
    #expect(try file.attributes(3)["postgresql.message_offset"] == nil)
  }

  @Test("so are the lines of a message that syslog put behind those of another process")
  func wovenSyslog() throws {
    let header = "Mar  1 10:00:00 db postgres"
    let file = ParsedFile(
      """
      \(header)[7]: [3-1] ERROR:  duplicate key
      \(header)[8]: [9-1] LOG:  statement: SELECT a,
      \(header)[7]: [3-2] DETAIL:  Key (id)=(1) already exists.
      \(header)[8]: [9-2] #011b FROM t
      \(header)[7]: [5-2] STATEMENT:  of a message that is not here

      """)
    #expect(file.records.map(\.severity.number) == [17, 9, 17, 9, 0])
    let second = try #require(file.records.dropFirst().first)
    #expect(try file.attributes(2)["postgresql.message_offset"] as? Int == 0)
    #expect(try file.attributes(3)["postgresql.message_offset"] as? Int64 == second.byteOffset)
    #expect(try file.attributes(4)["postgresql.message_offset"] == nil)
  }
}

@Suite("Lines behind a fatal error")
struct FatalLinesTests {
  private static let first = "Shop/Cart.swift:42: Fatal error: the cart of"

  @Test("are its message where a stack follows")
  func message() throws {
    for stack in ["Current stack trace:\n0    x  0x1 y", "\n*** Program crashed: x at 0x1 ***"] {
      let file = ParsedFile("\(Self.first)\nAlice\nis gone\n\(stack)\n")
      #expect(file.records.count == 1)
      let message = try file.attributes(0)["exception.message"] as? String
      #expect(message == "the cart of\nAlice\nis gone")
    }
  }

  @Test("are its message where only frames follow, and of the runtime's own reports")
  func reports() {
    let frame = "0    libswiftCore.so      0x00007f5530187e7d swift_beginAccess + 1"
    for text in [
      "\(Self.first)\nAlice\n\(frame)",
      "Simultaneous accesses to 0x10, but modification requires exclusive access.\n"
        + "Previous access (a modification) started at shop`main + 1 (0x1).\n"
        + "Current access (a modification) started at:\n\(frame)\nFatal access conflict detected.",
    ] {
      let file = ParsedFile("starting\n\(text)\n")
      #expect(file.records.map { file.string($0.body) } == ["starting", text])
    }
  }

  @Test("are records of their own where none does")
  func noStack() throws {
    let file = ParsedFile("\(Self.first)\nstarting again\n  with two workers\nready\n")
    #expect(
      file.records.map { file.string($0.body) }
        == [Self.first, "starting again\n  with two workers", "ready"])
    #expect(try file.attributes(0)["exception.message"] as? String == "the cart of")
    #expect(file.records.map(\.severity.number) == [21, 0, 0])
    for index in file.records.indices { #expect(file.isFaithful(index)) }
  }
}
