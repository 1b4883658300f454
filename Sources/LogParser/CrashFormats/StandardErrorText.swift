// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What a dying program left on its standard error, kept in a file of a spool: Swift's and glibc's
/// failed checks, exceptions of C++, Java and Node that nobody caught.
enum StandardErrorText: CrashFormat {
  static let name = "standard-error"

  // Such lines stand in logs too.
  static func recognises(_ head: CrashHead) -> Bool { false }

  static func recognisesInSpool(_ head: CrashHead) -> Bool {
    head.lines.contains { DyingWords($0) != nil }
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reader = StandardErrorReader()
    let lines = ReportLines(file.bytes)
    for index in 0..<lines.count { reader.read(lines[index]) }
    var report = reader.finished()
    HandlerFields.inferProcess(in: &report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}

/// The line by which a program's end is announced.
struct DyingWords {
  var kind = CrashKind.exception
  var type: String?
  var reason: String?
  var signal: String?
  var process: String?
  var thread: String?
  var place: CrashFrame?
  /// The message goes on in the next lines, until a stack begins.
  var goesOn = false

  init?(_ line: String) {
    guard
      readSwift(line) || readAssert(line) || readCpp(line) || readJava(line)
        || readDotNet(line) || readNode(line)
    else { return nil }
  }

  /// `Module/File.swift:1: Fatal error: message`
  private mutating func readSwift(_ line: String) -> Bool {
    for word in ["Fatal error", "Precondition failed", "Assertion failed"] {
      guard let (before, after) = CrashText.split(line, at: ": \(word)"),
        before.contains(".swift:"), !before.contains(" ")
      else { continue }
      var frame = CrashFrame()
      guard StackSymbolLine.readLocation(before, into: &frame) else { return false }
      kind = .assertion
      place = frame
      reason = after.hasPrefix(":") ? CrashText.trim(after.dropFirst()) : word
      goesOn = true
      return true
    }
    return false
  }

  /// `prog: file.c:3: function: Assertion `x' failed.`
  private mutating func readAssert(_ line: String) -> Bool {
    guard line.hasSuffix("' failed."),
      let (before, after) = CrashText.split(line, at: ": Assertion `")
    else { return false }
    let parts = before.split(separator: ":").map { CrashText.trim($0) }
    guard parts.count >= 4, let number = Int(parts[2]) else { return false }
    kind = .assertion
    signal = "SIGABRT"
    process = CrashText.meaningful(parts[0])
    reason = String(after.dropLast(9))
    place = CrashFrame(symbol: CrashText.meaningful(parts[3]), file: parts[1], line: number)
    return true
  }

  private mutating func readCpp(_ line: String) -> Bool {
    let opening = "terminate called after throwing an instance of '"
    guard line.hasPrefix(opening) else { return false }
    type = String(line.dropFirst(opening.utf8.count).dropLast())
    signal = "SIGABRT"
    return true
  }

  private mutating func readJava(_ line: String) -> Bool {
    guard line.hasPrefix("Exception in thread \""),
      let (head, tail) = CrashText.split(line, at: "\" ")
    else { return false }
    thread = String(head.dropFirst(21))
    let parts = CrashText.split(tail, at: ": ")
    type = parts?.0 ?? CrashText.split(tail, at: ":")?.0 ?? tail
    reason = parts?.1
    goesOn = true
    return true
  }

  /// `Unhandled exception. System.InvalidOperationException: no tea`
  private mutating func readDotNet(_ line: String) -> Bool {
    guard line.hasPrefix("Unhandled exception. "),
      let (name, message) = CrashText.split(String(line.dropFirst(21)), at: ": ")
    else { return false }
    type = name
    reason = message
    signal = "SIGABRT"
    goesOn = true
    return true
  }

  /// `   at Shop.Pay(Int32 n) in /src/Shop.cs:line 12`
  static func dotNetFrame(_ line: String) -> CrashFrame? {
    guard line.hasPrefix("   at ") else { return nil }
    var frame = CrashFrame(symbol: CrashText.meaningful(String(line.dropFirst(6))))
    if let (symbol, place) = CrashText.split(line, at: " in "),
      let (file, number) = CrashText.split(place, at: ":line ")
    {
      frame.symbol = String(symbol.dropFirst(3))
      (frame.file, frame.line) = (file, Int(number))
    }
    return frame
  }

  /// `Type: message` behind the source line and its caret; the caller sees to the latter.
  private mutating func readNode(_ line: String) -> Bool {
    // V8's last words come before its native stack.
    if line.hasPrefix("FATAL ERROR: "), CrashText.contains(line, "JavaScript heap out of memory") {
      kind = .outOfMemory
      signal = "SIGABRT"
      process = "node"
      reason = String(line.dropFirst(13))
      return true
    }
    return line.hasPrefix("Node.js v") && line.utf8.count < 24
  }
}

/// Collects what follows the announcement.
struct StandardErrorReader {
  private var report = CrashReport(format: StandardErrorText.name)
  private var words: DyingWords?
  private var reason: [String] = []
  /// Node announces last: what stood before is kept until then.
  private var nodeError: [String] = []
  private var nodeFrames: [CrashFrame] = []

  mutating func read(_ line: String) {
    guard let words else { return readBefore(line) }
    let text = CrashText.trim(line)
    if let frame = StackSymbolLine.read(line)?.frame ?? DyingWords.dotNetFrame(line)
      ?? NodeReport.frame(line)
    {
      self.words?.goesOn = false
      guard report.frames.count < CrashReportParser.maxFrames else { return }
      var frame = frame
      if frame.symbol == "<unavailable>" { frame.symbol = nil }
      report.frames.append(frame)
    } else if text.hasPrefix("what():") {
      reason = [CrashText.trim(text.dropFirst(7))]
    } else if line.hasPrefix("Current stack trace:") || line.hasPrefix("Caused by:") {
      self.words?.goesOn = false
    } else if words.goesOn, reason.count < 100 {
      reason.append(text)
    }
  }

  private mutating func readBefore(_ line: String) {
    if let found = DyingWords(line) {
      words = found
      reason = [found.reason].compactMap { $0 }
    } else if let frame = NodeReport.frame(line) {
      if nodeFrames.count < CrashReportParser.maxFrames { nodeFrames.append(frame) }
    } else if nodeFrames.isEmpty {
      // The message is what stands between the last blank line and the first frame.
      if line.isEmpty { nodeError = [] } else { nodeError.append(line) }
    }
  }

  func finished() -> CrashReport {
    var report = report
    report.kind = words?.kind ?? .unknown
    report.exceptionType = words?.type
    report.signal = words?.signal
    report.process = words?.process
    report.crashedThreadName = words?.thread
    report.reason = CrashText.meaningful(reason.joined(separator: "\n"))
    if report.frames.isEmpty, !nodeFrames.isEmpty {
      report.frames = nodeFrames
      let parts = CrashText.split(nodeError.joined(separator: "\n"), at: ": ")
      report.exceptionType = parts?.0
      report.reason = parts?.1
      report.process = "node"
    }
    if report.frames.isEmpty, let place = words?.place { report.frames = [place] }
    return report
  }
}
