// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import TestSupport
import Testing

/// The text around bodies is stored once for all records of a kind, and comes back byte by byte.
@Suite struct FrameTests {
  private struct Line {
    var time: Int64
    var head: String
    var body = "body"
    var tail = ""
    /// Keys, and values as JSON.
    var attributes: [(key: String, value: String)] = []
    var pid: Int64 = -1
    var thread: Int64 = -1
    var utcOffset = LogRecord.noOffset
    /// The text is kept as `original`, as that of JSON is.
    var isWhole = false
    /// Where a value is said to be from; else where it stands first in the text.
    var source: ((_ value: String) -> UInt32)?

    var text: String { head + body + tail }
    var object: String {
      "{" + attributes.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// The record of the line, its bytes in `arena`.
    func record(_ arena: ByteArena) -> LogRecord {
      let start = arena.count
      func put(_ text: String) -> ByteSlice {
        let start = arena.count
        arena.append(text)
        return ByteSlice(start: start, count: arena.count - start)
      }
      var record = LogRecord()
      record.generation = 1
      record.time = Timestamp(nanoseconds: time)
      (record.head, record.body, record.tail) = (put(head), put(body), put(tail))
      if isWhole {
        record.original = ByteSlice(start: start, count: arena.count - start)
        (record.head, record.tail) = (.empty, .empty)
      }
      record.attributes = list(arena, textStart: start)
      record.pid = pid
      record.threadID = thread
      record.utcOffsetMinutes = utcOffset
      return record
    }

    private func list(_ arena: ByteArena, textStart: Int) -> AttributeList {
      if attributes.isEmpty { return .empty }
      let start = arena.count
      let (first, places) = arena.unusedPlaces(attributes.count)
      for (index, member) in attributes.enumerated() {
        arena.append("\(index == 0 ? "" : ",")\"\(member.key)\":")
        let valueStart = arena.count
        arena.append(member.value)
        let raw = Array(member.value.utf8).filter { $0 != 0x22 }
        let text = Array(text.utf8)
        let found = text.indices.first { text[$0...].starts(with: raw) }
        let source =
          source?(member.value) ?? found.map { UInt32(textStart + $0) } ?? MemberPlace.nowhere
        places[index] = MemberPlace(start: valueStart, end: arena.count, source: source)
      }
      arena.commitPlaces(attributes.count)
      return AttributeList(
        text: ByteSlice(start: start, count: arena.count - start), firstPlace: first,
        placeCount: attributes.count)
    }
  }

  private struct Stored {
    var texts: [String] = []
    var attributes: [String] = []
    var hosts: [String] = []
    /// How long the rows' own attributes are, and how many rows have none.
    var attributeBytes = 0
    var without: Int64 = -1
    var framed: Int64 = -1
    var frames: Int64 = -1
    var bodies: Int64 = -1
  }

  /// Stores the lines in one batch; gives what the view has and how many took a frame.
  private func store(_ lines: [Line]) throws -> Stored {
    let folder = try TemporaryDirectory()
    let store = try LogStore(path: folder.file("logs.db"))
    let batch = RecordBatch.ofOneFile()
    for line in lines { batch.records.append(line.record(batch.arena)) }
    try store.commit(batch)
    let row = try store.connection.prepare(
      "SELECT original, attributes, host_name FROM logs ORDER BY id")
    var stored = Stored()
    while try row.step() {
      stored.texts.append(row.text(0))
      stored.attributes.append(row.optionalText(1) ?? "{}")
      stored.hosts.append(row.optionalText(2) ?? "")
    }
    let connection = store.connection
    func count(_ sql: String) throws -> Int64 {
      try connection.integer("SELECT count(*) " + sql) ?? -1
    }
    stored.framed = try count("FROM record WHERE frame IS NOT NULL")
    stored.without = try count("FROM record WHERE attributes IS NULL")
    stored.attributeBytes = Int(
      try connection.integer("SELECT sum(length(CAST(attributes AS BLOB))) FROM record") ?? 0)
    stored.frames = try count("FROM frame")
    stored.bodies = try count("FROM record WHERE body IS NOT NULL")
    return stored
  }

  /// 2026-03-01T08:00:00Z.
  private static let base: Int64 = 1_772_352_000_000_000_000

