// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import FileTail
internal import LogModel
internal import LogParser

/// The configuration in the terms of the stages.
struct AgentSources {
  var tails: [TailSource] = []
  var rules: [LogReader.SourceRules] = []
  /// Folders and files in which crash reports may lie among other files.
  var mixedPaths: [String] = []
  var readsStandardInput = false
  /// Paths that were named and do not exist.
  var missing: [String] = []
  /// Zones that the system does not know, by the name in the configuration.
  var unknownZones: [String] = []

  /// - Parameters:
  ///   - configuration: what to read.
  ///   - findsRotated: a file that is named also stands for its rotated siblings.
  init(_ configuration: Configuration, findsRotated: Bool) {
    let zone = zone(named: configuration.timeZone, else: HostTimeZone.current())
    for source in configuration.sources {
      tails.append(
        TailSource(
          name: source.name, include: source.include.map(GlobPattern.init),
          exclude: source.exclude.map(GlobPattern.init), readsBinary: source.binary == .text))
      rules.append(
        .init(
          multiline: source.multiline, zone: self.zone(named: source.timeZone, else: zone)))
    }
    for path in configuration.paths {
      if path == "-" {
        readsStandardInput = true
        continue
      }
      let path = FileSystem.absolutePath(path)
      guard let status = try? FileStatus(path: path) else {
        missing.append(path)
        if findsRotated { addFile(path, findsRotated: true, zone) }
        continue
      }
      mixedPaths.append(path)
      if status.kind == .folder {
        tails.append(
          TailSource(name: nil, include: [GlobPattern(path + "/**/*")], root: path))
        rules.append(.init(multiline: .auto, zone: zone))
      } else {
        addFile(path, findsRotated: findsRotated, zone)
      }
    }
    if readsStandardInput {
      // It is no path to look for; its rules stand last.
      tails.append(TailSource(name: "stdin", include: []))
      rules.append(.init(multiline: .auto, zone: zone))
    }
  }

  /// Whether a path is one of those that are looked for.
  func covers(_ path: String) -> Bool {
    tails.contains { $0.include.contains { $0.matches(path) } }
  }

  private mutating func addFile(_ path: String, findsRotated: Bool, _ zone: TimeZone) {
    var include = [GlobPattern(path)]
    if findsRotated { include += [GlobPattern(path + ".[0-9]*"), GlobPattern(path + "-[0-9]*")] }
    tails.append(TailSource(name: nil, include: include))
    rules.append(.init(multiline: .auto, zone: zone))
  }

  private mutating func zone(named name: String?, else fallback: TimeZone) -> TimeZone {
    guard let name else { return fallback }
    if let zone = HostTimeZone.named(name) { return zone }
    unknownZones.append(name)
    return fallback
  }
}

extension AssemblyLimits {
  init(_ limits: Limits) {
    self.init(
      maxLineBytes: limits.maxLineBytes, maxRecordLines: limits.maxRecordLines,
      maxRecordBytes: limits.maxRecordBytes)
  }
}

/// What a file is, by its first bytes, where nothing in the configuration says it.
enum ContentClassifier {
  static func classify(_ head: UnsafeBufferPointer<UInt8>, _ path: String) -> ContentKind {
    let name = FileSystem.name(of: path)
    if CrashReportParser.recognise(head: head, name: name) != nil { return .report }
    if let reason = binaryReason(head) { return .binary(reason) }
    return .log
  }

  private static let magics: [([UInt8], String)] = [
    ([0x7f, 0x45, 0x4c, 0x46], "an ELF file, not a log"),
    (Array("SQLite format 3".utf8), "an SQLite database, not a log"),
    (Array("LPKSHHRH".utf8), "a journald file; use `journalctl -o export`"),
    ([0x28, 0xb5, 0x2f, 0xfd], "compressed with zstd; only gzip is read"),
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a], "compressed with xz; only gzip is read"),
    (Array("BZh".utf8), "compressed with bzip2; only gzip is read"),
    (Array("MDMP".utf8), "a minidump, not a log"),
    (Array("\u{89}PNG".utf8), "a picture, not a log"),
    (Array("PK\u{3}\u{4}".utf8), "a zip archive, not a log"),
  ]

  private static func binaryReason(_ head: UnsafeBufferPointer<UInt8>) -> String? {
    for (magic, reason) in magics where head.starts(with: magic) { return reason }
    if TextEncoding(fileBeginning: head) != .utf8 { return nil }
    var control = 0
    var zeros = 0
    for byte in head {
      if byte == 0 {
        zeros += 1
        continue
      }
      // A long run of NULs is a hole that copytruncate leaves; text has no others.
      if zeros > 0 && zeros < 64 { control += zeros }
      zeros = 0
      if byte < 9 || (byte > 13 && byte < 27) { control += 1 }
    }
    return control * 20 > head.count ? "binary data, not a log" : nil
  }
}
