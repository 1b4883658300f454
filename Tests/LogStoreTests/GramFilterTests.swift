// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogStore
import SQLite
import TestSupport
import Testing

/// The filter knows every run of five bytes of every record, also where neighbours are almost alike:
/// what a record has in common with the one before is not looked at again.
@Suite struct GramFilterTests {
  private func record(_ text: String, isWhole: Bool, _ arena: ByteArena) -> LogRecord {
    let start = arena.count
    arena.append(text)
    var record = LogRecord()
    record.generation = 1
    record.time = Timestamp(nanoseconds: 1_772_352_000_000_000_000)
    record.body = ByteSlice(start: start, count: arena.count - start)
    if isWhole { record.original = record.body }
    return record
  }

  @Test func everyRunOfFiveBytesIsKnown() throws {
    var random = SeededGenerator(seed: 21)
    let pieces = ["aaaa", "aaaaaaaa", "order ", "cart", "user=", "é", "7", "GET /items/", " 200 "]
    var text = "10.0.0.1 - GET /items/1 200 curl"
    let texts = (0..<9_000).map { index in
      switch Int.random(in: 0..<10, using: &random) {
      case 0: text += pieces.randomElement(using: &random) ?? ""
      case 1: text = (pieces.randomElement(using: &random) ?? "") + text
      case 2: text = String(text.dropFirst(Int.random(in: 0...5, using: &random)))
      case 3: text = String(text.dropLast(Int.random(in: 0...5, using: &random)))
      case 4:
        let cut = text.index(text.startIndex, offsetBy: text.count / 2)
        text = text[..<cut] + String(index) + text[cut...]
      case 5: text = String(text.prefix(40)) + String(text.suffix(20))
      case 6: text = ""
      default: break
      }
      return text
    }
    let folder = try TemporaryDirectory()
    let store = try LogStore(path: folder.file("logs.db"))
    let batch = RecordBatch.ofOneFile()
    for (index, text) in texts.enumerated() {
      batch.records.append(record(text, isWhole: index % 3 == 0, batch.arena))
    }
    try store.commit(batch)

    var blocks: [Int64: [UInt8]] = [:]
    let row = try store.connection.prepare("SELECT block, bits FROM gram_filter")
    while try row.step() { blocks[row.integer(0)] = row.blob(1) }
    var missing = 0
    for (index, text) in texts.enumerated() {
      // The last block is not full yet, and looked through.
      guard let bits = blocks[Int64(index + 1) >> GramHash.blockShift] else { continue }
      let bytes = Array(text.utf8).map(GramHash.folded)
      for start in bytes.indices.dropLast(GramHash.length - 1) {
        let gram = (0..<GramHash.length).reduce(UInt64(0)) {
          $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1)
        }
        let bit = GramHash.bit(of: gram)
        if bits[bit >> 3] >> UInt8(bit & 7) & 1 == 0 { missing += 1 }
      }
    }
    #expect(missing == 0)
    #expect(blocks.count == 2)
  }
}
