// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import Glibc

/// An open file, closed when the value goes.
package struct FileDescriptor: ~Copyable, Sendable {
  package let number: Int32
  /// The name that it was opened by, for errors.
  package let path: String

  private init(number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  deinit { close(number) }

  /// Takes over a descriptor.
  package static func adopting(_ number: Int32, path: String) -> FileDescriptor {
    FileDescriptor(number: number, path: path)
  }

  /// Opens for reading, without waiting for the writer of a FIFO.
  ///
  /// - Parameters:
  ///   - path: a name.
  ///   - followLinks: false refuses a last link.
  /// - Throws: `FileError`.
  package static func openForReading(
    _ path: String, followLinks: Bool = true
  ) throws(FileError) -> FileDescriptor {
    let number = FaultInjection.hits(.open, path) ? -1 : la_open_read(path, followLinks ? 1 : 0)
    guard number >= 0 else { throw FileError.last("open", path) }
    return FileDescriptor(number: number, path: path)
  }

  /// Creates a file that must not exist yet, with exactly these permissions from its first byte.
  ///
  /// - Parameters:
  ///   - path: a name.
  ///   - permissions: independent of the umask.
  /// - Throws: `FileError`.
  package static func create(
    _ path: String, permissions: UInt32 = 0o600
  ) throws(FileError) -> FileDescriptor {
    let number = FaultInjection.hits(.create, path) ? -1 : la_create(path, permissions)
    guard number >= 0 else { throw FileError.last("create", path) }
    FileSystem.giveToFolderOwner(path)
    return FileDescriptor(number: number, path: path)
  }

  /// Opens a file for reading and writing; it is made (mode 0600) where it is missing.
  ///
  /// - Throws: `FileError`.
  package static func openOrCreate(_ path: String) throws(FileError) -> FileDescriptor {
    if (try? FileStatus(path: path, followLinks: false)) == nil, let new = try? create(path) {
      return new
    }
    // Another process may have made it a moment ago.
    let number = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard number >= 0 else { throw FileError.last("open", path) }
    return FileDescriptor(number: number, path: path)
  }

  /// The status of the open file, whatever its name leads to by now.
  ///
  /// - Throws: `FileError`.
  package func status() throws(FileError) -> FileStatus {
    var status = la_status()
    guard !FaultInjection.hits(.status, path), la_fstat(number, &status) == 0 else {
      throw FileError.last("look at", path)
    }
    return FileStatus(status)
  }

  /// Reads at `offset` until `buffer` is full or the file ends; returns the bytes read.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      let n =
        FaultInjection.hits(.read, path)
        ? -1 : pread(number, base + done, buffer.count - done, off_t(offset) + off_t(done))
      if n == 0 { break }
      if n < 0 {
        if errno == EINTR { continue }
        throw FileError.last("read", path)
      }
      done += n
    }
    return done
  }

  /// Reads once from the current position; 0 at the end, `nil` when there is nothing yet.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int? {
    while true {
      let n =
        FaultInjection.hits(.read, path)
        ? -1 : Glibc.read(number, buffer.baseAddress, buffer.count)
      if n >= 0 { return n }
      if errno == EAGAIN { return nil }
      if errno != EINTR { throw FileError.last("read", path) }
    }
  }

  /// Writes all of `bytes`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    guard let base = bytes.baseAddress else { return }
    var done = 0
    while done < bytes.count {
      let n =
        FaultInjection.hits(.write, path)
        ? -1 : Glibc.write(number, base + done, bytes.count - done)
      if n < 0 {
        if errno == EINTR { continue }
        throw FileError.last("write", path)
      }
      done += n
    }
  }

  /// Writes all the bytes.
  ///
  /// - Throws: `FileError`; some of them may be written then.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    // The closure can't carry a typed error.
    let result = bytes.withUnsafeBytes { buffer -> Result<Void, FileError> in
      Result { () throws(FileError) in try write(buffer) }
    }
    try result.get()
  }

  /// Writes all of the text, as UTF-8.
  ///
  /// - Throws: `FileError`; some of it may be written then.
  package func write(_ text: String) throws(FileError) { try write([UInt8](text.utf8)) }

  /// Whether some program has the file open for writing; `nil` when that can't be told.
  package func hasWriter() -> Bool? {
    switch la_has_writer(number) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// Waits until the content is on the disk.
  package func synchronize() throws(FileError) {
    guard !FaultInjection.hits(.synchronize, path), fsync(number) == 0 else {
      throw FileError.last("synchronize", path)
    }
  }
}
