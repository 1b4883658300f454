// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What Linux's kernel says of its own errors, and of a process that it ended for want of memory,
/// kept in a file of a spool (pstore, kdump's `dmesg`, ABRT's `dmesg`).
enum KernelOops: CrashFormat {
  static let name = "kernel-oops"

  // Such lines stand in logs too.
  static func recognises(_ head: CrashHead) -> Bool { false }

  static func recognisesInSpool(_ head: CrashHead) -> Bool {
    head.lines.contains { Opening(text(of: $0)) != nil }
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reader = KernelOopsReader()
    let lines = ReportLines(file.bytes)
    for index in 0..<lines.count where !reader.isDone { reader.read(text(of: lines[index])) }
    var report = reader.report
    CrashFingerprint.apply(to: &report)
    return [report]
  }

  /// Without `<1>`, `Nov 30 12:00:00 host kernel: ` and `[   79.660000] ` before it.
  private static func text(of line: String) -> String {
    var text = line[...]
    if let mark = CrashText.find(" kernel: ", in: text) { text = text[mark.upperBound...] }
    if text.hasPrefix("<"), let end = CrashText.find(">", in: text) {
      text = text[end.upperBound...]
    }
    if text.hasPrefix("["), let end = CrashText.find("] ", in: text) {
      text = text[end.upperBound...]
    }
    return CrashText.trim(text)
  }

  /// The line by which an error is announced.
  struct Opening {
    var kind = CrashKind.panic
    var reason: String
    var isWarning = false

    init?(_ text: String) {
      reason = text
      let panics = [
        "BUG: ", "Oops: ", "Oops[", "Kernel panic - not syncing", "general protection fault",
        "Unable to handle kernel", "kernel BUG at ", "Internal error: ", "divide error: ",
        "invalid opcode: ", "double fault: ", "stack segment: ", "watchdog: BUG: ",
        "NMI watchdog: BUG: ",
      ]
      if panics.contains(where: { text.hasPrefix($0) }) { return }
      if text.hasPrefix("WARNING: ") || text.hasPrefix("[ INFO: ") || text.hasPrefix("INFO: task ")
      {
        kind = .unknown
        isWarning = true
      } else if CrashText.contains(text, "ut of memory: Kill") {
        kind = .outOfMemory
      } else {
        return nil
      }
    }
  }
}

/// Collects the first error: why, in which process, and the calls.
struct KernelOopsReader {
  private(set) var report = CrashReport(format: KernelOops.name)
  private(set) var isDone = false
  private var isInCalls = false

  mutating func read(_ text: String) {
    if text.hasPrefix("---[ end ") { return isDone = report.kind != .unknown }
    if let opening = KernelOops.Opening(text) { readOpening(opening) }
    readProcess(text)
    if text.hasPrefix("RIP: ") || text.hasPrefix("pc : ") || text.hasPrefix("IP: ") {
      if report.frames.isEmpty, let frame = Self.frame(text) { report.frames = [frame] }
    } else if text.hasPrefix("Call Trace:") || text.hasPrefix("Call trace:")
      || text.hasPrefix("stack backtrace:")
    {
      isInCalls = true
    } else if isInCalls, !text.hasPrefix("? "), let frame = Self.frame(text) {
      if report.frames.count < CrashReportParser.maxFrames { report.frames.append(frame) }
    } else if isInCalls, !text.hasPrefix("<"), !text.hasPrefix("? "), !text.isEmpty {
      isInCalls = false
    }
  }

  private mutating func readOpening(_ opening: KernelOops.Opening) {
    guard report.reason == nil else { return }
    report.osName = "Linux"
    report.kind = opening.kind
    report.reason = opening.reason
    if opening.isWarning {
      CrashTime.add("a warning of the kernel; nothing ended", to: &report)
    }
    if opening.kind == .outOfMemory {
      // `Killed process 4242 (teapot), UID 0, total-vm:…`
      report.signal = "SIGKILL"
      report.process = CrashText.between("(", ")", in: opening.reason)
      report.pid = CrashText.split(opening.reason, at: "process ").flatMap {
        CrashText.leadingInt($0.1[...]).map { Int64($0.0) }
      }
    }
  }

  /// `CPU: 3 PID: 4242 Comm: teapot Tainted: G O 6.1.0-13-amd64 #1`
  private mutating func readProcess(_ text: String) {
    guard report.process == nil, let (before, after) = CrashText.split(text, at: "Comm: "),
      let (_, pid) = CrashText.split(before, at: "PID: ")
    else { return }
    let ends = [" Not tainted", " Tainted:", " tainted:"]
    let end = ends.lazy.compactMap { CrashText.find($0, in: after)?.lowerBound }.first
    report.process = CrashText.meaningful(end.map { CrashText.trim(after[..<$0]) } ?? after)
    report.pid = CrashText.leadingInt(pid[...]).map { Int64($0.0) }
    let words = after.split(separator: " ")
    report.osVersion = words.first { $0.first?.isNumber == true && $0.contains(".") }.map(
      String.init)
  }

  /// `brew_ioctl+0x1f/0x60 [teapot]`, perhaps with an address or a name of registers before it.
  private static func frame(_ text: String) -> CrashFrame? {
    guard let plus = CrashText.find("+0x", in: text) else { return nil }
    let before = text[..<plus.lowerBound]
    let start = before.utf8.lastIndex {
      $0 == 0x20 || $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ":")
    }
    let symbol = start.map { String(before[$0...].dropFirst()) } ?? String(before)
    guard let name = CrashText.meaningful(symbol) else { return nil }
    var frame = CrashFrame(symbol: name)
    frame.offset = UInt64(CrashText.hexDigits(text[plus.upperBound...]), radix: 16)
    let module = CrashText.between(" [", "]", in: String(text[plus.upperBound...]))
    frame.image = module.flatMap { $0.hasPrefix("<") ? nil : $0 } ?? "vmlinux"
    return frame
  }
}
