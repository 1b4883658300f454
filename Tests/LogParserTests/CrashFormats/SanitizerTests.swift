// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct SanitizerTests {
  static let corpus = ExpectedCrash.all.filter { expected in
    ["asan", "lsan", "tsan", "ubsan"].contains { expected.path.hasPrefix("crash/c/" + $0) }
  }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealReports(expected: ExpectedCrash) throws {
    let reports = parse(expected.bytes, name: expected.name)
    let report = try #require(reports.first)
    #expect(report.format == "sanitizer")
    #expect(report.kind == .sanitizer)
    #expect(expected.differences(from: report) == [])
    if let reason = expected["reason"] { #expect(report.reason == reason) }
    if let top = expected["top_frame"], let frame = report.frames.first {
      let file = frame.file?.split(separator: "/").last ?? ""
      #expect("\(frame.symbol ?? "") \(file):\(frame.line ?? 0)" == top)
    }
    #expect(!report.frames.isEmpty)
    #expect(reports.count == (expected.path.contains("ubsan_recover") ? 5 : 1))
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func theProgramsOwnFrameIsFoundBelowTheInterceptor() throws {
    let bytes = Corpus.bytes("crash/c/asan_heap_buffer_overflow_gcc.log")
    let report = try #require(parse(bytes).first)
    #expect(report.topFrame?.hasPrefix("parse_header") == true)
    #expect(report.faultAddress == 0x6020_0000_0020)
    #expect(report.crashedThread == 0)
  }

  @Test func eachRaceIsAReportOfItsOwn() throws {
    let race = """
      ==================
      WARNING: ThreadSanitizer: data race (pid=7)
        Read of size 4 at 0x5623091fb05c by thread T2:
          #0 inc race.c:4 (race+0x11cf)

      SUMMARY: ThreadSanitizer: data race race.c:4 in inc
      ==================

      """
    let reports = parse([UInt8]((race + race + "ThreadSanitizer: reported 2 warnings\n").utf8))
    #expect(reports.count == 2)
    #expect(reports.compactMap(\.byteRange).map(\.count) == [race.utf8.count, race.utf8.count])
    #expect(reports.map(\.pid) == [7, 7])
  }

  @Test func aLogWithARuntimeErrorIsNoReport() {
    let log = "2026-03-01 10:00:00 ub.c:4:48: runtime error: overflow\n"
    #expect(recognise([UInt8](log.utf8), name: "app.log") == nil)
  }
}

@Suite struct AndroidTests {
  static let corpus = ExpectedCrash.all.filter { $0.path.hasPrefix("crash/android/tombstone") }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealTombstones(expected: ExpectedCrash) throws {
    let report = try #require(parse(expected.bytes, name: expected.name).first)
    #expect(report.format == "android-tombstone")
    #expect(expected.differences(from: report) == [])
    #expect(!report.frames.isEmpty)
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func readsSignalAddressAndCause() throws {
    let report = try #require(parse(Corpus.bytes("crash/android/tombstone_02")).first)
    #expect(report.signal == "SIGSEGV")
    #expect(report.signalCode == "SEGV_MAPERR")
    #expect(report.faultAddress == 0)
    #expect(report.reason == "null pointer dereference")
    #expect(report.crashedThreadName == "roidJUnitRunner")
    #expect(report.frames.first?.image == "base.apk")
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func aDumpOfALiveProcessIsNoCrash() throws {
    let report = try #require(parse(Corpus.bytes("crash/android/tombstone_00")).first)
    #expect(report.kind == .hang)
    #expect(report.signal == nil)
    #expect(report.frames.first?.symbol == "__epoll_pwait")
    #expect(report.frames.first?.offset == 20)
  }
}
