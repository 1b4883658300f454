// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Works out of the texts of a batch what the store needs of them, so that the thread that reads
/// does it while the store's thread inserts the batch before.
package final class BatchPreparer {
  // Used by one thread; the checks would be made for each record.
  @exclusivity(unchecked)
  private var templates = TemplateFinder()
  @exclusivity(unchecked)
  private var contexts = ContextFinder()
  @exclusivity(unchecked)
  private var repeats = RepeatedText()
  private let joined = ByteArena(capacity: 4096)

  package init() {}

  /// Gives the records of a full batch their templates and contexts, and the batch its grams.
  package func prepare(_ batch: RecordBatch) {
    templates.beginBatch()
    contexts.beginBatch()
    for start in stride(from: 0, to: batch.records.count, by: RecordBatch.gramRecords) {
      let end = min(batch.records.count, start + RecordBatch.gramRecords)
      let first = batch.grams.count
      batch.grams.append(contentsOf: repeatElement(0, count: GramHash.blockBytes))
      repeats.forget()
      batch.grams.withUnsafeMutableBufferPointer { grams in
        let bits = UnsafeMutableBufferPointer(rebasing: grams[first...])
        for index in start..<end {
          let record = batch.records[index]
          let template = templates.number(for: record, batch)
          batch.set(
            template: template, context: contexts.number(for: record, batch), ofRecord: index)
          if let text = text(of: record) {
            let news = repeats.news(
              in: text, kind: Int(template), overlap: GramHash.length - 1, batch.arena)
            GramHash.add(batch.arena.bytes(news), to: bits)
          } else {
            GramHash.add(joinedText(of: record, batch.arena), to: bits)
          }
        }
      }
    }
    batch.isPrepared = true
  }

  /// The text of a record, if it stands in one piece in its batch's arena.
  private func text(of record: LogRecord) -> ByteSlice? {
    if !record.original.isEmpty { return record.original }
    if record.head.isEmpty || record.head.end == Int(record.body.start),
      record.tail.isEmpty || record.body.end == Int(record.tail.start)
    {
      let start = Int(record.head.isEmpty ? record.body.start : record.head.start)
      let end = record.tail.isEmpty ? record.body.end : record.tail.end
      return ByteSlice(start: start, count: end - start)
    }
    return nil
  }

  private func joinedText(
    of record: LogRecord, _ arena: ByteArena
  ) -> UnsafeBufferPointer<UInt8> {
    joined.removeAll()
    for part in [record.head, record.body, record.tail] { joined.append(arena.bytes(part)) }
    return joined.bytes(ByteSlice(start: 0, count: joined.count))
  }
}
