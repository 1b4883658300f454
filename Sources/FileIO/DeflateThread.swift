// SPDX-License-Identifier: Apache-2.0

internal import CZlib
internal import Synchronization

/// Compresses a stream (raw deflate, RFC 1951) in a thread of its own, while its caller makes more.
///
/// Up to a flush the output stands for itself: it refers to nothing before, and ends at a whole
/// byte. So what several of these have made can be put one after the other.
package final class DeflateThread {
  /// What was compressed between two flushes.
  package struct Segment: Sendable {
    /// CRC-32 of the bytes before they were compressed.
    package var checksum: UInt32
    package var length: Int64

    /// The checksum of this and then `next`.
    package func joined(_ next: Segment) -> Segment {
      let sum = crc32_combine(uLong(checksum), uLong(next.checksum), Int(next.length))
      return Segment(checksum: UInt32(truncatingIfNeeded: sum), length: length + next.length)
    }

    /// Of no bytes.
    package static let empty = Segment(checksum: 0, length: 0)
  }

  private enum Message {
    case bytes([UInt8])
    /// True ends the stream.
    case flush(Bool)
  }

  package typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  private static let blockBytes = 512 << 10

  private let messages = BoundedChannel<Message>(capacity: 4)
  private let answers = BoundedChannel<Segment>(capacity: 1)
  private let failure: Failure
  private var thread: WorkerThread?
  private var block: [UInt8] = []

  /// The first error of the sink.
  private final class Failure: Sendable {
    let hasFailed = Atomic(false)
    let error = Mutex<(any Error & Sendable)?>(nil)
  }

  /// - Parameters:
  ///   - level: of zlib, 1 to 9.
  ///   - sink: takes the output; it is called by another thread until `flush` or `finish` returns.
  package init(level: Int32, sink: @escaping Sink) {
    failure = Failure()
    block.reserveCapacity(Self.blockBytes)
    // Handed over once; the caller touches what it writes to only after a flush.
    nonisolated(unsafe) let sink = sink
    let (messages, answers, failure) = (messages, answers, failure)
    thread = WorkerThread(name: "deflate") {
      Self.work(level, messages, answers, failure, sink)
    }
  }

  deinit {
    messages.close()
    thread?.join()
  }

  /// Adds bytes.
  ///
  /// - Throws: what the sink has thrown.
  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(rest.count, Self.blockBytes - block.count)
      block.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
      if block.count == Self.blockBytes { try send() }
    }
  }

  private func send() throws {
    if failure.hasFailed.load(ordering: .relaxed) { try fail() }
    messages.send(.bytes(block))
    block = []
    block.reserveCapacity(Self.blockBytes)
  }

  /// Waits until all that was added is out, up to a whole byte.
  ///
  /// - Returns: what was added since the last flush.
  /// - Throws: what the sink has thrown.
  package func flush() throws -> Segment { try flush(isEnd: false) }

  /// Ends the stream; nothing can be added after it.
  ///
  /// - Returns: what was added since the last flush.
  /// - Throws: what the sink has thrown.
  package func finish() throws -> Segment { try flush(isEnd: true) }

  private func flush(isEnd: Bool) throws -> Segment {
    if !block.isEmpty { try send() }
    messages.send(.flush(isEnd))
    guard case .element(let segment) = answers.receive() else { return .empty }
    if failure.hasFailed.load(ordering: .acquiring) { try fail() }
    return segment
  }

  private func fail() throws {
    if let error = failure.error.withLock({ $0 }) { throw error }
  }

  private static func work(
    _ level: Int32, _ messages: BoundedChannel<Message>, _ answers: BoundedChannel<Segment>,
    _ failure: Failure, _ sink: Sink
  ) {
    var stream = DeflateStream(level: level)
    var segment = Segment.empty
    while case .element(let message) = messages.receive() {
      if failure.hasFailed.load(ordering: .relaxed) {
        if case .flush = message { answers.send(segment) }
        continue
      }
      do {
        switch message {
        case .bytes(let bytes):
          segment.checksum = stream.checksum(segment.checksum, bytes)
          segment.length += Int64(bytes.count)
          try stream.write(bytes, Z_NO_FLUSH, sink)
        case .flush(let isEnd):
          try stream.write([], isEnd ? Z_FINISH : Z_FULL_FLUSH, sink)
          answers.send(segment)
          segment = .empty
        }
      } catch {
        failure.error.withLock { $0 = error }
        failure.hasFailed.store(true, ordering: .releasing)
        if case .flush = message { answers.send(segment) }
      }
    }
  }
}

/// zlib's state of a raw deflate stream.
private struct DeflateStream: ~Copyable {
  // On the heap: zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)

  init(level: Int32) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = la_deflate_init(stream, level, -15)
    precondition(status == Z_OK, "deflateInit failed: \(status)")
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  func checksum(_ sum: UInt32, _ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(uLong(sum), bytes, uInt(bytes.count)))
  }

  mutating func write(_ bytes: [UInt8], _ flush: Int32, _ sink: DeflateThread.Sink) throws {
    var bytes = bytes
    let capacity = chunk.count
    try bytes.withUnsafeMutableBufferPointer { source in
      stream.pointee.next_in = source.baseAddress
      stream.pointee.avail_in = uInt(source.count)
      repeat {
        let made = chunk.withUnsafeMutableBufferPointer { target in
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = uInt(capacity)
          _ = CZlib.deflate(stream, flush)
          return capacity - Int(stream.pointee.avail_out)
        }
        if made > 0 { try chunk[..<made].withUnsafeBytes { try sink($0) } }
      } while stream.pointee.avail_out == 0
    }
  }
}
