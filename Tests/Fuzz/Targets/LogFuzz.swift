// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser

/// A file of made-up bytes through the assembler.
enum LogFuzz {
  private static let now = Timestamp(nanoseconds: 1_796_000_000_000_000_000)
  private static let limits = AssemblyLimits(
    maxLineBytes: 4096, maxRecordLines: 20, maxRecordBytes: 16 << 10)

  /// The first byte chooses how lines are joined, and how the bytes come.
  static func failure(_ bytes: [UInt8]) -> String? {
    guard let choice = bytes.first else { return nil }
    let content = Array(bytes.dropFirst())
    let mode = MultilineMode.allCases[Int(choice & 3) % MultilineMode.allCases.count]
    return content.withUnsafeBufferPointer { run($0, mode, isCut: choice & 4 != 0) }
  }

  /// Each line as the first of a file.
  static func timeFailure(_ bytes: [UInt8]) -> String? {
    for line in bytes.split(separator: 10).prefix(50) {
      let content = Array(line) + [10]
      if let failure = content.withUnsafeBufferPointer({ run($0, .auto, isCut: false) }) {
        return failure
      }
    }
    return nil
  }

  private static func run(
    _ content: UnsafeBufferPointer<UInt8>, _ mode: MultilineMode, isCut: Bool
  ) -> String? {
    let encoding = TextEncoding(fileBeginning: content)
    var parser = RecordParser(
      file: FileContext(path: "/fuzz.log", modified: now, now: now, multiline: mode))
    RecordAssembler.withText(of: content, encoding) { parser.detect(sample: $0) }
    var assembler = RecordAssembler(
      parser: parser, limits: limits, isLinewise: mode == .off, encoding: encoding)
    var checkpoint = Checkpoint(generation: 1)
    var ledger = Ledger(content, isText: encoding == .utf8)
    // In one piece, or in two with a pause between them.
    let cuts = isCut ? [content.count / 2, content.count] : [content.count]
    for (index, cut) in cuts.enumerated() {
      let isLast = index == cuts.count - 1
      let batch = RecordBatch(arenaBytes: 1 << 16)
      let start = Int(checkpoint.openOffset >= 0 ? checkpoint.openOffset : checkpoint.offset)
      guard start <= cut else { return "stored more than there is" }
      var assembly = assembler.assemble(
        UnsafeBufferPointer(rebasing: content[start..<cut]), at: Int64(start),
        end: isLast ? .end(.eof) : .partial, checkpoint: checkpoint, observed: now, written: now,
        into: batch)
      if let overlong = assembly.overlongOffset {
        // Only an unfinished line of a pause can be one, and then all is tried again at the end.
        guard !isLast else { return "a line of the end is left over" }
        assembly.storedOffset = overlong
        assembly.openOffset = -1
      }
      checkpoint.offset = assembly.storedOffset
      checkpoint.openOffset = assembly.openOffset
      ledger.skipped += assembly.skippedBytes
      if let failure = ledger.add(batch) { return failure }
    }
    return ledger.failure()
  }
}

/// Checks that every byte is in one record, or was passed over, and that records hold what they must.
private struct Ledger {
  let content: UnsafeBufferPointer<UInt8>
  let isText: Bool
  var skipped: Int64 = 0
  private var lengths: [Int64: Int64] = [:]

  init(_ content: UnsafeBufferPointer<UInt8>, isText: Bool) {
    self.content = content
    self.isText = isText
  }

  mutating func add(_ batch: RecordBatch) -> String? {
    let arena = batch.arena
    // Attributes repeat the text a few times; nothing may grow beyond that.
    if arena.count > content.count * 64 + (256 << 10) { return "the arena grew to \(arena.count)" }
    for record in batch.records {
      if !record.flags.contains(.part) { lengths[record.byteOffset] = record.byteLength }
      if record.flags.contains(.part), record.byteLength != 0 { return "a part has bytes" }
      for slice in [record.body, record.scope, record.process, record.severityText]
      where String(validating: arena.bytes(slice), as: UTF8.self) == nil {
        return "a column is no UTF-8"
      }
      let members =
        [UInt8(ascii: "{")] + Array(arena.bytes(record.attributes)) + [UInt8(ascii: "}")]
      if !JSONTree(members).isWhole {
        return "attributes are no JSON: \(String(decoding: members.prefix(200), as: UTF8.self))"
      }
      if record.severity.number > 24 { return "severity \(record.severity.number)" }
      if isText, let failure = textFailure(record, arena) { return failure }
    }
    return nil
  }

  /// Whether a record gives back its bytes, without the CR of line ends.
  private func textFailure(_ record: LogRecord, _ arena: ByteArena) -> String? {
    if record.flags.contains(.part) || record.lineBreak == .lengthLimit { return nil }
    let text =
      record.original.isEmpty
      ? Array(arena.bytes(record.head)) + arena.bytes(record.body) + arena.bytes(record.tail)
      : Array(arena.bytes(record.original))
    let start = Int(record.byteOffset)
    let end = start + Int(record.byteLength)
    guard start >= 0, end <= content.count, start <= end else { return "a record outside the file" }
    let raw = content[start..<end].filter { $0 != 13 }
    var wanted = raw[...]
    if wanted.last == 10 { wanted = wanted.dropLast() }
    return text.filter { $0 != 13 } == Array(wanted) ? nil : "a record is not its bytes"
  }

  func failure() -> String? {
    var rest = Int64(content.count) - lengths.values.reduce(0, +) - skipped
    // Half a UTF-16 character at the end is left over.
    if !isText, rest > 0, rest < 4 { rest = 0 }
    return rest == 0 ? nil : "\(rest) bytes of \(content.count) are in no record"
  }
}

/// Shows that the checks see what they are for.
package enum LogLedgerProbe {
  /// A file of which one byte is in no record.
  package static func failureOfLostByte() -> String? {
    probe(text: "ab", length: 2, content: "ab\n")
  }

  /// A record that does not hold its bytes.
  package static func failureOfWrongText() -> String? {
    probe(text: "aX", length: 3, content: "ab\n")
  }

  private static func probe(text: String, length: Int64, content: String) -> String? {
    let batch = RecordBatch()
    var record = LogRecord()
    let start = batch.arena.count
    batch.arena.append(text)
    record.body = ByteSlice(start: start, count: batch.arena.count - start)
    record.byteLength = length
    batch.records.append(record)
    return Array(content.utf8).withUnsafeBufferPointer { bytes in
      var ledger = Ledger(bytes, isText: true)
      return ledger.add(batch) ?? ledger.failure()
    }
  }
}
