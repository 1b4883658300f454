// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Files that sanitizers write (`log_path`): one report, or several one after the other.
enum SanitizerText: CrashFormat {
  static let name = "sanitizer"

  static func recognises(_ head: CrashHead) -> Bool {
    let lines = head.lines.lazy.filter { !CrashText.trim($0).isEmpty }.prefix(2)
    guard let first = lines.first else { return false }
    if header(first) != nil { return true }
    return HandlerBlocks.isRule(first) && lines.dropFirst().contains { header($0) != nil }
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    let lines = ReportLines(Array(file.bytes.suffix(4096)))
    let last = (0..<lines.count).last { !CrashText.trim(lines[$0]).isEmpty }.map { lines[$0] }
    guard let last else { return false }
    return last.hasSuffix("==ABORTING") || last.hasPrefix("ThreadSanitizer: reported ")
  }

  /// What a line that opens a report says: `==1==ERROR: AddressSanitizer: KIND on address 0x…`.
  struct Header {
    var pid: Int64?
    var tool: String
    var text: String
    var file: String?
  }

  static func header(_ line: String) -> Header? {
    if let (place, text) = CrashText.split(line, at: ": runtime error: "),
      place.utf8.count < 512, place.utf8.last.map(CrashText.isDigit) == true, place.contains(":"),
      !place.contains(" ")
    {
      return Header(tool: "UndefinedBehaviorSanitizer", text: text, file: place)
    }
    guard let mark = CrashText.find("Sanitizer: ", in: line) else { return nil }
    let before = line[..<mark.lowerBound]
    guard let colon = before.utf8.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let tool = String(before[colon...].dropFirst()) + "Sanitizer"
    let opening = CrashText.trim(before[..<colon])
    let pid = CrashText.between("==", "==", in: opening).flatMap { Int64($0) }
    let isError = pid != nil && (opening.hasSuffix("==ERROR:") || opening.hasSuffix("==WARNING:"))
    guard isError || opening == "WARNING:" else { return nil }
    return Header(pid: pid, tool: tool, text: String(line[mark.upperBound...]))
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let lines = ReportLines(file.bytes)
    return blocks(lines).map { block in
      var reader = SanitizerReader()
      for index in block { reader.read(lines[index]) }
      var report = reader.finished()
      report.byteRange = lines.start(of: block.lowerBound)..<lines.start(of: block.upperBound)
      CrashFingerprint.apply(to: &report)
      return report
    }
  }

  /// From each opening line, and the rule above it, to the next; ThreadSanitizer closes with a rule.
  private static func blocks(_ lines: ReportLines) -> [Range<Int>] {
    var starts: [Int] = []
    for index in 0..<lines.count where header(lines[index]) != nil {
      let hasRule = index > 0 && HandlerBlocks.isRule(lines[index - 1])
      starts.append(hasRule ? index - 1 : index)
    }
    return starts.indices.map { number in
      let start = number == 0 ? 0 : starts[number]
      let end = number + 1 < starts.count ? starts[number + 1] : lines.count
      guard header(lines[min(starts[number] + 1, end - 1)])?.tool == "ThreadSanitizer",
        let rule = (starts[number] + 2..<max(end, starts[number] + 2)).first(where: {
          HandlerBlocks.isRule(lines[$0])
        })
      else { return start..<end }
      return start..<rule + 1
    }
  }
}

/// Collects the facts of one report: its first stack is that of the error.
struct SanitizerReader {
  private var report = CrashReport(format: SanitizerText.name)
  private enum Stage { case before, stack, after }
  private var stage = Stage.before
  /// Where the undefined behaviour is, which stands before its stack or alone.
  private var place: CrashFrame?

  func finished() -> CrashReport {
    var report = report
    if report.frames.isEmpty, let place { report.frames = [place] }
    return report
  }

