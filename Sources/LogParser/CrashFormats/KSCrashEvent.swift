// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The `crash` object of a KSCrash report: what happened, and in which thread.
enum KSCrashEvent {
  /// Reads the event.
  ///
  /// - Parameters:
  ///   - crash: the report's object.
  ///   - original: that of the first report, when the reporter crashed while it wrote that one.
  static func read(_ crash: JSONValue?, original: JSONValue?, into report: inout CrashReport) {
    let event = crash ?? original
    readError(event?["error"], into: &report)
    report.reason = report.reason ?? CrashText.meaningful(event?["diagnosis"]?.string)
    readThread(thread(of: event), into: &report)
    if let first = original?["error"], crash != nil { noteOriginal(first, in: &report) }
  }

  private static func noteOriginal(_ error: JSONValue, in report: inout CrashReport) {
    let names = [
      error[path: "mach", "exception_name"], error[path: "signal", "name"], error["reason"],
    ]
    let words = names.compactMap { CrashText.meaningful($0?.string) }
    let what = words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    CrashTime.add("the reporter crashed while it wrote of another crash\(what)", to: &report)
  }

  // MARK: - Error

  private static func readError(_ error: JSONValue?, into report: inout CrashReport) {
    guard let error else { return }
    let type = error["type"]?.string ?? ""
    readSignal(error, into: &report)
    report.reason = CrashText.meaningful(error["reason"]?.string)
    switch type {
    case "nsexception": readException(error["nsexception"], into: &report)
    case "cpp_exception": readException(error["cpp_exception"], into: &report)
    case "user", "user_reported": readUserReport(error["user_reported"], into: &report)
    case "deadlock":
      report.kind = .hang
      report.exceptionType = nil
    case "memory_termination": readMemory(error["memory_termination"], into: &report)
    case "hang": report.kind = .hang
    case "profile": CrashTime.add("it is a profile; nothing crashed", to: &report)
    default:
      report.kind = report.signal == nil && report.exceptionType == nil ? .unknown : .signal
      report.faultAddress = error["address"]?.address
      if report.signal == "SIGTERM" {
        CrashTime.add("the program was asked to end; it did not crash", to: &report)
      }
    }
    readHang(error, into: &report)
  }

  /// The code with which the system ends a program whose main thread does not answer.
  private static let watchdogCode: Int64 = 0x8BAD_F00D

  /// A hang that passed, or that the system's watchdog ended: versions 3.6 and later.
  private static func readHang(_ error: JSONValue, into report: inout CrashReport) {
    let isKill = error[path: "exit_reason", "code"]?.int == watchdogCode
    if isKill { report.kind = .hang }
    guard report.kind == .hang, let hang = error["hang"],
      let start = hang["hang_start_nanos"]?.int, let end = hang["hang_end_nanos"]?.int, start >= 0,
      end > start
    else { return }
    let tenths = (end - start) / 100_000_000
    let words = "the main thread did not answer for \(tenths / 10).\(tenths % 10) s"
    report.reason = report.reason ?? (isKill ? words + "; the watchdog ended the program" : words)
    if hang["hang_recovered"]?.bool == true || !isKill {
      CrashTime.add("the program went on", to: &report)
    }
  }

  /// Signal and Mach exception; a deadlock has both objects too, with zeros.
  private static func readSignal(_ error: JSONValue, into report: inout CrashReport) {
    let signal = error["signal"]
    let number = signal?["signal"]?.int ?? 0
    report.signal =
      CrashText.meaningful(signal?["name"]?.string)
      ?? (number > 0 ? SignalNames.darwin(number) ?? "signal \(number)" : nil)
    report.signalCode =
      CrashText.meaningful(signal?["code_name"]?.string)
      ?? CrashText.meaningful(error[path: "mach", "code_name"]?.string)
    report.exceptionType = CrashText.meaningful(error[path: "mach", "exception_name"]?.string)
  }

  private static func readException(_ exception: JSONValue?, into report: inout CrashReport) {
    report.kind = .exception
    report.exceptionType = CrashText.meaningful(exception?["name"]?.string) ?? report.exceptionType
    report.reason = report.reason ?? CrashText.meaningful(exception?["reason"]?.string)
  }

  private static func readUserReport(_ user: JSONValue?, into report: inout CrashReport) {
    readException(user, into: &report)
    CrashTime.add("the program reported it itself; it may have gone on", to: &report)
    guard let lines = user?["backtrace"]?.elements else { return }
    report.frames = lines.prefix(CrashReportParser.maxFrames).compactMap { line in
      line.string.map { StackSymbolLine.read($0)?.frame ?? CrashFrame(symbol: $0) }
        ?? frame(line)
    }
  }

  private static func readMemory(_ memory: JSONValue?, into report: inout CrashReport) {
    report.kind = .outOfMemory
    let facts = ["memory_level", "memory_pressure"].compactMap { key in
      memory?[key]?.string.map { "\(key) \($0)" }
    }
    report.reason = report.reason ?? CrashText.meaningful(facts.joined(separator: ", "))
  }

  // MARK: - Thread

  private static func thread(of crash: JSONValue?) -> JSONValue? {
    let crashed = crash?["threads"]?.elements.first { $0["crashed"]?.bool == true }
    return crashed ?? crash?["crashed_thread"].flatMap { $0.isObject ? $0 : nil }
  }

  private static func readThread(_ thread: JSONValue?, into report: inout CrashReport) {
    guard let thread else { return }
    report.crashedThread = thread["index"]?.int.flatMap { Int(exactly: $0) }
    report.crashedThreadName =
      CrashText.meaningful(thread["name"]?.string)
      ?? CrashText.meaningful(thread["dispatch_queue"]?.string)
    // Version 1.0 has the frames in the list itself.
    guard report.frames.isEmpty,
      let contents = thread[path: "backtrace", "contents"] ?? thread["backtrace"]
    else { return }
    for value in contents.elements {
      guard report.frames.count < CrashReportParser.maxFrames else { break }
      if let frame = frame(value) { report.frames.append(frame) }
    }
  }

  private static func frame(_ value: JSONValue) -> CrashFrame? {
    guard value.isObject else { return nil }
    let address = value["instruction_addr"]?.address
    let symbol = CrashText.meaningful(value["symbol_name"]?.string)
    let base = (symbol == nil ? value["object_addr"] : value["symbol_addr"])?.address
    var frame = CrashFrame(address: address, symbol: symbol)
    frame.image = value["object_name"]?.string.flatMap {
      CrashText.meaningful(CrashText.baseName($0))
    }
    if let address, let base, base > 0, address >= base { frame.offset = address - base }
    return address == nil && symbol == nil ? nil : frame
  }
}
