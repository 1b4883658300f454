// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Apple's text reports (`.crash`, and `.ips` before iOS 15), and what PLCrashReporter and KSCrash
/// write in the same style.
enum AppleText: CrashFormat {
  static let name = "apple-crash"

  static func recognises(_ head: CrashHead) -> Bool {
    var lines = head.lines.filter { !CrashText.trim($0).isEmpty }[...]
    if let header = head.json?.root, AppleIPS.isHeader(header) { lines = lines.dropFirst() }
    // The Console's translation of JSON has a title between rules.
    if lines.prefix(2).contains(where: { $0.hasPrefix("Translated Report") }) {
      lines = lines.drop { !$0.hasPrefix("Process:") }
    }
    guard let first = lines.first else { return false }
    let opens = ["Incident Identifier:", "Process:", "CrashReporter Key:"]
    guard opens.contains(where: { first.hasPrefix($0) }) else { return false }
    let marks = ["Exception Type:", "Report Version:", "OS Version:", "Date/Time:", "Code Type:"]
    return lines.contains { $0.hasPrefix("Process:") }
      && lines.contains { line in marks.contains { line.hasPrefix($0) } }
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    let lines = ReportLines(file.bytes)
    guard let last = (0..<lines.count).last(where: { !CrashText.trim(lines[$0]).isEmpty }) else {
      return false
    }
    return CrashText.trim(lines[last]) == "EOF"
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let lines = ReportLines(file.bytes)
    var reader = AppleTextReader()
    for index in 0..<lines.count { reader.read(lines[index]) }
    return [reader.report(modified: file.modified)]
  }
}

/// Collects the facts of a text report line by line.
struct AppleTextReader {
  private enum Section: Equatable {
    case header, information, termination, exceptionBacktrace, crashedThread, rest
  }

  private var section = Section.header
  private var values: [String: String] = [:]
  private var information: [String] = []
  private var termination: [String] = []
  private var exceptionFrames: [CrashFrame] = []
  private var crashedFrames: [CrashFrame] = []
  private var crashedThread: Int?
  private var sawCrashed = false
  private var threadNames: [Int: String] = [:]

  mutating func read(_ line: String) {
    if line.hasPrefix("Thread ") { return readThread(line) }
    if line.hasPrefix("Binary Images:") {
      section = .rest
    } else if line.hasPrefix("Last Exception Backtrace:")
      || line.hasPrefix("Application Specific Backtrace")
    {
      section = exceptionFrames.isEmpty ? .exceptionBacktrace : .rest
    } else if line.hasPrefix("Application Specific Information:") {
      section = .information
    } else if let frame = StackSymbolLine.read(line)?.frame {
      add(frame)
    } else {
      readText(line)
    }
  }

  private mutating func add(_ frame: CrashFrame) {
    switch section {
    case .exceptionBacktrace where exceptionFrames.count < CrashReportParser.maxFrames:
      exceptionFrames.append(frame)
    case .crashedThread where crashedFrames.count < CrashReportParser.maxFrames:
      crashedFrames.append(frame)
    default: break
    }
  }

  private mutating func readText(_ line: String) {
    let text = CrashText.trim(line)
    switch section {
    case .information where !text.isEmpty: information.append(text)
    case .termination where !text.isEmpty && Self.field(line) == nil: termination.append(text)
    case .header, .termination, .information:
      guard let (key, value) = Self.field(line) else {
        if text.isEmpty, section != .header { section = .header }
        return
      }
      section = key == "Termination Reason" ? .termination : .header
      if values[key] == nil { values[key] = value }
      readCrashedThread(key, value)
    default: break
    }
  }

  private mutating func readCrashedThread(_ key: String, _ value: String) {
    guard key == "Triggered by Thread" || key == "Crashed Thread" else { return }
    crashedThread = crashedThread ?? CrashText.leadingInt(value[...])?.0
    if let crashedThread, let queue = CrashText.split(value, at: "Dispatch queue:")?.1 {
      threadNames[crashedThread] = queue
    }
  }

