// SPDX-License-Identifier: Apache-2.0

import FileIO
import FileTail
import Foundation
import LogModel
import TestSupport
import Testing

/// While nothing changes a look at all names is spared; whatever changes makes it be taken again.
@Suite struct LastLookTests {
  private let folder: TemporaryDirectory
  private let tailer: Tailer

  init() throws {
    folder = try TemporaryDirectory()
    for name in ["logs/a.log", "logs/b.log", "logs/sub/c.log", "else/d.log", "else/e.log"] {
      try folder.write(name, "one\n")
    }
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: folder.file("logs/link.log"), withDestinationPath: folder.file("else/d.log"))
    try files.createSymbolicLink(
      atPath: folder.file("logs/nowhere.log"), withDestinationPath: folder.file("else/later.log"))
    try files.createSymbolicLink(
      atPath: folder.file("current"), withDestinationPath: folder.file("else/later"))
    tailer = Tailer(
      sources: [
        TailSource(
          name: "all",
          include: [
            GlobPattern(folder.file("logs/**/*.log")), GlobPattern(folder.file("current/*.log")),
          ])
      ], known: [], nextID: 1, classify: { _, _ in .log })
  }

  /// Looks as long after the last change as makes the folders' times reliable, and reads all.
  private func look() throws {
    for path in ["", "logs", "logs/sub", "else"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: folder.file(path))
    }
    for file in tailer.scan(now: now()).ready {
      file.readSize = file.seenSize
      file.readModified = file.modified
    }
  }

  private func now() -> Timestamp {
    Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
  }

  @Test func filesThatRestAreNotLookedForAgain() throws {
    try look()
    try #require(FileSystem.keepsFolderTimes(folder.file("logs")), "the file system is unknown")
    #expect(tailer.isUnchanged)
  }

  @Test(
    "is noticed",
    arguments: [
      "a line that is added", "a new file", "a new file in a folder below",
      "a file that is removed",
      "a file that is renamed", "a file that is put in the place of another", "a new folder",
      "a link that leads elsewhere", "the target of a link to nowhere",
      "the folder that a link to nowhere means", "a folder that can't be listed any more",
    ])
  func change(_ what: String) throws {
    try look()
    try #require(FileSystem.keepsFolderTimes(folder.file("logs")), "the file system is unknown")
    #expect(tailer.isUnchanged)
    let files = FileManager.default
    let a = folder.file("logs/a.log")
    switch what {
    case "a line that is added": try folder.append("logs/b.log", "two\n")
    case "a new file": try folder.write("logs/new.log", "one\n")
    case "a new file in a folder below": try folder.write("logs/sub/new.log", "one\n")
    case "a file that is removed": try files.removeItem(atPath: a)
    case "a file that is renamed": try files.moveItem(atPath: a, toPath: a + ".1")
    case "a file that is put in the place of another":
      try #require(rename(folder.file("else/e.log"), a) == 0)
    case "a new folder":
      try files.createDirectory(
        atPath: folder.file("logs/deep"), withIntermediateDirectories: false)
    case "a link that leads elsewhere":
      // Its own folder is not among those that are listed.
      try folder.write("else/e.log", "other\n")
      try files.removeItem(atPath: folder.file("else/d.log"))
      try files.createSymbolicLink(
        atPath: folder.file("else/d.log"), withDestinationPath: folder.file("else/e.log"))
    case "the target of a link to nowhere": try folder.write("else/later.log", "one\n")
    case "the folder that a link to nowhere means": try folder.write("else/later/x.log", "one\n")
    default:
      try files.setAttributes([.posixPermissions: 0], ofItemAtPath: folder.file("logs/sub"))
    }
    #expect(!tailer.isUnchanged)
    try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.file("logs/sub"))
  }

  @Test func aFolderThatWasChangedJustNowIsLookedAtAgain() throws {
    try look()
    try folder.write("logs/new.log", "one\n")
    _ = tailer.scan(now: now())
    #expect(!tailer.isUnchanged, "a change in the same tick of its clock would not show")
  }

  @Test func aFileThatWasNotReadYetIsHandedOutAgain() throws {
    try look()
    try folder.append("logs/a.log", "two\n")
    _ = tailer.scan(now: now())
    #expect(!tailer.isUnchanged)
  }
}
