// SPDX-License-Identifier: Apache-2.0

import LogModel
import LogParser
import Testing

@Suite struct RecordAssemblerTests {
  /// Feeds a growing file as the agent does: from the read offset on, whenever there is more.
  private struct Feeder {
    var content: [UInt8] = []
    var checkpoint = Checkpoint(generation: 1)
    var stored: [(offset: Int64, text: String, flags: RecordFlags, lineBreak: LineBreak)] = []
    var assembler: RecordAssembler
    let bufferBytes: Int
    /// 2025-03-01T12:00:00Z.
    static let arrival = Timestamp(nanoseconds: 1_740_830_400_000_000_000)

    init(
      mode: MultilineMode = .timestamp, maxLine: Int = 1 << 20, maxLines: Int = 500,
      maxBytes: Int = 256 << 10, bufferBytes: Int = 1 << 20
    ) {
      let parser = RecordParser(
        file: FileContext(
          path: "/logs/app.log", modified: Timestamp(nanoseconds: 0),
          now: Timestamp(nanoseconds: 0), zone: .utc, multiline: mode, lastTime: nil))
      assembler = RecordAssembler(
        parser: parser,
        limits: AssemblyLimits(
          maxLineBytes: maxLine, maxRecordLines: maxLines, maxRecordBytes: maxBytes),
        isLinewise: mode == .off)
      self.bufferBytes = bufferBytes
    }

    mutating func append(_ text: String, end: InputEnd = .pause) { append(Array(text.utf8), end) }

    mutating func append(_ bytes: [UInt8], _ end: InputEnd = .pause) {
      content += bytes
      while true {
        let start = Int(checkpoint.openOffset >= 0 ? checkpoint.openOffset : checkpoint.offset)
        let stop = min(content.count, start + bufferBytes)
        let isFull = stop < content.count
        let batch = RecordBatch()
        let assembly = content[start..<stop].withUnsafeBufferPointer {
          assembler.assemble(
            $0, at: Int64(start), end: isFull ? .more : end, checkpoint: checkpoint,
            observed: Self.arrival, written: Self.arrival, into: batch)
        }
        for record in batch.records {
          if record.replacesOpenRecord { stored.removeLast() }
          let text =
            record.original.isEmpty
            ? batch.arena.string(record.head) + batch.arena.string(record.body)
              + batch.arena.string(record.tail) : batch.arena.string(record.original)
          stored.append((record.byteOffset, text, record.flags, record.lineBreak))
        }
        checkpoint.offset = assembly.storedOffset
        checkpoint.openOffset = assembly.openOffset
        if !isFull { return }
      }
    }

    var texts: [String] { stored.map(\.text) }
  }

  private func line(_ n: Int, _ text: String = "") -> String {
    "2025-03-01T10:00:0\(n)Z INFO n=\(n)\(text)"
  }

  @Test func theResultDoesNotDependOnHowTheBytesArrive() {
    let content =
      line(1) + "\n" + line(2) + "\r\n  at a\r\n\r\n  at b\r\n\n\n" + line(3, " é漢🙂") + "\n"
      + line(4) + "\n"
    let expected = [line(1), line(2) + "\n  at a\n\n  at b", line(3, " é漢🙂"), line(4)]
    let bytes = Array(content.utf8)
    for step in [1, 2, 3, 7, 31, 64, bytes.count] {
      var feeder = Feeder()
      for start in stride(from: 0, to: bytes.count, by: step) {
        feeder.append(Array(bytes[start..<min(bytes.count, start + step)]))
      }
      #expect(feeder.texts == expected, "in steps of \(step) bytes")
      #expect(feeder.checkpoint.offset == Int64(bytes.count))
    }
  }

  @Test func theResultDoesNotDependOnTheSizeOfTheBuffer() {
    let content = (1...9).map { line($0) + "\n  more of \($0)\n" }.joined()
    let expected = (1...9).map { line($0) + "\n  more of \($0)" }
    for bufferBytes in [90, 100, 128, 1000] {
      var feeder = Feeder(bufferBytes: bufferBytes)
      feeder.append(content)
      #expect(feeder.texts == expected, "with \(bufferBytes) bytes")
    }
  }

  @Test func anUnterminatedLineWaitsAndIsStoredOnceWhenItGoesOn() {
    var feeder = Feeder()
    feeder.append(line(1))
    #expect(feeder.texts.isEmpty)
    feeder.append("", end: .partial)
    #expect(feeder.texts == [line(1)])
    #expect(feeder.stored[0].lineBreak == .eof)
    feeder.append(" and")
    feeder.append(" more\n")
    #expect(feeder.texts == [line(1, " and more")])
    #expect(feeder.stored[0].lineBreak == .newline)
  }

  @Test func aLongRunOfLinesIsCutAndNothingIsDropped() {
    var feeder = Feeder(maxLines: 3)
    feeder.append(line(1) + "\n" + (1...7).map { "word \($0)\n" }.joined() + line(2) + "\n")
    #expect(feeder.texts.map { $0.split(separator: "\n").count } == [3, 3, 2, 1])
    #expect(
      feeder.stored.map(\.flags) == [
        .continued, [.continued, .continuation], .continuation, [],
      ])
  }

  @Test func aLineBeyondTheLimitIsCutBetweenCharacters() {
    var feeder = Feeder(maxLine: 33)
    feeder.append(line(1, " ") + "ééééé" + "\n" + line(2) + "\n")
    #expect(feeder.texts == [line(1, " ") + "é", line(2)])
    #expect(feeder.stored[0].lineBreak == .lengthLimit)
  }

  @Test func aHoleOfNULsIsPassedOverAndFlagged() {
    var feeder = Feeder()
    feeder.append(line(1) + "\n" + String(repeating: "\0", count: 1000) + line(2) + "\n")
    #expect(feeder.texts == [line(1), line(2)])
    #expect(feeder.stored[1].flags.contains(.hole))
    #expect(feeder.stored[1].offset == Int64(line(1).utf8.count + 1 + 1000))
  }

  @Test func blankLinesMakeNoRecordAndAreCountedAsRead() {
    var feeder = Feeder(mode: .off)
    feeder.append("\n  \n" + line(1) + "\n\r\n\t\n")
    #expect(feeder.texts == [line(1)])
    #expect(feeder.checkpoint.offset == Int64(feeder.content.count))
  }
}
