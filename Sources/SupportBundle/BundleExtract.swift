// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

/// Members of a bundle that was received, taken out for those who ask it.
package enum BundleExtract {
  /// The most bytes that a crash report of a bundle may have.
  private static let mostReportBytes = 64 << 20

  /// Unpacks `logs.db` into a private file, gives its path to `body`, and removes it.
  ///
  /// The whole bundle is verified first, so that nothing is unpacked of one that is refused.
  ///
  /// - Parameters:
  ///   - path: of the bundle.
  ///   - folder: where the file is made.
  ///   - body: opens it; once it is open it needs no name.
  /// - Throws: `BundleError`, `FileError`, what `body` throws.
  package static func withDatabase<Result>(
    of path: String, in folder: String, _ body: (String) throws -> Result
  ) throws -> Result {
    _ = try BundleVerifier.verify(path)
    let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let target = "\(folder)/.logagent-\(getpid())-\(number).db"
    try FileSystem.remove(target)
    defer { _ = try? FileSystem.remove(target) }
    let file = try FileDescriptor.create(target)
    guard try copy("logs.db", of: path, to: { try file.write($0) }) else {
      throw BundleError(
        .unreadable,
        "\(path): it has no logs.db, as it was too large; export with --logs-db always")
    }
    return try body(FileSystem.realPath(target) ?? target)
  }

  /// What a bundle says of its records and crashes, one after the other; it is verified first.
  ///
  /// - Parameters:
  ///   - path: of the bundle.
  ///   - record: takes each line of `logs.jsonl`.
  ///   - crash: takes each `crash.json`.
  /// - Throws: `BundleError`, `FileError`, what the closures throw.
  package static func read(
    _ path: String, record: ([UInt8]) throws -> Void, crash: ([UInt8]) throws -> Void
  ) throws {
    _ = try BundleVerifier.verify(path)
    let file = try FileDescriptor.openForReading(path)
    let archive = ArchiveReader(descriptor: file.number, name: path)
    while let member = try archive.next() {
      var line: [UInt8] = []
      if member.name == "logs.jsonl" {
        try archive.content { piece in
          for part in piece.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
            if part.offset > 0 {
              if !line.isEmpty { try record(line) }
              line.removeAll(keepingCapacity: true)
            }
            line.append(contentsOf: part.element)
          }
        }
        if !line.isEmpty { try record(line) }
      } else if member.name.hasSuffix("/crash.json") {
        try archive.content { line.append(contentsOf: $0) }
        try crash(line)
      } else {
        try archive.content { _ in }
      }
    }
  }

  /// The crash reports of a bundle as one JSON array: what is JSON as it is, of others our own form.
  ///
  /// - Parameters:
  ///   - path: of the bundle.
  ///   - isOwnFormOnly: whether none is taken as it is.
  /// - Throws: `BundleError`, `FileError`.
  package static func crashReports(
    of path: String, isOwnFormOnly: Bool = false
  ) throws -> [UInt8] {
    _ = try BundleVerifier.verify(path)
    let file = try FileDescriptor.openForReading(path)
    let archive = ArchiveReader(descriptor: file.number, name: path)
    var order: [String] = []
    var reports: [String: [UInt8]] = [:]
    while let member = try archive.next() {
      let parts = member.name.split(separator: "/")
      guard parts.count == 3, parts[0] == "crashes" else {
        try archive.content { _ in }
        continue
      }
      var bytes: [UInt8] = []
      try archive.content { piece in
        if bytes.count <= mostReportBytes { bytes.append(contentsOf: piece) }
      }
      let id = String(parts[1])
      if reports[id] == nil { order.append(id) }
      let isOwnForm = parts[2] == "crash.json"
      if isOwnForm || ReportText.isDocument(bytes), bytes.count <= mostReportBytes,
        reports[id] == nil || !isOwnForm, isOwnForm || !isOwnFormOnly
      {
        reports[id] = bytes
      }
    }
    var result: [UInt8] = [UInt8(ascii: "[")]
    for id in order {
      guard let bytes = reports[id] else { continue }
      if result.count > 1 { result.append(UInt8(ascii: ",")) }
      result += bytes
    }
    return result + [UInt8(ascii: "]")]
  }

  /// The bytes of a member of a sound bundle; `nil` when it has none of this name.
  ///
  /// - Throws: `BundleError`, `FileError`.
  package static func member(_ name: String, of path: String) throws -> [UInt8]? {
    _ = try BundleVerifier.verify(path)
    var bytes: [UInt8] = []
    let isThere = try copy(name, of: path) { piece in
      guard bytes.count <= mostReportBytes else {
        throw BundleError(.unreadable, "\(path): \(name) is far too large")
      }
      bytes.append(contentsOf: piece)
    }
    return isThere ? bytes : nil
  }

  /// Copies a member; false when there is none.
  private static func copy(
    _ name: String, of path: String, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    let file = try FileDescriptor.openForReading(path)
    let archive = ArchiveReader(descriptor: file.number, name: path)
    while let member = try archive.next() {
      if member.name == name {
        try archive.content(sink)
        return true
      }
      try archive.content { _ in }
    }
    return false
  }
}
