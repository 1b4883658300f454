// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogModel
internal import LogParser

/// Measures cutting, joining and parsing, without reading and storing: each format's own example,
/// repeated. CPU time, the best of five; the ratio is against swift-log in the same run.
struct ParseBenchmark {
  let lines: Int

  private static let rounds = 5
  private static let now = Timestamp(nanoseconds: 1_796_000_000_000_000_000)

  func run() {
    print("format                    bytes/line   ns/line   M lines/s   of swift-log")
    let baseline = FormatRegistry.all.first { $0.name == "swift-log" }.map(nanosecondsPerLine) ?? 0
    for format in FormatRegistry.all {
      let cost = nanosecondsPerLine(format)
      let name = format.name.padded(to: 24)
      let bytes = format.example.utf8.count
      let rate = (1000 / cost * 100).rounded() / 100
      let ratio = (baseline / cost * 100).rounded() / 100
      print(
        "\(name)  \("\(bytes)".leftPadded(to: 10))   \("\(Int(cost.rounded()))".leftPadded(to: 7))"
          + "   \("\(rate)".leftPadded(to: 9))   \("\(ratio)".leftPadded(to: 12))")
    }
  }

  private func nanosecondsPerLine(_ format: FormatInfo) -> Double {
    var content: [UInt8] = []
    for _ in 0..<lines { content += Array((format.example + "\n").utf8) }
    let count = lines * format.example.split(separator: "\n").count
    var best = Double.infinity
    for _ in 0..<Self.rounds { best = min(best, seconds { parse(content) }) }
    return best * 1e9 / Double(count)
  }

  private func parse(_ content: [UInt8]) {
    var parser = RecordParser(
      file: FileContext(
        path: "/bench.log", modified: Self.now, now: Self.now, zone: .utc, multiline: .auto,
        lastTime: nil))
    content.withUnsafeBufferPointer { bytes in
      parser.detect(sample: UnsafeBufferPointer(rebasing: bytes.prefix(64 << 10)))
      let limits = AssemblyLimits(
        maxLineBytes: 1 << 20, maxRecordLines: 500, maxRecordBytes: 256 << 10)
      var assembler = RecordAssembler(parser: parser, limits: limits, isLinewise: false)
      let batch = RecordBatch()
      var checkpoint = Checkpoint(generation: 1)
      // In chunks, as the agent reads.
      while Int(checkpoint.offset) < bytes.count {
        let start = Int(checkpoint.offset)
        let stop = min(bytes.count, start + (256 << 10))
        let assembly = assembler.assemble(
          UnsafeBufferPointer(rebasing: bytes[start..<stop]), at: checkpoint.offset,
          end: stop < bytes.count ? .more : .end(.newline), checkpoint: checkpoint,
          observed: Self.now, written: Self.now, into: batch)
        checkpoint.offset = assembly.storedOffset
        if batch.isFull { batch.removeAll() }
      }
    }
  }

  private func seconds(_ work: () -> Void) -> Double {
    let start = Self.cpuTime()
    work()
    return Self.cpuTime() - start
  }

  private static func cpuTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
