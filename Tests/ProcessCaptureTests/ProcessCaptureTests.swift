// SPDX-License-Identifier: Apache-2.0

import Foundation
import LogModel
import ProcessCapture
import TestSupport
import Testing

@Suite struct CapturedLogTests {
  private static let noon: Int64 = 1_796_040_000_000_000_000

  private func names(_ folder: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func write(
    _ text: String, _ log: inout CapturedLog, after seconds: Int64 = 0
  ) throws {
    try Array(text.utf8).withUnsafeBytes {
      try log.write($0, now: Timestamp(nanoseconds: Self.noon + seconds * 1_000_000_000))
    }
  }

  @Test func filesAreNamedAsCocoaLumberjackNamesThem() throws {
    let folder = try TemporaryDirectory()
    var log = CapturedLog(folder: folder.path, name: "web.stdout", rule: RollingRule())
    #expect(try names(folder) == [])
    try write("a\n", &log)
    #expect(try names(folder) == ["web.stdout 2026-11-30--12-00-00-000.log"])
  }

  @Test func anotherFileBeginsBetweenLinesAndTheOldestGo() throws {
    let folder = try TemporaryDirectory()
    try folder.write("web.stdoutX 2026-11-30--12-00-00-000.log", "not ours")
    var rule = RollingRule()
    rule.maxBytes = 10
    rule.maxFiles = 3
    var log = CapturedLog(folder: folder.path, name: "web.stdout", rule: rule)
    for number in 1...6 { try write("line \(number)\nmore", &log, after: Int64(number)) }
    try write("\n", &log, after: 7)
    let ours = try names(folder).filter { $0.hasPrefix("web.stdout ") }
    #expect(ours.count == 3)
    let text = try ours.map { try String(contentsOfFile: folder.file($0), encoding: .utf8) }
    #expect(text.joined().hasSuffix("moreline 5\nmoreline 6\nmore\n"))
    #expect(text.dropLast().allSatisfy { $0.hasSuffix("\n") })
  }

  @Test func anotherFileBeginsAfterADay() throws {
    let folder = try TemporaryDirectory()
    var log = CapturedLog(folder: folder.path, name: "web", rule: RollingRule())
    try write("a\n", &log)
    try write("b\n", &log, after: 86_399)
    try write("c\n", &log, after: 86_400)
    #expect(try names(folder).count == 2)
  }

  @Test func theFileThatAnotherCaptureWritesIsNeverRemoved() throws {
    let folder = try TemporaryDirectory()
    var rule = RollingRule()
    rule.maxFiles = 1
    var old = CapturedLog(folder: folder.path, name: "web", rule: rule)
    try write("a\n", &old)
    var new = CapturedLog(folder: folder.path, name: "web", rule: rule)
    try write("b\n", &new, after: 1)
    #expect(try names(folder).count == 2)
  }
}
