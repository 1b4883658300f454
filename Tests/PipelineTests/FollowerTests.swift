// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What the model has found of a running agent: each is one story that went wrong.
@Suite struct FollowerTests {
  private let script: Script

  init() throws {
    script = try Script(seed: 1)
    try script.runOn(for: 0)
  }

  private func finish() throws {
    try script.look(later: 10)
    try script.expectAllOnce("story")
  }

  @Test func aFileThatIsCopiedAndTruncatedBetweenTwoLooksIsStoredOnce() throws {
    try script.write(30)
    try script.runOn(for: 0)
    try script.copyTruncate()
    try script.write(3)
    try script.runOn(for: Script.recordPatience)
    try finish()
  }

  @Test func unreadLinesOfACopyThatIsCompressedAtOnceAreStoredOnce() throws {
    try script.write(30)
    try script.runOn(for: 0)
    try script.write(20)
    try script.copyTruncate()
    try script.compress()
    try script.runOn(for: Script.linePatience)
    try finish()
  }

  @Test func aCheckpointStaysWhereItIsWhenAFileIsCompressedWhileItsLastRecordIsOpen() throws {
    try script.write(30)
    try script.runOn(for: 0)
    try script.write(20)
    try script.rotate()
    try script.compress()
    try script.runOn(for: Script.recordPatience)
    try script.stop(atOnce: true)
    try finish()
  }

  @Test func aFileThatIsRewrittenWithMoreThanItHeldHasLostNothing() throws {
    try script.write(10)
    try script.runOn(for: Script.linePatience)
    try script.rewrite()
    try script.write(40)
    try script.stop(atOnce: false)
    try finish()
  }

  @Test func aRefusedFileThatIsRemovedIsNoProblemAnyMore() throws {
    let name = "logs/picture.log"
    try script.folder.write(name, String(repeating: "\u{1}\u{2}\u{3}", count: 500))
    try script.runOn(for: Script.linePatience)
    try script.stop(atOnce: true)
    #expect(try script.problems() == 1)
    try script.runOn(for: 0)
    try FileManager.default.removeItem(atPath: script.folder.file(name))
    try script.runOn(for: Script.linePatience)
    try script.stop(atOnce: true)
    #expect(try script.problems() == 0)
    try finish()
  }
}
