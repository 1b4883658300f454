// SPDX-License-Identifier: Apache-2.0

import FileTail
import Foundation
import TestSupport
import Testing

@Suite struct ContentReaderTests {
  private func read(_ reader: ContentReader, at offset: Int64, count: Int) throws -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    let n = try reader.read(into: buffer, at: offset)
    return String(decoding: buffer[..<n], as: UTF8.self)
  }

  private func gzip(_ paths: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/gzip")
    process.arguments = paths
    try process.run()
    process.waitUntilExit()
  }

  @Test func aPlainFileIsReadAtAnyOffset() throws {
    let folder = try TemporaryDirectory()
    let reader = try ContentReader(path: folder.write("a.log", "0123456789"))
    #expect(try read(reader, at: 4, count: 3) == "456")
    #expect(try read(reader, at: 8, count: 10) == "89")
    #expect(try read(reader, at: 0, count: 2) == "01")
    #expect(!reader.isCompressed)
  }

  @Test func aGzipFileIsReadByItsUncompressedOffsetsForthAndBack() throws {
    let folder = try TemporaryDirectory()
    let text = (0..<100_000).map { "line \($0)\n" }.joined()
    try gzip([folder.write("a.log", text)])
    let reader = try ContentReader(path: folder.file("a.log.gz"))
    let bytes = Array(text.utf8)
    #expect(reader.isCompressed)
    for offset in [0, 500_000, 900_001, 70, 1_000_000] {
      let expected = String(decoding: bytes[offset..<min(bytes.count, offset + 90)], as: UTF8.self)
      #expect(try read(reader, at: Int64(offset), count: 90) == expected)
    }
  }

  @Test func membersOfAGzipFileFollowEachOther() throws {
    let folder = try TemporaryDirectory()
    try gzip([folder.write("a", "one\n"), folder.write("b", "two\n")])
    var both = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.gz")))
    both += try Data(contentsOf: URL(fileURLWithPath: folder.file("b.gz")))
    let reader = try ContentReader(path: folder.write("both.gz", [UInt8](both)))
    #expect(try read(reader, at: 0, count: 100) == "one\ntwo\n")
  }

  @Test func plainTextNamedGzIsPlain() throws {
    let folder = try TemporaryDirectory()
    let reader = try ContentReader(path: folder.write("a.gz", "text\n"))
    #expect(!reader.isCompressed)
    #expect(try read(reader, at: 0, count: 10) == "text\n")
  }
}
