// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Redaction
internal import SQLite
internal import TestSupport
internal import Testing

@testable import SupportBundle

@Suite("The proof of a bundle")
struct BundleProofTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private final class Bytes {
    var all: [UInt8] = []
  }

  /// Proves an archive with some lines after others were looked through.
  private func prove(written: String, lookedThrough: [String]) throws {
    let bytes = Bytes()
    let archive = try ArchiveWriter(time: 1) { bytes.all.append(contentsOf: $0) }
    try archive.add("logs.jsonl", Array(written.utf8))
    try archive.finish()
    let path = folder.file("a.tar.gz")
    try FileSystem.remove(path)
    let file = try FileDescriptor.create(path)
    try file.write(bytes.all)
    let lines = LineProof(RedactionRules())
    for block in lookedThrough { lines.append(Array(block.utf8)) }
    let proof = BundleProof(
      redactor: Redactor(RedactionRules()), lines: lines,
      database: try Connection(path: ":memory:", mode: .readWrite), exempt: [],
      shouldStop: { false }, progress: { _ in })
    let reader = try FileDescriptor.openForReading(path)
    try proof.run(reader.number, name: "a.tar.gz")
  }

  private let clean = ["{\"body\":\"one\"}\n{\"body\":\"two\"}\n", "{\"body\":\"three\"}\n"]

  @Test("accepts the lines that were looked through while they were written")
  func same() throws {
    try prove(written: clean.joined(), lookedThrough: clean)
  }

  @Test("refuses lines that are not those that were looked through, however little they differ")
  func others() throws {
    let all = clean.joined()
    for written in [all.replacing("two", with: "twO"), String(all.dropLast()), all + "\n", ""] {
      let error = try #require(
        #expect(throws: BundleError.self) { try prove(written: written, lookedThrough: clean) })
      #expect(error.kind == .unsafe)
      #expect(error.description.contains("logs.jsonl is not what was looked through"))
    }
  }

  @Test("names the rule that found something in a line, also in the first of many")
  func finding() throws {
    let lines = ["{\"body\":\"kim@example.org\"}\n"] + [String](repeating: clean[0], count: 50)
    let error = try #require(
      #expect(throws: BundleError.self) {
        try prove(written: lines.joined(), lookedThrough: lines)
      })
    #expect(error.description.contains("rule 'email' found something in logs.jsonl"))
    #expect(!error.description.contains("kim"))
  }
}
