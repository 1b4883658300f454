// SPDX-License-Identifier: Apache-2.0

import Foundation
import LogModel
import TestSupport
import Testing

@testable import BundleUpload

@Suite("Nothing is sent", .enabled(if: TestServer.python != nil, "python3 is missing"))
struct LimitTests {
  @Test("beyond the uploads of a day")
  func uploads() throws {
    let server = try TestServer(["201"])
    let scene = try UploadScene()
    scene.job.limits.uploadsPerDay = 1
    #expect(try scene.upload(to: server.url("/one")) == .ok)
    #expect(try scene.upload(to: server.url("/two")) == .tryAgain)
    #expect(scene.told("pending").first?.contains("max_uploads_per_day") == true)
    #expect(try server.end().map(\.path) == ["/one"])
  }

  @Test("beyond the bytes of a day")
  func bytes() throws {
    let server = try TestServer(["201"])
    let scene = try UploadScene()
    scene.job.limits.bytesPerDay = 400_000
    #expect(try scene.upload(to: server.url("/one")) == .ok)
    #expect(try scene.upload(to: server.url("/two")) == .tryAgain)
    #expect(try server.end().count == 1)
  }

  @Test("while the hook says no")
  func unmetered() throws {
    let server = try TestServer(["201"])
    let scene = try UploadScene()
    scene.job.limits.unmeteredCommand = ["false"]
    #expect(try scene.upload(to: server.url()) == .tryAgain)
    scene.job.limits.unmeteredCommand = ["true"]
    #expect(try scene.upload(to: server.url()) == .ok)
    #expect(try server.end().count == 1)
  }

  @Test("that the outbox has no room for")
  func quota() throws {
    let server = try TestServer(["403", "500"])
    let scene = try UploadScene()
    scene.job.limits.outboxBytes = 400_000
    // What has failed for good makes room; what still waits does not.
    #expect(try scene.upload(to: server.url("/one")) == .refused)
    scene.job.retrySeconds = 0
    #expect(try scene.upload(to: server.url("/two")) == .tryAgain)
    #expect(try scene.items("failed").isEmpty)
    #expect(try scene.upload(to: server.url("/three")) == .cannotCreate)
    #expect(scene.told("problem").first?.contains("outbox_quota") == true)
  }

  @Test("when a credential is missing, or would go out in the clear")
  func credentials() throws {
    let scene = try UploadScene()
    let status = try scene.upload(to: "http://127.0.0.1:9/x") {
      $0.token = .environment("LOGTEST_MISSING")
    }
    #expect(status == .unavailable)
    #expect(scene.told("pending").first?.contains("LOGTEST_MISSING") == true)
    let other = try UploadScene()
    let clear = try other.upload(to: "http://logs.invalid/x") {
      $0.token = .environment("LOGTEST_TOKEN")
    }
    #expect(clear == .unavailable)
    #expect(other.told("pending").first?.contains("https") == true)
  }

  @Test("to a directory, or from a file that is missing")
  func missing() throws {
    let scene = try UploadScene()
    scene.job.files = [.init(path: scene.folder.file("none"), name: "none")]
    #expect(try scene.upload(to: "http://127.0.0.1:9/x") == .noInput)
  }

  @Test("twice at the same time by two processes")
  func locked() throws {
    let scene = try UploadScene(retrySeconds: 0)
    #expect(try scene.upload(to: "http://127.0.0.1:9/x") == .tryAgain)
    let outbox = try Outbox(folder: scene.job.outbox, quota: 1 << 30)
    let key = try #require(scene.items("pending").first)
    guard let item = try outbox.claim(key) else {
      Issue.record("a pending item could not be claimed")
      return
    }
    let isFree = try outbox.claim(key) != nil
    #expect(!isFree)
    // A process that begins meanwhile leaves it where it is.
    #expect(try scene.run() == .tryAgain)
    #expect(try scene.items("uploading") == [key])
    try outbox.put(item, in: .pending)
  }
}

@Suite struct CredentialTests {
  @Test func comeFromFilesAndCommandsToo() throws {
    let folder = try TemporaryDirectory()
    var target = UploadTarget(url: "https://h/")
    target.token = .file(try folder.write("token", "abc\n"))
    target.password = .command(["printf", "p w"])
    let credentials = try Credentials(target, environment: ["PATH": "/usr/bin:/bin"])
    #expect(credentials.token == "abc")
    #expect(credentials.password == "p w")
  }

  @Test func withALineBreakAreRefused() throws {
    var target = UploadTarget(url: "https://h/")
    target.token = .environment("LOGTEST_A")
    #expect(throws: CredentialError.self) {
      try Credentials(target, environment: ["LOGTEST_A": "a\r\nX-Evil: 1"])
    }
  }

  @Test func aTargetAndAJobComeBackFromTheirLines() {
    var job = UploadJob(.due, outbox: "/a b/\n")
    var target = UploadTarget(url: "https://h/?a=b")
    target.fields = [.init("a=b", "c\\n\nd")]
    target.secretHeaders = [.init("X", .command(["a", "b c"]))]
    target.method = .tus
    job.target = target
    job.files = [.init(path: "/x y", name: "z\n")]
    job.retrySeconds = nil
    job.limits.unmeteredCommand = ["a", ""]
    var expected = job
    // A field's name has no equals sign.
    expected.target?.fields = [.init("a", "b=c\\n\nd")]
    #expect(UploadJob(FieldList(job.lines.text)) == expected)
  }
}
