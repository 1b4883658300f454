// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Python's `faulthandler`, and tracebacks of exceptions that nobody caught.
enum PythonText: CrashFormat {
  static let name = "python"

  static func recognises(_ head: CrashHead) -> Bool {
    head.firstLine.hasPrefix("Fatal Python error: ")
      && head.lines.contains { $0.hasSuffix("(most recent call first):") }
  }

  static func recognisesInSpool(_ head: CrashHead) -> Bool {
    let first = head.firstLine
    return first.hasPrefix("Traceback (most recent call last):") || PythonReader.opensGroup(first)
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let lines = ReportLines(file.bytes)
    var report = CrashReport(format: name)
    var reader = PythonReader()
    for index in 0..<lines.count { reader.read(lines[index]) }
    reader.finish(&report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}

/// Collects the stack of the current thread (newest first), or of a traceback (newest last).
struct PythonReader {
  private var error: String?
  private var frames: [CrashFrame] = []
  private var isTraceback = false
  private var isCurrent = false
  private var hasCurrent = false
  private var exception: [String] = []

  /// `  + Exception Group Traceback (most recent call last):`; its lines begin with a bar.
  static func opensGroup(_ line: String) -> Bool {
    line.hasPrefix("  + Exception Group Traceback (most recent call last):")
  }

  mutating func read(_ line: String) {
    if Self.opensGroup(line) {
      return read("Traceback (most recent call last):")
    }
    // The group itself; what it holds stands further in.
    if line.hasPrefix("  | ") { return read(String(line.dropFirst(4))) }
    if line.hasPrefix("Fatal Python error: ") {
      error = error ?? String(line.dropFirst(20))
    } else if line.hasSuffix("(most recent call first):") {
      isCurrent = line.hasPrefix("Current thread ")
      if isCurrent, !hasCurrent { frames = [] }
      hasCurrent = hasCurrent || isCurrent
    } else if line.hasPrefix("Traceback (most recent call last):") {
      // Of a chain of exceptions the last one ended the program.
      isTraceback = true
      frames = []
      exception = []
    } else if let frame = Self.frame(line) {
      guard frames.count < CrashReportParser.maxFrames, isCurrent || !hasCurrent else { return }
      frames.append(frame)
    } else if isTraceback, !line.isEmpty, !line.hasPrefix(" "), exception.count < 100 {
      exception.append(line)
    }
  }

  /// `  File "f", line n in func`, in a traceback `  File "f", line n, in func`.
  private static func frame(_ line: String) -> CrashFrame? {
    guard line.hasPrefix("  File \""), let file = CrashText.between("\"", "\"", in: line),
      let (_, tail) = CrashText.split(line, at: "\", line "),
      let (number, rest) = CrashText.leadingInt(tail[...])
    else { return nil }
    var frame = CrashFrame(file: file, line: number)
    frame.symbol = CrashText.split(rest, at: "in ").flatMap { CrashText.meaningful($0.1) }
    return frame
  }

  func finish(_ report: inout CrashReport) {
    report.frames = isTraceback && error == nil ? frames.reversed() : frames
    if let error {
      report.reason = error
      report.signal = SignalNames.describing(error)
      report.kind = report.signal == nil ? .unknown : .signal
      return
    }
    report.kind = .exception
    let text = exception.joined(separator: "\n")
    let parts = CrashText.split(text, at: ": ")
    report.exceptionType = CrashText.meaningful(parts?.0 ?? text)
    report.reason = CrashText.meaningful(parts?.1)
  }
}
