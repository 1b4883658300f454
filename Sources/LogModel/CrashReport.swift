// SPDX-License-Identifier: Apache-2.0

/// What kind of end a crash report tells of. The raw value is stored.
package enum CrashKind: String, Sendable, CaseIterable {
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
package struct CrashFrame: Hashable, Sendable {
  package var address: UInt64?
  /// The binary's name without folders.
  package var image: String?
  /// Demangled where the report or the runtime could do it.
  package var symbol: String?
  /// Bytes after the symbol, or after the image's start when there is no symbol.
  package var offset: UInt64?
  package var file: String?
  package var line: Int?
  package var column: Int?

  package init(
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
package struct CrashReportFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It breaks off; what stood before that was read.
  package static let incomplete = CrashReportFlags(rawValue: 1 << 0)
  /// It is no report of any known form; it is kept as it is.
  package static let malformed = CrashReportFlags(rawValue: 1 << 1)
  /// The reporter itself crashed while it wrote the report.
  package static let recrash = CrashReportFlags(rawValue: 1 << 2)
  /// Its time can't be right (before 2001, or ahead of its arrival); the file's time was taken.
  package static let timeSuspect = CrashReportFlags(rawValue: 1 << 3)
  /// It is longer than `max_report_bytes`; only its beginning is kept.
  package static let truncated = CrashReportFlags(rawValue: 1 << 4)
  /// Its time names no zone; the source's or the host's was taken.
  package static let zoneAssumed = CrashReportFlags(rawValue: 1 << 5)

  /// The names of the set flags, as in the `crashes` view.
  package var names: [String] {
    let all: [(CrashReportFlags, String)] = [
      (.incomplete, "incomplete"), (.malformed, "malformed"), (.recrash, "recrash"),
      (.timeSuspect, "time-suspect"), (.truncated, "truncated"),
      (.zoneAssumed, "zone-assumed"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

/// A crash as its report tells it, whatever the report's form. Absent facts are `nil`.
package struct CrashReport: Sendable {
  /// The form, by name: `kscrash`, `swift-backtrace-json`, …
  package var format: String
  /// The report's own identity, if it has one.
  package var reportID: String?
  package var kind: CrashKind = .unknown
  /// When it crashed, by the text.
  package var time: Timestamp?
  package var process: String?
  package var pid: Int64?
  package var executablePath: String?
  package var bundleIdentifier: String?
  package var version: String?
  package var build: String?
  package var osName: String?
  package var osVersion: String?
  package var device: String?
  package var architecture: String?
  /// `SIGSEGV`, …
  package var signal: String?
  /// `SEGV_MAPERR`, …
  package var signalCode: String?
  package var faultAddress: UInt64?
  package var exceptionType: String?
  /// Why, in the words of the report.
  package var reason: String?
  package var crashedThread: Int?
  package var crashedThreadName: String?
  /// The crashed thread's, innermost first.
  package var frames: [CrashFrame] = []
  package var flags: CrashReportFlags = []
  /// Equal for crashes with the same cause; see `CrashFingerprint`. Empty until computed.
  package var fingerprint = ""
  /// The innermost frame that is the program's own, as text.
  package var topFrame: String?
  /// What a person should know of how it was read, such as why it is incomplete.
  package var note: String?
  /// The bytes of the file that are this report, when a file holds several; else the whole file.
  package var byteRange: Range<Int>?

  package init(format: String) { self.format = format }
}

/// A report file, or one block of it, as collected from a spool.
package struct CollectedReport: Sendable {
  package var generation: UInt32
  package var path: String
  /// Bytes in the file.
  package var size: Int64
  /// Lower-case hexadecimal SHA-256 of the report's original bytes.
  package var sha256: String
  /// When the file was last written: the time of the crash when the report has none.
  package var modified: Timestamp
  package var observed: Timestamp
  /// The original bytes, up to `max_report_bytes`.
  package var bytes: [UInt8]
  /// `bytes` as the store keeps them: deflated, in zlib's format.
  package var content: [UInt8] = []
  package var report: CrashReport

  package init(
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
