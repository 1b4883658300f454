// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser

/// Made-up cores with made-up executables: the core, and after a mark the executable.
enum CoreFuzz {
  private static let mark = Array("\u{1}EXE".utf8)

  /// An executable in memory.
  private struct Bytes: ImageFile {
    var bytes: [UInt8]

    func bytes(at offset: Int, count: Int) -> [UInt8]? {
      guard offset >= 0, offset <= bytes.count, count >= 0 else { return nil }
      return Array(bytes[offset..<offset + min(count, bytes.count - offset)])
    }

    func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? { bytes.count <= limit ? bytes : nil }
  }

  static func failure(_ bytes: [UInt8]) -> String? {
    let cut = bytes.indices.first { bytes[$0...].starts(with: mark) } ?? bytes.count
    let core = Array(bytes[..<cut])
    let image = Bytes(bytes: Array(bytes[cut...].dropFirst(mark.count)))
    let modified = Timestamp(nanoseconds: 1_796_000_000_000_000_000)
    for var report in CrashReportParser.parse(
      core, name: "core", modified: modified, as: "elf-core")
    {
      CoreStack.complete(&report, core: core) { _ in image }
      if report.frames.count > CrashReportParser.maxFrames { return "too many frames" }
      if report.fingerprint.isEmpty { return "no fingerprint" }
    }
    return nil
  }

  static var seeds: [[UInt8]] {
    TinyCore.Machine.allCases.map { machine in
      let tiny = TinyCore(machine)
      return tiny.core + mark + tiny.image
    }
  }
}
