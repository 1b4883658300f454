// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The JSON of home-made crash handlers: `{"name", "reason", "stackTrace", "timestamp", …}`.
enum HandlerJSON: CrashFormat {
  static let name = "crash-handler-json"

  private static let stackKeys = [
    "stackTrace", "stacktrace", "stack_trace", "callStackSymbols", "callStack", "stack",
    "backtrace",
  ]
  private static let nameKeys = ["name", "exception", "exceptionName", "signal", "type"]
  private static let reasonKeys = ["reason", "exceptionReason", "message", "description"]
  private static let timeKeys = ["timestamp", "time", "date", "crashTime"]

  /// Objects of one file that are read: a handler that wrote more than this is in a loop.
  static let maxReports = 1_000
  /// Lines of a stack that are looked at.
  private static let maxLines = 4096

  static func recognises(_ head: CrashHead) -> Bool {
    guard let root = head.soleObject, value(root, nameKeys + reasonKeys) != nil else {
      return false
    }
    return !frames(root).isEmpty
  }

  /// In a spool, handlers may append one object for each crash.
  static func recognisesInSpool(_ head: CrashHead) -> Bool {
    guard let root = head.json?.root else { return false }
    if value(root, nameKeys) != nil, value(root, reasonKeys) != nil, !lines(root).isEmpty {
      return true
    }
    return value(root, nameKeys + reasonKeys) != nil && !frames(root).isEmpty
  }

  static func isComplete(_ file: CrashFile) -> Bool { JSONTree(file.bytes).isWhole }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reports: [CrashReport] = []
    var start = 0
    while start < file.bytes.count, reports.count < maxReports {
      let tree = JSONTree(file.bytes, from: start)
      guard let root = tree.root, root.isObject, tree.endOffset > start else { break }
      var report = report(root, tree, file)
      report.byteRange = start..<end(of: tree, from: start, in: file.bytes)
      CrashFingerprint.apply(to: &report)
      reports.append(report)
      start = tree.breakOffset == nil ? tree.endOffset : file.bytes.count
    }
    if start < file.bytes.count, reports.count == maxReports {
      reports[maxReports - 1].note =
        "the file has more than \(maxReports) crashes; this is the last read"
    }
    return reports
  }

  /// The end of an object with one line end, so that it keeps its bytes when more is appended.
  private static func end(of tree: JSONTree, from start: Int, in bytes: [UInt8]) -> Int {
    var end = tree.endOffset
    while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
    for byte in [0x0D, 0x0A] as [UInt8] where end < bytes.count && bytes[end] == byte { end += 1 }
    return end
  }

  private static func report(_ root: JSONValue, _ tree: JSONTree, _ file: CrashFile) -> CrashReport
  {
    var report = CrashReport(format: name)
    CrashReportParser.noteBreak(of: tree, in: &report)
    report.frames = frames(root)
    if report.frames.isEmpty {
      // Symbols alone, as some handlers keep them.
      report.frames = lines(root).prefix(CrashReportParser.maxFrames).map {
        CrashFrame(symbol: CrashText.meaningful($0))
      }
    }
    report.reason = value(root, reasonKeys)
    HandlerFields.setName(value(root, nameKeys), in: &report)
    HandlerFields.setSignal(from: report.reason, in: &report)
    HandlerFields.setTime(value(root, timeKeys), in: &report, modified: file.modified)
    HandlerFields.setApp(value(root, ["app", "appName", "process", "processName"]), in: &report)
    HandlerFields.setVersion(value(root, ["appVersion", "version"]), in: &report)
    report.build = value(root, ["build", "buildNumber", "appBuild"]) ?? report.build
    HandlerFields.setDevice(
      value(root, ["device", "model", "deviceModel"]),
      os: value(root, ["os", "osVersion", "systemVersion", "system"]), in: &report)
    report.bundleIdentifier = value(root, ["bundleId", "bundleIdentifier", "bundleID"])
    report.pid = value(root, ["pid", "processId"]).flatMap { Int64($0) }
    report.reportID = value(root, ["id", "uuid", "reportId"])
    HandlerFields.inferProcess(in: &report)
    return report
  }

  private static func value(_ root: JSONValue, _ keys: [String]) -> String? {
    keys.lazy.compactMap { CrashText.meaningful(root[$0]?.scalarText) }.first
  }

  private static func frames(_ root: JSONValue) -> [CrashFrame] {
    let frames = lines(root).lazy.compactMap { StackSymbolLine.read($0)?.frame }
    return Array(frames.prefix(CrashReportParser.maxFrames))
  }

  /// The lines of the stack: of a text, or of a list of texts.
  private static func lines(_ root: JSONValue) -> [String] {
    guard let stack = stackKeys.lazy.compactMap({ root[$0] }).first else { return [] }
    let texts = stack.string.map { [$0] } ?? stack.elements.lazy.compactMap { $0.string }
    var lines: [String] = []
    // Not lazily: a lazy list would take the text apart again for each of its lines.
    for text in texts where lines.count < maxLines {
      let pieces = text.utf8.split(separator: 0x0A, maxSplits: maxLines)
      lines += pieces.prefix(maxLines - lines.count).map { String(Substring($0)) }
    }
    return lines
  }
}
