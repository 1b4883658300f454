// SPDX-License-Identifier: Apache-2.0

import Foundation
import LogModel
import TestSupport
import Testing

@testable import BundleUpload

@Suite("A broken upload", .enabled(if: TestServer.python != nil, "python3 is missing"))
struct ResumeTests {
  @Test("goes on where the server says", arguments: [UploadMethod.putRange, .tus])
  func resumes(_ method: UploadMethod) throws {
    let step = method == .tus ? "tus:3000000" : "range:3000000"
    let server = try TestServer([step])
    let scene = try UploadScene(size: 8_000_000)
    #expect(try scene.upload(to: server.url("/files"), method) == .ok)
    let requests = try server.end()
    #expect(requests.last?.stored == scene.sha256)
    #expect(requests.reduce(0) { $0 + $1.size } == scene.bytes.count)
  }

  @Test("trusts the server's count, not its own")
  func fewer() throws {
    let server = try TestServer(["range:4000000", "keep:1500000", "range:0"])
    let scene = try UploadScene(size: 8_000_000)
    #expect(try scene.upload(to: server.url(), .putRange) == .ok)
    #expect(try server.end().last?.stored == scene.sha256)
  }

  @Test("goes on in another process, after a kill")
  func afterKill() throws {
    let server = try TestServer(["tus:3000000"])
    let scene = try UploadScene(size: 8_000_000, retrySeconds: 0)
    #expect(try scene.upload(to: server.url("/files"), .tus) == .tryAgain)
    // As a kill leaves it: in the hands of a process that is gone.
    let key = try #require(scene.items("pending").first)
    try FileManager.default.moveItem(
      atPath: scene.folder.file("outbox/pending/" + key),
      toPath: scene.folder.file("outbox/uploading/" + key))
    scene.job.action = .retry
    scene.job.files = []
    #expect(try scene.run() == .ok)
    let requests = try server.end()
    #expect(requests.last?.stored == scene.sha256)
    #expect(requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test("that the server has forgotten begins again", arguments: ["404", "400"])
  func forgotten(_ answer: String) throws {
    // The first request creates, the second breaks, the third asks and is answered so.
    let server = try TestServer(["tus:1000000", "tus:1000000", answer, "tus:0"])
    let scene = try UploadScene(size: 2_000_000)
    #expect(try scene.upload(to: server.url("/files"), .tus) == .ok)
    let requests = try server.end()
    #expect(requests.last?.stored == scene.sha256)
    let creations = requests.filter { $0.method == "POST" }
    #expect(creations.count == 2)
    // Some servers want to know the type: `application/gzip`.
    let metadata = creations.first?.headers["upload-metadata"] ?? ""
    #expect(metadata.contains("filetype YXBwbGljYXRpb24vZ3ppcA=="), "\(metadata)")
  }
}
