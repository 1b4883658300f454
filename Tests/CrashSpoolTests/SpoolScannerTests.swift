// SPDX-License-Identifier: Apache-2.0

internal import CrashSpool
internal import FileIO
internal import Glibc
internal import LogModel
internal import TestSupport
internal import Testing

@Suite struct SpoolScannerTests {
  @Test func aFinishedFileIsTakenAtOnce() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{whole}")
    let scan = spool.scan()
    let file = try #require(scan.ready.first)
    #expect(scan.ready.count == 1)
    #expect(file.bytes == Array("{whole}".utf8))
    #expect(file.sha256 == SHA256.hex(Array("{whole}".utf8)))
    #expect(file.size == 7)
    #expect(file.generation.role == .report)
    #expect(file.generation.source == "crash")
    #expect(file.generation.path == spool.folder.file("a.json"))
    #expect(file.generation.checkpoint.offset == 7)
    #expect(file.generation.checkpoint.lastTime == file.modified.nanoseconds)
    #expect(scan.problems.isEmpty)
    #expect(scan.nextLook == nil)
    #expect(spool.scan().ready.isEmpty)
  }

  @Test func aHalfWrittenFileWaitsUntilItRests() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{ha")
    let first = spool.scan()
    #expect(first.ready.isEmpty)
    #expect(first.nextLook == spool.now(after: 2))
    try spool.folder.append("a.json", "lf")
    #expect(spool.scan(after: 1.5).ready.isEmpty)
    #expect(spool.scan(after: 3.6).ready.map(\.bytes) == [Array("{half".utf8)])
  }

  @Test func aHalfWrittenFileThatIsCompletedIsTakenAtOnce() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{ha")
    #expect(spool.scan().ready.isEmpty)
    try spool.folder.append("a.json", "lf}")
    #expect(spool.scan(after: 0.1).ready.count == 1)
  }

  @Test func anOldFileIsTakenWhateverItHolds() throws {
    var spool = try Spool()
    try spool.folder.write("a.txt", "no known form")
    #expect(spool.scan(after: 60).ready.count == 1)
  }

  @Test func anEmptyFileIsAProblemUntilItIsFilled() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "")
    let first = spool.scan(after: 60)
    #expect(first.ready.isEmpty)
    #expect(first.problems.map(\.problem) == ["empty report"])
    #expect(first.problems.map(\.state) == [.active])
    #expect(spool.scan(after: 61).problems.isEmpty)
    try spool.folder.write("a.json", "{whole}")
    let filled = spool.scan(after: 62)
    #expect(filled.ready.map(\.generation.problem) == [""])
  }

  @Test func afterARestartNothingIsTakenTwice() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{whole}")
    try spool.folder.write("sub/b.json", "{whole too}")
    try spool.folder.write("c.json", "")
    let first = spool.scan()
    var known = first.ready.map(\.generation) + first.problems
    spool.restart(known: known)
    let second = spool.scan(after: 60)
    #expect(second.ready.isEmpty)
    #expect(second.problems.isEmpty)
    try spool.folder.append("a.json", "{another}")
    spool.restart(known: known)
    let third = spool.scan(after: 120)
    #expect(third.ready.map(\.bytes) == [Array("{whole}{another}".utf8)])
    known[0] = try #require(third.ready.first).generation
    spool.restart(known: known)
    #expect(spool.scan(after: 180).ready.isEmpty)
  }

  @Test func aTouchedFileKeepsItsDigest() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{whole}")
    let first = try #require(spool.scan().ready.first)
    utimes(spool.folder.file("a.json"), nil)
    let again = spool.scan(after: 60).ready
    #expect(again.allSatisfy { $0.sha256 == first.sha256 })
    #expect(again.allSatisfy { $0.generation.id == first.generation.id })
  }

  @Test func aRenamedFileIsFollowedAndNotReadAgain() throws {
    var spool = try Spool()
    try spool.folder.write("pending/a.json", "{whole}")
    try spool.folder.write("completed/b.json", "{whole too}")
    let id = spool.scan().ready.last?.generation.id
    rename(spool.folder.file("pending/a.json"), spool.folder.file("completed/a.json"))
    let scan = spool.scan(after: 1)
    #expect(scan.ready.isEmpty)
    #expect(scan.problems.map(\.path) == [spool.folder.file("completed/a.json")])
    #expect(scan.problems.map(\.id) == [id])
    #expect(scan.problems.map(\.state) == [.active])
  }

  @Test func aFileThatIsRemovedIsGone() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "")
    #expect(spool.scan().problems.count == 1)
    unlink(spool.folder.file("a.json"))
    let scan = spool.scan(after: 1)
    #expect(scan.problems.map(\.state) == [.gone])
    #expect(scan.problems.map(\.problem) == [""])
    #expect(spool.scan(after: 2).problems.isEmpty)
  }

  @Test func aFileInPlaceOfAnotherIsANewGeneration() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{whole}")
    let first = try #require(spool.scan().ready.first)
    try spool.folder.write("new", "{other}")
    rename(spool.folder.file("new"), spool.folder.file("a.json"))
    let scan = spool.scan(after: 1)
    let second = try #require(scan.ready.first)
    #expect(second.generation.id != first.generation.id)
    #expect(scan.problems.map(\.id) == [first.generation.id])
    #expect(scan.problems.map(\.state) == [.gone])
  }

  @Test func temporaryAndHiddenFilesAreLeftAlone() throws {
    var spool = try Spool()
    for name in [".hidden", "a.json.tmp", "b.part", ".git/c.json", "d~"] {
      try spool.folder.write(name, "{whole}")
    }
    let scan = spool.scan(after: 60)
    #expect(scan.ready.isEmpty)
    #expect(scan.problems.isEmpty)
  }

  @Test(.timeLimit(.minutes(1)))
  func whatIsNoFileIsNamedAndNotOpened() throws {
    var spool = try Spool()
    let outside = try TemporaryDirectory()
    try outside.write("secret", "{whole}")
    mkfifo(spool.folder.file("fifo"), 0o600)
    symlink(outside.file("secret"), spool.folder.file("link"))
    symlink(outside.path, spool.folder.file("folder"))
    symlink("/nowhere", spool.folder.file("broken"))
    try spool.folder.write("a.json", "{whole}")
    symlink(spool.folder.file("a.json"), spool.folder.file("inside"))
    let scan = spool.scan()
    #expect(scan.ready.map { FileSystem.name(of: $0.generation.path) } == ["a.json"])
    let problems = Dictionary(
      uniqueKeysWithValues: scan.problems.map { (FileSystem.name(of: $0.path), $0.problem) })
    #expect(problems["fifo"] == "it is not a regular file")
    for name in ["link", "folder", "broken"] {
      #expect(problems[name] == "it is a link that leads out of the spool")
    }
    #expect(problems.count == 4)
    #expect(spool.scan(after: 1).problems.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0))
  func anUnreadableFileIsNamedAndTakenWhenItCanBeRead() throws {
    var spool = try Spool()
    try spool.folder.write("a.json", "{whole}")
    try spool.folder.write("b.json", "{whole}")
    try spool.folder.write("sub/c.json", "{whole}")
    chmod(spool.folder.file("a.json"), 0)
    chmod(spool.folder.file("sub"), 0)
    let first = spool.scan()
    #expect(first.ready.count == 1)
    #expect(
      Set(first.problems.map(\.problem)) == [
        "cannot open it: Permission denied", "cannot list it: Permission denied",
      ])
    #expect(spool.scan(after: 5).problems.isEmpty)
    chmod(spool.folder.file("a.json"), 0o600)
    chmod(spool.folder.file("sub"), 0o700)
    let second = spool.scan(after: 6)
    #expect(second.ready.map(\.generation.problem) == ["", ""])
    #expect(second.problems.map(\.state) == [.gone])
  }

  @Test func aHugeFileIsKeptInPartAndHashedWhole() throws {
    var spool = try Spool(maxReportBytes: 1000)
    let content = [UInt8](repeating: 0x41, count: 3_000_000)
    try spool.folder.write("a.txt", content)
    let file = try #require(spool.scan(after: 60).ready.first)
    #expect(file.bytes == content, "all of it is parsed")
    #expect(file.size == 3_000_000)
    #expect(file.sha256 == SHA256.hex(content))
    #expect(file.isTruncated)
    let reports = [CrashReport(format: "unknown")]
    let collected = collect(file: file, reports: reports, observed: spool.now(after: 60))
    #expect(collected.map(\.bytes.count) == [1000])
    #expect(collected.map(\.size) == [3_000_000])
    #expect(collected.map(\.report.flags) == [.truncated])
  }

  @Test func aBacklogIsTakenInParts() throws {
    var spool = try Spool()
    let count = SpoolScanner.maxFilesPerScan + 10
    for index in 0..<count { try spool.folder.write("\(index).json", "{\(index)}") }
    let first = spool.scan(after: 60)
    #expect(first.ready.count == SpoolScanner.maxFilesPerScan)
    #expect(first.nextLook == spool.now(after: 60))
    let second = spool.scan(after: 60)
    #expect(second.ready.count == 10)
    #expect(second.nextLook == nil)
  }

  @Test func aSpoolThatIsNotThereYetHoldsNothing() throws {
    var spool = try Spool(subfolder: "later")
    #expect(spool.scan().problems.isEmpty)
    try spool.folder.write("later/a.json", "{whole}")
    #expect(spool.scan(after: 1).ready.count == 1)
  }
}