  @Test func aKindOfLineIsStoredOnceFromItsSecondRecordOn() throws {
    let lines = (0..<60).map { index in
      Line(
        time: Self.base + Int64(index) * 61_000_000_000 + 7_000_000,
        head:
          "2026-03-01 \(Self.clock(index * 61 + 3600)),007 [\(40 + index)] shop: user=\(index) ",
        tail: " took \(index * 3) ms",
        attributes: [("user", "\"\(index)\""), ("took", "\(index * 3)")],
        pid: Int64(40 + index), utcOffset: 60, source: { _ in MemberPlace.unknown })
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
    #expect(stored.frames <= 3)
    #expect(stored.framed >= 50)
  }

  @Test func theTextOfAnAccessLogIsStoredAsItsValuesAlone() throws {
    let lines = (0..<40).map { index in
      Line(
        time: Self.base + Int64(index) * 1_000_000_000,
        head: "10.0.0.\(index) - - [01/Mar/2026:\(Self.clock(index)) +0000] ",
        body: "\"GET /items/\(index) HTTP/1.1\" 200", tail: " \(index * 7) \"-\"",
        attributes: [
          ("client.address", "\"10.0.0.\(index)\""), ("http.request.method", "\"GET\""),
          ("url.path", "\"/items/\(index)\""), ("http.response.status_code", "200"),
          ("http.response.body.size", "\(index * 7)"),
        ], utcOffset: 0)
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
    #expect(stored.framed >= 30)
    #expect(stored.bodies == 40 - stored.framed)
  }

  @Test func aLineOfJSONIsStoredAsItsValuesAlone() throws {
    let lines = (0..<40).map { index in
      Line(
        time: Self.base + Int64(index) * 1_000_000_000,
        head: "{\"time\":\"2026-03-01T\(Self.clock(index))Z\",\"message\":\"",
        body: "order \(index) taken", tail: "\",\"user\":\(index),\"at\":\"a\\\"b\(index)\"}",
        attributes: [("user", "\(index)"), ("at", "\"a\\\"b\(index)\"")], utcOffset: 0,
        isWhole: true, source: { _ in MemberPlace.unknown })
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
    #expect(stored.framed >= 30)
  }

  /// Most requests of a server say the same of method, host and agent.
  @Test func whatManyRecordsShareIsStoredOnce() throws {
    let agents = [#""curl/8.5.0""#, #""a \"quoted\" agent → é""#, #""Mozilla/5.0 (X11; Linux)""#]
    var random = SeededGenerator(seed: 13)
    let lines = (0..<6_000).map { index in
      let method = index % 50 == 0 ? "POST" : "GET"
      let agent =
        index % 20 == 0 ? "\"agent \(index)\"" : agents.randomElement(using: &random) ?? ""
      // Of a sudden another host, and one that is a number.
      let host = index < 2_000 ? "\"web1\"" : index < 4_000 ? "\"web2.example.com\"" : "1024.5"
      let raw = agent.dropFirst().dropLast()
      return Line(
        time: Self.base + Int64(index) * 1_000_000_000,
        head: "\(index) \(host.filter { $0 != "\"" }) \(method) ", body: "/items/\(index)",
        tail: " \(raw)",
        attributes: [
          ("http.request.method", "\"\(method)\""), ("url.path", "\"/items/\(index)\""),
          ("host.name", host), ("user", "\(index)"), ("user_agent.original", agent),
          ("extra", "{\"a\":[1,2]}"),
        ], isWhole: index % 3 == 0)
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
    #expect(stored.hosts.prefix(2_000).allSatisfy { $0 == "web1" })
    #expect(stored.hosts.dropFirst(2_000).prefix(2_000).allSatisfy { $0 == "web2.example.com" })
    #expect(stored.hosts.suffix(2_000).allSatisfy { $0 == "1024.5" })
    #expect(stored.frames < 60)
    let bytes = lines.map(\.object.utf8.count).reduce(0, +)
    #expect(stored.attributeBytes * 2 < bytes, "\(stored.attributeBytes) of \(bytes)")
  }

  @Test func recordsThatSayAllTheSameHaveNoValuesOfTheirOwn() throws {
    let lines = (0..<2_000).map { index in
      Line(
        time: Self.base, head: "web1 [prod] ", body: "message \(index)",
        attributes: [("host.name", "\"web1\""), ("stage", "\"prod\"")])
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
    #expect(stored.hosts.allSatisfy { $0 == "web1" })
    #expect(stored.without > 1_300)
  }

  private static func clock(_ seconds: Int) -> String {
    let parts = [8 + seconds / 3600, seconds / 60 % 60, seconds % 60]
    return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// Texts that look as if they said what their columns say, and do not quite.
  @Test(arguments: [
    ("08:00:00.5 ", ""),  // another fraction than the record's
    ("2026-03-02T08:00:00Z ", ""),  // another day
    ("99:99:99 ", ""), ("08:00:60 ", ""), ("08:07:00 ", ""), ("1:08:00:00 ", " 08:00:00"),
    ("\u{2}\u{3} control ", ""), ("a=7 b=7 c=77 ", " 7"), ("", ""), ("x", "y"),
    ("08:00:00.000000000000 ", ""), ("-7 ", ""), ("0042 ", " 42"), ("ünïcode 7 ", "→"),
  ])
  func whatOnlyLooksLikeItStaysAsItIs(_ head: String, _ tail: String) throws {
    let lines = (0..<4).map { _ in
      Line(
        time: Self.base, head: head, tail: tail,
        attributes: [
          ("a", #""7""#), ("b", #""7""#), ("c", "7"), ("d", #""x\"y""#), ("e", "1.50"),
          ("f", #"{"g":"7"}"#), ("h", "true"), ("i", #""42""#),
        ],
        pid: 42, thread: 7, source: { $0.first == "{" ? MemberPlace.nowhere : MemberPlace.unknown })
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
  }

  @Test func randomTextsComeBackAsTheyWere() throws {
    var random = SeededGenerator(seed: 11)
    let words = [
      "7", "42", "08:00:00", "2026-03-01", " ", ":", ".", "a", "\u{10}", "é", "\t", "=", "[",
    ]
    func text(_ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: 0...9, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined()
    }
    // Each twice and more: only then does it take a frame.
    let lines = (0..<400).flatMap { index in
      let (head, body, tail) = (text(&random), text(&random), text(&random))
      // What a parser says of a value's place is only where to look.
      let sources = [MemberPlace.unknown, MemberPlace.nowhere, 0, 7, UInt32(index * 90)]
      let source = Bool.random(using: &random) ? sources.randomElement(using: &random) : nil
      let line = Line(
        time: Self.base, head: head, body: body, tail: tail,
        attributes: [
          ("k", "\"42\""), ("a.b", "\"a\""), ("n", "7"), ("q", "\"\\\"\""), ("host.name", "\"é\""),
        ], pid: 7, thread: 42, isWhole: index % 3 == 0,
        source: source.map { value in { _ in value } })
      return [line, line, line, line]
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
    #expect(stored.framed > 400)
  }

  /// The text is followed along that of the lines before, and differs from it in one place.
  @Test func aLineThatDiffersALittleFromItsNeighboursComesBackAsItWas() throws {
    var random = SeededGenerator(seed: 12)
    let lines = (0..<3_000).map { index in
      let second = index / 7
      let user = Int.random(in: 100...900, using: &random)
      var line = Line(
        time: Self.base + Int64(second) * 1_000_000_000 + 250_000_000,
        head:
          "2026-03-01 \(Self.clock(second)).250 [\(5000 + user % 3)/9] k\(index % 4): user=\(user) ",
        body: index % 4 == 0 ? "took \(user * 30)" : "done", tail: " at last",
        attributes: [("user", "\"\(user)\""), ("took", "\(user * 30)")],
        pid: Int64(5000 + user % 3), thread: 9, utcOffset: 0, isWhole: index % 4 == 1,
        source: { _ in MemberPlace.unknown })
      switch Int.random(in: 0..<24, using: &random) {
      case 0: line.time += 1_000_000_000
      case 1: line.time -= 86_400_000_000_000
      case 2: line.time += 1_000_000
      case 3: line.pid += 10
      case 4: line.attributes[0].value = "\"\(user)\(user)\""
      case 5: line.attributes[0].value = "\"x\""
      case 6: line.attributes.swapAt(0, 1)
      case 7: line.attributes.removeLast()
      case 8: line.attributes[1].key = "spent"
      case 9: line.attributes[1].value = "{\"ms\":\(user * 30)}"
      case 10: line.head.removeLast()
      case 11: line.head += "x"
      case 12: line.tail = ""
      case 13: line.tail += " "
      case 14: line.body = ""
      case 15: line.pid = -1
      default: break
      }
      return line
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map(\.text))
    #expect(stored.attributes == lines.map(\.object))
    #expect(stored.framed > 2_000)
    #expect(stored.frames < 300)
  }
}
