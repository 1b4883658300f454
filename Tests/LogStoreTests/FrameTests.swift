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
    var attributes = ""
    var pid: Int64 = -1
    var thread: Int64 = -1
    var utcOffset = LogRecord.noOffset
  }

  /// Stores the lines one by one; gives what `record_text` has and how many took a frame.
  private func store(_ lines: [Line]) throws -> (texts: [String], framed: Int64, frames: Int64) {
    let folder = try TemporaryDirectory()
    let store = try LogStore(path: folder.file("logs.db"))
    let batch = RecordBatch()
    batch.generations = [
      FileGeneration(
        id: 1, source: "a", path: "/a", identity: FileIdentity(device: 1, inode: 1),
        firstSeen: Timestamp(nanoseconds: 0))
    ]
    func put(_ text: String) -> ByteSlice {
      let start = batch.arena.count
      batch.arena.append(text)
      return ByteSlice(start: start, count: batch.arena.count - start)
    }
    for line in lines {
      var record = LogRecord()
      record.generation = 1
      record.time = Timestamp(nanoseconds: line.time)
      record.head = put(line.head)
      record.body = put(line.body)
      record.tail = put(line.tail)
      record.attributes = put(line.attributes)
      record.pid = line.pid
      record.threadID = line.thread
      record.utcOffsetMinutes = line.utcOffset
      batch.records.append(record)
    }
    try store.commit(batch)
    let row = try store.connection.prepare("SELECT original FROM logs ORDER BY id")
    var texts: [String] = []
    while try row.step() { texts.append(row.text(0)) }
    let connection = store.connection
    return (
      texts,
      try connection.integer("SELECT count(*) FROM record WHERE frame IS NOT NULL") ?? -1,
      try connection.integer("SELECT count(*) FROM frame") ?? -1
    )
  }

  /// 2026-03-01T08:00:00Z.
  private static let base: Int64 = 1_772_352_000_000_000_000

  @Test func aKindOfLineIsStoredOnceFromItsSecondRecordOn() throws {
    let lines = (0..<60).map { index in
      Line(
        time: Self.base + Int64(index) * 61_000_000_000 + 7_000_000,
        head:
          "2026-03-01 \(Self.clock(index * 61 + 3600)),007 [\(40 + index)] shop: user=\(index) ",
        tail: " took \(index * 3) ms", attributes: "\"user\":\"\(index)\",\"took\":\(index * 3)",
        pid: Int64(40 + index), utcOffset: 60)
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map { $0.head + $0.body + $0.tail })
    #expect(stored.frames <= 3)
    #expect(stored.framed >= 50)
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
        attributes: #""a":"7","b":"7","c":7,"d":"x\"y","e":1.50,"f":{"g":"7"},"h":true,"i":"42""#,
        pid: 42, thread: 7)
    }
    #expect(try store(lines).texts == lines.map { $0.head + $0.body + $0.tail })
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
    let kinds = (0..<400).map { _ in (text(&random), text(&random)) }
    let lines = kinds.flatMap { kind in
      (0..<4).map { _ in
        Line(
          time: Self.base, head: kind.0, tail: kind.1,
          attributes: #""k":"42","a.b":"a","n":7"#, pid: 7, thread: 42)
      }
    }
    let stored = try store(lines)
    #expect(stored.texts == lines.map { $0.head + $0.body + $0.tail })
    #expect(stored.framed > 400)
  }
}
