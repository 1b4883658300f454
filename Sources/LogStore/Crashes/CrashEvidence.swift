// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// How much a piece of evidence knows. Of two for one crash the higher rank makes the row.
enum EvidenceRank {
  /// A line of a log, or the end that `logagent exec` saw.
  static let line: Int64 = 0
  /// A report that could not be read.
  static let malformed: Int64 = 1
  /// A report that breaks off, or one whose stack does not reach the program.
  static let poor: Int64 = 2
  /// Text of a dying process in a file of its own.
  static let text: Int64 = 3
  /// A report with a stack.
  static let stack: Int64 = 4

  static func of(_ report: CrashReport) -> Int64 {
    if report.flags.contains(.malformed) { return malformed }
    if report.format == "standard-error" { return text }
    // Offsets in the program tell where it is when there are several; one may be all that is known.
    let isPlaced =
      report.frames.contains(where: \.isOwn)
      || report.frames.count > 1
        && report.frames.contains { $0.image.map { !CrashFingerprint.isSystemImage($0) } ?? false }
    return isPlaced && !report.flags.contains(.incomplete) ? stack : poor
  }
}

/// Whose words a reason is. The highest wins, so that the order of arrival does not matter.
enum ReasonRank {
  static let none: Int64 = 0
  /// The name of a signal, in other words.
  static let signal: Int64 = 1
  /// The last severe record of the process.
  static let severeRecord: Int64 = 2
  /// The runtime's own words.
  static let lastWords: Int64 = 3
  /// A report that was made with the message at hand.
  static let report: Int64 = 4

  /// Forms whose writers know the signal and the stack, and never the message.
  private static let wordless: Set<String> = [
    "swift-backtrace-json", "swift-backtrace", "elf-core", "minidump", "gdb-backtrace", "apport",
    "abrt-core-backtrace",
  ]

  static func of(_ report: CrashReport) -> Int64 {
    guard let reason = report.reason else { return none }
    if wordless.contains(report.format) {
      // What stands in the stack, or follows from it, is nearly as good as words.
      let isCheck =
        report.format == "elf-core" || reason.hasPrefix("Swift runtime failure")
        || reason.hasPrefix("Fatal error") || reason.hasPrefix("Dispatch assertion failed")
      return isCheck ? severeRecord : signal
    }
    return report.kind == .signal ? signal : Self.report
  }
}

/// One piece of evidence for a crash: a report, or a record of a log.
struct CrashEvidence {
  var report: CrashReport
  var rank: Int64
  var reasonRank: Int64
  /// Nanoseconds since 1970.
  var time: Int64
  /// Where the time is not exact: it lies between `time` and this.
  var latest: Int64?
  var observed: Int64
  /// What the process may be called: its name, its executable, the file that it writes.
  var names: [String] = []
  /// When the run began that it tells the end of.
  var start: Int64?
  /// Whose file it stands in, where the file's name tells for certain; else empty.
  var owner = ""
  var generation: UInt32
  var byteOffset: Int64
  var path: String
  var size: Int64
  var sha256: String?
  /// Deflated bytes of a report.
  var content: [UInt8]?
  /// The row of a record.
  var record: Int64?

  /// Whether it is a line that tells of a death, and not a report of its own.
  var isLine: Bool { record != nil }
  /// Whether it may be told about a process whose id it does not know.
  var isSoft: Bool { isLine || Self.texts.contains(report.format) }

  /// Forms that a dying program writes to its standard error, where that is a file.
  static let texts: Set<String> = [
    "standard-error", "sanitizer", "go-panic", "rust-panic", "python",
  ]

  init(_ collected: CollectedReport) {
    report = collected.report
    rank = EvidenceRank.of(report)
    reasonRank = ReasonRank.of(report)
    time = (report.time ?? collected.modified).nanoseconds
    observed = collected.observed.nanoseconds
    generation = collected.generation
    byteOffset = Int64(report.byteRange?.lowerBound ?? 0)
    path = collected.path
    size = collected.size
    sha256 = collected.sha256
    content = collected.content
    names = Self.names(of: report)
    if isSoft, report.pid == nil, let stem = ProcessNames.stem(ofPath: path), !names.contains(stem)
    {
      names.append(stem)
    }
  }

  init(
    _ report: CrashReport, record: Int64, time: Int64, observed: Int64, generation: UInt32,
    byteOffset: Int64, path: String, size: Int64
  ) {
    self.report = report
    rank = EvidenceRank.line
    reasonRank = report.reason == nil ? ReasonRank.none : ReasonRank.lastWords
    self.record = record
    self.time = time
    self.observed = observed
    self.generation = generation
    self.byteOffset = byteOffset
    self.path = path
    self.size = size
    names = Self.names(of: report)
  }

  private static func names(of report: CrashReport) -> [String] {
    let executable = report.executablePath?.split(separator: "/").last.map(String.init)
    return [report.process, executable].compactMap { $0 }.filter { !$0.isEmpty }
  }

  /// One line about it.
  var note: String? {
    let text = report.reason ?? report.exceptionType ?? report.signal
    return text.map { String($0.prefix { $0 != "\n" }.prefix(200)) }
  }
}

/// Names of processes as different witnesses know them.
enum ProcessNames {
  /// Bytes of the kernel's own name of a process, which is cut there.
  private static let commLength = 15

  static func areSame(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    let (short, long) =
      one.utf8.count < other.utf8.count ? (one.utf8, other.utf8) : (other.utf8, one.utf8)
    return short.count == commLength && long.starts(with: short)
  }

  static func haveCommon(_ some: [String], _ others: [String]) -> Bool {
    some.contains { name in others.contains { areSame(name, $0) } }
  }

  private static let general: Set<String> = [
    "stderr", "stdout", "err", "out", "error", "errors", "console", "output", "log", "logs",
    "syslog", "messages", "kern", "daemon", "user", "debug", "",
  ]

  /// What the name of a log file says of the process that writes it: `shop` for `shop.stderr`,
  /// `web` for `web 2026-11-30--10-00-00-000.log`; `nil` when it says nothing.
  static func stem(ofPath path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    var stem = String(name.prefix { $0 != "." && $0 != " " })
    for ending in ["-stderr", "_stderr", "-stdout", "_stdout", "-err", "-out", "-error"]
    where stem.hasSuffix(ending) {
      stem = String(stem.dropLast(ending.count))
    }
    return general.contains(stem) ? nil : stem
  }
}
