// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import FuzzTargets
internal import Testing

@Suite("What the fuzzer found")
struct FuzzReplayTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fuzz/Corpus")

  @Test("breaks no promise any more", arguments: FuzzTarget.all.map(\.name))
  func replay(name: String) throws {
    let target = try #require(FuzzTarget(name: name))
    var inputs = target.seeds
    let folder = Self.root.appendingPathComponent(name)
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    {
      inputs.append(Array(try Data(contentsOf: file)))
    }
    #expect(!inputs.isEmpty)
    for input in inputs {
      if let failure = target.failure(input) {
        Issue.record("\(failure): \(String(decoding: input.prefix(400), as: UTF8.self))")
      }
    }
  }

  @Test("would be seen: a target that loses a byte fails")
  func isEffective() {
    // An unfinished promise: the same ledger over other bytes than were read.
    #expect(FuzzTarget.logs.failure([0] + Array("2026-03-01T10:00:00Z INFO a\n".utf8)) == nil)
    #expect(LogLedgerProbe.failureOfLostByte() != nil)
    #expect(LogLedgerProbe.failureOfWrongText() != nil)
  }
}