  /// `Exception Type:  EXC_CRASH (SIGABRT)`: a key of capitalised words, then blanks.
  private static func field(_ line: String) -> (key: String, value: String)? {
    guard let first = line.utf8.first, first >= 0x41, first <= 0x5A,
      let (key, value) = CrashText.split(line, at: ":"), key.utf8.count <= 32
    else { return nil }
    return (key, value)
  }

  /// `Thread 5 Crashed:: name`, `Thread 5 [Crashed]:`, `Thread 5 name:  Dispatch queue: q`.
  private mutating func readThread(_ line: String) {
    guard let (index, rest) = CrashText.leadingInt(line.dropFirst(7)) else { return }
    if rest.hasPrefix(" name:") {
      threadNames[index] = Self.name(rest.dropFirst(6))
    } else if CrashText.contains(rest, "crashed with ") {
      section = .rest
    } else if rest.hasPrefix(":") || CrashText.contains(rest, "Crashed") {
      enterThread(index, isCrashed: CrashText.contains(rest, "Crashed"))
      if let (_, name) = CrashText.split(rest, at: ":"), threadNames[index] == nil {
        threadNames[index] = Self.name(name[...])
      }
    }
  }

  /// The thread that is marked as crashed counts, even where the header names another one.
  private mutating func enterThread(_ index: Int, isCrashed: Bool) {
    if isCrashed {
      crashedThread = crashedThread ?? index
      crashedFrames = []
      sawCrashed = true
    }
    section = isCrashed || !sawCrashed && index == crashedThread ? .crashedThread : .rest
  }

  private static func name(_ text: Substring) -> String? {
    var name = CrashText.trim(text)
    while name.hasPrefix(":") { name = CrashText.trim(name.dropFirst()) }
    return CrashText.meaningful(CrashText.split(name, at: "Dispatch queue:")?.1 ?? name)
  }

  func report(modified: Timestamp) -> CrashReport {
    var report = CrashReport(format: AppleText.name)
    readIdentity(into: &report)
    let time = values["Date/Time"].flatMap { CrashTime.read($0) }
    CrashTime.set(time, in: &report, modified: modified)
    if report.time != nil, CrashTime.civil(values["Date/Time"] ?? "")?.hasZone == false {
      report.flags.insert(.zoneAssumed)
    }
    AppleFields.setException(
      values["Exception Type"], subtype: values["Exception Subtype"], in: &report)
    AppleFields.setCode(values["Exception Codes"], in: &report)
    AppleFields.setCode(values["Exception Subtype"], in: &report)
    AppleFields.setInformation(information.joined(separator: "\n"), in: &report)
    report.reason =
      report.reason ?? CrashText.meaningful(termination.joined(separator: "\n"))
      ?? CrashText.meaningful(values["Exception Subtype"])
      ?? CrashText.meaningful(values["Termination Reason"])
    report.crashedThread = crashedThread
    report.crashedThreadName = crashedThread.flatMap { threadNames[$0] }
    report.frames = crashedFrames
    if values["Event"] == "hang" { report.kind = .hang }
    if values["Exception Type"] == nil, crashedFrames.isEmpty {
      report.flags.insert(.incomplete)
      CrashTime.add("it holds neither an exception nor a crashed thread", to: &report)
    }
    AppleFields.finish(&report, exceptionFrames: exceptionFrames)
    return report
  }

  private func readIdentity(into report: inout CrashReport) {
    func value(_ key: String) -> String? { CrashText.meaningful(values[key]) }
    report.reportID = value("Incident Identifier")
    if let process = value("Process") {
      let open = process.utf8.lastIndex(of: UInt8(ascii: "["))
      let name = open.map { CrashText.trim(process[..<$0]) } ?? process
      report.process = CrashText.meaningful(name)
      let digits = open.map { process[$0...].dropFirst().dropLast() }
      report.pid = digits.flatMap { Int64($0) }
    }
    report.executablePath = value("Path")
    report.bundleIdentifier = value("Identifier")
    HandlerFields.setVersion(value("Version"), in: &report)
    report.architecture = value("Code Type")
    report.device = value("Hardware Model")
    AppleFields.setSystem(value("OS Version"), in: &report)
  }
}
