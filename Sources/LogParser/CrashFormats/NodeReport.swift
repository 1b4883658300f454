// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Node's diagnostic reports. They hold the environment's variables: nothing of those is taken.
enum NodeReport: CrashFormat {
  static let name = "node-report"

  static func recognises(_ head: CrashHead) -> Bool {
    guard let header = head.soleObject?["header"] else { return false }
    return header["reportVersion"] != nil && header["trigger"] != nil
  }

  static func isComplete(_ file: CrashFile) -> Bool { JSONTree(file.bytes).isWhole }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let tree = JSONTree(file.bytes)
    guard let root = tree.root, let header = root["header"] else { return [] }
    var report = CrashReport(format: name)
    CrashReportParser.noteBreak(of: tree, in: &report)
    readHeader(header, into: &report)
    CrashTime.set(
      CrashTime.read(header["dumpEventTimeStamp"]) ?? CrashTime.read(header["dumpEventTime"]),
      in: &report, modified: file.modified)
    readStack(root["javascriptStack"], into: &report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }

  private static func readHeader(_ header: JSONValue, into report: inout CrashReport) {
    func text(_ key: String) -> String? { CrashText.meaningful(header[key]?.scalarText) }
    let trigger = text("trigger") ?? ""
    switch trigger {
    case "Exception": report.kind = .exception
    case "OOMError": report.kind = .outOfMemory
    case "FatalError": report.kind = .assertion
    default: CrashTime.add("it was asked for (\(trigger)); nothing crashed", to: &report)
    }
    report.reason = text("event")
    report.pid = header["processId"]?.int
    let program = header["commandLine"]?.elements.first { _ in true }?.string
    report.process = program.map { CrashText.baseName($0) }
    report.osName = text("osName")
    report.osVersion = text("osRelease")
    report.architecture = text("arch")
    report.crashedThread = header["threadId"]?.int.flatMap { Int(exactly: $0) }
  }

  private static func readStack(_ stack: JSONValue?, into report: inout CrashReport) {
    let message = CrashText.meaningful(stack?["message"]?.string)
    guard message != "No stack." else { return }
    report.reason = message ?? report.reason
    if let message, let (type, _) = CrashText.split(message, at: ": "), !type.contains(" ") {
      report.exceptionType = type
    }
    guard let lines = stack?["stack"]?.elements else { return }
    report.frames = Array(
      lines.lazy.compactMap { $0.string.flatMap { frame($0) } }
        .prefix(CrashReportParser.maxFrames))
  }

  /// `at f (file:line:column)` or `at file:line:column`.
  static func frame(_ line: String) -> CrashFrame? {
    let text = CrashText.trim(line)
    guard text.hasPrefix("at ") else { return nil }
    let call = String(text.dropFirst(3))
    var frame = CrashFrame()
    if call.hasSuffix(")"), let (symbol, place) = CrashText.split(call, at: " (") {
      frame.symbol = symbol
      _ = StackSymbolLine.readLocation(String(place.dropLast()), into: &frame)
    } else {
      _ = StackSymbolLine.readLocation(call, into: &frame)
    }
    // Frames of Node itself are no cause.
    if frame.file?.hasPrefix("node:") == true { frame.image = "node" }
    return frame
  }
}
