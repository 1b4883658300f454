// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

/// Small and repeatable, so that a failure can be looked at again.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}

@Suite("Reading the records of a file")
struct RecordParserTests {
  private func bodies(_ text: String, _ multiline: MultilineMode = .auto) -> [String] {
    let file = ParsedFile(text, context: .test(multiline: multiline))
    return file.records.indices.map { String(decoding: file.texts[$0], as: UTF8.self) }
  }

  @Test("lines of a stack belong to the record before them")
  func joinsStacks() {
    let trace = "2026-03-01 10:00:00 ERROR a\njava.lang.X: b\n\tat c.d(E:1)\nCaused by: f"
    #expect(
      bodies(trace + "\n2026-03-01 10:00:01 INFO g") == [trace, "2026-03-01 10:00:01 INFO g"])
  }

  @Test("in plain text each line is a record, unless it is indented")
  func splitsPlainText() {
    #expect(bodies("a\nb\n  c\nd") == ["a", "b\n  c", "d"])
    #expect(bodies("a\nTraceback (most recent call last):\n  File x\nKeyError: 1\nb").count == 3)
  }

  @Test("a date in a message does not begin a record")
  func ignoresDatesInMessages() {
    let record = "2026-11-30 07:29:02.919 INFO x\n2026-01-01 looks like a date"
    #expect(bodies(record) == [record])
    #expect(bodies("Nov 30 01:19:22 h a[1]: b\n10:00:00 c").count == 1)
  }

  @Test("off: every line is a record")
  func takesEveryLine() {
    #expect(bodies("2026-03-01 10:00:00 ERROR a\n\tb\nc", .off).count == 3)
  }

  @Test("timestamp: lines join the last line with a time")
  func joinsByTime() {
    #expect(
      bodies("a\nb\n2026-03-01 10:00:00 x\nc\n{\"msg\":\"d\"}\n2026-03-01 10:00:01 y", .timestamp)
        == [
          "a", "b", "2026-03-01 10:00:00 x\nc", "{\"msg\":\"d\"}", "2026-03-01 10:00:01 y",
        ])
    #expect(bodies("a\n b\nc", .timestamp) == ["a", " b", "c"])
    let trace =
      "2025-03-01T11:00:03Z ERROR n\nFatal: index\n0 App.run()\n\n1 main\n\tcaused by: nil"
    #expect(bodies(trace, .timestamp) == [trace])
  }

  @Test("records of other formats are recognised among those of the file")
  func readsMixedStreams() {
    let swiftLog = "2026-11-30T07:03:22+0000 info a: [B] c"
    let file = ParsedFile(
      "\(swiftLog)\n{\"level\":\"error\",\"time\":\"2026-11-30T07:03:23Z\",\"msg\":\"d\"}\n"
        + "A/B.swift:3: Fatal error: e\nCurrent stack trace:\n0    x 0x1 y\n\(swiftLog)")
    #expect(file.records.map(\.severity) == [.info, .error, .fatal, .info])
    #expect(file.string(file.records[1].body) == "d")
    #expect(file.records[2].timeQuality == .inherited)
    #expect(file.records[2].time == file.records[1].time)
    #expect(file.formatName == "swift-log")
  }

  @Test("a file that changes its format is followed")
  func followsFormatChange() {
    let plain = (0..<5).map { "2026-03-01 10:00:0\($0) INFO a\n" }.joined()
    let swiftLog = (0..<60).map { _ in "2026-11-30T07:03:22+0000 info a: [B] c\n" }.joined()
    let file = ParsedFile(plain + swiftLog)
    #expect(file.records.count == 65)
    #expect(file.string(file.records[64].scope) == "a")
  }

  @Test("colours are taken out of what is read and kept in the original")
  func readsColours() throws {
    let text = "\u{1b}[36m2026-03-01T10:00:00Z\u{1b}[0m \u{1b}[31mERROR\u{1b}[0m boom"
    let file = ParsedFile(text + "\n" + text)
    try #require(file.records.count == 2)
    let record = file.records[1]
    #expect(record.severity == .error)
    #expect(record.flags == .ansi)
    #expect(file.string(record.body) == "boom")
    #expect(file.string(record.original) == text)
    #expect(record.time.description == "2026-03-01T10:00:00Z")
  }

  @Test("bytes that are no UTF-8 are replaced as the standard library does, and kept")
  func repairsText() {
    var generator = Generator(state: 7)
    let interesting: [UInt8] = [
      0xc3, 0xa9, 0xe2, 0x98, 0xba, 0xf0, 0x9f, 0x98, 0x80, 0xed, 0xa0, 0x80, 0xc0, 0xff, 0x41,
      0x20,
    ]
    for _ in 0..<2000 {
      let bytes = (0..<12).map { _ in interesting.randomElement(using: &generator) ?? 0 } + [0x78]
      let file = ParsedFile([0x61] + bytes, context: .test())
      guard file.records.count == 1 else { continue }
      let expected = String(decoding: [0x61] + bytes, as: UTF8.self)
      #expect(file.string(file.records[0].body) == expected)
      #expect(file.isFaithful(0))
    }
  }

  @Test("the process of a CocoaLumberjack file stands in its name")
  func readsFileName() {
    let names = [
      ("com.example.shop 2026-03-01--09-00-00-123.log", "com.example.shop"),
      ("My App 2026-03-01--09-00-00-123 2.log", "My App"),
      ("com.example.shop 2026-03-01--09-00-00-123.archived.log", "com.example.shop"),
      ("shop 2026-03-01.log", ""), ("x.log", ""), (".log", ""),
    ]
    for (name, process) in names {
      #expect(RecordParser(file: .test(path: "/a/" + name)).processName == process)
    }
  }

  @Test("nothing that a file can hold stops the parser or loses a byte")
  func survivesAnything() {
    var generator = Generator(state: 42)
    let samples = FormatRegistry.all.flatMap { FormatRegistry.samples(of: $0.name) }
    let pieces = samples.map { Array($0.text.utf8) }
    let troubles = [
      "é", "😀", "\"", "\\", "[", "]", ": ", "\u{1b}[1m", "{", "}", "\0", "=", " ", "9",
    ]
    .map { Array($0.utf8) }
    let rounds = Int(ProcessInfo.processInfo.environment["LOGAGENT_FUZZ_ROUNDS"] ?? "") ?? 4000
    for round in 0..<rounds {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        var piece = pieces.randomElement(using: &generator) ?? []
        if round % 3 == 0 {
          piece = Array(piece.prefix(Int.random(in: 0...piece.count, using: &generator)))
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !piece.isEmpty {
          let index = Int.random(in: 0..<piece.count, using: &generator)
          if Bool.random(using: &generator) {
            piece[index] = .random(in: 0...255, using: &generator)
          } else {
            let end = min(piece.count, index + Int.random(in: 0...3, using: &generator))
            piece.replaceSubrange(
              index..<end, with: troubles.randomElement(using: &generator) ?? [])
          }
        }
        bytes += piece + [0x0a]
      }
      check(bytes, round)
    }
    for round in 0..<2000 {
      let count = Int.random(in: 0...200, using: &generator)
      check((0..<count).map { _ in .random(in: 0...255, using: &generator) }, round)
    }
  }

  private func check(_ bytes: [UInt8], _ round: Int) {
    let mode: MultilineMode = [.auto, .timestamp, .off][round % 3]
    let file = ParsedFile(bytes, context: .test(multiline: mode))
    for index in file.records.indices where !file.isFaithful(index) {
      Issue.record("round \(round), record \(index): \(file.texts[index])")
    }
  }
}
