// SPDX-License-Identifier: Apache-2.0

import FileIO
import FileTail
import Foundation
import LogModel
import TestSupport
import Testing

/// What is there but can't be read is said, each with its reason and without its path a second time.
@Suite struct DiscoveryTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func look() -> Discovery {
    let source = TailSource(name: "all", include: [GlobPattern(folder.file("**/*"))])
    return Discovery(sources: [source], excludedFolders: [])
  }

  @Test func aNameThatIsNotUTF8IsAProblemAndNotPassedBy() throws {
    try folder.write("good.log", "one\n")
    let name = Array(folder.file("caf").utf8) + [0xe9] + Array(".log".utf8)
    let descriptor = (name + [0]).withUnsafeBytes {
      open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
    }
    try #require(descriptor >= 0)
    close(descriptor)
    let discovery = look()
    #expect(discovery.candidates.map(\.path) == [folder.file("good.log")])
    #expect(
      discovery.problems == [
        folder.file("caf\u{FFFD}.log"): "the name is not UTF-8, and can't be opened; rename it"
      ])
  }

  @Test func aNameWithTheReplacementCharacterItselfIsRead() throws {
    try folder.write("caf\u{FFFD}.log", "one\n")
    #expect(look().candidates.map(\.path) == [folder.file("caf\u{FFFD}.log")])
    #expect(look().problems.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "root may list everything"))
  func aFolderThatCannotBeListedIsNamedOnce() throws {
    try folder.write("locked/a.log", "one\n")
    chmod(folder.file("locked"), 0)
    defer { chmod(folder.file("locked"), 0o700) }
    #expect(look().problems == [folder.file("locked"): "cannot list: Permission denied"])
  }
}
