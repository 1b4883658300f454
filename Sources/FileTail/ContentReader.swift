// SPDX-License-Identifier: Apache-2.0

package import FileIO
internal import Glibc
internal import LogModel

/// Why the content of a file can't be read on.
package enum ContentError: Error, CustomStringConvertible, Sendable {
  case file(FileError)
  case compression(path: String, CompressionError)

  /// What is wrong, where the path stands beside it.
  package var problem: String {
    switch self {
    case .file(let error): error.problem
    case .compression(_, let error): error.description
    }
  }

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .compression(let path, let error): "\(path): \(error)"
    }
  }
}

/// Reads the content of a file by offset: as it is, or the uncompressed stream of a gzip file.
package final class ContentReader {
  private enum Storage {
    case plain
    case stream(StreamWindow)
  }

  private let descriptor: FileDescriptor
  private let storage: Storage
  /// Whether offsets count uncompressed bytes; the file itself then tells no length.
  package let isCompressed: Bool

  /// Opens `path`; gzip is recognised by its first bytes, not by its name.
  ///
  /// - Throws: `FileError`.
  package init(path: String) throws(FileError) {
    descriptor = try FileDescriptor.openForReading(path)
    isCompressed = try Self.beginsAsGzip(descriptor)
    storage = isCompressed ? .stream(StreamWindow(kind: .gzip)) : .plain
  }

  private static func beginsAsGzip(_ file: borrowing FileDescriptor) throws(FileError) -> Bool {
    let magic = UnsafeMutableRawBufferPointer.allocate(byteCount: 2, alignment: 1)
    defer { magic.deallocate() }
    return try file.read(into: magic, at: 0) == 2 && magic[0] == 0x1f && magic[1] == 0x8b
  }

  /// Reads a pipe, such as standard input, to its end.
  package init(adopting number: Int32, path: String) {
    descriptor = .adopting(number, path: path)
    isCompressed = false
    storage = .stream(StreamWindow(kind: .pipe))
  }

  /// Whether the file can only be read forward, so that going back costs a new start.
  package var isStream: Bool {
    if case .stream = storage { return true }
    return false
  }

  /// Fills `buffer` with the bytes from `offset` on; fewer only at the end.
  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(ContentError) -> Int {
    switch storage {
    case .plain:
      do throws(FileError) {
        return try descriptor.read(into: buffer, at: offset)
      } catch { throw .file(error) }
    case .stream(let window):
      return try window.read(from: descriptor, into: buffer, at: offset)
    }
  }

  /// The status of the open file, whatever its name is now.
  package func status() throws(FileError) -> FileStatus { try descriptor.status() }
}

/// A sliding window over a stream: what was read and not yet passed by.
private final class StreamWindow {
  enum Kind { case gzip, pipe }

  private let kind: Kind
  private var inflater = Inflater(format: .gzip)
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  private var compressed: [UInt8] = []
  private var consumed = 0
  private var filePosition: Int64 = 0
  private var isAtEnd = false
  private var isBetweenMembers = true
  private var output = [UInt8](repeating: 0, count: 128 << 10)

  init(kind: Kind) { self.kind = kind }

  func read(
    from file: borrowing FileDescriptor, into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(ContentError) -> Int {
    if offset < windowStart { try restart(file) }
    while windowStart + Int64(window.count) < offset + Int64(buffer.count), !isAtEnd {
      // Keep nothing before `offset`: a pipe's reader never goes back behind what it has stored.
      drop(before: offset)
      try fill(from: file)
    }
    drop(before: offset)
    let count = min(buffer.count, max(0, Int(windowStart) + window.count - Int(offset)))
    guard count > 0 else { return 0 }
    let start = Int(offset - windowStart)
    window.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[start..<start + count])) }
    return count
  }

  private func drop(before offset: Int64) {
    // The bytes just before are looked at too, to make the checkpoint's hash.
    let margin = Int64(FileIdentity.maxTailLength)
    let passed = min(window.count, Int(max(0, offset - margin - windowStart)))
    // In large steps only, as moving the rest costs time.
    guard passed > 256 << 10 else { return }
    window.removeFirst(passed)
    windowStart += Int64(passed)
  }

  private func restart(_ file: borrowing FileDescriptor) throws(ContentError) {
    guard kind == .gzip else {
      throw .file(FileError(action: "go back in", path: file.path, errno: ESPIPE))
    }
    inflater = Inflater(format: .gzip)
    window = []
    windowStart = 0
    compressed = []
    consumed = 0
    filePosition = 0
    isAtEnd = false
    isBetweenMembers = true
  }

  private func fill(from file: borrowing FileDescriptor) throws(ContentError) {
    if consumed == compressed.count {
      try readMore(file)
      if isAtEnd { return }
    }
    guard kind == .gzip else {
      window += compressed
      consumed = compressed.count
      return
    }
    do throws(CompressionError) {
      let step = try inflater.inflate(compressed[consumed...], into: &output)
      consumed += step.consumed
      window += output[..<step.produced]
      isBetweenMembers = step.isEnd
      if step.isEnd { inflater.reset() }
    } catch {
      // Zeros and rubbish after a complete member are padding, as gzip(1) takes it.
      if isBetweenMembers {
        isAtEnd = true
      } else {
        throw .compression(path: file.path, error)
      }
    }
  }

  private func readMore(_ file: borrowing FileDescriptor) throws(ContentError) {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var count: Int?
    do throws(FileError) {
      count = try Self.readOnce(file, kind, &piece, filePosition)
    } catch { throw .file(error) }
    guard let count else {
      // A pipe that was opened without waiting, and whose writer is slow.
      var waiting = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
      _ = poll(&waiting, 1, -1)
      return
    }
    if count == 0 { isAtEnd = true }
    filePosition += Int64(count)
    compressed = Array(piece[..<count])
    consumed = 0
  }

  private static func readOnce(
    _ file: borrowing FileDescriptor, _ kind: Kind, _ piece: inout [UInt8], _ position: Int64
  ) throws(FileError) -> Int? {
    var failure: FileError?
    var count: Int?
    piece.withUnsafeMutableBytes { buffer in
      do throws(FileError) {
        count =
          kind == .gzip
          ? try file.read(into: buffer, at: position) : try file.read(into: buffer)
      } catch { failure = error }
    }
    if let failure { throw failure }
    return count
  }
}
