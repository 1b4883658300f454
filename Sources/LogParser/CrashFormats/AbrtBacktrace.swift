// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// ABRT's `core_backtrace`: the stacks of a core, as JSON.
enum AbrtBacktrace: CrashFormat {
  static let name = "abrt-core-backtrace"

  static func recognises(_ head: CrashHead) -> Bool {
    guard let root = head.soleObject, let stacks = root["stacktrace"], stacks.isArray else {
      return false
    }
    return root["executable"] != nil && root["signal"] != nil
  }

  static func isComplete(_ file: CrashFile) -> Bool { JSONTree(file.bytes).isWhole }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let tree = JSONTree(file.bytes)
    guard let root = tree.root, root.isObject else { return [] }
    var report = CrashReport(format: name)
    CrashReportParser.noteBreak(of: tree, in: &report)
    report.kind = .signal
    report.signal = root["signal"]?.int.map { SignalNames.linux($0) ?? "signal \($0)" }
    report.executablePath = CrashText.meaningful(root["executable"]?.string)
    report.process = report.executablePath.map { CrashText.baseName($0) }
    readThread(root["stacktrace"], into: &report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }

  private static func readThread(_ threads: JSONValue?, into report: inout CrashReport) {
    guard let threads else { return }
    for (index, thread) in threads.elements.enumerated() where thread["crash_thread"]?.bool == true
    {
      report.crashedThread = index
      let frames = thread["frames"]?.elements.lazy.map { frame($0) }
      report.frames = frames.map { Array($0.prefix(CrashReportParser.maxFrames)) } ?? []
      return
    }
  }

  private static func frame(_ value: JSONValue) -> CrashFrame {
    CrashFrame(
      address: value["address"]?.address,
      image: value["file_name"]?.string.map { CrashText.baseName($0) },
      symbol: CrashText.meaningful(value["function_name"]?.string),
      offset: value["function_name"] == nil ? value["build_id_offset"]?.address : nil)
  }
}
