// SPDX-License-Identifier: Apache-2.0

internal import CrashSpool
internal import FileIO
internal import Foundation
internal import LogModel
internal import TestSupport
internal import Testing

@Suite("A compressed file of a spool")
struct CompressedHeadTests {
  private static let tools = ["zstd", "xz", "lz4"].filter {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
  }

  private func compress(_ tool: String, _ bytes: [UInt8], in folder: TemporaryDirectory) throws
    -> [UInt8]
  {
    let input = try folder.write("plain-\(tool)", bytes)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/" + tool)
    process.arguments = ["-cq", input]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(output)
  }

  @Test("is unpacked by the system's tool", arguments: tools)
  func unpacks(_ tool: String) throws {
    let scratch = try TemporaryDirectory()
    let plain = [0x7f] + Array("ELF and its notes".utf8) + [UInt8](repeating: 7, count: 3 << 20)
    let packed = try compress(tool, plain, in: scratch)
    var spool = try Spool()
    let suffix = tool == "zstd" ? "zst" : tool
    try spool.folder.write("core.shop.0.b.77.1740840600000000.\(suffix)", packed)
    let file = try #require(spool.scan(after: 10).ready.first)
    #expect(file.bytes == plain)
    #expect(file.reportName == "core.shop.0.b.77.1740840600000000")
    #expect(file.sha256 == SHA256.hex(packed))
    let collected = try #require(
      collect(file: file, reports: [CrashReport(format: "elf-core")], observed: spool.now(after: 0))
        .first)
    #expect(collected.bytes.count == 1 << 20)
    #expect(collected.report.flags.contains(.truncated))
  }

  @Test("is bounded: of gigabytes the head is taken", arguments: tools)
  func isBounded(_ tool: String) throws {
    let scratch = try TemporaryDirectory()
    let packed = try compress(tool, [UInt8](repeating: 0, count: 40 << 20), in: scratch)
    var spool = try Spool()
    try spool.folder.write("core.zst", packed)
    let file = try #require(spool.scan(after: 10).ready.first)
    #expect(file.bytes.count >= 16 << 20)
    #expect(file.bytes.count < 17 << 20)
  }

  @Test("that is damaged has a problem that says so, and stops no other", arguments: tools)
  func damaged(_ tool: String) throws {
    let magic: [String: [UInt8]] = [
      "zstd": [0x28, 0xb5, 0x2f, 0xfd], "xz": [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0],
      "lz4": [0x04, 0x22, 0x4d, 0x18],
    ]
    var spool = try Spool()
    try spool.folder.write("a.core", try #require(magic[tool]) + Array("nothing".utf8))
    try spool.folder.write("b.json", "{}")
    let scan = spool.scan(after: 10)
    #expect(scan.ready.map(\.reportName) == ["b.json"])
    #expect(scan.problems.first?.problem.contains("\(tool) can't unpack it") == true)
    // It is not tried again and again as news.
    #expect(spool.scan(after: 20).problems.isEmpty)
  }
}
