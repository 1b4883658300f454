// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// A payload of two records, and the envelopes that carry it.
private enum Batches {
  static let otlp =
    #"{"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"shop"}}]},"#
    + #""scopeLogs":[{"logRecords":[{"timeUnixNano":"1772359200000000001","severityNumber":9,"#
    + #""body":{"stringValue":"m0"}},{"timeUnixNano":"1772359200000000002","severityNumber":17,"#
    + #""body":{"stringValue":"m1"}}]}]}]}"#
  static let cloudWatch =
    #"{"messageType":"DATA_MESSAGE","logGroup":"g","logStream":"s","logEvents":["#
    + #"{"id":"1","timestamp":1772359200001,"message":"m0"},"#
    + #"{"id":"2","timestamp":1772359200002,"message":"m1"}]}"#
  static let list =
    #"[{"time":"2026-03-01T10:00:00Z","level":"info","msg":"m0"},"#
    + #"{"time":"2026-03-01T10:00:00.5Z","level":"error","msg":"m1"}]"#

  static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }

  static func envelopes(_ payload: String) -> [String] {
    [
      #"{"log":"\#(quoted(payload))\n","stream":"stdout","time":"2026-03-01T10:00:01Z"}"#,
      "2026-03-01T10:00:01Z stdout F " + payload,
      "web-1  | 2026-03-01T10:00:01Z " + payload,
      "<14>1 2026-03-01T10:00:01Z web1 shopd 7 - - " + payload,
      "2026-03-01T10:00:01.000000+00:00 web1 shopd[7]: " + payload,
      "2026-03-01T10:00:01.000000000Z " + payload,
      #"{"__REALTIME_TIMESTAMP":"1772359201000000","PRIORITY":"6","MESSAGE":"\#(quoted(payload))"}"#,
    ]
  }
}

@Suite("Batches in the envelope of a container, a relay or the journal")
struct PayloadBatchTests {
  @Test(
    "are as many records as they hold, with both times",
    arguments: [Batches.otlp, Batches.cloudWatch, Batches.list])
  func isSplit(_ payload: String) throws {
    for line in Batches.envelopes(payload) {
      let file = ParsedFile(line + "\n" + line)
      #expect(file.records.map { file.string($0.body) } == ["m0", "m1", "m0", "m1"], "\(line)")
      #expect(file.records.map { $0.flags.contains(.part) } == [false, true, false, true])
      for index in file.records.indices {
        let record = file.records[index]
        #expect(record.time.description.hasPrefix("2026-03-01T10:00:00"))
        #expect(try file.outerTime(index)?.description == "2026-03-01T10:00:01Z")
        #expect(file.isFaithful(index))
      }
      // The first owns the bytes of the line.
      #expect(file.texts[0] == Array(line.utf8))
    }
  }

  @Test("take from the envelope what they do not say themselves")
  func takesFromEnvelope() throws {
    let file = ParsedFile("<11>1 2026-03-01T10:00:01Z web1 shopd 7 - - " + Batches.cloudWatch)
    for index in 0...1 {
      #expect(file.string(file.records[index].process) == "shopd")
      #expect(file.records[index].pid == 7)
      #expect(file.records[index].severity == .error)
      #expect(try file.attributes(index)["host.name"] as? String == "web1")
    }
  }

  @Test("are found in each line of streams that are woven into each other")
  func woven() throws {
    let half = Batches.otlp.utf8.count / 2
    let lines = [
      "2026-03-01T10:00:01Z stdout P " + Batches.otlp.prefix(half),
      "2026-03-01T10:00:01Z stderr F " + Batches.list,
      "2026-03-01T10:00:01Z stdout F " + Batches.otlp.dropFirst(half),
      "2026-03-01T10:00:02Z stdout F next",
    ]
    let file = ParsedFile(lines.joined(separator: "\n"))
    #expect(file.records.map { file.string($0.body) } == ["m0", "m1", "m0", "m1", "next"])
    #expect(file.records.map { $0.flags.contains(.part) } == [false, true, true, true, false])
    #expect(try file.attributes(1)["log.iostream"] as? String == "stdout")
    #expect(try file.attributes(3)["log.iostream"] as? String == "stderr")
    #expect(file.records.filter { $0.flags.contains(.hasParts) }.count == 1)
  }

  @Test("are found behind two envelopes")
  func twice() {
    let inner = #"{"log":"\#(Batches.quoted(Batches.list))","kubernetes":{"pod":"p"}}"#
    let file = ParsedFile(
      "2026-03-01T10:00:01Z stdout F \(inner)\n2026-03-01T10:00:02Z stdout F end")
    #expect(file.records.map { file.string($0.body) } == ["m0", "m1", "end"])
    #expect(file.records.map { $0.flags.contains(.part) } == [false, true, false])
  }

  @Test("a fatal error with its stack among woven streams is one record")
  func wovenFatal() {
    let file = ParsedFile(
      """
      2026-03-01T10:00:00Z stderr P Shop.swift:1: Fatal error:
      2026-03-01T10:00:00Z stdout F out
      2026-03-01T10:00:00Z stderr F  no tea
      2026-03-01T10:00:01Z stderr F next
      """)
    #expect(
      file.records.map { file.string($0.body) } == [
        "Shop.swift:1: Fatal error: no tea", "out", "next",
      ])
  }

  @Test("a batch in a batch stays one record")
  func nested() {
    let message = Batches.quoted(Batches.list)
    let event = #"{"id":"1","timestamp":1772359200001,"message":"\#(message)"}"#
    let file = ParsedFile(#"{"logGroup":"g","logEvents":[\#(event),\#(event)]}"#)
    #expect(file.records.map { file.string($0.body) } == ["m0", "m0"])
  }

  @Test("JSON that states no level is opened like any other envelope")
  func jsonEnvelope() throws {
    let file = ParsedFile(
      #"{"@timestamp":"2026-03-01T10:00:01.5Z","log":"2026-03-01 10:00:01,250 ERROR [main] a.B - no","#
        + #""kubernetes":{"pod":"p"}}"#)
    #expect(file.string(file.records[0].body) == "no")
    #expect(file.records[0].severity == .error)
    #expect(file.records[0].time.description == "2026-03-01T10:00:01.25Z")
    #expect(try file.outerTime(0)?.description == "2026-03-01T10:00:01.5Z")
  }
}