  mutating func read(_ line: String) {
    if report.exceptionType == nil, let header = SanitizerText.header(line) {
      return readHeader(header)
    }
    if stage != .after, let frame = Self.frame(line) {
      stage = .stack
      if report.frames.count < CrashReportParser.maxFrames { report.frames.append(frame) }
    } else if stage == .stack {
      stage = .after
      HandlerFields.inferProcess(in: &report)
    } else if report.signal != nil, let access = CrashText.between(" caused by a ", ".", in: line) {
      // With the address it says as much as there is to know.
      let place = report.faultAddress.map { " at 0x" + String($0, radix: 16) } ?? ""
      report.reason = "\(report.reason ?? "") by a \(access)\(place)"
    } else if stage == .before, let (_, thread) = CrashText.split(line, at: " thread T") {
      report.crashedThread = CrashText.leadingInt(thread[...])?.0
    }
  }

  private mutating func readHeader(_ header: SanitizerText.Header) {
    report.kind = .sanitizer
    report.exceptionType = header.tool
    report.pid = header.pid
    report.reason = header.text
    if let on = CrashText.find(" on ", in: header.text) {
      report.reason = String(header.text[..<on.lowerBound])
      // "attempting free on address which was not malloc()-ed: 0x…": that it was not is the error.
      if let end = CrashText.find("()-ed", in: header.text) {
        report.reason = String(header.text[..<end.upperBound])
      }
    } else if let (kind, pid) = CrashText.split(header.text, at: " (pid=") {
      report.reason = kind
      report.pid = Int64(pid.dropLast())
    }
    if let at = CrashText.find("address 0x", in: header.text) {
      report.faultAddress = CrashText.address(header.text[at.lowerBound...].dropFirst(8))
    }
    if report.reason == "SEGV" { report.signal = "SIGSEGV" }
    if header.tool == "LeakSanitizer" {
      CrashTime.add("memory was leaked; the program did not crash", to: &report)
    }
    if let file = header.file {
      var frame = CrashFrame()
      if StackSymbolLine.readLocation(file, into: &frame) { place = frame }
    }
  }

  /// `    #1 0x55bb in main /src/uaf.c:5:3` or `    #1 main uaf.c:5 (uaf+0x11cf) (BuildId: …)`.
  static func frame(_ line: String) -> CrashFrame? {
    let text = CrashText.trim(line)
    guard text.hasPrefix("#"), let (_, rest) = CrashText.leadingInt(text.dropFirst()) else {
      return nil
    }
    var frame = CrashFrame()
    var tail = CrashText.trim(rest)
    if let address = CrashText.address(tail[...]) {
      frame.address = address
      tail = CrashText.trim(tail.drop { $0 != " " })
      if tail.hasPrefix("in ") { tail = String(tail.dropFirst(3)) }
    }
    if let build = CrashText.find(" (BuildId: ", in: tail) {
      tail = String(tail[..<build.lowerBound])
    }
    readModule(&tail, into: &frame)
    readPlace(tail, into: &frame)
    return frame
  }

  /// Takes `(module+0xoff)` off the end.
  private static func readModule(_ text: inout String, into frame: inout CrashFrame) {
    guard text.hasSuffix(")"), let open = text.utf8.lastIndex(of: UInt8(ascii: "(")) else { return }
    let inner = String(text[open...].dropFirst().dropLast())
    guard let (module, offset) = CrashText.split(inner, at: "+0x") else { return }
    frame.image = CrashText.baseName(module)
    frame.offset = UInt64(offset, radix: 16)
    text = CrashText.trim(text[..<open])
  }

  /// What is left: the function, and perhaps `file:line:column` after the last blank.
  private static func readPlace(_ text: String, into frame: inout CrashFrame) {
    frame.symbol = CrashText.meaningful(text)
    guard let blank = text.utf8.lastIndex(of: UInt8(ascii: " ")) else { return }
    let place = String(text[blank...].dropFirst())
    if StackSymbolLine.readLocation(place, into: &frame) {
      frame.symbol = CrashText.meaningful(String(text[..<blank]))
    }
  }
}
