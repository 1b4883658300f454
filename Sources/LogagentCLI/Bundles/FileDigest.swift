// SPDX-License-Identifier: Apache-2.0

internal import FileIO

/// Digests of whole files.
enum FileDigest {
  /// SHA-256 in hexadecimal.
  ///
  /// - Throws: `FileError`.
  static func sha256(of path: String) throws -> String {
    let file = try FileDescriptor.openForReading(path)
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var offset: Int64 = 0
    while true {
      let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
      if count == 0 { return hash.finish() }
      buffer[..<count].withUnsafeBytes { hash.update($0) }
      offset += Int64(count)
    }
  }
}
