// SPDX-License-Identifier: Apache-2.0

internal import CZlib

/// Compressed data that breaks off, is damaged, or is larger than allowed.
package struct CompressionError: Error, CustomStringConvertible, Sendable {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// Whole values in zlib's format, as the store keeps crash reports.
package enum Zlib {
  /// `bytes` compressed.
  package static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
      let status = compress2(buffer.baseAddress, &length, bytes, uLong(bytes.count), 6)
      precondition(status == Z_OK, "compress2 into compressBound bytes failed: \(status)")
      count = Int(length)
    }
  }

  /// The CRC-32 of some bytes and then others, from those of each.
  ///
  /// - Parameter length: of the others.
  package static func checksum(_ first: UInt32, joinedWith next: UInt32, of length: Int64) -> UInt32
  {
    UInt32(truncatingIfNeeded: crc32_combine(uLong(first), uLong(next), Int(length)))
  }

  /// The bytes that `deflate` was given.
  ///
  /// - Parameters:
  ///   - bytes: a value in zlib's format.
  ///   - limit: the most bytes that it may become.
  /// - Throws: `CompressionError` when it is damaged, or longer than `limit`.
  package static func inflate(_ bytes: [UInt8], limit: Int) throws(CompressionError) -> [UInt8] {
    var inflater = Inflater(format: .zlib)
    var result: [UInt8] = []
    var rest = bytes[...]
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let step = try inflater.inflate(rest, into: &chunk)
      rest = rest.dropFirst(step.consumed)
      result += chunk[..<step.produced]
      if result.count > limit { throw CompressionError("it is longer than \(limit) bytes") }
      if step.isEnd { return result }
      if step.produced == 0 && rest.isEmpty { throw CompressionError("it breaks off") }
    }
  }
}

/// Inflates a stream step by step.
package struct Inflater: ~Copyable {
  /// What the stream is wrapped in.
  package enum Format: Sendable {
    case zlib
    /// One gzip member after the other.
    case gzip
  }

  /// How far one call has come.
  package struct Step: Sendable {
    /// Compressed bytes that were taken.
    package var consumed: Int
    /// Bytes that were written to the target.
    package var produced: Int
    /// The stream, or this gzip member, is complete.
    package var isEnd: Bool

    package init(consumed: Int, produced: Int, isEnd: Bool) {
      (self.consumed, self.produced, self.isEnd) = (consumed, produced, isEnd)
    }
  }

  // On the heap: zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>

  package init(format: Format) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = la_inflate_init(stream, format == .gzip ? 15 + 16 : 15)
    precondition(status == Z_OK, "inflateInit failed: \(status)")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Makes it ready for the next gzip member.
  package mutating func reset() { inflateReset(stream) }

  /// Inflates some of `input` into `output`.
  ///
  /// - Throws: `CompressionError` when the data is damaged.
  package mutating func inflate(
    _ input: ArraySlice<UInt8>, into output: inout [UInt8]
  ) throws(CompressionError) -> Step {
    var status: Int32 = 0
    var step = Step(consumed: 0, produced: 0, isEnd: false)
    let capacity = output.count
    input.withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        stream.pointee.avail_in = uInt(source.count)
        stream.pointee.next_out = target.baseAddress
        stream.pointee.avail_out = uInt(capacity)
        status = CZlib.inflate(stream, Z_NO_FLUSH)
        step.consumed = source.count - Int(stream.pointee.avail_in)
        step.produced = capacity - Int(stream.pointee.avail_out)
      }
    }
    switch status {
    case Z_STREAM_END: step.isEnd = true
    case Z_OK, Z_BUF_ERROR: break
    default:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "code \(status)"
      throw CompressionError("the compressed data is damaged: \(reason)")
    }
    return step
  }
}
