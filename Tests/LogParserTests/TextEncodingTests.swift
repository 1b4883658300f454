// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogParser
internal import Testing

@Suite("The encoding of a file")
struct TextEncodingTests {
  private let text = "2026-03-01T10:00:00Z ERROR größer als € 🙂\n2026-03-01T10:00:01Z INFO x\n"

  private func bytes(_ isBigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xfeff] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xff)]
      return isBigEndian ? pair : pair.reversed()
    }
  }

  @Test("is UTF-16 by its mark, or by its NULs", arguments: [true, false], [true, false])
  func utf16(isBigEndian: Bool, mark: Bool) {
    let bytes = bytes(isBigEndian, mark: mark)
    bytes.withUnsafeBufferPointer { all in
      let encoding = TextEncoding(fileBeginning: all)
      #expect(encoding == (isBigEndian ? .utf16BigEndian : .utf16LittleEndian))
      var parser = RecordParser(file: .test())
      RecordAssembler.withText(of: all, encoding) { parser.detect(sample: $0) }
      var assembler = RecordAssembler(
        parser: parser,
        limits: AssemblyLimits(maxLineBytes: 1024, maxRecordLines: 10, maxRecordBytes: 1024),
        isLinewise: false, encoding: encoding)
      let batch = RecordBatch()
      _ = assembler.assemble(
        all, at: 0, end: .end(.eof), checkpoint: Checkpoint(generation: 1),
        observed: Timestamp(nanoseconds: 0), written: Timestamp(nanoseconds: 0), into: batch)
      #expect(batch.records.map(\.severity) == [.error, .info])
      #expect(batch.arena.string(batch.records[0].body) == "größer als € 🙂")
      // The mark belongs to no record.
      #expect(
        batch.records.reduce(0) { $0 + $1.byteLength } == Int64(bytes.count - (mark ? 2 : 0)))
    }
  }

  @Test(
    "is UTF-8 where NULs are a hole or stand alone",
    arguments: [
      [UInt8](repeating: 0, count: 100) + Array("text".utf8),
      Array("a\0b\0 some text, no UTF-16".utf8),
      Array("2026-03-01 text".utf8), [0x41, 0], [],
    ])
  func utf8(_ bytes: [UInt8]) {
    #expect(bytes.withUnsafeBufferPointer { TextEncoding(fileBeginning: $0) } == .utf8)
  }
}
