// SPDX-License-Identifier: Apache-2.0

internal import FileIO

/// Checks a bundle as it was received: every member's size and sum, and that none is missing.
package enum BundleVerifier {
  /// What a sound bundle holds.
  package struct Result: Sendable {
    package var members = 0
    /// Of all members, unpacked.
    package var bytes: Int64 = 0
    /// As its manifest says.
    package var isRedacted = false
  }

  /// The most bytes of the members that are read whole.
  private static let mostListBytes = 64 << 20

  /// Reads the whole file; nothing is unpacked to disk.
  ///
  /// - Throws: `BundleError` of kind `unreadable` that names what is wrong; `FileError`.
  package static func verify(_ path: String) throws -> Result {
    let file = try FileDescriptor.openForReading(path)
    guard try file.status().kind == .regular else {
      throw BundleError(.unreadable, "\(path): no file")
    }
    let archive = ArchiveReader(descriptor: file.number, name: path)
    var result = Result()
    var found: [(name: String, sum: String)] = []
    var sums: [UInt8]?
    var manifest: [UInt8]?
    while let member = try archive.next() {
      var hash = SHA256()
      var kept: [UInt8] = []
      var size: Int64 = 0
      let isList = member.name == "SHA256SUMS" || member.name == "manifest.json"
      try archive.content { piece in
        hash.update(piece)
        size += Int64(piece.count)
        if isList {
          kept.append(contentsOf: piece)
          guard kept.count <= mostListBytes else {
            throw BundleError(.unreadable, "\(path): \(member.name) is far too large")
          }
        }
      }
      guard size == member.size else {
        throw BundleError(.unreadable, "\(path): \(member.name) breaks off")
      }
      if member.name == "manifest.json" { manifest = kept }
      if member.name == "SHA256SUMS" {
        sums = kept
      } else {
        found.append((member.name, hash.finish()))
      }
      result.members += 1
      result.bytes += size
    }
    guard let manifest else { throw BundleError(.unreadable, "\(path): it has no manifest.json") }
    guard let sums else { throw BundleError(.unreadable, "\(path): it has no SHA256SUMS") }
    try compare(found, sums, path)
    try check(manifest, found, path)
    result.isRedacted = contains(manifest, "\"redacted\": true")
    return result
  }

  private static func compare(
    _ found: [(name: String, sum: String)], _ sums: [UInt8], _ path: String
  ) throws {
    var listed: [String: String] = [:]
    for line in String(decoding: sums, as: UTF8.self).split(separator: "\n") {
      guard line.utf8.count > 66 else {
        throw BundleError(.unreadable, "\(path): SHA256SUMS is damaged")
      }
      listed[String(line.dropFirst(66))] = String(line.prefix(64))
    }
    for member in found {
      guard let sum = listed.removeValue(forKey: member.name) else {
        throw BundleError(.unreadable, "\(path): \(member.name) is not in SHA256SUMS")
      }
      guard sum == member.sum else {
        throw BundleError(.unreadable, "\(path): \(member.name) is not what SHA256SUMS says")
      }
    }
    if let missing = listed.keys.sorted().first {
      throw BundleError(.unreadable, "\(path): \(missing) is missing")
    }
  }

  /// The manifest names every member with its sum, in the form that we write.
  private static func check(
    _ manifest: [UInt8], _ found: [(name: String, sum: String)], _ path: String
  ) throws {
    guard contains(manifest, "\"format_version\": ") else {
      throw BundleError(.unreadable, "\(path): manifest.json is none of logagent's")
    }
    for member in found where member.name != "manifest.json" {
      guard contains(manifest, "\"sha256\": \"\(member.sum)\"") else {
        throw BundleError(.unreadable, "\(path): \(member.name) is not what manifest.json says")
      }
    }
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let word = Array(text.utf8)
    var start = 0
    while let index = bytes[start...].firstIndex(of: word[0]) {
      if bytes[index...].starts(with: word) { return true }
      start = index + 1
    }
    return false
  }
}
