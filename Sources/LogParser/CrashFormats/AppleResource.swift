// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Apple's reports of hangs and of too much use of a resource: processor, disk, wake-ups. They are
/// texts of samples (`.hang`, `.spin`, `.cpu_resource.ips`, `.diskwrites_resource.ips`).
enum AppleResource: CrashFormat {
  static let name = "apple-resource"

  static func recognises(_ head: CrashHead) -> Bool {
    var lines = head.lines.filter { !CrashText.trim($0).isEmpty }[...]
    if let header = head.json?.root, AppleIPS.isHeader(header) { lines = lines.dropFirst() }
    guard lines.first?.hasPrefix("Date/Time:") == true else { return false }
    return ["Command:", "Event:", "PID:"].allSatisfy { key in
      lines.contains { $0.hasPrefix(key) }
    }
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let lines = ReportLines(file.bytes)
    var reader = AppleResourceReader()
    for index in 0..<lines.count where !reader.isDone { reader.read(lines[index]) }
    return [reader.report(modified: file.modified)]
  }
}

/// Collects the fields and the heaviest stack; what follows is about other processes too.
struct AppleResourceReader {
  private(set) var isDone = false
  private var values: [String: String] = [:]
  private var frames: [CrashFrame] = []
  private var isInStack = false

  mutating func read(_ line: String) {
    if line.hasPrefix("Heaviest stack ") {
      isInStack = true
    } else if isInStack {
      guard let frame = Self.frame(line) else { return isDone = !frames.isEmpty }
      if frames.count < CrashReportParser.maxFrames { frames.append(frame) }
    } else if let (key, value) = CrashText.split(line, at: ":"), !key.hasPrefix("{"),
      values[key] == nil, values.count < 64
    {
      values[key] = value
    }
  }

  /// `14  wait() + 96 (Loader.swift:41 in Shop + 12000) [0x2ee0]`, `11  ??? (Shop + 8) [0x8]`.
  private static func frame(_ line: String) -> CrashFrame? {
    guard let (_, rest) = CrashText.leadingInt(CrashText.trim(line)[...]) else { return nil }
    var text = CrashText.trim(rest)
    var frame = CrashFrame()
    if text.hasSuffix("]"), let open = text.utf8.lastIndex(of: UInt8(ascii: "[")) {
      frame.address = CrashText.address(text[open...].dropFirst())
      text = CrashText.trim(text[..<open])
    }
    guard text.hasSuffix(")"), let open = text.utf8.lastIndex(of: UInt8(ascii: "(")) else {
      return nil
    }
    var place = String(text[open...].dropFirst().dropLast())
    if let (location, image) = CrashText.split(place, at: " in "),
      StackSymbolLine.readLocation(location, into: &frame)
    {
      place = image
    }
    let image = StackSymbolLine.symbolAndOffset(place)
    frame.image = CrashText.meaningful(image?.0 ?? place)
    let symbol = StackSymbolLine.symbolAndOffset(CrashText.trim(text[..<open]))
    frame.symbol = symbol?.0
    frame.offset = symbol?.1 ?? image?.1
    return frame
  }

  func report(modified: Timestamp) -> CrashReport {
    func value(_ key: String) -> String? { CrashText.meaningful(values[key]) }
    var report = CrashReport(format: AppleResource.name)
    report.reportID = value("Incident Identifier")
    report.process = value("Command")
    report.pid = value("PID").flatMap { Int64($0) }
    report.executablePath = value("Path")
    report.bundleIdentifier = value("Identifier")
    HandlerFields.setVersion(value("Version"), in: &report)
    report.architecture = value("Architecture")
    report.device = value("Hardware model")
    let system = value("OS Version").flatMap { CrashText.split($0, at: "(Build ") }
    AppleFields.setSystem(system.map { "\($0.0) (\($0.1)" } ?? value("OS Version"), in: &report)
    CrashTime.set(
      value("Date/Time").flatMap { CrashTime.read($0) }, in: &report, modified: modified)
    readEvent(into: &report)
    report.frames = frames.reversed()
    CrashFingerprint.apply(to: &report)
    return report
  }

  private func readEvent(into report: inout CrashReport) {
    let event = values["Event"] ?? ""
    let facts = ["CPU", "Writes", "Wakeups", "Footprint"].compactMap { values[$0] }.first
    if event == "hang" {
      report.kind = .hang
      report.reason = values["Duration"].map { "it did not answer for \($0)" }
    } else {
      report.exceptionType = "EXC_RESOURCE"
      report.reason = facts.map { "\(event): \($0)" } ?? CrashText.meaningful(event)
    }
    if values["Action taken"] == "none" {
      CrashTime.add("nothing was done about it; the program went on", to: &report)
    }
  }
}
