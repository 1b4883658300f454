// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The file that a Java virtual machine writes when it crashes: `hs_err_pid<n>.log`.
enum JavaFatal: CrashFormat {
  static let name = "java-hs-err"
  private static let openings = [
    "A fatal error has been detected by the Java Runtime Environment",
    "There is insufficient memory for the Java Runtime Environment to continue",
  ]

  static func recognises(_ head: CrashHead) -> Bool {
    head.firstLine.hasPrefix("#")
      && head.lines.prefix(4).contains { line in
        openings.contains { CrashText.contains(line, $0) }
      }
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    let lines = ReportLines(Array(file.bytes.suffix(64)))
    return (0..<lines.count).contains { lines[$0] == "END." }
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reader = JavaFatalReader()
    let lines = ReportLines(file.bytes)
    for index in 0..<lines.count { reader.read(lines[index]) }
    var report = reader.report
    report.process = report.process ?? "java"
    CrashTime.set(reader.time, in: &report, modified: file.modified)
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}

/// Collects the facts of an error file line by line.
struct JavaFatalReader {
  private(set) var report = CrashReport(format: JavaFatal.name)
  private(set) var time: Timestamp?
  private var isInFrames = false

  mutating func read(_ line: String) {
    if isInFrames {
      guard let frame = Self.frame(line) else { return isInFrames = false }
      if report.frames.count < CrashReportParser.maxFrames { report.frames.append(frame) }
    } else if line.hasPrefix("# Native memory allocation ") {
      report.reason = CrashText.trim(line.dropFirst(2))
    } else if line.hasPrefix("# Java VM: ") {
      report.architecture = CrashText.between(", linux-", ")", in: line)
    } else if line.hasPrefix("# JRE version: ") {
      report.version = CrashText.between("(build ", ")", in: line)
    } else if line.hasPrefix("#  ") {
      readHeader(CrashText.trim(line.dropFirst(3)))
    } else if line.hasPrefix("# "), report.frames.isEmpty, let frame = Self.frame(line.dropFirst(2))
    {
      report.frames = [frame]
    } else if line.hasPrefix("Native frames:") {
      isInFrames = true
      report.frames = []
    } else {
      readField(line)
    }
  }

  /// `SIGSEGV (0xb) at pc=0x…, pid=17951, tid=17952`, or an internal error with its place.
  private mutating func readHeader(_ text: String) {
    if report.kind == .assertion, report.pid != nil, let words = Self.cause(text) {
      // The line above names only a place in the virtual machine.
      report.reason = words
      if words.hasPrefix("OutOfMemory") { report.kind = .outOfMemory }
    }
    guard let pid = CrashText.split(text, at: "pid=")?.1 else { return }
    report.pid = CrashText.leadingInt(pid[...]).map { Int64($0.0) }
    report.signal = SignalNames.named(in: text)
    report.kind = report.signal == nil ? .assertion : .signal
    if text.hasPrefix("Out of Memory Error") { report.kind = .outOfMemory }
    report.reason = report.reason ?? CrashText.split(text, at: ", pid=")?.0
  }

  /// `fatal error: OutOfMemory encountered: Java heap space`, `guarantee(x) failed: y`.
  private static func cause(_ text: String) -> String? {
    if text.hasPrefix("fatal error: ") { return String(text.dropFirst(13)) }
    let isCheck = text.hasPrefix("guarantee(") || text.hasPrefix("assert(")
    return isCheck ? text : nil
  }

  private mutating func readField(_ line: String) {
    if line.hasPrefix("Time: ") {
      let moment = CrashTime.ctime(String(line.dropFirst(6)))
      time = moment?.time
      if moment?.hasZone == false { report.flags.insert(.zoneAssumed) }
    } else if line.hasPrefix("Current thread "), let name = CrashText.between("\"", "\"", in: line)
    {
      report.crashedThreadName = name
    } else if line.hasPrefix("siginfo: ") {
      report.signalCode = CrashText.between("si_code: ", ")", in: line).flatMap { code in
        CrashText.split(code, at: "(")?.1
      }
      if let at = CrashText.find("si_addr: 0x", in: line) {
        report.faultAddress = CrashText.address(line[at.lowerBound...].dropFirst(9))
      }
    } else if line.hasPrefix("PRETTY_NAME="), let name = CrashText.between("\"", "\"", in: line) {
      AppleFields.setSystem(name, in: &report)
    } else if report.executablePath == nil, line.hasSuffix("/bin/java") {
      report.executablePath = line.split(separator: " ").last.map(String.init)
    }
  }

  /// `V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124`, `j  Crash.poke()V+70`, `v  ~Stub`.
  private static func frame(_ line: some StringProtocol) -> CrashFrame? {
    let text = String(line)
    guard text.utf8.count > 3, let kind = text.first, "VCJjvA".contains(kind),
      text.dropFirst().hasPrefix("  ")
    else { return nil }
    var frame = CrashFrame()
    var tail = CrashText.trim(text.dropFirst(3))
    if tail.hasPrefix("["), let (inside, rest) = CrashText.split(tail, at: "]") {
      let module = String(inside.dropFirst())
      let parts = CrashText.split(module, at: "+0x")
      frame.image = CrashText.baseName(parts?.0 ?? module)
      frame.offset = parts.flatMap { UInt64($0.1, radix: 16) }
      tail = rest
    }
    guard let name = CrashText.meaningful(tail) else { return frame }
    readSymbol(name, into: &frame)
    return frame
  }

  private static func readSymbol(_ text: String, into frame: inout CrashFrame) {
    frame.symbol = text
    guard let plus = text.utf8.lastIndex(of: UInt8(ascii: "+")) else { return }
    let tail = text[plus...].dropFirst()
    let word = tail.prefix { $0 != " " }
    if let offset = CrashText.address(word) ?? UInt64(word) {
      frame.symbol = String(text[..<plus])
      frame.offset = offset
    }
  }
}
