// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Foundation
internal import LogModel
internal import LogQuery
internal import SQLite
internal import StoreTestSupport
internal import SupportBundle
internal import TestSupport
internal import Testing

@Suite("A bundle that")
struct BundleFailureTests {
  private let fixture: BundleFixture
  private let base = BundleFixture.base

  init() throws {
    fixture = try BundleFixture()
    for n in 0..<100 { try fixture.sample.addRecord(base + Int64(n), "n=\(n)") }
  }

  private func error(_ request: BundleRequest) throws -> BundleError {
    try #require(#expect(throws: BundleError.self) { _ = try SupportBundle.write(request) })
  }

  @Test("has no place names it")
  func places() throws {
    let missing = try error(fixture.request("nowhere/b.tar.gz"))
    #expect(missing.kind == .cannotCreate)
    #expect(
      missing.description
        == fixture.folder.file("nowhere/b.tar.gz") + ": cannot write: No such file or directory")
    var request = fixture.request("")
    request.output = .file(fixture.folder.path)
    #expect(try error(request).description == fixture.folder.path + ": a folder; name a file in it")
    #expect(try fixture.others() == [])
  }

  @Test("meets a full device leaves the device a device")
  func fullDevice() throws {
    var request = fixture.request("")
    request.output = .file("/dev/full")
    let error = try error(request)
    #expect(error.kind == .inputOutput)
    #expect(
      error.description
        == "/dev/full: cannot write: No space left on device; make room, or name a file elsewhere with -o"
    )
    #expect(try FileStatus(path: "/dev/full").kind == .special)
  }

  @Test("is stopped leaves the old one and nothing else")
  func stopped() throws {
    try fixture.folder.write("b.tar.gz", "an older bundle")
    var request = fixture.request("b.tar.gz")
    var asked = 0
    request.shouldStop = {
      asked += 1
      return asked > 1
    }
    #expect(try error(request).kind == .interrupted)
    #expect(try fixture.others() == ["b.tar.gz"])
    #expect(
      try FileSystem.contents(of: fixture.folder.file("b.tar.gz")) == Array("an older bundle".utf8))
  }

  @Test("is private from its first byte, whatever the umask")
  func permissions() throws {
    final class Modes: @unchecked Sendable {
      // Only touched by the thread of the export.
      var seen: Set<UInt32> = []
    }
    let modes = Modes()
    let old = umask(0)
    defer { umask(old) }
    var request = fixture.request("b.tar.gz")
    let folder = fixture.folder.path
    request.shouldStop = {
      for name in (try? FileSystem.names(in: folder)) ?? [] where !name.hasPrefix("logs.db") {
        if let status = try? FileStatus(path: folder + "/" + name) {
          modes.seen.insert(status.permissions)
        }
      }
      return false
    }
    _ = try SupportBundle.write(request)
    #expect(modes.seen == [0o600])
    #expect(try FileStatus(path: fixture.folder.file("b.tar.gz")).permissions == 0o600)
  }

  @Test("was killed is cleared away by the next one")
  func leftovers() throws {
    let gone = try fixture.folder.write(".old.tar.gz.999999999.tmp", "half a bundle")
    let alive = try fixture.folder.write(".other.tar.gz.\(getpid()).tmp", "in the making")
    let foreign = try fixture.folder.write(".notes.tmp", "not ours")
    for path in [gone, alive, foreign] { try FileSystem.setPermissions(path, 0o600) }
    _ = try SupportBundle.write(fixture.request("b.tar.gz"))
    #expect(
      try fixture.others() == [".notes.tmp", ".other.tar.gz.\(getpid()).tmp", "b.tar.gz"])
  }

  @Test("has a limit keeps the newest records and whole reports, and says what is missing")
  func limit() throws {
    var random = SystemRandomNumberGenerator()
    let noise = { (count: Int) in
      (0..<count).map { _ in UInt8.random(in: 33...126, using: &random) }
    }
    try fixture.sample.connection.execute("BEGIN")
    for n in 100..<3000 {
      try fixture.sample.addRecord(
        base + Int64(n), "n=\(n) " + String(decoding: noise(200), as: UTF8.self))
    }
    let large = noise(400_000)
    try fixture.sample.addCrash(1, base + 5, report: large, path: "/c/large")
    try fixture.sample.addCrash(2, base + 4, report: Array("small".utf8), path: "/c/small")
    try fixture.sample.connection.execute("COMMIT")
    var request = fixture.request("b.tar.gz")
    request.maxBytes = 200_000
    let bundle = try fixture.unpack(request)
    #expect(bundle.summary.bytes <= 200_000)
    #expect(bundle.summary.bytes > 150_000)
    let bodies = try bundle.bodies()
    let first = 3000 - bodies.count
    #expect(bodies.count > 100)
    #expect(bodies.enumerated().allSatisfy { $1.hasPrefix("n=\(first + $0) ") })
    #expect(bundle.manifest["records"] as? Int == bodies.count)
    let files = try #require(bundle.manifest["files"] as? [[String: Any]])
    #expect(files.first { $0["original"] as? String == "/c/large" }?["member"] is NSNull)
    #expect(files.first { $0["original"] as? String == "/c/small" }?["member"] is String)
    let leftOut = try #require(bundle.manifest["left_out"] as? [[String: Any]])
    #expect(leftOut.map { $0["what"] as? String } == ["records", "logs.db", "report"])
    #expect(leftOut[0]["count"] as? Int == 3000 - bodies.count)
    #expect(leftOut[2]["sha256"] as? String == SHA256.hex(large))
    #expect(!bundle.names.contains("logs.db"))
    request.database = .always
    let both = try fixture.unpack(request)
    #expect(both.names.contains("logs.db"))
    #expect(try both.bodies().count < bodies.count)
    request.maxBytes = 100
    let tooSmall = try error(request)
    #expect(tooSmall.kind == .tooSmall)
    #expect(tooSmall.description.hasPrefix("--max-size 100: an empty bundle needs "))
  }

  @Test("is of no store says so, and makes nothing")
  func noStore() throws {
    var request = fixture.request("b.tar.gz")
    request.storePath = fixture.folder.file("none.db")
    #expect(throws: QueryError.self) { _ = try SupportBundle.write(request) }
    #expect(try fixture.others() == [])
  }
}
