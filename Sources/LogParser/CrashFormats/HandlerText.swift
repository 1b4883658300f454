// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The text of home-made crash handlers: labelled values and `callStackSymbols`, in blocks that are
/// appended to one file at each crash.
enum HandlerText: CrashFormat {
  static let name = "crash-handler"

  static func recognises(_ head: CrashHead) -> Bool {
    let lines = head.lines.filter { !CrashText.trim($0).isEmpty }
    guard let first = lines.first else { return false }
    let labels = Set(lines.prefix(40).compactMap { HandlerLabel.read($0)?.label })
    let says = labels.contains(.name) || labels.contains(.reason) || labels.contains(.stack)
    let isDecorated =
      HandlerBlocks.isRule(first) && lines.count > 1 && HandlerBlocks.hasCrashWord(lines[1])
      && HandlerLabel.read(lines[1]) == nil
    if HandlerBlocks.isTitle(first) || isDecorated { return says && labels.count > 1 }
    // Without a title, a label must open the file and a stack must follow.
    let stack = lines.lazy.filter { StackSymbolLine.read($0) != nil }.prefix(3).count
    let opens = HandlerLabel.read(first) != nil || HandlerBlocks.isRule(first)
    return opens && stack == 3 && (labels.contains(.name) || labels.contains(.reason))
      && !isApple(lines)
  }

  private static func isApple(_ lines: [String]) -> Bool {
    lines.contains { $0.hasPrefix("Incident Identifier:") || $0.hasPrefix("Exception Type:") }
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    let lines = ReportLines(file.bytes)
    guard let last = HandlerBlocks.split(lines).last,
      let end = (0..<lines.count).last(where: { !CrashText.trim(lines[$0]).isEmpty })
    else { return false }
    return HandlerBlocks.isRule(lines[end]) && last.contains(end)
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let lines = ReportLines(file.bytes)
    return HandlerBlocks.split(lines).compactMap { block in
      var reader = HandlerBlockReader()
      for index in block { reader.read(lines[index]) }
      guard var report = reader.report(modified: file.modified) else { return nil }
      report.byteRange = HandlerBlocks.bytes(of: block, in: lines, count: file.bytes.count)
      CrashFingerprint.apply(to: &report)
      return report
    }
  }
}

/// Collects the labelled values of one block.
struct HandlerBlockReader {
  private var values: [HandlerLabel: String] = [:]
  /// The label whose value goes on in the next lines.
  private var current: HandlerLabel?
  private var frames: [CrashFrame] = []

  mutating func read(_ line: String) {
    if HandlerBlocks.isRule(line) || HandlerBlocks.isTitle(line) { return current = nil }
    if let frame = StackSymbolLine.read(line)?.frame {
      if frames.count < CrashReportParser.maxFrames { frames.append(frame) }
      return current = .stack
    }
    if let (label, value) = HandlerLabel.read(line), values[label] == nil || label == .other {
      current = label
      values[label] = value
    } else if let current, current != .stack, current != .other {
      goOn(current, with: CrashText.trim(line))
    }
  }

  /// Values may stand on the lines after their label, and reasons may be long.
  private mutating func goOn(_ label: HandlerLabel, with line: String) {
    let value = values[label] ?? ""
    guard !line.isEmpty, value.utf8.count < 8192 else { return }
    if value.isEmpty {
      values[label] = HandlerLabel.unwrapped(line)
    } else if label == .reason {
      values[label] = value + "\n" + line
    }
  }

  private func value(_ label: HandlerLabel) -> String? { CrashText.meaningful(values[label]) }

  /// - Returns: `nil` when the block says neither what happened nor where.
  func report(modified: Timestamp) -> CrashReport? {
    guard value(.name) != nil || value(.reason) != nil || !frames.isEmpty else { return nil }
    var report = CrashReport(format: HandlerText.name)
    report.frames = frames
    report.reason = value(.reason)
    HandlerFields.setName(value(.name), in: &report)
    HandlerFields.setSignal(from: report.reason, in: &report)
    HandlerFields.setTime(value(.time), in: &report, modified: modified)
    report.version = value(.version)
    report.build = value(.build)
    HandlerFields.setApp(value(.app), in: &report)
    HandlerFields.setDevice(value(.device), os: value(.os), in: &report)
    report.bundleIdentifier = value(.bundle)
    report.pid = value(.pid).flatMap { Int64($0) }
    report.crashedThreadName = value(.thread)
    HandlerFields.inferProcess(in: &report)
    return report
  }
}
