// SPDX-License-Identifier: Apache-2.0

/// What kind of end a crash report tells of. The raw value is stored.
public enum CrashKind: String, Sendable, CaseIterable {
  case signal
  case exception
  case assertion
  case sanitizer
  case outOfMemory = "out-of-memory"
  case hang
  case panic
  case exit
  case unknown
}

/// One frame of a crashed thread's stack, innermost first. Absent parts are `nil`.
public struct CrashFrame: Hashable, Sendable {
  public var address: UInt64?
  /// The binary's name without folders.
  public var image: String?
  /// Demangled where the report or the runtime could do it.
  public var symbol: String?
  /// Bytes after the symbol, or after the image's start when there is no symbol.
  public var offset: UInt64?
  public var file: String?
  public var line: Int?
  public var column: Int?

  public init(
    address: UInt64? = nil, image: String? = nil, symbol: String? = nil, offset: UInt64? = nil,
    file: String? = nil, line: Int? = nil, column: Int? = nil
  ) {
    self.address = address
    self.image = image
    self.symbol = symbol
    self.offset = offset
    self.file = file
    self.line = line
    self.column = column
  }
}

extension CrashFrame {
  /// Whether the frame is of a function that is called when a check of the program has failed.
  package var isFailedCheck: Bool { symbol.map(CrashSymbol.isFailedCheck) ?? false }

  /// Whether the frame tells where in the program it is.
  package var isOwn: Bool {
    guard let symbol else { return false }
    return !(image.map(SystemImages.contains) ?? false) && !CrashSymbol.isGeneric(symbol)
  }
}

/// What was wrong with a report itself.
public struct CrashReportFlags: OptionSet, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It breaks off; what stood before that was read.
  public static let incomplete = CrashReportFlags(rawValue: 1 << 0)
  /// It is no report of any known form; it is kept as it is.
  public static let malformed = CrashReportFlags(rawValue: 1 << 1)
  /// The reporter itself crashed while it wrote the report.
  public static let recrash = CrashReportFlags(rawValue: 1 << 2)
  /// Its time can't be right (before 2001, or ahead of its arrival); the file's time was taken.
  public static let timeSuspect = CrashReportFlags(rawValue: 1 << 3)
  /// It is longer than `max_report_bytes`; only its beginning is kept.
  public static let truncated = CrashReportFlags(rawValue: 1 << 4)
  /// Its time names no zone; the source's or the host's was taken.
  public static let zoneAssumed = CrashReportFlags(rawValue: 1 << 5)

  /// The names of the set flags, as in the `crashes` view.
  public var names: [String] {
    let all: [(CrashReportFlags, String)] = [
      (.incomplete, "incomplete"), (.malformed, "malformed"), (.recrash, "recrash"),
      (.timeSuspect, "time-suspect"), (.truncated, "truncated"),
      (.zoneAssumed, "zone-assumed"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

/// A crash as its report tells it, whatever the report's form. Absent facts are `nil`.
public struct CrashReport: Sendable {
  /// The form, by name: `kscrash`, `swift-backtrace-json`, …
  public var format: String
  /// The report's own identity, if it has one.
  public var reportID: String?
  public var kind: CrashKind = .unknown
  /// When it crashed, by the text.
  public var time: Timestamp?
  public var process: String?
  public var pid: Int64?
  public var executablePath: String?
  public var bundleIdentifier: String?
  public var version: String?
  public var build: String?
  public var osName: String?
  public var osVersion: String?
  public var device: String?
  public var architecture: String?
  /// `SIGSEGV`, …
  public var signal: String?
  /// `SEGV_MAPERR`, …
  public var signalCode: String?
  public var faultAddress: UInt64?
  public var exceptionType: String?
  /// Why, in the words of the report.
  public var reason: String?
  public var crashedThread: Int?
  public var crashedThreadName: String?
  /// The crashed thread's, innermost first.
  public var frames: [CrashFrame] = []
  public var flags: CrashReportFlags = []
  /// Equal for crashes with the same cause; see `CrashFingerprint`. Empty until computed.
  public var fingerprint = ""
  /// The innermost frame that is the program's own, as text.
  public var topFrame: String?
  /// What a person should know of how it was read, such as why it is incomplete.
  public var note: String?
  /// The bytes of the file that are this report, when a file holds several; else the whole file.
  public var byteRange: Range<Int>?

  public init(format: String) { self.format = format }
}

/// A report file, or one block of it, as collected from a spool.
public struct CollectedReport: Sendable {
  public var generation: UInt32
  public var path: String
  /// Bytes in the file.
  public var size: Int64
  /// Lower-case hexadecimal SHA-256 of the report's original bytes.
  public var sha256: String
  /// When the file was last written: the time of the crash when the report has none.
  public var modified: Timestamp
  public var observed: Timestamp
  /// The original bytes, up to `max_report_bytes`.
  public var bytes: [UInt8]
  /// `bytes` as the store keeps them: deflated, in zlib's format.
  public var content: [UInt8] = []
  public var report: CrashReport

  public init(
    generation: UInt32, path: String, size: Int64, sha256: String, modified: Timestamp,
    observed: Timestamp, bytes: [UInt8], report: CrashReport
  ) {
    self.generation = generation
    self.path = path
    self.size = size
    self.sha256 = sha256
    self.modified = modified
    self.observed = observed
    self.bytes = bytes
    self.report = report
  }
}
