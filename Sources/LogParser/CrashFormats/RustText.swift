// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Rust's message of a panic or of a stack overflow, perhaps with a backtrace.
enum RustText: CrashFormat {
  static let name = "rust-panic"

  static func recognises(_ head: CrashHead) -> Bool { opens(head.firstLine) }

  static func recognisesInSpool(_ head: CrashHead) -> Bool { head.lines.contains { opens($0) } }

  static func opens(_ line: String) -> Bool {
    guard line.hasPrefix("thread '") else { return false }
    return CrashText.contains(line, " panicked at ")
      || line.hasSuffix(" has overflowed its stack")
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reader = RustReader()
    let lines = ReportLines(file.bytes)
    for index in 0..<lines.count where !reader.isDone { reader.read(lines[index]) }
    var report = reader.finished()
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}

/// Collects the first panic's message, place and backtrace.
struct RustReader {
  private var report = CrashReport(format: RustText.name)
  private var message: [String] = []
  private var place = CrashFrame()
  private(set) var isDone = false
  private enum Stage { case before, message, backtrace }
  private var stage = Stage.before

  mutating func read(_ line: String) {
    switch stage {
    case .before where RustText.opens(line): readOpening(line)
    case .before: break
    case .message: readMessage(line)
    case .backtrace: readFrame(CrashText.trim(line))
    }
  }

  /// `thread 'NAME' [(TID) ]panicked at file:line:col:`, before 1.73 `panicked at 'MSG', file:…`.
  private mutating func readOpening(_ line: String) {
    stage = .message
    report.kind = .panic
    report.crashedThreadName = CrashText.between("thread '", "'", in: line)
    guard let (_, tail) = CrashText.split(line, at: " panicked at ") else {
      message = ["stack overflow"]
      report.signal = "SIGABRT"
      return
    }
    if tail.hasPrefix("'"), let end = CrashText.find("', ", in: tail) {
      message = [String(tail[..<end.lowerBound].dropFirst())]
      _ = StackSymbolLine.readLocation(String(tail[end.upperBound...]), into: &place)
    } else {
      let text = tail.hasSuffix(":") ? String(tail.dropLast()) : tail
      _ = StackSymbolLine.readLocation(text, into: &place)
    }
  }

  private mutating func readMessage(_ line: String) {
    if line.hasPrefix("stack backtrace:") {
      stage = .backtrace
    } else if line.hasPrefix("note: ") || RustText.opens(line) {
      isDone = true
    } else if line.hasPrefix("fatal runtime error: ") {
      report.signal = "SIGABRT"
    } else if message.count < 100, report.signal == nil {
      message.append(line)
    }
  }

  /// `  4: p::parse`, or with an address before it, then `     at ./rs/p.rs:2:38`.
  private mutating func readFrame(_ text: String) {
    if text.hasPrefix("at "), !report.frames.isEmpty {
      let last = report.frames.count - 1
      _ = StackSymbolLine.readLocation(String(text.dropFirst(3)), into: &report.frames[last])
    } else if let (_, rest) = CrashText.leadingInt(text[...]), rest.hasPrefix(":") {
      var frame = CrashFrame()
      var symbol = CrashText.trim(rest.dropFirst())
      if let address = CrashText.address(symbol[...]) {
        frame.address = address
        symbol = CrashText.split(symbol, at: " - ")?.1 ?? ""
      }
      frame.symbol = CrashText.meaningful(symbol)
      if report.frames.count < CrashReportParser.maxFrames { report.frames.append(frame) }
    } else {
      isDone = true
    }
  }

  /// Without a backtrace, the place of the panic is the only frame.
  func finished() -> CrashReport {
    var report = report
    report.reason = CrashText.meaningful(message.joined(separator: "\n"))
    if report.frames.isEmpty, place.file != nil { report.frames = [place] }
    if report.signal == nil {
      CrashTime.add("a panic ends its thread; the program may have gone on", to: &report)
    }
    return report
  }
}
