// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import SQLite

/// What the last words of a process, as a record of a log, say in terms of a crash.
struct RecordFacts {
  private(set) var report = CrashReport(format: "log")
  private(set) var reasonRank = ReasonRank.lastWords
  private(set) var names: [String]
  let path: String
  /// Whose file it is, where its name tells for certain; else empty.
  let owner: String

  init(_ record: LogRecord, _ arena: ByteArena, _ connection: Connection) throws(SQLiteError) {
    let file = try Self.file(of: record, connection)
    path = file.path
    owner = file.process
    names = Self.names(of: record, arena, file)
    report.time = record.timeQuality == .observed ? nil : record.time
    if record.timeQuality == .inherited { report.time = nil }
    report.pid = record.pid >= 0 ? record.pid : nil
    let select = try connection.prepare(
      """
      SELECT json_extract(?1, '$."exception.type"'), json_extract(?1, '$."exception.message"'),
        json_extract(?1, '$."exception.stacktrace"'), json_extract(?1, '$."code.file.path"'),
        json_extract(?1, '$."code.line.number"'), json_extract(?1, '$."code.function.name"'),
        json_extract(?1, '$."process.executable.name"'), json_extract(?1, '$."process.pid"')
      """)
    select.bind(1, "{" + String(decoding: arena.bytes(record.attributes), as: UTF8.self) + "}")
    if try select.step() {
      if let victim = select.optionalText(6) {
        // The kernel tells of another process.
        report.format = "kernel"
        names = [victim]
        report.pid = select.optionalInteger(7)
      }
      let stack = select.optionalText(2)
      read(type: select.text(0), message: select.optionalText(1), stack: stack)
      readPlace(
        file: select.optionalText(3), line: select.optionalInteger(4),
        function: select.optionalText(5))
    }
    report.process = names.first
    CrashFingerprint.apply(to: &report)
  }

  private mutating func read(type: String, message text: String?, stack: String?) {
    // A blank line ends what was said; a stack follows.
    let message = text.map { Self.paragraph($0) }
    report.reason = message
    switch type {
    case "Fatal error", "Precondition failed", "Assertion failed", "Could not cast value",
      "Simultaneous accesses", "Swift task continuation misuse":
      report.kind = .assertion
      // "Could not cast value of type …" says it already.
      report.reason = message.map { $0.hasPrefix(type) ? $0 : "\(type): \($0)" } ?? type
    case "abort":
      report.kind = .signal
      if let message, message.hasPrefix("*** Program crashed: ") {
        // Swift's backtracer names the signal in other words.
        report.reason = String(message.dropFirst(21).prefix { $0 != "*" }).trimmedEnd
        reasonRank = ReasonRank.signal
      } else {
        report.signal = "SIGABRT"
      }
    case "out of memory":
      report.kind = .outOfMemory
      report.signal = "SIGKILL"
    case "panic": report.kind = .panic
    case "SIGSEGV", "SIGILL", "SIGTRAP", "SIGFPE":
      report.kind = .signal
      report.signal = type
      reasonRank = ReasonRank.signal
    default:
      if type.hasSuffix("Sanitizer") {
        report.kind = .sanitizer
        let what = message?.split(separator: "\n").first?.split(separator: " (pc 0x").first
        report.reason = what.map { "\(type): \($0)" } ?? type
      } else {
        // An exception of C++ that nobody caught.
        report.kind = .exception
        report.signal = "SIGABRT"
        report.exceptionType = type == "terminate" ? nil : type
        report.reason = message ?? stack.flatMap(Self.what)
      }
    }
    if report.reason == nil { reasonRank = ReasonRank.none }
  }

  private static func paragraph(_ text: String) -> String {
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty, !lines.isEmpty { break }
      lines.append(line)
    }
    return lines.joined(separator: "\n")
  }

  /// The text of `  what():  no disk`, which may go on in more lines.
  private static func what(_ stack: String) -> String? {
    let text = paragraph(stack).drop { $0 == " " }
    guard text.hasPrefix("what():") else { return nil }
    return String(text.dropFirst(7).drop { $0 == " " })
  }

  private mutating func readPlace(file: String?, line: Int64?, function: String?) {
    // The standard library's own places say nothing of the cause.
    guard let file, !file.hasPrefix("Swift/") else { return }
    report.frames = [
      CrashFrame(symbol: function, file: file, line: line.flatMap { Int(exactly: $0) })
    ]
  }

  // MARK: Names

  /// The file of a record.
  struct File {
    var path = ""
    var source = ""
    /// As its name tells for certain; else empty.
    var process = ""
  }

  static func file(
    of record: LogRecord, _ connection: Connection
  ) throws(SQLiteError) -> File {
    let select = try connection.prepare("SELECT path, source, process FROM file WHERE id = ?")
    select.bind(1, Int64(record.generation))
    guard try select.step() else { return File() }
    return File(path: select.text(0), source: select.text(1), process: select.text(2))
  }

  /// What the process of a record may be called: as it says and as its file's name says for
  /// certain, else as both that and its source may mean.
  static func names(of record: LogRecord, _ arena: ByteArena, _ file: File) -> [String] {
    if !record.process.isEmpty {
      let name = String(decoding: arena.bytes(record.process), as: UTF8.self)
      return file.process.isEmpty || file.process == name ? [name] : [name, file.process]
    }
    if !file.process.isEmpty { return [file.process] }
    var names: [String] = []
    if let stem = ProcessNames.stem(ofPath: file.path) { names.append(stem) }
    if !file.source.isEmpty, !names.contains(file.source) { names.append(file.source) }
    return names
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
