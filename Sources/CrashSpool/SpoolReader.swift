// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// Reads one file of a spool: its beginning into memory, all of it into a digest.
struct SpoolReader {
  struct Content {
    var bytes: [UInt8]
    var sha256: String
    /// The status of the open file, the same before and after reading.
    var status: FileStatus
  }

  enum Outcome {
    case content(Content)
    /// It changed while it was read, or vanished.
    case unstable
    case problem(String)
  }

  private static let chunk = 1 << 20

  static func read(_ path: String, maxBytes: Int) -> Outcome {
    do throws(FileError) {
      // Links are refused here too: the name may have become one since it was looked at.
      let file = try FileDescriptor.openForReading(path, followLinks: false)
      let before = try file.status()
      guard before.kind == .regular else { return .problem("it is not a regular file") }
      let (bytes, total, sha256) = try read(file, maxBytes: maxBytes, expected: before.size)
      let after = try file.status()
      guard after == before, total == before.size else { return .unstable }
      return .content(Content(bytes: bytes, sha256: sha256, status: after))
    } catch {
      return error.isNotFound ? .unstable : .problem("cannot \(error.action) it: \(error.reason)")
    }
  }

  private static func read(
    _ file: borrowing FileDescriptor, maxBytes: Int, expected: Int64
  ) throws(FileError) -> (bytes: [UInt8], total: Int64, sha256: String) {
    var hash = SHA256()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(min(expected, Int64(maxBytes))))
    var total: Int64 = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
    defer { buffer.deallocate() }
    // A file that grows faster than it is read is not finished: one byte too many tells.
    while total <= expected {
      let count = try file.read(into: buffer, at: total)
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hash.update(piece)
      bytes.append(contentsOf: piece.prefix(max(0, maxBytes - bytes.count)))
      total += Int64(count)
      if count < chunk { break }
    }
    return (bytes, total, hash.finish())
  }
}
