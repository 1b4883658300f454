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

  @Test func undefinedBehaviourKeepsItsStack() throws {
    let text = """
      ub.c:15:24: runtime error: signed integer overflow
          #0 0x55e2 in add /src/ub.c:15:24
          #1 0x55e3 in main /src/ub.c:19:158
          #2 0x55e4 in _start (/srv/shop+0x9e60)

      SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior ub.c:15:24
      """
    let report = try #require(parse([UInt8](text.utf8)).first)
    #expect(report.frames.map(\.symbol) == ["add", "main", "_start"])
    #expect(report.topFrame == "add at ub.c:15")
    #expect(report.process == "shop")
  }

  @Test func theAllocatorInTheProgramIsNotTheCause() throws {
    let text = """
      ==19==ERROR: AddressSanitizer: attempting free on address which was not malloc()-ed: 0x7b in thread T0
          #0 0x5570 in free /build/compiler-rt/lib/asan/asan_malloc_linux.cpp:51:3
          #1 0x5571 in drop /src/a.c:21:25

      ==19==ABORTING
      """
    let report = try #require(parse([UInt8](text.utf8)).first)
    #expect(report.reason == "attempting free on address which was not malloc()-ed")
    #expect(report.topFrame == "drop at a.c:21")
  }

  @Test func aBadAccessSaysWhatWasDoneWhere() throws {
    let text = """
      ==9==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x55 T0)
      ==9==The signal is caused by a READ memory access.
      ==9==Hint: address points to the zero page.
          #0 0x55 in peek /src/a.c:10:60
      """
    let report = try #require(parse([UInt8](text.utf8)).first)
    #expect(report.reason == "SEGV by a READ memory access at 0x0")
    #expect(report.signal == "SIGSEGV")
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
