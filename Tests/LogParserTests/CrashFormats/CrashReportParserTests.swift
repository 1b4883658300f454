// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct CrashReportParserTests {
  @Test(
    arguments: [
      "{}", "[]", "null", "17", String(repeating: "[", count: 50_000),
      "Segmentation fault (core dumped)\n", "PAGEDU64\0\0\0\0", "\u{1F}\u{8B}", #"{"report": "#,
      "=====\n=====\n",
    ])
  func whatIsNoReportIsKeptAsMalformed(text: String) throws {
    let report = try #require(parse(text, name: "x.json"))
    #expect(report.flags == [.malformed])
    #expect(report.format == "unknown")
    #expect(report.note != nil)
    #expect(!report.fingerprint.isEmpty)
    let outside = CrashReportParser.parse(
      [UInt8](text.utf8), name: "x.json", modified: time("2026-11-30T08:00:00Z"), inSpool: false)
    #expect(outside.isEmpty)
  }

  @Test func nothingIsNoReport() {
    #expect(parse([]).isEmpty)
  }

  @Test func aMarkOfByteOrderDoesNotMatter() throws {
    let report = try #require(parse("\u{FEFF}" + #"{"report":{"id":"i"},"crash":{"threads":[]}}"#))
    #expect(report.format == "kscrash")
    #expect(report.reportID == "i")
    #expect(report.flags == [])
  }

  /// Files of the corpus that are logs, although crashes stand in some.
  private static let logs = Corpus.files.filter { path in
    !path.hasPrefix("crash/") && !path.hasPrefix("swift/backtrace/")
  }

  @Test(.enabled(if: Corpus.isAvailable), arguments: logs)
  func logsAreNoReports(path: String) {
    let name = String(path.split(separator: "/").last ?? "")
    #expect(recognise(Corpus.bytes(path), name: name) == nil)
  }

  @Test(.enabled(if: Corpus.isAvailable), .timeLimit(.minutes(2)), arguments: Corpus.files)
  func everyFileOfTheCorpusCanBePutIntoASpool(path: String) {
    let bytes = Array(Corpus.bytes(path).prefix(1 << 20))
    let reports = parse(bytes, name: path)
    #expect(reports.isEmpty == bytes.isEmpty)
    #expect(reports.allSatisfy { $0.fingerprint.utf8.count == 16 })
    #expect(
      reports.allSatisfy { report in
        report.byteRange.map { 0 <= $0.lowerBound && $0.upperBound <= bytes.count } ?? true
      })
    _ = CrashReportParser.isComplete(bytes, format: reports.first?.format ?? "unknown")
  }

  private static let reports = ExpectedCrash.all.filter { !$0.bytes.isEmpty }

  @Test(.enabled(if: Corpus.isAvailable), .timeLimit(.minutes(2)), arguments: reports)
  func cutReportsAreReadAsFarAsTheyGo(expected: ExpectedCrash) {
    let bytes = expected.bytes
    for end in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 15)) {
      #expect(!parse(Array(bytes.prefix(end)), name: expected.name).isEmpty)
    }
  }

  @Test(.enabled(if: Corpus.isAvailable), .timeLimit(.minutes(2)), arguments: reports)
  func damagedReportsDoNoHarm(expected: ExpectedCrash) {
    var random = SplitMix(state: UInt64(expected.bytes.count))
    for _ in 0..<10 {
      var bytes = expected.bytes
      for _ in 0..<8 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      #expect(!parse(bytes, name: expected.name).isEmpty)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aReportOfSixteenMegabytesIsReadInBoundedTime() throws {
    let frame = #"{"instruction_addr":4312432432,"object_name":"Shop","object_addr":4312400000},"#
    let text =
      #"{"report":{"id":"huge","process_name":"api","timestamp":"2025-03-01T14:00:00Z"},"#
      + #""crash":{"threads":[{"crashed":true,"index":0,"#
      + #""backtrace":{"contents":["#
    let end = #"{}]}}],"error":{"type":"signal","signal":{"name":"SIGSEGV"}}}}"#
    let bytes = [UInt8]((text + String(repeating: frame, count: 200_000) + end).utf8)
    let report = try #require(parse(bytes).first)
    #expect(report.reportID == "huge")
    #expect(report.signal == "SIGSEGV")
    #expect(report.frames.count == CrashReportParser.maxFrames)
    #expect(report.flags == [])
  }
}

/// A small generator with a seed, so that a failure can be had again.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
