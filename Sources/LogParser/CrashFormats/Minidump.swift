// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Minidumps of Crashpad, Breakpad and Windows: a header, and a directory of streams. Stacks are
/// not unwound; the frame is the place of the instruction that crashed.
enum Minidump: CrashFormat {
  static let name = "minidump"
  private static let maxStreams = 1024

  static func recognises(_ head: CrashHead) -> Bool {
    let reader = ByteReader(head.bytes)
    return head.bytes.starts(with: "MDMP".utf8) && reader.u16(4) == 0xA793
  }

  /// The writer puts the directory first and its streams behind it: all must be there.
  static func isComplete(_ file: CrashFile) -> Bool {
    let reader = ByteReader(file.bytes)
    guard let streams = streams(reader) else { return false }
    return !streams.isEmpty && streams.values.allSatisfy { $0.upperBound <= reader.count }
  }

  /// The streams by type; `nil` when the directory is not all there.
  private static func streams(_ reader: ByteReader) -> [UInt32: Range<Int>]? {
    guard let count = reader.int32(8), let directory = reader.int32(12), count <= maxStreams,
      directory + count * 12 <= reader.count
    else { return nil }
    var streams: [UInt32: Range<Int>] = [:]
    for index in 0..<count {
      let entry = directory + index * 12
      guard let type = reader.u32(entry), let size = reader.int32(entry + 4),
        let start = reader.int32(entry + 8), streams[type] == nil, type != 0
      else { continue }
      streams[type] = start..<start + size
    }
    return streams
  }

  static func parse(_ file: CrashFile) -> [CrashReport] {
    let reader = ByteReader(file.bytes)
    var report = CrashReport(format: name)
    if let seconds = reader.u32(20), seconds > 0 {
      CrashTime.set(Timestamp(seconds: Int64(seconds)), in: &report, modified: file.modified)
    }
    let streams = streams(reader)
    if streams?.values.allSatisfy({ $0.upperBound <= reader.count }) != true {
      report.flags.insert(.incomplete)
      CrashTime.add("its directory names parts that are not in the file", to: &report)
    }
    var dump = MinidumpReader(reader: reader, streams: streams ?? [:])
    dump.read(into: &report)
    CrashFingerprint.apply(to: &report)
    return [report]
  }
}
