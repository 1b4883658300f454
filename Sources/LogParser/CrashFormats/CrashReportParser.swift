// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Tells and reads the files that crash reporters write.
///
/// Reports come from devices that were dying: a damaged one gives what can be read of it, with a
/// flag and a note, and no input makes this trap, recurse or take more than linear time.
package enum CrashReportParser {
  /// The format's name of a file that is no report of any known form.
  package static let unknownFormat = "unknown"
  /// Frames of a stack that are kept; a runaway recursion has hundreds of thousands.
  package static let maxFrames = 512

  /// In order of trial: forms that are told for certain come first.
  private static let formats: [any CrashFormat.Type] = [
    SwiftBacktraceJSON.self, SwiftBacktraceText.self, KSCrash.self, AppleIPS.self,
    AppleResource.self,
    AppleText.self, Minidump.self, ElfCore.self, PLCrash.self, AndroidProtobuf.self,
    SanitizerText.self, AndroidText.self, JavaFatal.self,
    NodeReport.self, AbrtBacktrace.self, ApportText.self, GdbText.self, GoText.self,
    RustText.self, PythonText.self, HandlerJSON.self, HandlerText.self, UmengText.self,
    KernelOops.self, StandardErrorText.self,
  ]

  /// The names of all forms, in the order of trial.
  package static let formatNames = formats.map { $0.name }

  /// Every report in a file that is taken for one form, whatever it looks like: for tests.
  package static func parse(
    _ bytes: [UInt8], name: String, modified: Timestamp, as format: String
  ) -> [CrashReport] {
    let file = CrashFile(bytes: bytes, name: name, modified: modified)
    return (formats.first { $0.name == format }?.parse(file) ?? []).map { bounded($0) }
  }

  /// The format of a whole-file crash report, by how it begins.
  ///
  /// - Parameters:
  ///   - head: the file's first bytes; 4 KiB are enough.
  ///   - name: the file's name; folders are ignored.
  /// - Returns: `nil` when it is none, such as a log that tells of crashes among other things.
  package static func recognise(head: UnsafeBufferPointer<UInt8>, name: String) -> String? {
    let head = CrashHead(head, name: name)
    return formats.first { $0.recognises(head) }?.name
  }

  /// Every report in a file; each has its fingerprint. None in what a reporter keeps beside its
  /// reports for itself.
  ///
  /// - Parameters:
  ///   - bytes: the file, or its beginning.
  ///   - name: the file's name; folders are ignored.
  ///   - modified: when the file was last written, against which times are checked.
  ///   - inSpool: whether a file of no known form counts as a report, flagged `malformed`.
  ///   - zone: of times that name none.
  package static func parse(
    _ bytes: [UInt8], name: String, modified: Timestamp, inSpool: Bool, zone: TimeZone = .utc
  ) -> [CrashReport] {
    if inSpool, SpoolCompanion.recognises(bytes, name: CrashText.baseName(name)) { return [] }
    let file = CrashFile(bytes: bytes, name: name, modified: modified)
    let reports = format(of: bytes, name: name, inSpool: inSpool)?.parse(file) ?? []
    guard reports.isEmpty, inSpool, !bytes.isEmpty else {
      return reports.map { settled(bounded($0), zone) }
    }
    return [unknown()]
  }

  /// Moves a time that names no zone, and was read as UTC, to where it belongs.
  private static func settled(_ report: CrashReport, _ zone: TimeZone) -> CrashReport {
    guard report.flags.contains(.zoneAssumed), let local = report.time else { return report }
    var report = report
    let offset = zone.offset(forLocal: CivilTime(utc: local), previous: nil)
    report.time = Timestamp(
      nanoseconds: local.nanoseconds &- Int64(offset) &* 1_000_000_000)
    CrashTime.add("its time has no zone; \(zone.name) was taken", to: &report)
    return report
  }

  /// Whether the bytes are a finished report by their own form: nothing more is to be expected.
  ///
  /// - Parameters:
  ///   - bytes: the whole file.
  ///   - format: what `recognise` said.
  package static func isComplete(_ bytes: [UInt8], format: String) -> Bool {
    let file = CrashFile(bytes: bytes, name: "", modified: Timestamp(nanoseconds: 0))
    return formats.first { $0.name == format }?.isComplete(file) ?? false
  }

  /// Texts of a report that are kept, in bytes: the report itself is kept whole beside them.
  private static let maxTextBytes = 32 << 10

  private static func bounded(_ report: CrashReport) -> CrashReport {
    var report = report
    func cut(_ text: inout String?) {
      guard let whole = text, whole.utf8.count > maxTextBytes else { return }
      text = String(decoding: whole.utf8.prefix(maxTextBytes), as: UTF8.self)
    }
    for path in [\.reason, \.process, \.exceptionType, \.reportID, \.topFrame, \.version, \.build]
      as [WritableKeyPath<CrashReport, String?>]
    {
      cut(&report[keyPath: path])
    }
    for index in report.frames.indices {
      cut(&report.frames[index].symbol)
      cut(&report.frames[index].file)
    }
    return report
  }

  private static func format(
    of bytes: [UInt8], name: String, inSpool: Bool
  ) -> (any CrashFormat.Type)? {
    let head = bytes.withUnsafeBufferPointer {
      CrashHead(UnsafeBufferPointer(rebasing: $0.prefix(CrashHead.maxBytes)), name: name)
    }
    let strict = formats.first { $0.recognises(head) }
    guard strict == nil, inSpool else { return strict }
    if let loose = formats.first(where: { $0.recognisesInSpool(head) }) { return loose }
    // JSON has no order: what tells the form may stand behind a stack or a list of images.
    guard head.json != nil, bytes.count > CrashHead.maxBytes else { return nil }
    let whole = CrashHead(bytes, name: name)
    return formats.first { $0.recognises(whole) || $0.recognisesInSpool(whole) }
  }

  private static func unknown() -> CrashReport {
    var report = CrashReport(format: unknownFormat)
    report.flags = .malformed
    report.note = "it is no crash report of a known form"
    CrashFingerprint.apply(to: &report)
    return report
  }

  /// Flags a report whose JSON breaks off, and says where.
  static func noteBreak(of tree: JSONTree, in report: inout CrashReport) {
    guard let offset = tree.breakOffset else { return }
    report.flags.insert(.incomplete)
    CrashTime.add("it breaks off at byte \(offset): \(tree.breakReason ?? "")", to: &report)
  }
}
