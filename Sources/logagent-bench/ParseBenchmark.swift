// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogModel
internal import LogParser

/// Measures cutting, joining and parsing, without reading and storing. CPU time, the best of five
/// rounds; the ratio is against swift-log in the same run.
///
/// Each format has two inputs: its example over and over, and its samples in turn with numbers that
/// differ from line to line, as in a real file.
struct ParseBenchmark {
  let lines: Int
  /// Formats to measure; all when it is empty.
  let names: [String]

  private static let rounds = 5
  private static let now = Timestamp(nanoseconds: 1_796_000_000_000_000_000)

  /// One input, and what it costs.
  private struct Measure {
    var bytesPerLine: Int
    var nanosecondsPerLine: Double

    var megalinesPerSecond: Double { 1000 / nanosecondsPerLine }
  }

  func run() {
    print(
      "                                    example                   samples         of swift-log")
    print(
      "format                    bytes   ns/line  M lines/s   bytes   ns/line  M lines/s    worse")
    let first = FormatRegistry.all.first { $0.name == "swift-log" }.map { measure(example($0)) }
    let baseline = first?.nanosecondsPerLine ?? 0
    for format in FormatRegistry.all where names.isEmpty || names.contains(format.name) {
      let measures = [measure(example(format)), measure(samples(format))]
      let worst = measures.map(\.nanosecondsPerLine).max() ?? 0
      var line = format.name.padded(to: 24)
      for measure in measures {
        line += "\(measure.bytesPerLine)".leftPadded(to: 7)
        line += "\(Int(measure.nanosecondsPerLine.rounded()))".leftPadded(to: 10)
        line += measure.megalinesPerSecond.twoDecimals.leftPadded(to: 11) + " "
      }
      print(line + (baseline / worst).twoDecimals.leftPadded(to: 8))
    }
  }

  /// Measures whole files, each with the format that is found for it; returns the exit code.
  static func run(files: [String]) -> Int32 {
    print("file                           lines   bytes   ns/line  M lines/s")
    var code: Int32 = 0
    for path in files {
      guard let content = read(path), content.contains(10) else {
        let message = "logagent-bench: cannot read lines from \(path)\n"
        _ = write(2, message, message.utf8.count)
        code = 66
        continue
      }
      let benchmark = ParseBenchmark(lines: content.count { $0 == 10 }, names: [])
      let measure = benchmark.measure(content)
      let name = String(path.split(separator: "/").last ?? "")
      print(
        name.padded(to: 26) + "\(benchmark.lines)".leftPadded(to: 10)
          + "\(measure.bytesPerLine)".leftPadded(to: 8)
          + "\(Int(measure.nanosecondsPerLine.rounded()))".leftPadded(to: 10)
          + measure.megalinesPerSecond.twoDecimals.leftPadded(to: 11))
    }
    return code
  }

  private static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { return ferror(file) == 0 ? content : nil }
      content += chunk[..<count]
    }
  }

  private func example(_ format: FormatInfo) -> [UInt8] {
    repeated([Array((format.example + "\n").utf8)])
  }

  private func samples(_ format: FormatInfo) -> [UInt8] {
    let texts = FormatRegistry.samples(of: format.name).map { Array(($0.text + "\n").utf8) }
    return repeated(texts.isEmpty ? [Array((format.example + "\n").utf8)] : texts)
  }

  /// The texts in turn until there are enough lines. The last digit of each run of three or more is
  /// another one each time: dates and times stay what they are.
  private func repeated(_ texts: [[UInt8]]) -> [UInt8] {
    var content: [UInt8] = []
    var count = 0
    var turn = 0
    while count < lines {
      var text = texts[turn % texts.count]
      var run = 0
      for index in text.indices {
        let isDigit = text[index] &- 48 < 10
        if !isDigit, run >= 3, run != 4 || turn % 2 == 0, text[index] != 45, text[index] != 47 {
          text[index - 1] = 48 + UInt8((turn / texts.count + index) % 10)
        }
        run = isDigit ? run + 1 : 0
      }
      content += text
      count += text.count { $0 == 10 }
      turn += 1
    }
    return content
  }

  private func measure(_ content: [UInt8]) -> Measure {
    let count = content.count { $0 == 10 }
    var best = Double.infinity
    for _ in 0..<Self.rounds { best = min(best, seconds { parse(content) }) }
    return Measure(
      bytesPerLine: content.count / count, nanosecondsPerLine: best * 1e9 / Double(count))
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
    let start = ProcessClock.seconds()
    work()
    return ProcessClock.seconds() - start
  }
}

extension Double {
  fileprivate var twoDecimals: String {
    let hundredths = Int((self * 100).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
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
