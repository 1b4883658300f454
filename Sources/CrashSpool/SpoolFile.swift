// SPDX-License-Identifier: Apache-2.0

internal import FileIO
package import LogModel

/// A finished file of a spool, read.
package struct SpoolFile: Sendable {
  /// Its place in the store. The checkpoint says which state of the file this is: `offset` and
  /// `size` are its bytes, `lastTime` is its modification time.
  package var generation: FileGeneration
  /// Its content, to be parsed; all of it, up to `SpoolScanner.maxParsedBytes`.
  package var bytes: [UInt8]
  /// How many of `bytes` may be stored.
  package var keptBytes: Int
  /// Bytes in the file.
  package var size: Int64
  /// Lower-case hexadecimal SHA-256 of the whole file.
  package var sha256: String
  /// When it was last written.
  package var modified: Timestamp
  /// The file is compressed: `bytes` is the head of what it holds.
  package var isUnpacked = false

  /// Its name, without what only tells how it is compressed.
  package var reportName: String {
    let name = FileSystem.name(of: generation.path)
    guard isUnpacked else { return name }
    for suffix in [".zst", ".xz", ".lz4"] where name.hasSuffix(suffix) {
      return String(name.dropLast(suffix.count))
    }
    return name
  }

  /// Whether only the file's beginning is stored.
  package var isTruncated: Bool { size > Int64(keptBytes) }
}

/// What a look through a spool found.
package struct SpoolScan: Sendable {
  /// Finished files that are new or have changed.
  package var ready: [SpoolFile] = []
  /// Generations whose problem, path or state has changed, and those that are new with a problem.
  package var problems: [FileGeneration] = []
  /// When to look again without being told: a file will be old enough then, or there is more than
  /// one look takes. `nil` when nothing is waited for.
  package var nextLook: Timestamp?
}

/// Makes of a file's reports what the store takes.
///
/// A report with a `byteRange` gets the bytes of that range, and their SHA-256, so that a block
/// that was stored before is known again in a file that has grown. Others get the whole file's.
///
/// - Parameters:
///   - file: the file that was read.
///   - reports: what was found in `file.bytes`.
///   - observed: now.
/// - Returns: one value for each report, in order; flagged `truncated` when bytes are missing.
package func collect(
  file: SpoolFile, reports: [CrashReport], observed: Timestamp
) -> [CollectedReport] {
  reports.map { report in
    var report = report
    let whole = 0..<file.bytes.count
    let range = report.byteRange?.clamped(to: whole) ?? whole
    let isBlock = report.byteRange != nil && range != whole
    let size = isBlock ? Int64(range.count) : file.size
    let kept = file.bytes[range].prefix(file.keptBytes)
    let isShort = size > Int64(kept.count) || file.bytes[range].count > kept.count
    if isShort { report.flags.insert(.truncated) }
    return CollectedReport(
      generation: file.generation.id, path: file.generation.path, size: size,
      sha256: isBlock ? SHA256.hex(Array(file.bytes[range])) : file.sha256,
      modified: file.modified, observed: observed, bytes: Array(kept), report: report)
  }
}
