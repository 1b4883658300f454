// SPDX-License-Identifier: Apache-2.0

internal import FileIO

/// Writes a `.tar.gz` whose bytes depend on nothing but the members and their order.
///
/// It is compressed by another thread while the next bytes are made. The stream is one gzip member,
/// so that any reader takes it.
final class ArchiveWriter {
  typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  private let sink: Sink
  private let time: Int64
  private let deflater: DeflateThread
  private var whole = DeflateThread.Segment.empty

  /// - Parameters:
  ///   - time: of all members, in seconds since 1970.
  ///   - sink: takes the archive's bytes; another thread calls it until `finish` returns.
  /// - Throws: what the sink throws.
  init(time: Int64, sink: @escaping Sink) throws {
    self.sink = sink
    self.time = max(0, time)
    // RFC 1952: deflate, no name, no time, no extra, of an unknown system.
    let head: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]
    try head.withUnsafeBytes { try sink($0) }
    deflater = DeflateThread(sink: sink)
  }

  /// Adds a member whose content comes in pieces.
  ///
  /// - Parameters:
  ///   - name: relative, with `/`.
  ///   - size: bytes; exactly so many must come.
  ///   - content: calls its argument with each piece.
  /// - Throws: what the sink throws, `BundleError`.
  func add(_ name: String, size: Int64, content: (Sink) throws -> Void) throws {
    try put(TarHeader.bytes(name: name, size: size, time: time))
    var rest = size
    try content { piece in
      rest -= Int64(piece.count)
      guard rest >= 0 else { throw BundleError(.inputOutput, "\(name): it grew while it was read") }
      try deflater.append(piece)
    }
    guard rest == 0 else { throw BundleError(.inputOutput, "\(name): it shrank while it was read") }
    try put(TarHeader.padding(size))
  }

  /// Adds a member from memory.
  func add(_ name: String, _ bytes: [UInt8]) throws {
    try add(name, size: Int64(bytes.count)) { write in
      try bytes.withUnsafeBytes { try write($0) }
    }
  }

  /// Adds a member that was compressed before its size was known.
  ///
  /// - Throws: what the sink throws, `FileError`.
  func add(_ name: String, _ content: CompressedContent) throws {
    try put(TarHeader.bytes(name: name, size: content.segment.length, time: time))
    // Up to here, then the content as it is: nothing refers across the two.
    whole = whole.joined(try deflater.flush())
    try content.forEachPiece(sink)
    whole = whole.joined(content.segment)
    try put(TarHeader.padding(content.segment.length))
  }

  /// Ends the archive; nothing can be added any more.
  func finish() throws {
    try put([UInt8](repeating: 0, count: 2 * TarHeader.blockBytes))
    whole = whole.joined(try deflater.finish())
    var tail: [UInt8] = []
    for value in [whole.checksum, UInt32(truncatingIfNeeded: whole.length)] {
      for shift in [0, 8, 16, 24] as [UInt32] {
        tail.append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
    try tail.withUnsafeBytes { try sink($0) }
  }

  private func put(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try deflater.append($0) }
  }
}

/// Bytes that are compressed into a file without a name, for a member of an archive.
final class CompressedContent {
  private let file: FileDescriptor
  private let deflater: DeflateThread
  private(set) var segment = DeflateThread.Segment.empty

  /// The compressed size, so far.
  var writtenBytes: Int64 { (try? file.status().size) ?? 0 }

  /// - Parameter path: where the file is made; it is gone from there at once.
  /// - Throws: `FileError`.
  init(path: String) throws {
    try FileSystem.remove(path)
    let file = try FileDescriptor.create(path)
    let reader = try FileDescriptor.openForReading(path)
    try FileSystem.remove(path)
    self.file = reader
    let writer = Writer(file)
    deflater = DeflateThread(hashes: true) { try writer.file.write($0) }
  }

  private final class Writer {
    let file: FileDescriptor
    init(_ file: consuming FileDescriptor) { self.file = file }
  }

  /// Adds bytes.
  ///
  /// - Throws: `FileError`.
  func append(_ bytes: [UInt8]) throws { try deflater.append(shared: bytes) }

  /// Ends it.
  ///
  /// - Throws: `FileError`.
  func finish() throws { segment = try deflater.flush() }

  /// Calls `body` with the compressed bytes.
  ///
  /// - Throws: `FileError`, what `body` throws.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    var offset: Int64 = 0
    while case let count = try buffer.withUnsafeMutableBytes({ try file.read(into: $0, at: offset) }
    ),
      count > 0
    {
      try buffer[..<count].withUnsafeBytes { try body($0) }
      offset += Int64(count)
    }
  }
}
