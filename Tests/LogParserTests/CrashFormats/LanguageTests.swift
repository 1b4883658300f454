// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct LanguageTests {
  private static let formats = [
    "crash/lang/go_": "go-panic", "crash/lang/rust_": "rust-panic", "crash/lang/python_": "python",
    "crash/jvm/": "java-hs-err", "crash/lang/jvm_": "java-hs-err", "crash/node/": "node-report",
    "crash/abrt/": "abrt-core-backtrace", "crash/apport/": "apport", "crash/c/gdb": "gdb-backtrace",
  ]

  private static func format(_ expected: ExpectedCrash) -> String? {
    formats.first { expected.path.hasPrefix($0.key) }?.value
  }

  static let corpus = ExpectedCrash.all.filter { format($0) != nil }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealReports(expected: ExpectedCrash) throws {
    let reports = parse(expected.bytes, name: expected.name)
    let report = try #require(reports.first)
    #expect(report.format == Self.format(expected))
    // The table names some processes by their path, and some threads by their name.
    let differences = expected.differences(from: report).filter { difference in
      !difference.hasSuffix(", not \(report.executablePath ?? "-")")
        && !(difference.hasPrefix("crashed_thread: ")
          && report.crashedThreadName == expected["crashed_thread"])
    }
    #expect(differences == [])
    if let reason = expected["reason"] { #expect(report.reason == reason) }
    if let signal = expected["signal"], signal.hasPrefix("SIG") {
      #expect(report.signal.map { signal.hasPrefix($0) } == true)
    }
    if let os = expected["os"] {
      #expect("\(report.osName ?? "") \(report.osVersion ?? "")" == os)
    }
    if let type = expected["exc_type"] { #expect(report.exceptionType == type) }
    if let top = expected["top_frame"] {
      let frame = try #require(report.frames.first)
      #expect(frame.symbol.map { top.contains($0) } == true)
      if let line = frame.line { #expect(top.hasSuffix(":\(line)")) }
    }
  }

  @Test(
    .enabled(if: Corpus.isAvailable),
    arguments: [
      ("crash/lang/go_nil_pointer.stderr", "main.process"),
      ("crash/lang/go_deadlock.stderr", "main.main"),
      ("crash/lang/rust_backtrace1.stderr", "p::parse"),
      ("crash/lang/rust_backtrace_full.stderr", "p::main::{{closure}}"),
      ("crash/lang/python_faulthandler_segv.stderr", "string_at"),
      ("crash/c/gdb_thread_apply_all_bt.txt", "peer_len"),
      ("crash/abrt/core_backtrace.json", "rpl_nanosleep"),
    ])
  func findsTheProgramsOwnFrame(path: String, symbol: String) throws {
    let report = try #require(parse(Corpus.bytes(path), name: path).first)
    #expect(report.topFrame?.hasPrefix(symbol) == true, "\(report.topFrame ?? "")")
  }

  @Test(
    .enabled(if: Corpus.isAvailable),
    arguments: [
      "crash/lang/java_uncaught_exception.stderr", "crash/lang/node_uncaught_with_cause.stderr",
      "crash/lang/node_unhandled_rejection_number.stderr", "crash/c/glibc_assert.stderr",
      "crash/c/terminate_std_exception.stderr",
    ])
  func readsWhatStandardErrorHeld(path: String) throws {
    let expected = try #require(ExpectedCrash.find(path))
    let report = try #require(parse(expected.bytes, name: expected.name).first)
    #expect(report.format == "standard-error")
    if let type = expected["exc_type"] ?? expected["exc_name"] {
      #expect(report.exceptionType == type)
    }
    if let reason = expected["reason"] { #expect(report.reason == reason) }
    if let process = expected["process"] { #expect(report.process == process) }
    if let thread = expected["crashed_thread"] { #expect(report.crashedThreadName == thread) }
    #expect(report.reason != nil)
    #expect(report.flags == [])
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func swiftsMessageAndStackAreReadFromStandardError() throws {
    let report = try #require(parse(Corpus.bytes("swift/runtime/NilUnwrap.stderr")).first)
    #expect(report.kind == .assertion)
    #expect(report.reason == "Unexpectedly found nil while unwrapping an Optional value")
    #expect(report.process == "NilUnwrap")
    #expect(report.topFrame == "NilUnwrap + 4760")
    let several = try #require(
      parse(Corpus.bytes("swift/runtime/FatalErrorMultiline.stderr")).first)
    #expect(several.reason?.split(separator: "\n").count == 4)
  }

  @Test func aVirtualMachineThatRanOutOfMemorySaysSo() throws {
    let heap = """
      #
      # A fatal error has been detected by the Java Runtime Environment:
      #
      #  Internal Error (debug.cpp:362), pid=96, tid=97
      #  fatal error: OutOfMemory encountered: Java heap space
      #
      # JRE version: OpenJDK Runtime Environment (17.0.15+6) (build 17.0.15+6-Debian)
      # Java VM: OpenJDK 64-Bit Server VM (17.0.15+6-Debian, mixed mode, linux-amd64)
      """
    let native = """
      #
      # There is insufficient memory for the Java Runtime Environment to continue.
      # Native memory allocation (mmap) failed to map 12288 bytes
      #
      #  Out of Memory Error (os_linux.cpp:2718), pid=96, tid=97
      """
    let reports = [heap, native].compactMap { parse($0) }
    #expect(reports.map(\.kind) == [.outOfMemory, .outOfMemory])
    #expect(reports.map(\.pid) == [96, 96])
    #expect(
      reports.map(\.reason) == [
        "OutOfMemory encountered: Java heap space",
        "Native memory allocation (mmap) failed to map 12288 bytes",
      ])
    #expect(reports[0].version == "17.0.15+6-Debian")
    #expect(reports[0].architecture == "amd64")
  }

  @Test func nodeOutOfMemoryIsToldByItsReportAndItsLastWords() throws {
    let report = try #require(
      parse(
        #"{"header":{"reportVersion":4,"event":"Allocation failed - heap out of memory","#
          + #""trigger":"OOMError","processId":9},"javascriptStack":{"message":"No stack."}}"#))
    #expect(report.kind == .outOfMemory)
    #expect(report.reason == "Allocation failed - heap out of memory")
    let words = try #require(
      parse("\nFATAL ERROR: Reached heap limit - JavaScript heap out of memory\n"))
    #expect(words.kind == .outOfMemory)
    #expect(words.process == "node")
    #expect(words.reason == "Reached heap limit - JavaScript heap out of memory")
  }

  @Test func aGoProgramThatDumpsForASignalShowsItsOwnGoroutine() throws {
    let text = """
      SIGQUIT: quit
      PC=0x46f2a1 m=0 sigcode=0

      goroutine 0 gp=0x55ec80 m=0 mp=0x55f600 [idle]:
      runtime.futex()
      \t/usr/local/go/src/runtime/sys_linux_amd64.s:557 +0x21

      goroutine 1 [chan receive]:
      main.main()
      \t/srv/app/main.go:9 +0x2c
      """
    let report = try #require(parse(text))
    #expect(report.signal == "SIGQUIT")
    #expect(report.topFrame == "main.main at main.go:9")
  }

  @Test func anExceptionOfDotNetThatNobodyCaughtIsRead() throws {
    let text = """
      Unhandled exception. System.InvalidOperationException: no tea
         at Shop.Pay(Int32 n) in /src/Shop.cs:line 12
         at Program.Main(String[] args)
      """
    let report = try #require(parse(text))
    #expect(report.exceptionType == "System.InvalidOperationException")
    #expect(report.reason == "no tea")
    #expect(report.topFrame == "Shop.Pay(Int32 n) at Shop.cs:12")
    #expect(report.frames.count == 2)
  }

  @Test func aGroupOfExceptionsOfPythonIsOne() throws {
    let text = """
        + Exception Group Traceback (most recent call last):
        |   File "shop.py", line 7, in serve
        | ExceptionGroup: many (2 sub-exceptions)
        +-+---------------- 1 ----------------
          | Traceback (most recent call last):
          |   File "tea.py", line 1, in brew
          | ValueError: a
          +------------------------------------
      """
    let report = try #require(parse(text))
    #expect(report.exceptionType == "ExceptionGroup")
    #expect(report.reason == "many (2 sub-exceptions)")
    #expect(report.topFrame == "serve at shop.py:7")
  }

  @Test(
    arguments: [
      "2026/11/30 06:07:43 worker started\npanic: x\n\ngoroutine 1 [running]:\nmain.main()\n",
      "INFO start\nthread 'main' panicked at a.rs:1:2:\nx\n",
      "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 1\n",
    ])
  func textsAmongOthersAreReportsOnlyInASpool(text: String) {
    #expect(recognise([UInt8](text.utf8), name: "app.log") == nil)
    #expect(parse(text)?.flags == [])
  }
}
