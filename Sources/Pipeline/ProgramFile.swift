// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogParser

/// An executable or a library on this host, read in parts. What is no regular file is not opened
/// for more than a look: a core may name anything.
final class ProgramFile: ImageFile {
  private let file: FileDescriptor

  /// - Returns: `nil` when there is no such file.
  init?(_ path: String) {
    guard path.hasPrefix("/"), let file = try? FileDescriptor.openForReading(path),
      (try? file.status())?.kind == .regular
    else { return nil }
    self.file = file
  }

  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, let size = (try? file.status())?.size,
      Int64(offset) <= size
    else { return nil }
    let length = min(count, Int(size) - offset)
    return try? [UInt8](unsafeUninitializedCapacity: length) { buffer, filled throws(FileError) in
      filled = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: Int64(offset))
    }
  }
  func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
    try? Zlib.inflate(bytes, limit: limit)
  }
}
