// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Android's tombstones, and the dumps of live processes that lie beside them.
enum AndroidText: CrashFormat {
  static let name = "android-tombstone"

  static func recognises(_ head: CrashHead) -> Bool {
    let first = CrashText.trim(head.firstLine)
    if first.hasPrefix("----- pid "), first.hasSuffix(" -----") {
      return head.lines.contains { $0.hasPrefix("Cmd line:") || $0.hasPrefix("Cmdline:") }
    }
    return first.hasPrefix("*** *** *** ***")
      && head.lines.contains { $0.hasPrefix("Build fingerprint:") || $0.hasPrefix("pid: ") }
  }

  static func isComplete(_ file: CrashFile) -> Bool { false }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reader = AndroidReader()
    let lines = ReportLines(file.bytes)
    for index in 0..<lines.count where !reader.isDone { reader.read(lines[index]) }
    var report = reader.report
    CrashTime.set(reader.time, in: &report, modified: file.modified)
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}

/// Collects the facts of the first thread of a tombstone or dump.
struct AndroidReader {
  private(set) var report = CrashReport(format: AndroidText.name)
  private(set) var time: Timestamp?
  /// The first stack has been read: other threads follow.
  private(set) var isDone = false

  mutating func read(_ line: String) {
    let text = CrashText.trim(line)
    if let frame = Self.frame(text) ?? javaFrame(text) {
      if report.frames.count < CrashReportParser.maxFrames { report.frames.append(frame) }
    } else if text.hasPrefix("- waiting to "), report.reason == nil {
      report.reason = String(text.dropFirst(2))
    } else if text.hasPrefix("- ") {
      // What a frame of Java's holds or waits for.
    } else if !report.frames.isEmpty {
      isDone = true
    } else if text.hasPrefix("pid: ") {
      readProcess(text)
    } else if text.hasPrefix("signal ") {
      readSignal(text)
    } else if text.hasPrefix("----- pid ") {
      readDump(text)
    } else if let (key, value) = CrashText.split(text, at: ":") {
      readField(key, value)
    }
  }

  /// `at com.example.Cart.total(Cart.java:31)`, in the dump of a live process.
  private func javaFrame(_ text: String) -> CrashFrame? {
    report.kind == .hang
      ? NodeReport.frame(text.replacing("(", with: " (", maxReplacements: 1)) : nil
  }

  private mutating func readField(_ key: String, _ value: String) {
    let plain = value.hasPrefix("'") ? String(value.dropFirst().dropLast()) : value
    switch key {
    case "Build fingerprint":
      report.osName = "Android"
      report.osVersion = plain
    case "ABI": report.architecture = plain
    case "Timestamp": time = CrashTime.read(plain)
    case "Abort message": report.reason = plain
    case "Cause": report.reason = report.reason ?? plain
    case "Executable": report.executablePath = plain
    case "Cmd line", "Cmdline": report.process = report.process ?? CrashText.meaningful(plain)
    default: break
    }
  }

  /// `pid: 20099, tid: 20113, name: THREAD  >>> PROCESS <<<`; the thread's name is cut to 15 bytes.
  private mutating func readProcess(_ text: String) {
    report.pid = CrashText.leadingInt(text.dropFirst(5)).map { Int64($0.0) }
    let tail = CrashText.between("tid: ", ",", in: text)
    report.crashedThread = tail.flatMap { Int($0) }
    report.crashedThreadName =
      CrashText.between("name: ", " >>>", in: text).flatMap { CrashText.meaningful($0) }
    if let process = CrashText.between(">>> ", " <<<", in: text) { report.process = process }
  }

  /// `signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x10 (read)`
  private mutating func readSignal(_ text: String) {
    report.kind = .signal
    report.signal = SignalNames.named(in: text)
    report.signalCode = CrashText.between("code ", ")", in: text).flatMap { code in
      CrashText.split(code, at: "(")?.1
    }
    guard let at = CrashText.find("fault addr 0x", in: text) else { return }
    report.faultAddress = CrashText.address(text[at.lowerBound...].dropFirst(11))
  }

  /// `----- pid 9611 at 2019-08-07 12:23:09 -----`: no crash, but what a live process does.
  private mutating func readDump(_ text: String) {
    report.kind = .hang
    report.osName = "Android"
    report.pid = CrashText.leadingInt(text.dropFirst(10)).map { Int64($0.0) }
    let moment = CrashText.split(text, at: " at ").flatMap { CrashTime.civil($0.1) }
    time = moment?.time
    if moment?.hasZone == false { report.flags.insert(.zoneAssumed) }
    CrashTime.add("a dump of a live process", to: &report)
  }

  /// `#00 pc OFFSET  PATH[!lib] [(offset 0x…)] [(SYMBOL+OFF)] [(BuildId: …)]`
  static func frame(_ text: String) -> CrashFrame? {
    guard text.hasPrefix("#"), let (_, rest) = CrashText.leadingInt(text.dropFirst()),
      rest.hasPrefix(" pc ")
    else { return nil }
    let digits = CrashText.hexDigits(rest.dropFirst(4))
    guard let offset = UInt64(digits, radix: 16) else { return nil }
    let tail = CrashText.trim(rest[digits.endIndex...])
    var frame = CrashFrame(offset: offset)
    let path = tail.prefix { $0 != " " }
    let name = CrashText.baseName(String(path))
    frame.image = CrashText.split(name, at: "!")?.1 ?? name
    for part in parts(tail) where !part.hasPrefix("offset ") && !part.hasPrefix("BuildId:") {
      readSymbol(part, into: &frame)
      break
    }
    return frame
  }

  private static func readSymbol(_ text: String, into frame: inout CrashFrame) {
    guard let plus = text.utf8.lastIndex(of: UInt8(ascii: "+")),
      let offset = UInt64(text[plus...].dropFirst())
    else { return frame.symbol = CrashText.meaningful(text) }
    frame.symbol = String(text[..<plus])
    frame.offset = offset
  }

  /// The texts in parentheses, which may hold some themselves.
  private static func parts(_ text: String) -> [String] {
    var parts: [String] = []
    var depth = 0
    var current: [UInt8] = []
    for byte in text.utf8 {
      if byte == UInt8(ascii: ")") { depth = max(0, depth - 1) }
      if depth > 0 { current.append(byte) }
      if byte == UInt8(ascii: "(") { depth += 1 }
      if depth == 0, !current.isEmpty {
        parts.append(String(decoding: current, as: UTF8.self))
        current = []
      }
    }
    return parts
  }
}
