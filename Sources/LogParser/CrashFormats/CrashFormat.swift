// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// One form of crash reports: how its files are told and read.
protocol CrashFormat: Sendable, SendableMetatype {
  /// The name stored with a report.
  static var name: String { get }
  /// Whether a file that begins so is a report of this form. Strict: it is asked of log files too.
  static func recognises(_ head: CrashHead) -> Bool
  /// Whether a file in a spool may be read as this form, when none recognises it for certain: what
  /// a program left on its standard error begins with lines of other kinds.
  static func recognisesInSpool(_ head: CrashHead) -> Bool
  /// Every report in a file that `recognises` took; none when nothing in it could be read.
  static func parse(_ file: CrashFile) -> [CrashReport]
  /// Whether a file that `recognises` took is finished, by its own form.
  static func isComplete(_ file: CrashFile) -> Bool
}

extension CrashFormat {
  static func recognisesInSpool(_ head: CrashHead) -> Bool { false }
  // Most forms have no end that tells.
  static func isComplete(_ file: CrashFile) -> Bool { false }
}

/// The beginning of a file, read in the ways that the formats need to tell it.
struct CrashHead {
  /// The most bytes that are looked at.
  static let maxBytes = 4096

  let bytes: [UInt8]
  /// The file's name without folders.
  let name: String
  /// The first lines, without their ends; the last one may be cut.
  let lines: [String]
  /// The beginning as JSON; `nil` unless it starts with a brace.
  let json: JSONTree?

  init(_ head: UnsafeBufferPointer<UInt8>, name: String) {
    self.init(Array(head.prefix(Self.maxBytes)), name: name)
  }

  /// The whole of a file, where its beginning does not tell enough.
  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = CrashText.baseName(name)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = bytes[start...].first { $0 > 0x20 }
    json = first == UInt8(ascii: "{") ? JSONTree(bytes) : nil
    let lines = ReportLines(bytes)
    self.lines = (0..<min(lines.count, 80)).map { lines[$0] }
  }

  /// The first line that is not blank.
  var firstLine: String { lines.first { !CrashText.trim($0).isEmpty } ?? "" }

  /// The outermost object, unless another object follows it as in a log of JSON lines.
  var soleObject: JSONValue? {
    guard let json, let root = json.root, root.isObject else { return nil }
    let goesOn = json.breakOffset == nil && json.endOffset < bytes.count
    return goesOn && bytes[json.endOffset] == UInt8(ascii: "{") ? nil : root
  }
}

/// A whole file that is to be read as a crash report.
struct CrashFile {
  let bytes: [UInt8]
  /// The file's name without folders.
  let name: String
  /// When it was last written.
  let modified: Timestamp

  init(bytes: [UInt8], name: String, modified: Timestamp) {
    self.bytes = bytes
    self.name = CrashText.baseName(name)
    self.modified = modified
  }
}
