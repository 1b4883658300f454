// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The text of Umeng's handler: `Application received signal SIGX`, then frames in `((`.
enum UmengText: CrashFormat {
  static let name = "umeng"

  static func recognises(_ head: CrashHead) -> Bool {
    head.firstLine.hasPrefix("Application received signal SIG")
      && head.lines.contains { StackSymbolLine.read($0) != nil }
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    let lines = ReportLines(file.bytes)
    return (0..<lines.count).contains { lines[$0].hasPrefix("Binary Image:") }
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let lines = ReportLines(file.bytes)
    var report = CrashReport(format: name)
    report.kind = .signal
    for index in 0..<lines.count {
      let line = lines[index]
      if let frame = StackSymbolLine.read(line)?.frame {
        if report.frames.count < CrashReportParser.maxFrames { report.frames.append(frame) }
      } else if line.hasPrefix("Application received signal ") {
        report.signal = report.signal ?? SignalNames.named(in: line)
        report.reason = report.reason ?? CrashText.trim(line)
      } else if line.hasPrefix("Binary Image:") {
        report.process = CrashText.meaningful(String(line.dropFirst(13)))
      } else if line.hasPrefix("CPU Type:") {
        report.architecture = CrashText.meaningful(String(line.dropFirst(9)))
      }
    }
    HandlerFields.inferProcess(in: &report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}
