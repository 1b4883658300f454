// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import Redaction
internal import Synchronization

/// Looks through many lines of JSON with all rules, in as many threads as are worth it.
final class LineProof {
  private static let threads = 2
  private static let blockBytes = 256 << 10

  private let blocks = BoundedChannel<[UInt8]>(capacity: 4)
  private let result = Result()
  private var workers: [WorkerThread] = []
  private var block: [UInt8] = []

  /// The name of a rule that found something.
  private final class Result: Sendable {
    let rule = Mutex<String?>(nil)
    let hasFound = Atomic(false)
  }

  init(_ rules: RedactionRules) {
    let (blocks, result) = (blocks, result)
    for _ in 0..<Self.threads {
      workers.append(WorkerThread(name: "proof") { Self.work(rules, blocks, result) })
    }
  }

  deinit {
    blocks.close()
    for worker in workers { worker.join() }
  }

  /// Adds bytes; lines may lie across pieces.
  func append(_ bytes: UnsafeRawBufferPointer) {
    block.append(contentsOf: bytes)
    guard block.count >= Self.blockBytes, let end = block.lastIndex(of: 0x0a) else { return }
    let rest = Array(block[(end + 1)...])
    block.removeSubrange((end + 1)...)
    blocks.send(block)
    block = rest
    block.reserveCapacity(Self.blockBytes * 2)
  }

  /// Waits until all is looked through.
  ///
  /// - Returns: the name of a rule that found something; `nil` when none did.
  func finish() -> String? {
    if !block.isEmpty { blocks.send(block) }
    blocks.close()
    for worker in workers { worker.join() }
    return result.rule.withLock { $0 }
  }

  private static func work(
    _ rules: RedactionRules, _ blocks: BoundedChannel<[UInt8]>, _ result: Result
  ) {
    let redactor = Redactor(rules)
    while case .element(let block) = blocks.receive() {
      // What is found once fails all: the rest is only taken away.
      if result.hasFound.load(ordering: .relaxed) { continue }
      block.withUnsafeBufferPointer { bytes in
        guard let base = bytes.baseAddress else { return }
        var start = 0
        while start < bytes.count {
          let newline = memchr(base + start, 0x0a, bytes.count - start)
          let end = newline.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? bytes.count
          let line = TextBytes(rebasing: bytes[start..<end])
          if let rule = DocumentRedactor.firstFinding(in: line, with: redactor) {
            result.rule.withLock { $0 = rule }
            result.hasFound.store(true, ordering: .relaxed)
            return
          }
          start = end + 1
        }
      }
    }
  }
}
