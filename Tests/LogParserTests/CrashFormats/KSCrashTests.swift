// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct KSCrashTests {
  static let corpus = ExpectedCrash.all.filter {
    $0.path.hasPrefix("crash/kscrash/") && $0.path.hasSuffix(".json")
  }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealReports(expected: ExpectedCrash) throws {
    #expect(recognise(expected.bytes, name: expected.name) == "kscrash")
    let reports = parse(expected.bytes, name: expected.name)
    let report = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(expected.differences(from: report) == [])
    #expect(report.signal == expected["signal"])
    if let version = expected["app_version"] { #expect(report.version == version) }
    if let build = expected["app_build"] { #expect(report.build == build) }
    if let os = expected["os"] { #expect("\(report.osName ?? "") \(report.osVersion ?? "")" == os) }
    if let name = expected["exc_name"] ?? (expected["exc_type"] == "mach" ? expected["mach"] : nil)
    {
      #expect(report.exceptionType == name)
    }
    if let reason = expected["reason"] ?? expected["diagnosis"] { #expect(report.reason == reason) }
    if let frames = expected["frames"] { #expect("\(report.frames.count)" == frames) }
    if let top = expected["top_frame"] {
      let frame = try #require(report.frames.first)
      #expect("\(frame.image ?? "") \(frame.symbol ?? "")+\(frame.offset ?? 0)" == top)
    }
    if ["mach", "signal"].contains(expected["exc_type"]), let address = expected["address"] {
      #expect(report.faultAddress.map(String.init) == address)
    }
    let isMixedUp = expected["timestamp_in_file"] != nil
    #expect(report.flags.contains(.timeSuspect) == isMixedUp)
    if isMixedUp { #expect(report.time == nil) }
  }

  @Test(
    .enabled(if: Corpus.isAvailable),
    arguments: [
      ("Crash-Tester-report-0000000000000002.json", CrashKind.exception),
      ("Crash-Tester-report-0000000000000003.json", .hang),
      ("Crash-Tester-report-0000000000000004.json", .signal),
      ("Crash-Tester-report-00c0ffee00000011.json", .exception),
      ("xctest-report-00c0ffee00000010.json", .outOfMemory),
    ])
  func tellsTheKindOfEnd(name: String, kind: CrashKind) throws {
    let report = try #require(parse(Corpus.bytes("crash/kscrash/" + name), name: name).first)
    #expect(report.kind == kind)
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func aReporterThatCrashedIsFlaggedAndBothCrashesAreNamed() throws {
    let bytes = Corpus.bytes("crash/kscrash/sentry/recrash-report.json")
    let report = try #require(parse(bytes).first)
    #expect(report.flags == [.recrash])
    #expect(report.note?.contains("EXC_BAD_ACCESS, SIGBUS") == true)
  }

  /// A report with these members of `error`, and a stack.
  private static func report(error: String) -> String {
    #"{"report":{"id":"h-1","timestamp":1740837609123456},"crash":{"error":{\#(error)},"#
      + #""threads":[{"crashed":true,"index":0,"backtrace":{"contents":[{"symbol_name":"load"}]}}]}}"#
  }

  private static let hang =
    #""hang":{"hang_start_nanos":5000000000,"hang_end_nanos":13250000000}"#

  @Test func aHangThatPassedIsNoDeath() throws {
    let report = try #require(parse(Self.report(error: Self.hang + #","type":"hang""#)))
    #expect(report.kind == .hang)
    #expect(report.reason == "the main thread did not answer for 8.2 s")
    #expect(report.note == "the program went on")
    #expect(report.frames.map(\.symbol) == ["load"])
  }

  @Test func aHangThatTheWatchdogEndedSaysSo() throws {
    let error =
      Self.hang
      + #","type":"signal","signal":{"name":"SIGKILL","signal":9},"exit_reason":{"code":2343432205}"#
    let report = try #require(parse(Self.report(error: error)))
    #expect(report.kind == .hang)
    #expect(report.signal == "SIGKILL")
    #expect(report.reason?.hasSuffix("8.2 s; the watchdog ended the program") == true)
    #expect(report.note == nil)
  }

  @Test func aProfileIsNoCrash() throws {
    let report = try #require(parse(Self.report(error: #""type":"profile""#)))
    #expect(report.kind == .unknown)
    #expect(report.note == "it is a profile; nothing crashed")
  }

  @Test func theFirstVersionHadNoHeader() throws {
    let text = """
      {"crash":{"error":{"mach":{"exception_name":"EXC_BAD_ACCESS"},"signal":{"name":"SIGBUS"}},
       "threads":[{"backtrace":[{"instruction_addr":90,"object_name":"Shop","symbol_name":"-[A b]",
       "symbol_addr":80}],"crashed":true}]},"crash_id":"v1-1","report_version_major":1,
       "system":{"process_name":"Shop","process_id":39},"timestamp":"2012-06-16T22:34:39Z"}
      """
    let report = try #require(parse(text))
    #expect(report.reportID == "v1-1")
    #expect(report.time?.description == "2012-06-16T22:34:39Z")
    #expect(report.signal == "SIGBUS")
    #expect(report.topFrame == "-[A b] in Shop")
    #expect(report.frames.first?.offset == 10)
  }

  @Test func aCutReportGivesWhatStandsBeforeTheCut() throws {
    let report = try #require(
      parse(
        #"""
        {"report": {"id": "cut-1", "process_name": "api", "timestamp": "2025-03-01T14:00:09Z"},
         "crash": {"error": {"signal": {"name": "SIGBUS"}}, "threads": [{"index": 0, "na
        """#))
    #expect(report.reportID == "cut-1")
    #expect(report.process == "api")
    #expect(report.time?.description == "2025-03-01T14:00:09Z")
    #expect(report.signal == "SIGBUS")
    #expect(report.flags == [.incomplete])
    #expect(report.note == "it breaks off at byte 165: the text ends inside a string")
  }

  @Test(
    arguments: [
      #""address":1e999,"value":1234567890123456789012345678901234567890"#, #""value":NaN"#,
      #""value":-Infinity"#, #""address":-1"#, #""address":"0xZZ""#, #""signal":[]"#,
    ])
  func oddValuesDoNotHideTheRest(value: String) throws {
    let report = try #require(
      parse(
        #"{"report":{"id":"odd","process_name":"odd","timestamp":"2025-03-01T14:01:01Z"},"#
          + #""crash":{"error":{\#(value),"reason":"r"}}}"#))
    #expect(report.reportID == "odd")
    #expect(report.process == "odd")
    #expect(report.reason == "r")
    #expect(report.flags == [])
  }

  @Test func bytesThatAreNoTextAreReplaced() throws {
    let text = #"{"report":{"id":"x","process_name":"odd"},"crash":{"error":{"reason":"cafX"}}}"#
    var bytes = [UInt8](text.utf8)
    bytes[bytes.lastIndex(of: UInt8(ascii: "X")) ?? 0] = 0xE9
    let report = try #require(parse(bytes).first)
    #expect(report.reason == "caf\u{FFFD}")
    #expect(report.flags == [])
  }

  @Test(
    arguments: [
      ("1740837609", "2025-03-01T14:00:09Z"), ("1740837609123", "2025-03-01T14:00:09.123Z"),
      ("1740837609123456", "2025-03-01T14:00:09.123456Z"),
      (#""2025-03-01T15:00:09+01:00""#, "2025-03-01T14:00:09Z"),
      (#""2025-03-01T14:00:09.5Z""#, "2025-03-01T14:00:09.5Z"),
    ])
  func timesAreReadInEveryUnit(text: String, expected: String) throws {
    let report = try #require(parse(#"{"report":{"id":"t","timestamp":\#(text)},"crash":{}}"#))
    #expect(report.time?.description == expected)
    #expect(!report.flags.contains(.timeSuspect))
  }

  @Test(
    arguments: [
      "9223372036854775807", "-9223372036854775808", "99999999999999", "9999999999999999",
      "99999999999999999", "-99999999999999", "9999999999.5", "1e30", "-1e30", "NaN",
      #""9999-99-99T99:99:99Z""#, #""9999-12-31T23:59:60.999999999-99:99""#, "true", "{}",
    ])
  func timesBeyondAllRangesAreNotTaken(text: String) throws {
    let report = try #require(parse(#"{"report":{"id":"t","timestamp":\#(text)},"crash":{}}"#))
    #expect(report.reportID == "t")
    #expect(report.time == nil)
  }

  @Test(arguments: [#""1970-01-17T18:47:06Z""#, "1425978", #""2031-01-01T00:00:00Z""#])
  func timesThatCannotBeAreNotTaken(text: String) throws {
    let report = try #require(parse(#"{"report":{"id":"t","timestamp":\#(text)},"crash":{}}"#))
    #expect(report.time == nil)
    #expect(report.flags == [.timeSuspect])
  }

  @Test(
    arguments: [
      #"{"level":"info","msg":"crash in report","process":{"pid":1}}"#,
      #"{"report":"daily","crash":0}"#, #"{"report":{"status":"ok","id":7}}"#,
      #"{"process":"api","system":"eu-1","msg":"up"}"#,
      #"{"report":{"id":"a"},"crash":{"error":{}}}"# + "\n" + #"{"report":{"id":"b"}}"#,
    ])
  func jsonLogsAreNoReports(text: String) {
    #expect(recognise([UInt8](text.utf8), name: "app.log") == nil)
  }
}
