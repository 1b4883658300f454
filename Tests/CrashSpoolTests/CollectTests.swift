// SPDX-License-Identifier: Apache-2.0

internal import CrashSpool
internal import FileIO
internal import LogModel
internal import TestSupport
internal import Testing

@Suite struct CollectTests {
  private func blocks(_ ranges: [Range<Int>]) -> [CrashReport] {
    ranges.map { range in
      var report = CrashReport(format: "crash-handler")
      report.byteRange = range
      return report
    }
  }

  @Test func anAppendedFileGivesOnlyItsNewBlockANewDigest() throws {
    var spool = try Spool()
    try spool.folder.write("crash.log", "one}")
    let first = try #require(spool.scan().ready.first)
    try spool.folder.append("crash.log", "two}")
    let second = try #require(spool.scan(after: 1).ready.first)
    #expect(second.generation.id == first.generation.id)
    let now = spool.now(after: 1)
    let before = collect(file: first, reports: blocks([0..<4]), observed: now)
    let after = collect(file: second, reports: blocks([0..<4, 4..<8]), observed: now)
    #expect(after.map { String(decoding: $0.bytes, as: UTF8.self) } == ["one}", "two}"])
    #expect(after.map(\.size) == [4, 4])
    #expect(after.first?.sha256 == before.first?.sha256)
    #expect(after.last?.sha256 == SHA256.hex(Array("two}".utf8)))
  }

  @Test func aReportWithoutARangeHasTheWholeFile() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{whole}")
    let file = try #require(spool.scan().ready.first)
    let collected = collect(
      file: file, reports: [CrashReport(format: "kscrash")], observed: spool.now(after: 0))
    #expect(collected.map(\.bytes) == [file.bytes])
    #expect(collected.map(\.sha256) == [file.sha256])
    #expect(collected.map(\.report.flags) == [[]])
    #expect(collected.map(\.generation) == [file.generation.id])
  }

  @Test func aRangeOutsideTheFileIsCutToIt() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{whole}")
    let file = try #require(spool.scan().ready.first)
    let collected = collect(
      file: file, reports: blocks([5..<900, 100..<200]), observed: spool.now(after: 0))
    #expect(collected.map(\.bytes.count) == [2, 0])
  }
}
