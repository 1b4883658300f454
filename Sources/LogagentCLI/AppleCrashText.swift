// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// Any crash in the layout of Apple's crash reports, which tools and people know how to read.
///
/// Only what the crash's report told is written: other threads and images that it does not name
/// are missing, and so are the lines for facts that are unknown.
struct AppleCrashText {
  private var facts: [String: String] = [:]
  private var frames: [Frame] = []
  private let images: [CrashImage]

  private struct Frame {
    var image: String?
    var address: String?
    var symbol: String?
    var offset: Int64?
    var place: String?
  }

  /// The text of a crash of the store; `nil` when there is none with this id.
  ///
  /// - Parameter report: the report's bytes, for its images; empty when they are not kept.
  init?(id: Int64, store: QueryStore, report: [UInt8]) throws {
    images = CrashImage.all(in: report)
    var facts: [String: String] = [:]
    try store.forEach("SELECT * FROM crashes WHERE id = \(id)") { row in
      for index in 0..<row.columnCount where !row.isNull(index) {
        facts[row.columnName(index)] = SafeText.escaped(row.text(index))
      }
    }
    guard !facts.isEmpty else { return nil }
    try store.forEach("SELECT executable_path FROM crash WHERE id = \(id)") {
      facts["path"] = $0.optionalText(0).map { SafeText.escaped($0) }
    }
    var frames: [Frame] = []
    let sql = """
      SELECT json_extract(f.value, '$.image'), json_extract(f.value, '$.address'),
        json_extract(f.value, '$.symbol'), json_extract(f.value, '$.offset'),
        json_extract(f.value, '$.file'), json_extract(f.value, '$.line')
      FROM crash c, json_each(CASE WHEN json_valid(c.frames) THEN c.frames ELSE '[]' END) f
      WHERE c.id = \(id)
      """
    try store.forEach(sql) { row in
      let file = row.optionalText(4)?.split(separator: "/").last.map(String.init)
      let line = row.optionalInteger(5).map { ":\($0)" } ?? ""
      frames.append(
        Frame(
          image: row.optionalText(0).map { SafeText.escaped($0) }, address: row.optionalText(1),
          symbol: row.optionalText(2).map { SafeText.escaped($0) },
          offset: row.optionalInteger(3), place: file.map { SafeText.escaped($0) + line }))
    }
    self.facts = facts
    self.frames = frames
  }

  /// The whole text.
  var text: String {
    var parts = [header, cause]
    parts.append(crashedThread)
    if !images.isEmpty { parts.append(binaryImages) }
    return parts.joined(separator: "\n")
  }

  // MARK: Sections

  private var header: String {
    var text = line("Incident Identifier", facts["report_id"])
    text += line("Hardware Model", facts["device"])
    let process = facts["process"].map { $0 + (facts["pid"].map { " [\($0)]" } ?? "") }
    text += line("Process", process ?? "unknown")
    text += line("Path", facts["path"])
    text += line("Identifier", facts["bundle_identifier"] ?? facts["process"])
    let build = facts["service_build"].map { " (\($0))" } ?? ""
    text += line("Version", facts["service_version"].map { $0 + build })
    text += line("Code Type", facts["architecture"].map(Self.codeType))
    text += "\n"
    text += line("Date/Time", facts["time"].map(Self.date))
    let version = facts["os_version"].map { " " + $0 } ?? ""
    text += line("OS Version", facts["os_name"].map { $0 + version })
    text += line("Report Version", "104")
    return text
  }

