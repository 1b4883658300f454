// SPDX-License-Identifier: Apache-2.0

internal import CISAL
internal import FileIO
internal import Glibc
internal import Synchronization

/// Compresses a stream (raw deflate, RFC 1951) in a thread of its own, while its caller makes more.
///
/// By ISA-L: zlib's level 5 takes nine times as long for lines of logs, and gives 7 % less.
///
/// Up to a flush the output stands for itself: it refers to nothing before, and ends at a whole
/// byte. So what several of these have made can be put one after the other.
final class DeflateThread {
  /// What was compressed between two flushes.
  struct Segment: Equatable, Sendable {
    /// CRC-32 of the bytes before they were compressed.
    var checksum: UInt32
    var length: Int64
    /// Where it was asked for.
    var sha256 = ""

    /// Counts bytes in that come behind it.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      let start = bytes.bindMemory(to: UInt8.self).baseAddress
      checksum = crc32_gzip_refl(checksum, start, UInt64(bytes.count))
      length += Int64(bytes.count)
    }

    /// The checksum of this and then `next`.
    func joined(_ next: Segment) -> Segment {
      Segment(
        checksum: Zlib.checksum(checksum, joinedWith: next.checksum, of: next.length),
        length: length + next.length)
    }

    /// Of no bytes.
    static let empty = Segment(checksum: 0, length: 0)
  }

  private enum Message {
    case bytes([UInt8])
    /// True ends the stream.
    case flush(Bool)
  }

  typealias Sink = (UnsafeRawBufferPointer) throws -> Void

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
  ///   - hashes: whether each segment has its SHA-256, which is made in the thread, too.
  ///   - sink: takes the output; it is called by another thread until `flush` or `finish` returns.
  init(hashes: Bool = false, sink: @escaping Sink) {
    failure = Failure()
    // Handed over once; the caller touches what it writes to only after a flush.
    nonisolated(unsafe) let sink = sink
    let (messages, answers, failure) = (messages, answers, failure)
    thread = WorkerThread(name: "deflate") {
      Self.work(messages, answers, failure, hashes, sink)
    }
  }

  deinit {
    messages.close()
    thread?.join()
  }

  /// Adds bytes.
  ///
  /// - Throws: what the sink has thrown.
  func append(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = min(rest.count, Self.blockBytes - block.count)
      block.append(contentsOf: rest.prefix(count))
      rest = rest.dropFirst(count)
      if block.count == Self.blockBytes { try send() }
    }
  }

  /// Adds bytes that somebody else has, too, without a copy.
  ///
  /// - Throws: what the sink has thrown.
  func append(shared bytes: [UInt8]) throws {
    if !block.isEmpty { try send() }
    try send(bytes)
  }

  private func send() throws {
    try send(block)
    block = []
    block.reserveCapacity(Self.blockBytes)
  }

  private func send(_ bytes: [UInt8]) throws {
    if failure.hasFailed.load(ordering: .relaxed) { try fail() }
    messages.send(.bytes(bytes))
  }

  /// Waits until all that was added is out, up to a whole byte.
  ///
  /// - Returns: what was added since the last flush.
  /// - Throws: what the sink has thrown.
  func flush() throws -> Segment { try flush(isEnd: false) }

  /// Ends the stream; nothing can be added after it.
  ///
  /// - Returns: what was added since the last flush.
  /// - Throws: what the sink has thrown.
  func finish() throws -> Segment { try flush(isEnd: true) }

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
    _ messages: BoundedChannel<Message>, _ answers: BoundedChannel<Segment>, _ failure: Failure,
    _ hashes: Bool, _ sink: Sink
  ) {
    var stream = DeflateStream()
    var hash = SHA256()
    var segment = Segment.empty
    while case .element(let message) = messages.receive() {
      if failure.hasFailed.load(ordering: .relaxed) {
        if case .flush = message { answers.send(segment) }
        continue
      }
      do {
        switch message {
        case .bytes(let bytes):
          bytes.withUnsafeBytes {
            segment.add($0)
            if hashes { hash.update($0) }
          }
          try stream.write(bytes, .more, sink)
        case .flush(let isEnd):
          try stream.write([], isEnd ? .end : .flush, sink)
          if hashes {
            segment.sha256 = hash.finish()
            hash = SHA256()
          }
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

/// ISA-L's state of a raw deflate stream.
private struct DeflateStream: ~Copyable {
  enum Goal {
    case more
    case flush
    case end
  }

  private let state: UnsafeMutableRawPointer
  private var chunk = [UInt8](repeating: 0, count: 256 << 10)

  init() {
    guard let state = la_isal_deflate_new() else { fatalError("out of memory") }
    self.state = state
  }

  deinit { free(state) }

  mutating func write(_ bytes: [UInt8], _ goal: Goal, _ sink: DeflateThread.Sink) throws {
    let capacity = UInt32(chunk.count)
    try bytes.withUnsafeBufferPointer { source in
      var rest = source[...]
      var isDone = false
      while !isDone {
        let step = chunk.withUnsafeMutableBufferPointer {
          la_isal_deflate(
            state, UnsafeBufferPointer(rebasing: rest).baseAddress, UInt32(rest.count),
            $0.baseAddress, capacity, goal == .flush, goal == .end)
        }
        rest = rest.dropFirst(Int(step.consumed))
        if step.produced > 0 {
          try chunk[..<Int(step.produced)].withUnsafeBytes { try sink($0) }
        }
        isDone = goal == .end ? step.is_end : rest.isEmpty && step.produced < capacity
      }
    }
  }
}
