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

  @Test(.enabled(if: Corpus.isAvailable))
  func aSystemLogWithNoticesOfCrashesIsNoReport() {
    let bytes = Corpus.bytes("crash/apple/simulator_system.log")
    #expect(recognise(bytes, name: "system.log") == nil)
  }
}
