// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import Redaction
internal import Synchronization

/// Looks through lines of JSON with all rules, in a thread of its own, while more are made.
final class LineProof {
  /// What came of it.
  struct Outcome: Sendable {
    /// The name of a rule that found something; `nil` when none did.
    var rule: String?
    /// The lines that were looked through.
    var lines = DeflateThread.Segment.empty
  }

  private let blocks = BoundedChannel<[UInt8]>(capacity: 4)
  private let result = Result()
  private var worker: WorkerThread?

  private final class Result: Sendable {
    let outcome = Mutex(Outcome())
  }

  init(_ rules: RedactionRules) {
    let (blocks, result) = (blocks, result)
    worker = WorkerThread(name: "proof") { Self.work(rules, blocks, result) }
  }

  deinit {
    blocks.close()
    worker?.join()
  }

  /// Adds whole lines.
  func append(_ lines: [UInt8]) { blocks.send(lines) }

  /// Waits until all is looked through.
  func finish() -> Outcome {
    blocks.close()
    worker?.join()
    return result.outcome.withLock { $0 }
  }

  private static func work(
    _ rules: RedactionRules, _ blocks: BoundedChannel<[UInt8]>, _ result: Result
  ) {
    let redactor = Redactor(rules)
    var outcome = Outcome()
    while case .element(let block) = blocks.receive() {
      // What is found once fails all: the rest is only taken away.
      if outcome.rule != nil { continue }
      block.withUnsafeBytes { outcome.lines.add($0) }
      outcome.rule = block.withUnsafeBufferPointer { firstFinding(in: $0, redactor) }
    }
    result.outcome.withLock { $0 = outcome }
  }

  private static func firstFinding(in lines: TextBytes, _ redactor: Redactor) -> String? {
    guard let base = lines.baseAddress else { return nil }
    var start = 0
    while start < lines.count {
      let newline = memchr(base + start, 0x0a, lines.count - start)
      let end = newline.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) } ?? lines.count
      let line = TextBytes(rebasing: lines[start..<end])
      if let rule = DocumentRedactor.firstFinding(in: line, with: redactor) { return rule }
      start = end + 1
    }
    return nil
  }
}
