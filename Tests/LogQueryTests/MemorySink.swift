// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite
internal import StoreTestSupport
internal import TestSupport

/// Keeps what is written, or fails after so many bytes as a closed pipe does.
final class MemorySink: OutputSink {
  var isTerminal = false
  var columns = 80
  var bytes: [UInt8] = []
  var capacity = Int.max

  var text: String { String(decoding: bytes, as: UTF8.self) }

  func write(_ more: UnsafeRawBufferPointer) throws(OutputError) {
    guard bytes.count + more.count <= capacity else {
      throw OutputError(name: "standard output", reason: "Broken pipe", isClosed: true)
    }
    bytes.append(contentsOf: more)
  }
}

/// A store in a folder of its own, and questions to it.
struct QueryFixture {
  let folder: TemporaryDirectory
  let sample: SampleStore
  let store: QueryStore

  init() throws {
    folder = try TemporaryDirectory()
    sample = try SampleStore(path: folder.file("logs.db"))
    try sample.addFile(1)
    store = try QueryStore(path: sample.path)
  }

  func ask(
    _ sql: String, _ format: ResultFormat = .tsv, raw: Bool = false, sink: MemorySink? = nil,
    limits: QueryLimits = QueryLimits()
  ) throws -> String {
    let sink = sink ?? MemorySink()
    let formatter = format.formatter(for: sink, raw: raw)
    _ = try store.run(sql, limits: limits, formatter: formatter, to: ByteWriter(sink))
    return sink.text
  }
}
