// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel
internal import LogStore
internal import SQLite

/// Measures what pruning does to ingestion: the latency of commits into a large store while nothing
/// is pruned, and then while each commit has to make room, until a tenth of the rows has gone; and
/// how the file grows over ten such rounds.
struct PruneBenchmark {
  let rows: Int

  private static let batchRows = 2_000

  func run() -> Int32 {
    let folder = "/tmp/logagent-bench-\(getpid())"
    defer {
      for end in ["", "-wal", "-shm"] { try? FileSystem.remove(folder + "/logs.db" + end) }
      rmdir(folder)
    }
    do {
      try FileSystem.makeFolder(folder, permissions: 0o700)
      try measure(folder + "/logs.db")
      return 0
    } catch {
      print("logagent-bench: \(error)")
      return 74
    }
  }

  private func measure(_ path: String) throws {
    let store = try LogStore(path: path)
    var rule = RetentionRule(maxBytes: 1 << 40)
    try store.apply(rule)
    var writer = RowWriter()
    _ = try writer.write(rows - rows / 10, to: store, rule)
    let (without, plain) = try timed { try writer.write(rows / 10, to: store, rule) }
    try store.settle()
    let size = try FileStatus(path: path).size
    // What is there now is all that there may be.
    rule = RetentionRule(maxBytes: size + (8 << 20))
    try store.apply(rule)
    let (with, pruning) = try timed { try writer.write(rows / 10, to: store, rule) }
    print("rows in the store            \(rows), \(size / 1_000_000) MB")
    report("commit of \(Self.batchRows) rows, alone", without[...])
    report("the same while pruning", with[...])
    let ratio = Self.quantile(with[...], 0.99) / Self.quantile(without[...], 0.99)
    print("p99 while pruning / alone    \(Self.rounded(ratio)) (less than 3 is wanted)")
    print("CPU to store \(rows / 10) rows    \(Self.rounded(plain)) s")
    print("CPU to prune as many         \(Self.rounded(pruning - plain)) s (0.6 or less is wanted)")
    for _ in 0..<9 { _ = try writer.write(rows / 10, to: store, rule) }
    try store.settle()
    let growth = Double(try FileStatus(path: path).size) / Double(size)
    print("file after ten such rounds   \(Self.rounded(growth)) of its size")
  }

  /// What `work` gives, and the seconds of CPU that it took.
  private func timed(_ work: () throws -> [Double]) rethrows -> ([Double], Double) {
    let start = ProcessClock.seconds()
    let result = try work()
    return (result, ProcessClock.seconds() - start)
  }

  private func report(_ name: String, _ seconds: ArraySlice<Double>) {
    let parts = [0.5, 0.99, 1].map { Self.rounded(Self.quantile(seconds, $0) * 1000) }
    print("\(name): p50 \(parts[0]) ms, p99 \(parts[1]) ms, most \(parts[2]) ms")
  }

  private static func quantile(_ values: ArraySlice<Double>, _ share: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Writes rows as the agent's store thread does: room, commit, one step of pruning.
  private struct RowWriter {
    private var next: Int64 = 0
    private let batch = RecordBatch()

    /// Seconds that each batch took.
    mutating func write(_ rows: Int, to store: LogStore, _ rule: RetentionRule) throws -> [Double] {
      var seconds: [Double] = []
      for _ in 0..<(rows / batchRows) {
        fill()
        let start = ContinuousClock.now
        try store.makeRoom(for: batch, rule)
        try store.commit(batch)
        _ = try store.prune(rule, now: Timestamp(nanoseconds: next * 1_000_000))
        let elapsed = ContinuousClock.now - start
        seconds.append(
          Double(elapsed.components.attoseconds) / 1e18
            + Double(elapsed.components.seconds))
      }
      return seconds
    }

    private mutating func fill() {
      batch.removeAll()
      batch.generations = [
        FileGeneration(
          id: 1, source: "shop", path: "/shop.log",
          identity: FileIdentity(device: 1, inode: 1), firstSeen: Timestamp(nanoseconds: 0))
      ]
      for _ in 0..<batchRows {
        var record = LogRecord()
        record.generation = 1
        record.byteOffset = next * 120
        record.byteLength = 120
        record.time = Timestamp(nanoseconds: next * 1_000_000)
        record.severity = next % 50 == 0 ? .error : .info
        record.head = put("info shop: ")
        record.body = put(
          "checkout \(next) of cart \(next % 977) finished after retries, all is well")
        record.attributes = members([
          ("request-id", "\"\(next &* 7919)\""), ("user", "\(next % 5000)"),
        ])
        batch.records.append(record)
        next += 1
      }
      var checkpoint = Checkpoint(generation: 1)
      checkpoint.offset = next * 120
      batch.note(checkpoint)
    }

    /// Attributes as a parser leaves them; their values are JSON.
    private func members(_ members: [(key: String, value: String)]) -> AttributeList {
      let (first, places) = batch.arena.unusedPlaces(members.count)
      let start = batch.arena.count
      for (index, member) in members.enumerated() {
        batch.arena.append("\(index == 0 ? "" : ",")\"\(member.key)\":")
        let value = put(member.value)
        places[index] = MemberPlace(
          start: Int(value.start), end: value.end, source: MemberPlace.nowhere)
      }
      batch.arena.commitPlaces(members.count)
      return AttributeList(
        text: ByteSlice(start: start, count: batch.arena.count - start), firstPlace: first,
        placeCount: members.count)
    }

    private func put(_ text: String) -> ByteSlice {
      let start = batch.arena.count
      batch.arena.append(text)
      return ByteSlice(start: start, count: batch.arena.count - start)
    }
  }
}
