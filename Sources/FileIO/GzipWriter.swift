// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Compresses a stream into a file in gzip's format.
package struct GzipWriter: ~Copyable {
  // On the heap: zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private let file: FileDescriptor
  private var chunk = [UInt8](repeating: 0, count: 64 << 10)

  /// Begins at the file's current position.
  package init(_ file: consuming FileDescriptor) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = la_deflate_init(stream, 6, 15 + 16)
    precondition(status == Z_OK, "deflateInit failed: \(status)")
    self.file = file
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Adds bytes.
  ///
  /// - Throws: `FileError`.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    try step(bytes, Z_NO_FLUSH)
  }

  /// Ends the stream; nothing may be written after it.
  ///
  /// - Throws: `FileError`.
  package mutating func finish() throws(FileError) { try step([], Z_FINISH) }

  private mutating func step(_ bytes: [UInt8], _ flush: Int32) throws(FileError) {
    var bytes = bytes
    var done = 0
    while true {
      let room = chunk.count
      let left = bytes.count - done
      let status = bytes.withUnsafeMutableBufferPointer { source in
        chunk.withUnsafeMutableBufferPointer { target in
          stream.pointee.next_in = source.baseAddress.map { $0 + done }
          stream.pointee.avail_in = uInt(left)
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = uInt(room)
          return CZlib.deflate(stream, flush)
        }
      }
      done += left - Int(stream.pointee.avail_in)
      try file.write(Array(chunk[..<(room - Int(stream.pointee.avail_out))]))
      if flush == Z_FINISH ? status == Z_STREAM_END : stream.pointee.avail_out > 0 { return }
    }
  }
}
