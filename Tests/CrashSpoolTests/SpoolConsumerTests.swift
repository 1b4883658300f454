// SPDX-License-Identifier: Apache-2.0

internal import CrashSpool
internal import FileIO
internal import Foundation
internal import LogModel
internal import TestSupport
internal import Testing

@Suite("A spool that is to be consumed")
struct SpoolConsumerTests {
  private func names(_ folder: TemporaryDirectory, _ subfolder: String = "") -> [String] {
    let all = try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + subfolder)
    return (all ?? []).filter { $0 != SpoolConsumer.folderName }.sorted()
  }

  @Test("has its stored reports moved away, and nothing else")
  func moves() throws {
    var spool = try Spool()
    let consumer = SpoolConsumer(directory: spool.folder.path, keptBytes: 1 << 20)
    try spool.folder.write("a.json", "{one}")
    try spool.folder.write("empty.json", "")
    #expect(spool.scan(after: 10).ready.count == 1)
    try spool.folder.write("later.json", "{two}")
    #expect(spool.hand(to: consumer) == [:])
    #expect(names(spool.folder) == ["empty.json", "later.json"])
    #expect(names(spool.folder, SpoolConsumer.folderName) == ["a.json"])
    // What was moved is not found again; a new report of the same name is.
    try spool.folder.write("a.json", "{three}")
    #expect(
      spool.scan(after: 20).ready.map { String(decoding: $0.bytes, as: UTF8.self) } == [
        "{three}", "{two}",
      ])
    #expect(spool.hand(to: consumer) == [:])
    #expect(
      names(spool.folder, SpoolConsumer.folderName) == ["a.json", "a.json.2", "later.json"])
  }

  @Test("belongs to one of two agents, and to the other when that has ended")
  func owner() throws {
    let folder = try TemporaryDirectory()
    func consumer() -> SpoolConsumer { SpoolConsumer(directory: folder.path, keptBytes: 0) }
    var first: SpoolConsumer? = consumer()
    let second = consumer()
    #expect(first?.claim() == .own)
    #expect(second.claim() == .anotherAgent)
    try first?.prune()
    #expect(second.claim() == .anotherAgent, "the lock is no report")
    first = nil
    #expect(second.claim() == .own)
    #expect(consumer().claim() == .anotherAgent)
  }

  @Test("that is not there yet is nobody's")
  func absent() {
    let consumer = SpoolConsumer(directory: "/nowhere/spool", keptBytes: 0)
    #expect(consumer.claim() == .own)
  }

  @Test("keeps a report that was written to after it was stored")
  func changed() throws {
    var spool = try Spool()
    let consumer = SpoolConsumer(directory: spool.folder.path, keptBytes: 1 << 20)
    try spool.folder.write("a.json", "{one}")
    #expect(spool.scan(after: 10).ready.count == 1)
    try spool.folder.append("a.json", "{more}")
    #expect(spool.hand(to: consumer) == [:])
    #expect(names(spool.folder) == ["a.json"])
  }

  @Test("keeps the newest reports up to its bound")
  func quota() throws {
    var spool = try Spool()
    let consumer = SpoolConsumer(directory: spool.folder.path, keptBytes: 250)
    for index in 1...4 {
      let path = try spool.folder.write(
        "r\(index).json", "{" + String(repeating: "x", count: 98) + "}")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_740_840_600 + Double(index))],
        ofItemAtPath: path)
    }
    #expect(spool.scan(after: 10).ready.count == 4)
    #expect(spool.hand(to: consumer) == [:])
    #expect(names(spool.folder, SpoolConsumer.folderName) == ["r3.json", "r4.json"])
  }
}
