// SPDX-License-Identifier: Apache-2.0

import FileIO
import Foundation
import TestSupport
import Testing

@Suite struct FileSystemTests {
  @Test func aFileIsReadWholeOrUpToALimit() throws {
    let folder = try TemporaryDirectory()
    let path = try folder.write("a.log", "0123456789")
    #expect(try FileSystem.contents(of: path) == Array("0123456789".utf8))
    #expect(try FileSystem.contents(of: path, limit: 4) == Array("0123".utf8))
  }

  @Test func aMissingFileIsNamedWithTheReason() throws {
    let folder = try TemporaryDirectory()
    do throws(FileError) {
      _ = try FileSystem.contents(of: folder.file("none"))
      Issue.record("a missing file was read")
    } catch {
      #expect(error.isNotFound)
      #expect(error.description.hasPrefix(folder.file("none") + ": cannot open: No such file"))
    }
  }

  @Test func aCreatedFileIsPrivateWhateverTheUmask() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("new")
    let old = umask(0)
    defer { umask(old) }
    let file = try FileDescriptor.create(path)
    try file.write("x")
    #expect(try FileStatus(path: path).permissions == 0o600)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be somebody else's guest"))
  func whatRootMakesInAnothersPrivateFolderIsThatOnes() throws {
    let folder = try TemporaryDirectory()
    for (name, permissions, owner) in [("private", 0o700, 12345), ("shared", 0o755, 0)] {
      let place = folder.file(name)
      try FileSystem.makeFolder(place, permissions: UInt32(permissions))
      try #require(chown(place, 12345, 12345) == 0)
      _ = try FileDescriptor.create(place + "/created")
      _ = try FileDescriptor.openOrCreate(place + "/opened")
      try FileSystem.makeFolder(place + "/outer/inner", permissions: 0o700)
      for made in ["created", "opened", "outer", "outer/inner"] {
        #expect(try FileStatus(path: place + "/" + made).owner == owner, "\(name)/\(made)")
      }
    }
  }

  @Test func anAtomicFileIsWholeOrNotThere() throws {
    let folder = try TemporaryDirectory()
    let path = folder.file("bundle")
    func abandon() throws {
      let file = try AtomicFile(target: path)
      try file.descriptor.write("half")
    }
    try abandon()
    #expect(try FileSystem.names(in: folder.path).isEmpty)
    let file = try AtomicFile(target: path)
    try file.descriptor.write("whole")
    #expect(!FileManager.default.fileExists(atPath: path))
    try file.commit()
    #expect(try FileSystem.contents(of: path) == Array("whole".utf8))
    #expect(try FileSystem.names(in: folder.path) == ["bundle"])
  }

  @Test(
    "paths are made absolute without touching links",
    arguments: [
      ("/a/./b/../c", "/a/c"), ("/", "/"), ("/a//b/", "/a/b"), ("/../x", "/x"),
    ])
  func absolute(path: String, expected: String) {
    #expect(FileSystem.absolutePath(path) == expected)
  }
}

@Suite struct HashAndCompressionTests {
  @Test(
    "SHA-256 gives the published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
  func digests(text: String, digest: String) {
    #expect(SHA256.hex(Array(text.utf8)) == digest)
  }

  @Test func whatWasDeflatedComesBack() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 7) }
    let small = Zlib.deflate(bytes)
    #expect(try Zlib.inflate(small, limit: 1 << 20) == bytes)
    #expect(throws: CompressionError.self) { try Zlib.inflate(small, limit: 1000) }
    #expect(throws: CompressionError.self) {
      try Zlib.inflate(Array(small.dropLast(10)), limit: 1 << 20)
    }
  }

  @Test(
    "bytes are written as people read them",
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_536, "1.5 kB"), (123_456_789, "123 MB"),
    ] as [(Int64, String)])
  func byteCounts(bytes: Int64, text: String) {
    #expect(ByteCount.text(bytes) == text)
  }
}
