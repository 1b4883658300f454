// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The text form of Swift's backtracer.
enum SwiftBacktraceText: CrashFormat {
  static let name = "swift-backtrace"

  static func recognises(_ head: CrashHead) -> Bool {
    let lines = head.lines.filter { !CrashText.trim($0).isEmpty }
    guard let title = lines.prefix(12).firstIndex(where: { self.title($0) != nil }) else {
      return false
    }
    // A log that a crash was written into begins with something else.
    return title == 0 || beginsCrash(lines[0])
  }

  static func isComplete(_ file: CrashFile) -> Bool {
    let lines = ReportLines(Array(file.bytes.suffix(512)))
    return (0..<lines.count).contains { lines[$0].hasPrefix("Backtrace took ") }
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    var reader = SwiftBacktraceTextReader()
    let lines = ReportLines(file.bytes)
    for index in 0..<lines.count { reader.read(lines[index]) }
    return reader.found ? [reader.report(of: file)] : []
  }

  /// What stands between `*** ` and ` ***` of the line that opens a report.
  static func title(_ line: String) -> String? {
    let text = CrashText.trim(line)
    guard text.hasPrefix("*** "), text.hasSuffix(" ***"), text.utf8.count > 8 else { return nil }
    let inner = String(text.dropFirst(4).dropLast(4))
    if inner.hasPrefix("Program crashed: ") { return String(inner.dropFirst(17)) }
    return inner.hasPrefix("Swift runtime failure: ") ? inner : nil
  }

  private static func beginsCrash(_ line: String) -> Bool {
    line.hasPrefix("*** Signal ") || SwiftBacktraceTextReader.isFatalMessage(line)
  }
}

/// Collects the facts of a text report line by line.
struct SwiftBacktraceTextReader {
  private enum Section { case preamble, head, crashedThread, otherThread, images, rest }

  private(set) var found = false
  private var section = Section.preamble
  private var draft = CrashReport(format: SwiftBacktraceText.name)
  private var description = ""
  private var address: UInt64?
  private var images: [SwiftBacktrace.Image] = []
  private var message: [String] = []
  private var isFinished = false

  static func isFatalMessage(_ line: String) -> Bool {
    ["Fatal error", "Precondition failed", "Assertion failed"].contains { word in
      guard let range = CrashText.find(word, in: line) else { return false }
      let before = line[..<range.lowerBound]
      return before.isEmpty || (before.hasSuffix(": ") && !before.hasPrefix("["))
    }
  }

  mutating func read(_ line: String) {
    if section == .preamble { return readPreamble(line) }
    if line.hasPrefix("Thread "), line.hasSuffix(":") { return readThread(line) }
    if line.hasPrefix("Platform: ") {
      SwiftBacktrace.readPlatform(String(line.dropFirst(10)), into: &draft)
    } else if line.hasPrefix("Registers:") {
      section = .rest
    } else if line.hasPrefix("Images (") || line.hasPrefix("Images:") {
      section = .images
    } else if line.hasPrefix("Backtrace took ") {
      isFinished = true
    } else if section == .images {
      images.append(contentsOf: [Self.image(line)].compactMap { $0 })
    } else if section == .crashedThread, draft.frames.count < CrashReportParser.maxFrames {
      draft.frames.append(contentsOf: [Self.frame(line)].compactMap { $0 })
    }
  }

  private mutating func readPreamble(_ line: String) {
    guard let title = SwiftBacktraceText.title(line) else {
      if line.hasPrefix("*** Signal ") { return }
      if !message.isEmpty || Self.isFatalMessage(line) { message.append(line) }
      return
    }
    found = true
    section = .head
    description = title
    guard let at = CrashText.find(" at 0x", in: title) else { return }
    description = String(title[..<at.lowerBound])
    address = CrashText.address(title[at.lowerBound...].dropFirst(4))
  }

  private mutating func readThread(_ line: String) {
    section = line.hasSuffix("crashed:") ? .crashedThread : .otherThread
    guard section == .crashedThread else { return }
    draft.crashedThread = CrashText.leadingInt(line.dropFirst(7))?.0
    draft.crashedThreadName = CrashText.meaningful(CrashText.between("\"", "\" ", in: line))
  }

  /// `<index> [flag]… [0xADDR] symbol + off in IMAGE [at file:line:column]`
  static func frame(_ line: String) -> CrashFrame? {
    guard line.hasPrefix(" "), let (_, rest) = CrashText.leadingInt(CrashText.trim(line)[...]),
      rest.hasPrefix(" ")
    else { return nil }
    var text = CrashText.trim(rest)
    while text.hasPrefix("["), let end = CrashText.find("]", in: text) {
      text = CrashText.trim(text[end.upperBound...])
    }
    var frame = CrashFrame()
    if let address = CrashText.address(text[...]) {
      frame.address = address
      text = CrashText.trim(text.drop { $0 != " " })
    }
    readPlace(text, into: &frame)
    return frame.address == nil && frame.symbol == nil ? nil : frame
  }

  /// Splits at the ` in ` behind the offset; a symbol (`closure #1 in f()`) may hold one too.
  private static func readPlace(_ text: String, into frame: inout CrashFrame) {
    let location = CrashText.find(" at ", in: text)
    // A frame without a symbol begins with `in`.
    let head = " " + (location.map { text[..<$0.lowerBound] } ?? text[...])
    var symbol = String(head)
    if let range = lastRange(of: " in ", in: head[...]) {
      symbol = String(head[..<range.lowerBound])
      frame.image = CrashText.baseName(String(head[range.upperBound...]))
    }
    if let location {
      let place = String(text[location.upperBound...])
      if !StackSymbolLine.readLocation(place, into: &frame) { frame.file = place }
    }
    if let (name, offset) = StackSymbolLine.symbolAndOffset(symbol) {
      frame.offset = offset
      symbol = name
    }
    frame.symbol = CrashText.meaningful(symbol)
  }

  private static func lastRange(of needle: String, in text: Substring) -> Range<String.Index>? {
    var last: Range<String.Index>?
    var rest = text
    while let range = CrashText.find(needle, in: rest) {
      last = range
      rest = rest[range.upperBound...]
    }
    return last
  }

  /// `0xA–0xB buildID name path`, with an en dash.
  private static func image(_ line: String) -> SwiftBacktrace.Image? {
    guard let base = CrashText.address(line[...]), let (_, tail) = CrashText.split(line, at: "–"),
      let end = CrashText.address(tail[...]), let slash = CrashText.find(" /", in: tail)
    else { return nil }
    let path = String(tail[slash.lowerBound...].dropFirst())
    return .init(name: CrashText.baseName(path), path: path, base: base, end: end)
  }

  func report(of file: CrashFile) -> CrashReport {
    var report = draft
    report.reason = CrashText.meaningful(message.joined(separator: "\n"))
    SwiftBacktrace.readName(of: file, into: &report)
    SwiftBacktrace.readDescription(description, into: &report)
    SwiftBacktrace.setAddress(address, in: &report)
    SwiftBacktrace.use(images, in: &report)
    if !isFinished {
      report.flags.insert(.incomplete)
      CrashTime.add("it breaks off before its last line", to: &report)
    }
    SwiftBacktrace.finish(&report)
    return report
  }
}
