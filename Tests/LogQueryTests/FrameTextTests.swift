// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogParser
import LogStore
import SQLite
import TestSupport
import Testing

@testable import LogQuery

/// Lines of all formats, stored as frames, come back as they were: from the store's own views in
/// plain SQL, and from ours, which are faster.
@Suite struct FrameTextTests {
  private static let now = Timestamp(nanoseconds: 1_796_000_000_000_000_000)

  /// Parses `content` and stores it.
  private func store(_ content: String, at path: String) throws {
    var parser = RecordParser(
      file: FileContext(
        path: "/sample.log", modified: Self.now, now: Self.now, zone: .utc, multiline: .auto,
        lastTime: nil))
    let batch = RecordBatch()
    batch.generations = [
      FileGeneration(
        id: 1, source: "a", path: "/sample.log", identity: FileIdentity(device: 1, inode: 1),
        firstSeen: Self.now)
    ]
    var content = content
    content.withUTF8 { bytes in
      parser.detect(sample: bytes)
      var assembler = RecordAssembler(
        parser: parser,
        limits: AssemblyLimits(maxLineBytes: 1 << 20, maxRecordLines: 500, maxRecordBytes: 1 << 18),
        isLinewise: false)
      _ = assembler.assemble(
        bytes, at: 0, end: .end(.newline), checkpoint: Checkpoint(generation: 1),
        observed: Self.now, written: Self.now, into: batch)
    }
    try LogStore(path: path).commit(batch)
  }

  private func rows(_ connection: Connection, _ sql: String) throws -> [[String?]] {
    let row = try connection.prepare(sql)
    var rows: [[String?]] = []
    while try row.step() { rows.append((0..<row.columnCount).map { row.optionalText($0) }) }
    return rows
  }

  @Test(arguments: FormatRegistry.all.map(\.name))
  func bothWaysGiveWhatStoodInTheFile(_ format: String) throws {
    let folder = try TemporaryDirectory()
    let texts = FormatRegistry.samples(of: format).map(\.text)
    // From the second time on a kind of line has a frame.
    let content = (texts + texts + texts).map { $0 + "\n" }.joined()
    let path = folder.file("logs.db")
    try store(content, at: path)
    let connection = try Connection(path: path, mode: .readWrite)
    let logs = "SELECT * FROM logs ORDER BY id"
    let plain = try rows(connection, logs)
    let length = try connection.integer("SELECT sum(byte_length) FROM record")
    #expect(length.map(Int.init) == content.utf8.count)
    let alone = try connection.prepare(
      "SELECT original FROM logs WHERE byte_length > 0 ORDER BY id")
    var together = ""
    while try alone.step() { together += alone.text(0) + "\n" }
    #expect(together == content)

    try FrameText.install(on: connection)
    // What the store's view has there is known, and replaced by one call.
    #expect(
      try connection.text("SELECT sql FROM sqlite_temp_schema WHERE name = 'logs'")?
        .contains("r.entire AS original") == true)
    let ours = try rows(connection, logs)
    #expect(ours.count == plain.count)
    for (one, other) in zip(ours, plain) { #expect(one == other) }
  }

  /// Values that many records share move into their frame.
  @Test(arguments: FormatRegistry.all.map(\.name))
  func aLineSaysTheSameHoweverOftenItComes(_ format: String) throws {
    let text = try #require(FormatRegistry.samples(of: format).first?.text)
    let folder = try TemporaryDirectory()
    let path = folder.file("logs.db")
    try store(String(repeating: text + "\n", count: 900), at: path)
    let connection = try Connection(path: path, mode: .readWrite)
    // What is the same for all records of the text: it may be several.
    let logs = """
      SELECT body, attributes, original, host_name, service_name, thread_name, trace_id, pid,
        count(*) FROM logs WHERE id > 1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 ORDER BY min(id)
      """
    let plain = try rows(connection, logs)
    #expect(plain.count < 12, "as many as the sample has records: \(plain.count)")

    try FrameText.install(on: connection)
    #expect(try rows(connection, logs) == plain)
  }
}
