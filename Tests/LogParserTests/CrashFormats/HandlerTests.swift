// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import TestSupport
internal import Testing

@Suite struct HandlerTests {
  static let corpus = ExpectedCrash.all.filter { $0.path.hasPrefix("crash/homemade/") }

  @Test(.enabled(if: Corpus.isAvailable), arguments: corpus)
  func readsTheFieldsOfRealReports(expected: ExpectedCrash) throws {
    #expect(recognise(expected.bytes, name: expected.name) != nil)
    let report = try #require(parse(expected.bytes, name: expected.name).first)
    #expect(expected.differences(from: report) == [])
    #expect(report.exceptionType == expected["exc_name"])
    if let version = expected["app_version"] { #expect(report.version == version) }
    if let build = expected["app_build"] { #expect(report.build == build) }
    if let reason = expected["reason"] { #expect(report.reason == reason) }
    #expect(report.process == "Shop")
    #expect(report.frames.count >= 2)
  }

  private static let block = """
    ==================== CRASH REPORT ====================
    Time: 2026-03-01 10:05:00 +0000
    App: Shop 1.4.2 (389)
    Device: iPhone14,2, iOS 19.1
    Name: SIGTRAP
    Reason: Signal 5 was raised.
    Stack:
    0   Shop                                0x0000000102a1d000 handler + 20
    1   Shop                                0x0000000102a1c3b4 -[Cart item:] + 84
    ======================================================

    """

  @Test func eachBlockIsAReportWithItsBytes() {
    let text = Self.block + Self.block + "\n" + Self.block
    let reports = parse([UInt8](text.utf8))
    #expect(reports.count == 3)
    let blocks = reports.compactMap { $0.byteRange.map { Array(text.utf8)[$0] } }
    #expect(
      blocks.map { String(decoding: $0, as: UTF8.self) } == [Self.block, Self.block, Self.block])
    #expect(reports.first?.signal == "SIGTRAP")
    #expect(reports.first?.device == "iPhone14,2")
    #expect(reports.first?.osName == "iOS")
    #expect(reports.first?.osVersion == "19.1")
    #expect(reports.first?.time?.description == "2026-03-01T10:05:00Z")
  }

  @Test func aBlockKeepsItsBytesWhenMoreIsAppended() {
    let first = parse([UInt8](Self.block.utf8)).first?.byteRange
    let grown = parse([UInt8]((Self.block + "\n\n" + Self.block).utf8)).first?.byteRange
    #expect(first == 0..<Self.block.utf8.count)
    #expect(grown == first)
  }

  @Test func aBlockIsFinishedByItsClosingLine() {
    let whole = [UInt8](Self.block.utf8)
    #expect(CrashReportParser.isComplete(whole, format: "crash-handler"))
    #expect(!CrashReportParser.isComplete(Array(whole.dropLast(60)), format: "crash-handler"))
    let next = whole + [UInt8]("==================== CRASH REPORT ====================\n".utf8)
    #expect(!CrashReportParser.isComplete(next, format: "crash-handler"))
  }

  @Test(
    arguments: [
      """
      =============异常崩溃报告=============
      崩溃发生的时间: 1772359200000
      崩溃名称: NSRangeException
      崩溃原因: index 7 beyond bounds
      堆栈信息:
      0   Shop    0x0000000102a1c3b4 -[Cart item:] + 84
      """,
      """
      ========== 크래시 리포트 ==========
      시간：
      2026-03-01 10:00:00 +0000
      이름：
      NSRangeException
      이유：
      Optional("index 7 beyond bounds")
      스택：
      0   Shop    0x0000000102a1c3b4 -[Cart item:] + 84
      """,
    ])
  func labelsMayBeInOtherLanguages(text: String) throws {
    let report = try #require(parse(text))
    #expect(report.exceptionType == "NSRangeException")
    #expect(report.reason == "index 7 beyond bounds")
    #expect(report.time?.description == "2026-03-01T10:00:00Z")
    #expect(report.frames.count == 1)
  }

  @Test(.enabled(if: Corpus.isAvailable))
  func linesOfGlibcsBacktraceAreAStack() throws {
    let bytes = Corpus.bytes("crash/c/homemade_backtrace_symbols_fd.stderr")
    let report = try #require(parse(bytes).first)
    #expect(report.format == "crash-handler")
    #expect(report.signal == "SIGSEGV")
    #expect(report.faultAddress == 0x10)
    #expect(report.frames.count == 7)
    #expect(report.frames[2].symbol == "compute")
    #expect(report.frames[2].offset == 0xC)
    #expect(report.process == "bt")
  }

  @Test func eachAppendedObjectIsAReport() {
    let one =
      #"{"name":"E","reason":"r","stackTrace":"0   Shop 0x102a1c3b4 $s4Shop4CartC4loadyyF + 84"}"#
    let reports = parse([UInt8]("\(one)\n\(one)\n".utf8))
    #expect(reports.map(\.format) == ["crash-handler-json", "crash-handler-json"])
    #expect(
      reports.compactMap(\.byteRange).map(\.count) == [one.utf8.count + 1, one.utf8.count + 1])
    #expect(reports.first?.topFrame == "Shop.Cart.load in Shop")
  }

  @Test func aHandlerThatWroteWithoutEndCostsABoundedTime() throws {
    let object = #"{"name":"SIGABRT","reason":"no tea","stackTrace":"0 shop 0x1 pour + 4"}"# + "\n"
    let bytes = Array(String(repeating: object, count: 3_000).utf8)
    let reports: [CrashReport] = parse(bytes, name: "shop.json")
    #expect(reports.count == 1_000)
    #expect(reports.last?.note?.contains("more than 1000 crashes") == true)
  }

  @Test func whatTellsTheFormMayStandBehindALongStack() throws {
    let stack = String(repeating: #"0   Shop 0x102a1c3b4 main + 84\n"#, count: 500)
    let report = try #require(parse(#"{"stackTrace":"\#(stack)","name":"E","reason":"r"}"#))
    #expect(report.format == "crash-handler-json")
    #expect(report.exceptionType == "E")
  }

  @Test func aReasonMayHaveSeveralLinesAndLineEndsMayBeMixed() throws {
    let text =
      "===== Exception =====\r\nName: E\r\nReason: one\ntwo\r\nStack:\r\n0  A  0x0000000102a1c3b4 f + 1\n"
    let report = try #require(parse(text))
    #expect(report.reason == "one\ntwo")
  }

  @Test(
    arguments: [
      "==================\nWARNING: ThreadSanitizer: data race (pid=1)\n",
      "=================================================================\n==1==ERROR: AddressSanitizer: x\n",
      "===== Start of system state dump =====\nname: x\n",
      "=== REDIS BUG REPORT START: Cut & paste starting from here ===\nname: x\n",
      "Name: api\nMessage: exception happened\nTime: now\n",
      "2026-03-01 10:00:00 ===== crash =====\nname: x\nreason: y\n",
    ])
  func rulesAndLabelsAloneAreNoReport(text: String) {
    #expect(recognise([UInt8](text.utf8), name: "app.log")?.hasPrefix("crash-handler") != true)
  }

  @Test func aStackOfSymbolsAloneIsAStack() throws {
    let report = try #require(
      parse(
        #"{"name":"NSRangeException","reason":"index 7","stackTrace":["Shop.pay()","Shop.main()"]}"#
      ))
    #expect(report.format == "crash-handler-json")
    #expect(report.frames.map(\.symbol) == ["Shop.pay()", "Shop.main()"])
    #expect(report.topFrame == "Shop.pay()")
  }
}
