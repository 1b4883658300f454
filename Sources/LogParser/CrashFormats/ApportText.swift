// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Apport's `.crash` files: `Key: value`, with values that go on in lines after one blank. The core
/// in them is passed over.
enum ApportText: CrashFormat {
  static let name = "apport"

  static func recognises(_ head: CrashHead) -> Bool {
    head.firstLine.hasPrefix("ProblemType: ")
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let lines = ReportLines(file.bytes)
    var values: [String: [String]] = [:]
    var key = ""
    for index in 0..<lines.count {
      let line = lines[index]
      if line.hasPrefix(" ") {
        if key != "CoreDump", values[key, default: []].count < 2000 {
          values[key, default: []].append(String(line.dropFirst()))
        }
      } else if let (name, value) = CrashText.split(line, at: ":") {
        key = name
        values[key] = value.isEmpty ? [] : [value]
      }
    }
    return [report(values, modified: file.modified)]
  }

  private static func report(_ values: [String: [String]], modified: Timestamp) -> CrashReport {
    func text(_ key: String) -> String? { values[key]?.first.flatMap { CrashText.meaningful($0) } }
    var report = CrashReport(format: name)
    switch text("ProblemType") {
    case "Crash"?: report.kind = values["Traceback"] == nil ? .signal : .exception
    case "KernelOops"?, "KernelCrash"?: report.kind = .panic
    case "Hang"?: report.kind = .hang
    default: report.kind = .unknown
    }
    report.executablePath = text("ExecutablePath")
    report.process = report.executablePath.map { CrashText.baseName($0) }
    report.signal = text("Signal").flatMap { Int64($0) }.flatMap { SignalNames.linux($0) }
    report.pid =
      values["ProcStatus"]?.lazy.compactMap { line in
        line.hasPrefix("Pid:") ? Int64(CrashText.trim(line.dropFirst(4))) : nil
      }.first
    AppleFields.setSystem(text("DistroRelease"), in: &report)
    report.architecture = text("Architecture")
    report.version = text("Package").flatMap { CrashText.split($0, at: " ")?.1 }
    report.reason = text("Title")
    report.frames = (values["StacktraceTop"] ?? []).compactMap { frame($0) }
    if let time = text("Date").flatMap({ CrashTime.ctime($0) }) {
      CrashTime.set(time.time, in: &report, modified: modified)
      if !time.hasZone { report.flags.insert(.zoneAssumed) }
    }
    CrashFingerprint.apply(to: &report)
    return report
  }

  /// `func (args) at file:line` or `func () from /lib/libx.so`.
  private static func frame(_ line: String) -> CrashFrame? { GdbText.frame("#0 " + line) }
}
