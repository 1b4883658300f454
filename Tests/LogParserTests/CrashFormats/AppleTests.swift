// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct AppleTests {
  static let corpus = ExpectedCrash.all.filter { expected in
    (expected.path.hasPrefix("crash/apple/") || expected.path.contains("apple_style/"))
      && !expected.path.hasSuffix("simulator_system.log")
  }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealReports(expected: ExpectedCrash) throws {
    let reports = parse(expected.bytes, name: expected.name)
    let report = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(["apple-ips", "apple-crash", "umeng"].contains(report.format))
    #expect(expected.differences(from: report) == [])
    if let version = expected["app_version"] {
      let text = report.build.map { "\(report.version ?? "") (\($0))" } ?? report.version
      #expect(text == version || report.version == version && report.build == expected["app_build"])
    }
    if let os = expected["os"] {
      #expect("\(report.osName ?? "") \(report.osVersion ?? "")" == os)
    }
    if let type = expected["exc_type"] {
      let signal = expected["signal"] ?? type
      #expect(report.signal.map { signal.contains($0) } == true)
      #expect(type.hasPrefix("SIG") || report.exceptionType != nil)
    }
    if let reason = expected["reason"] { #expect(report.reason == reason) }
    try checkTopFrame(report, expected)
    let isWhole = !expected.path.hasSuffix("header_only_ios13.txt")
    #expect(report.flags.contains(.incomplete) == !isWhole)
  }

  private func checkTopFrame(_ report: CrashReport, _ expected: ExpectedCrash) throws {
    guard let top = expected["top_frame"] else { return }
    let frame = try #require(report.frames.first)
    #expect(top.contains(frame.image ?? "?"))
    if let symbol = frame.symbol { #expect(top.contains(symbol)) }
    if let offset = frame.offset { #expect(top.hasSuffix("\(offset)")) }
    if let line = frame.line { #expect(top.hasSuffix(":\(line))")) }
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func anExceptionIsNamedAndGroupedByItsOwnStack() throws {
    let bytes = Corpus.bytes("crash/apple/app_default_set.crash")
    let report = try #require(parse(bytes).first)
    #expect(report.kind == .exception)
    #expect(report.exceptionType == "NSInvalidArgumentException")
    #expect(report.reason?.hasSuffix("unrecognized selector sent to instance 0x79b45030") == true)
    #expect(report.frames.first?.symbol == "__pthread_kill")
    #expect(report.topFrame?.contains("__pthread_kill") == false)
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func addressAndCodeComeFromTheCodes() throws {
    let bytes = Corpus.bytes("crash/apple/plcrashreporter_handcrafted.txt")
    let report = try #require(parse(bytes).first)
    #expect(report.signal == "SIGSEGV")
    #expect(report.signalCode == "SEGV_MAPERR")
    #expect(report.faultAddress == 0x88)
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func jsonAndTextOfOneIncidentHaveOneFingerprint() throws {
    let names = ["iOSCrashingTest-2022-09-18-152837.ips", "ios-crash-with-json-header.crash"]
    let reports = names.compactMap { parse(Corpus.bytes("crash/apple/" + $0), name: $0).first }
    #expect(reports.map(\.format) == ["apple-ips", "apple-crash"])
    #expect(Set(reports.map(\.fingerprint)).count == 1)
    #expect(Set(reports.map(\.topFrame)).count == 1)
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func aCutIpsFileGivesItsHeader() throws {
    let bytes = Corpus.bytes("crash/apple/AppleJson.ips")
    let report = try #require(parse(Array(bytes.prefix(420))).first)
    #expect(report.reportID == "4904A8AF-6173-4A1B-B354-0A9C4FB1F673")
    #expect(report.process == "Demo")
    #expect(report.version == "1.0")
    #expect(report.flags == [.incomplete])
  }

  @Test func aShortTextIsRead() throws {
    let report = try #require(
      parse(
        """
        Process:         api [4711]
        Exception Type:  SIGSEGV

        Thread 0 Crashed:
        0  main

        """))
    #expect(report.format == "apple-crash")
    #expect(report.process == "api")
    #expect(report.pid == 4711)
    #expect(report.signal == "SIGSEGV")
    #expect(report.crashedThread == 0)
  }

  @Test func aTranslatedReportBeginsWithATitle() throws {
    let report = try #require(
      parse(
        """
        -------------------------------------
        Translated Report (Full Report Below)
        -------------------------------------

        Process:             Shop [60132]
        Code Type:           X86-64 (Translated)

        Date/Time:           2026-11-01 13:20:30.1234 +0100
        Exception Type:      EXC_BREAKPOINT (SIGTRAP)

        Application Specific Information:
        Shop/Cart.swift:31: Fatal error: no tea

        Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
        0   Shop    0x1028a0f10 Cart.load(id:) + 412 (Cart.swift:31)

        -----------
        Full Report
        -----------

        {"bug_type":"309","os_version":"macOS 14.1 (23B74)","incident_id":"D0D2"}
        """))
    #expect(report.format == "apple-crash")
    #expect(report.pid == 60_132)
    #expect(report.reason == "Shop/Cart.swift:31: Fatal error: no tea")
    #expect(report.topFrame == "Cart.load(id:) in Shop at Cart.swift:31")
    #expect(report.time?.description == "2026-11-01T12:20:30.1234Z")
  }

  private static let resource = """
    Date/Time:        2026-11-01 09:59:17.497 -0700
    OS Version:       iPhone OS 14.4.2 (Build 18D70)
    Command:          Shop
    Version:          1.3.6 (136.3)
    Parent:           UNKNOWN [1]
    PID:              743

    Event:            cpu usage
    Action taken:     none
    CPU:              90 seconds cpu time over 105 seconds (85% cpu average)
    Duration:         3.20s

    Hardware model:   iPhone9,1

    Heaviest stack for the target process:
      14  start + 2360 (dyld + 25440) [0x18d5c1058]
      14  Cart.wait() + 96 (Cart.swift:41 in Shop + 12000) [0x100002ee0]
      7   ??? (libsystem_c.dylib + 13380) [0x1b13]

    Process:          Shop [743]
    """

  @Test func useOfTooMuchIsToldWithTheHeaviestStack() throws {
    let header = #"{"bug_type":"202","incident_id":"F661","os_version":"iPhone OS 14.4.2"}"# + "\n"
    for text in [Self.resource, header + Self.resource] {
      let report = try #require(parse(text))
      #expect(report.format == "apple-resource")
      #expect(report.process == "Shop" && report.pid == 743)
      #expect(report.version == "1.3.6" && report.build == "136.3")
      #expect(report.osVersion == "14.4.2 (18D70)")
      #expect(report.reason?.hasPrefix("cpu usage: 90 seconds cpu time over") == true)
      #expect(report.topFrame == "Cart.wait() in Shop at Cart.swift:41")
      #expect(report.frames.map(\.image) == ["libsystem_c.dylib", "Shop", "dyld"])
      #expect(report.note == "nothing was done about it; the program went on")
    }
  }

  @Test func aHangOfTheMacIsAHang() throws {
    let text = Self.resource.split(separator: "\n").filter { !$0.hasPrefix("Action") }
      .joined(separator: "\n")
    let report = try #require(parse(text.replacing("cpu usage", with: "hang")))
    #expect(report.kind == .hang)
    #expect(report.reason == "it did not answer for 3.20s")
  }

  @Test func jetsamNamesTheProcessThatWasEnded() throws {
    let text = """
      {"bug_type":"298","timestamp":"2026-11-01 15:08:19.00 -0600","os_version":"iPhone OS 26.0",\
      "incident_id":"E0F9"}
      {"date":"2026-11-01 15:08:18.51 -0600","product":"iPhone18,1","largestProcess":"Music",
       "memoryStatus":{"pageSize":16384},"processes":[{"pid":76,"name":"Music","rpages":9},
       {"pid":2143,"name":"Shop","reason":"per-process-limit","rpages":131072}]}
      """
    let report = try #require(parse(text))
    #expect(report.kind == .outOfMemory)
    #expect(report.process == "Shop" && report.pid == 2143)
    #expect(report.reason == "per-process-limit, 2048 MiB in use")
    #expect(report.time?.description == "2026-11-01T21:08:18.51Z")
    #expect(report.device == "iPhone18,1")
  }

  @Test func aPanicOfTheKernelSaysWhy() throws {
    let text = """
      {"bug_type":"210","timestamp":"2026-11-01 15:10:19.00 +0000","os_version":"macOS 14.1",\
      "incident_id":"E0FA"}
      {"panicString":"panic(cpu 2): watchdog timeout\\nMemory ID: 0x6","date":"x"}
      """
    let report = try #require(parse(text))
    #expect(report.kind == .panic)
    #expect(report.process == "kernel")
    #expect(report.reason == "panic(cpu 2): watchdog timeout")
    #expect(report.time?.description == "2026-11-01T15:10:19Z")
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func aSystemLogWithNoticesOfCrashesIsNoReport() {
    let bytes = Corpus.bytes("crash/apple/simulator_system.log")
    #expect(recognise(bytes, name: "system.log") == nil)
  }
}
