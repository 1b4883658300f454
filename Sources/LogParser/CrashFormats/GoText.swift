// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What Go's runtime prints when a program panics or gives up.
enum GoText: CrashFormat {
  static let name = "go-panic"

  static func recognises(_ head: CrashHead) -> Bool {
    let first = head.firstLine
    return opens(first) && recognisesInSpool(head)
  }

  static func recognisesInSpool(_ head: CrashHead) -> Bool {
    head.lines.contains { opens($0) } && head.lines.contains { isGoroutine($0) }
  }

  private static func opens(_ line: String) -> Bool {
    ["panic: ", "fatal error: ", "runtime: goroutine stack exceeds"].contains {
      line.hasPrefix($0)
    } || signal(line) != nil
  }

  /// `SIGQUIT: quit`, as a program says that dumps its goroutines for a signal from outside.
  static func signal(_ line: String) -> String? {
    guard line.hasPrefix("SIG"), let (name, _) = CrashText.split(line, at: ": "),
      SignalNames.named(in: name) == name
    else { return nil }
    return name
  }

  static func isGoroutine(_ line: String) -> Bool {
    line.hasPrefix("goroutine ") && line.hasSuffix("]:")
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reader = GoReader()
    let lines = ReportLines(file.bytes)
    for index in 0..<lines.count where !reader.isDone { reader.read(lines[index]) }
    var report = reader.report
    report.reason = CrashText.meaningful(reader.message.joined(separator: "\n"))
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}

/// Collects the message, and the stack of the first goroutine.
struct GoReader {
  private(set) var report = CrashReport(format: GoText.name)
  private(set) var message: [String] = []
  private(set) var isDone = false
  private enum Stage { case before, message, between, stack }
  private var stage = Stage.before
  /// A function's line, whose place comes on the next.
  private var function: String?

  mutating func read(_ line: String) {
    // Number 0 is the scheduler.
    if GoText.isGoroutine(line), stage != .stack, !line.hasPrefix("goroutine 0 ") {
      stage = .stack
      report.kind = .panic
      report.crashedThread = CrashText.leadingInt(line.dropFirst(10))?.0
      report.crashedThreadName = "goroutine \(report.crashedThread ?? 0)"
      return
    }
    switch stage {
    case .before, .message: readMessage(line)
    case .between: break
    case .stack: readStack(line)
    }
  }

  private mutating func readMessage(_ line: String) {
    for opening in ["panic: ", "fatal error: "] where line.hasPrefix(opening) && message.isEmpty {
      stage = .message
      var text = String(line.dropFirst(opening.count))
      for end in [" [recovered]", " [recovered, repanicked]"] where text.hasSuffix(end) {
        text = String(text.dropLast(end.count))
      }
      message = [text]
      return
    }
    if stage == .before, let signal = GoText.signal(line) {
      stage = .message
      report.signal = signal
      message = [line]
      return
    }
    guard stage == .message else { return }
    if line.hasPrefix("[signal ") {
      report.signal = SignalNames.named(in: line)
      if let at = CrashText.find("addr=0x", in: line) {
        report.faultAddress = CrashText.address(line[at.lowerBound...].dropFirst(5))
      }
    } else if line.isEmpty {
      stage = .between
    } else if message.count < 100 {
      message.append(CrashText.trim(line))
    }
  }

  private mutating func readStack(_ line: String) {
    if line.isEmpty || line.hasPrefix("created by ") { return isDone = true }
    guard line.hasPrefix("\t") else { return function = line }
    guard let name = function, report.frames.count < CrashReportParser.maxFrames else { return }
    function = nil
    var frame = CrashFrame(symbol: Self.withoutArguments(name))
    let place = CrashText.trim(line).prefix { $0 != " " }
    _ = StackSymbolLine.readLocation(String(place), into: &frame)
    report.frames.append(frame)
  }

  /// `sync.(*WaitGroup).Wait(0xc000086f58?)` without what stands in the last parentheses.
  private static func withoutArguments(_ call: String) -> String {
    guard call.hasSuffix(")"), let open = call.utf8.lastIndex(of: UInt8(ascii: "(")) else {
      return call
    }
    return String(call[..<open])
  }
}
