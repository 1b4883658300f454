// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct SwiftBacktraceTests {
  static let corpus = ExpectedCrash.all.filter { $0.path.hasPrefix("swift/backtrace/") }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealBacktraces(expected: ExpectedCrash) throws {
    let reports = parse(expected.bytes, name: expected.name)
    let report = try #require(reports.first)
    #expect(reports.count == 1)
    let isJSON = expected.path.hasSuffix(".json")
    #expect(report.format == (isJSON ? "swift-backtrace-json" : "swift-backtrace"))
    #expect(expected.differences(from: report) == [])
    #expect(report.flags == [])
    #expect(report.reason == expected["message"] ?? expected["description"])
    #expect(report.architecture == "x86_64")
    #expect(report.osName == "Linux")
    #expect(report.osVersion == "Debian GNU/Linux 12 (bookworm)")
    if report.signal != "SIGABRT" {
      let digits = String(report.faultAddress ?? 0, radix: 16)
      #expect(expected["fault_address"]?.hasSuffix(digits) == true)
    }
    #expect(CrashReportParser.isComplete(expected.bytes, format: report.format))
    let top = try #require(report.frames.first)
    if !isJSON, let wanted = expected["top_frame"] {
      #expect("\(top.symbol ?? "") + \(top.offset ?? 0) in \(top.image ?? "")" == wanted)
    }
    if let frames = expected["frames"] { #expect("\(report.frames.count)" == frames) }
    if let place = expected["first_source_frame"] {
      let frame = try #require(report.frames.first { $0.file != nil })
      #expect("\(frame.file ?? ""):\(frame.line ?? -1)" == place)
    }
  }

  @Test(
    .enabled(if: Corpus.isAvailable),
    arguments: [
      (
        "NilUnwrap-10658-0.0.log", "SIGILL", CrashKind.assertion,
        "lookup(_:) in NilUnwrap at NilUnwrap.swift:1"
      ),
      (
        "NilUnwrap-10669-0.0.json", "SIGILL", .assertion,
        "lookup(_:) in NilUnwrap at NilUnwrap.swift:1"
      ),
      (
        "BadPointer-12826-0.0.json", "SIGSEGV", .signal,
        "poke(_:) in BadPointer at BadPointer.swift:1"
      ),
      (
        "Overflow-12802-0.0.json", "SIGILL", .assertion,
        "bump(_:) in Overflow at Overflow.swift:1"
      ),
      (
        "DoubleResume-12846-0.0.log", "SIGILL", .assertion,
        "closure #1 in static App.main() in DoubleResume at DoubleResume.swift:2"
      ),
      (
        "ThreadCrash-10720-0.0.json", "SIGILL", .assertion,
        "Worker.run() in ThreadCrash at ThreadCrash.swift:2"
      ),
    ])
  func tellsSignalKindAndTheProgramsOwnFrame(
    name: String, signal: String, kind: CrashKind, frame: String
  ) throws {
    let report = try #require(parse(Corpus.bytes("swift/backtrace/" + name), name: name).first)
    #expect(report.signal == signal)
    #expect(report.kind == kind)
    #expect(report.topFrame == frame)
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func theAddressOfAnAbortIsTheProcess() throws {
    let bytes = Corpus.bytes("swift/backtrace/Abort-12814-0.0.log")
    let report = try #require(parse(bytes, name: "renamed.log").first)
    #expect(report.signal == "SIGABRT")
    #expect(report.faultAddress == nil)
    #expect(report.pid == 12814)
  }

  @Test(
    .enabled(if: Corpus.isAvailable),
    arguments: [
      ("NilUnwrap-10658-0.0.log", "NilUnwrap-10669-0.0.json"),
      ("ThreadCrash-10715-0.0.log", "ThreadCrash-10720-0.0.json"),
      ("ThreadCrash-10715-0.0.log", "friendly_preset.log"),
      ("NilUnwrap-10658-0.0.log", "stderr_with_message.log"),
    ])
  func textAndJSONOfOneCauseHaveOneFingerprint(text: String, json: String) throws {
    let reports = [text, json].compactMap { name in
      parse(Corpus.bytes("swift/backtrace/" + name), name: name).first
    }
    #expect(reports.count == 2)
    #expect(Set(reports.map(\.fingerprint)).count == 1)
  }

  @Test func readsThreadsFramesAndImagesOfAText() throws {
    let report = try #require(
      parse(
        """
        *** Program crashed: Illegal instruction at 0x00007f3867d6df7f ***

        Platform: arm64 macOS 26.0.1 (25A362)

        Thread 0 "main":

          0      0x0000000100000000 wait + 8 in libsystem_kernel.dylib
        ...

        Thread 1 "worker" crashed:

          0           0x00007f3867d6df7f _assertionFailure(_:_:file:line:flags:) + 623 in libswiftCore.so
          1 [ra]      0x00005612fdc5c298 closure #1 in Cart.load(in:) + 391 in Shop at /build in/Shop.swift:11:5

             11| let x = items[7]
               |              ^

          2 [ra] [thunk] 0x00005612fdc5c432 in Shop
          3 [async] static App.main() in Shop at /build/Shop.swift:2
        ...


        Images (13 omitted):

        0x00005612fdc5b000–0x00005612fdc5c7a8 0738895551a3c697 Shop /srv/apps/Shop
        0x00007f3867c00000–0x00007f38681d2d40 <no build ID>    libswiftCore.so /usr/lib/libswiftCore.so

        Backtrace took 0.01s

        """, name: "Shop-42-1740837609.000000500.log"))
    #expect(report.flags == [])
    #expect(report.process == "Shop")
    #expect(report.pid == 42)
    #expect(report.time?.description == "2025-03-01T14:00:09.0000005Z")
    #expect(report.executablePath == "/srv/apps/Shop")
    #expect(report.osName == "macOS")
    #expect(report.osVersion == "26.0.1 (25A362)")
    #expect(report.architecture == "arm64")
    #expect(report.crashedThread == 1)
    #expect(report.crashedThreadName == "worker")
    #expect(
      report.frames.map(\.symbol) == [
        "_assertionFailure(_:_:file:line:flags:)", "closure #1 in Cart.load(in:)", nil,
        "static App.main()",
      ])
    #expect(report.frames[1].file == "/build in/Shop.swift")
    #expect(report.frames[1].line == 11)
    #expect(report.frames[1].column == 5)
    #expect(report.frames[2].offset == 0x1432)
    #expect(report.topFrame == "closure #1 in Cart.load(in:) in Shop at Shop.swift:11")
  }

  @Test func aQuoteInAPathDoesNotHideTheRest() throws {
    let report = try #require(
      parse(
        #"""
        { "timestamp": "2026-11-30T06:00:25.205734Z", "kind": "crashReport", "description": "Aborted",
          "faultAddress": "0x1f", "platform": "Linux (Debian)", "architecture": "x86_64",
          "images": [ { "name": "a", "path": "/srv/say "hi"/a", "baseAddress": "0x10", "endOfText": "0x20" } ],
          "threads": [ { "crashed": true, "frames": [ { "address": "0x11", "symbol": "f", "offset": 1 } ] } ] }
        """#, name: "a-7-0.0.json"))
    #expect(report.executablePath == #"/srv/say "hi"/a"#)
    #expect(report.frames.first?.symbol == "f")
    #expect(report.flags == [])
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func aCutBacktraceIsFlagged() throws {
    for name in ["NilUnwrap-10658-0.0.log", "NilUnwrap-10669-0.0.json"] {
      let bytes = Corpus.bytes("swift/backtrace/" + name)
      let cut = Array(bytes.prefix(bytes.count * 2 / 3))
      let report = try #require(parse(cut, name: name).first)
      #expect(report.flags == [.incomplete])
      #expect(report.signal == "SIGILL")
      #expect(!CrashReportParser.isComplete(cut, format: report.format))
    }
  }

  @Test func aLogThatHoldsABacktraceIsNoReport() {
    let log = """
      2026-11-30T06:00:25+0000 info api : [api] listening
      *** Program crashed: Illegal instruction at 0x00007f3867d6df7f ***
      """
    #expect(recognise([UInt8](log.utf8), name: "api.log") == nil)
  }
}
