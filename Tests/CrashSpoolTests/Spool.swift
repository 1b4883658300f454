// SPDX-License-Identifier: Apache-2.0

internal import CrashSpool
internal import FileIO
internal import LogModel
internal import TestSupport

/// A spool in a temporary folder, with a clock that the test moves.
struct Spool {
  let folder: TemporaryDirectory
  private let directory: String
  private let start: Timestamp
  private let maxReportBytes: Int
  private var scanner: SpoolScanner
  private var lastID: UInt32 = 0

  init(maxReportBytes: Int = 1 << 20, subfolder: String = "") throws {
    folder = try TemporaryDirectory()
    self.maxReportBytes = maxReportBytes
    directory = subfolder.isEmpty ? folder.path : folder.file(subfolder)
    // Files get their times from the machine's clock.
    start = try FileStatus(path: folder.path).modified
    scanner = SpoolScanner(
      source: "crash", directory: directory, maxReportBytes: maxReportBytes, known: [])
  }

  /// The clock `seconds` after the test began.
  func now(after seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: start.nanoseconds + Int64(seconds * 1e9))
  }

  /// A new scanner over the same folder, with what the store knows.
  mutating func restart(known: [FileGeneration]) {
    scanner = SpoolScanner(
      source: "crash", directory: directory, maxReportBytes: maxReportBytes, known: known)
  }

  /// Gives what is stored to `consumer`.
  func hand(to consumer: SpoolConsumer) -> [String: String] { scanner.hand(to: consumer) }

  /// A look at the folder; a file counts as finished when it ends with a brace.
  mutating func scan(after seconds: Double = 0) -> SpoolScan {
    var id = lastID
    defer { lastID = id }
    let next = {
      id += 1
      return id
    }
    return scanner.scan(now: now(after: seconds), newID: next) { bytes, _ in
      bytes.last == UInt8(ascii: "}")
    }
  }
}