  private var cause: String {
    let signal = facts["signal"]
    let type = Self.exceptionTypes[signal ?? ""] ?? "EXC_CRASH"
    var text = line("Exception Type", signal.map { "\(type) (\($0))" } ?? type)
    let address = facts["fault_address"].flatMap { Int64($0) }.map { Self.hex($0) }
    var codes = facts["signal_code"] ?? (type == "EXC_CRASH" ? "0x0, 0x0" : "")
    if let address { codes += (codes.isEmpty ? "" : " at ") + address }
    text += line("Exception Codes", codes.isEmpty ? nil : codes)
    text += line("Exception Subtype", facts["exception_type"])
    if let signal, let number = Self.numbers[signal] {
      text += line("Termination Reason", "SIGNAL \(number) \(Self.words[signal] ?? signal)")
    } else {
      text += line("Termination Reason", facts["kind"])
    }
    text += line("Triggered by Thread", thread)
    if let reason = facts["reason"] {
      text += "\nApplication Specific Information:\n\(reason)\n"
    }
    return text
  }

  private var thread: String { facts["crashed_thread"] ?? "0" }

  private var crashedThread: String {
    var text = ""
    if let name = facts["crashed_thread_name"] { text += "Thread \(thread) name:  \(name)\n" }
    text += "Thread \(thread) Crashed:\n"
    for (index, frame) in frames.enumerated() {
      let address = frame.address.flatMap { UInt64($0.dropFirst(2), radix: 16) } ?? 0
      var line = String(index).padded(to: 4) + (frame.image ?? "???").padded(to: 30) + "\t"
      line += Self.hex(Int64(bitPattern: address)) + " "
      let offset = frame.offset ?? 0
      if let symbol = frame.symbol {
        line += "\(symbol) + \(offset)"
      } else {
        line += Self.hex(Int64(bitPattern: address) &- offset) + " + \(offset)"
      }
      if let place = frame.place { line += " (\(place))" }
      text += line + "\n"
    }
    return frames.isEmpty ? text + "(no stack)\n" : text
  }

  private var binaryImages: String {
    var text = "Binary Images:\n"
    for image in images {
      let first = Self.hex(Int64(bitPattern: image.base), width: 18)
      let last = Self.hex(Int64(bitPattern: image.end &- 1), width: 18)
      let identity = image.identity.map { " <\(SafeText.escaped($0))>" } ?? ""
      let path = SafeText.escaped(image.path ?? image.name)
      let architecture = facts["architecture"] ?? "???"
      text +=
        "\(first) - \(last) \(SafeText.escaped(image.name)) \(architecture)\(identity) \(path)\n"
    }
    return text
  }

  // MARK: Pieces

  private func line(_ label: String, _ value: String?) -> String {
    value.map { "\(label):".padded(to: 21) + $0 + "\n" } ?? ""
  }

  private static func hex(_ value: Int64, width: Int = 18) -> String {
    let digits = String(UInt64(bitPattern: value), radix: 16)
    return "0x" + String(repeating: "0", count: max(0, width - 2 - digits.count)) + digits
  }

  /// `2026-11-30 10:44:29.551 +0000`, as Apple writes it.
  private static func date(_ time: String) -> String {
    String(time.prefix(23)).replacing("T", with: " ") + " +0000"
  }

  private static func codeType(_ architecture: String) -> String {
    switch architecture {
    case "x86_64": "X86-64"
    case "arm64", "aarch64", "arm64e": "ARM-64"
    case "i386", "i686": "X86"
    default: architecture
    }
  }

  private static let exceptionTypes = [
    "SIGSEGV": "EXC_BAD_ACCESS", "SIGBUS": "EXC_BAD_ACCESS", "SIGILL": "EXC_BAD_INSTRUCTION",
    "SIGTRAP": "EXC_BREAKPOINT", "SIGFPE": "EXC_ARITHMETIC",
  ]
  private static let numbers = [
    "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6, "SIGBUS": 7, "SIGFPE": 8, "SIGKILL": 9,
    "SIGSEGV": 11, "SIGTERM": 15, "SIGSYS": 31,
  ]
  private static let words = [
    "SIGILL": "Illegal instruction", "SIGTRAP": "Trace/BPT trap", "SIGABRT": "Abort trap",
    "SIGBUS": "Bus error", "SIGFPE": "Floating point exception", "SIGKILL": "Killed",
    "SIGSEGV": "Segmentation fault", "SIGTERM": "Terminated", "SIGSYS": "Bad system call",
  ]
}
