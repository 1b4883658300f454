// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A lock of one process on a file, which the kernel gives back when the process ends in any way.
///
/// The lock is on the file, not on its name: it goes along when a folder above it is renamed.
package struct FileLock: ~Copyable {
  private let file: FileDescriptor

  /// Takes the lock; the file is made (mode 0600) where it is missing.
  ///
  /// - Parameters:
  ///   - path: a file that holds nothing.
  ///   - waits: whether to wait for who has it.
  /// - Returns: `nil` when another has it, or when the name has come to stand for another file.
  /// - Throws: `FileError`.
  package static func take(_ path: String, waits: Bool = false) throws(FileError) -> FileLock? {
    let file = try FileDescriptor.openOrCreate(path)
    while flock(file.number, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return nil }
      throw FileError.last("lock", path)
    }
    let own = try file.status()
    guard let named = try? FileStatus(path: path), named.inode == own.inode,
      named.device == own.device
    else { return nil }
    return FileLock(file: file)
  }

  private init(file: consuming FileDescriptor) { self.file = file }
}
