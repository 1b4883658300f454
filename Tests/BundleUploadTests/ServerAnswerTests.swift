// SPDX-License-Identifier: Apache-2.0

import Foundation
import LogModel
import TestSupport
import Testing

@testable import BundleUpload

@Suite("A file", .enabled(if: TestServer.python != nil, "python3 is missing"))
struct ServerAnswerTests {
  @Test("is sent again after 500, 503 and 429, whole each time and not before Retry-After")
  func retries() throws {
    let server = try TestServer(["500", "503", "429:Retry-After=2", "201"])
    let scene = try UploadScene()
    #expect(try scene.upload(to: server.url()) == .ok)
    let requests = try server.requests(4)
    #expect(Set(requests.map(\.sha256)) == [scene.sha256])
    #expect(requests[3].at - requests[2].at >= 1.9)
    #expect(Set(requests.map { $0.headers["idempotency-key"] ?? "" }).count == 1)
    #expect(try scene.items("completed").count == 1)
    #expect(try scene.items("pending").isEmpty)
    let item = try scene.folder.file("outbox/completed/" + scene.items("completed")[0])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: item).sorted() == ["lock", "state"])
  }

  @Test("that was taken is not sent again")
  func twice() throws {
    let server = try TestServer(["201"])
    let scene = try UploadScene()
    #expect(try scene.upload(to: server.url()) == .ok)
    #expect(try scene.upload(to: server.url()) == .ok)
    #expect(scene.told("already").count == 1)
    #expect(try server.end().count == 1)
  }

  @Test("waits for a date in Retry-After, too")
  func retryAfterDate() throws {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(identifier: "GMT")
    form.dateFormat = "EEE, dd MMM yyyy HH'{colon}'mm'{colon}'ss 'GMT'"
    let date = form.string(from: Date(timeIntervalSinceNow: 3600))
    let server = try TestServer(["503:Retry-After=" + date])
    let scene = try UploadScene(retrySeconds: 3)
    #expect(try scene.upload(to: server.url()) == .tryAgain)
    #expect(try server.end().count == 1)
    #expect(scene.told("pending").count == 1)
    #expect(try scene.items("pending").count == 1)
  }

  @Test(
    "is refused for good, with the reason and what to do",
    arguments: [
      ("400", "400"), ("401", "upload.token"), ("403", "403"), ("413", "too large"),
      ("304", "304"), ("501", "501"),
    ])
  func refused(_ step: String, _ words: String) throws {
    let server = try TestServer([step])
    let scene = try UploadScene()
    #expect(try scene.upload(to: server.url()) == .refused)
    #expect(scene.told("failed").first?.contains(words) == true)
    #expect(try server.end().count == 1)
    #expect(try scene.items("failed").count == 1)
    #expect(FileManager.default.contents(atPath: scene.path) == Data(scene.bytes))
  }

  @Test(
    "stays when the answer is not whole, comes too early, or never",
    arguments: ["short", "early", "slow", "cut:1000"])
  func incomplete(_ step: String) throws {
    let server = try TestServer([step, "201"])
    // More than the buffers between the two hold, so that "early" is seen before the end.
    let scene = try UploadScene(size: 20_000_000)
    #expect(try scene.upload(to: server.url()) == .ok)
    let waits = scene.told("waiting")
    #expect(waits.count == 1, "\(waits)")
    #expect(try server.requests(step == "slow" ? 1 : 2).last?.sha256 == scene.sha256)
  }

  @Test("is given up for now when the time is over, after pauses that grow")
  func exhausted() throws {
    let server = try TestServer(["500"])
    let scene = try UploadScene(retrySeconds: 4)
    let begin = Date()
    #expect(try scene.upload(to: server.url()) == .tryAgain)
    #expect(Date().timeIntervalSince(begin) < 6)
    let times = try server.end().map(\.at)
    #expect(2...8 ~= times.count)
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    #expect((gaps.last ?? 0) >= (gaps.first ?? 1))
    #expect(scene.told("pending").first?.contains("500") == true)
  }

  @Test("stays when nobody listens, and the message names host and port")
  func connectionRefused() throws {
    let port = try {
      let server = try TestServer(["201"])
      return server.port
    }()
    let scene = try UploadScene(retrySeconds: 0)
    #expect(try scene.upload(to: "http://127.0.0.1:\(port)/x") == .tryAgain)
    #expect(scene.told("pending").first?.contains("127.0.0.1:\(port)") == true)
    #expect(try scene.items("pending").count == 1)
  }

  @Test("that failed is sent by a retry")
  func retry() throws {
    let server = try TestServer(["403", "201"])
    let scene = try UploadScene()
    #expect(try scene.upload(to: server.url()) == .refused)
    scene.job.action = .retry
    scene.job.files = []
    #expect(try scene.run() == .ok)
    #expect(try server.requests(2).last?.sha256 == scene.sha256)
  }
}

@Suite("A redirect", .enabled(if: TestServer.python != nil, "python3 is missing"))
struct RedirectTests {
  @Test("on the same server keeps method, body and credentials", arguments: ["307", "308", "301"])
  func same(_ status: String) throws {
    let server = try TestServer([status + ":Location=/other", "201"])
    let scene = try UploadScene()
    let result = try scene.upload(to: server.url()) { $0.token = .environment("LOGTEST_TOKEN") }
    #expect(result == .ok)
    let requests = try server.requests(2)
    #expect(requests[1].method == "PUT")
    #expect(requests[1].path == "/other")
    #expect(requests[1].sha256 == scene.sha256)
    #expect(requests[1].headers["authorization"] == "Bearer tok-1")
  }

  @Test("to another server takes no credentials along")
  func other() throws {
    let second = try TestServer(["201"])
    let location = "http{colon}//127.0.0.1{colon}\(second.port)/x"
    let first = try TestServer(["307:Location=" + location])
    let scene = try UploadScene()
    let result = try scene.upload(to: first.url()) {
      $0.token = .environment("LOGTEST_TOKEN")
      $0.secretHeaders = [.init("X-Key", .environment("LOGTEST_TOKEN"))]
    }
    #expect(result == .ok)
    let request = try second.requests(1)[0]
    #expect(request.sha256 == scene.sha256)
    #expect(request.headers["authorization"] == nil)
    #expect(request.headers["x-key"] == nil)
  }

  @Test("without an end is no loop")
  func loop() throws {
    let server = try TestServer(["307:Location=/in/b.tar.gz"])
    let scene = try UploadScene()
    #expect(try scene.upload(to: server.url()) == .unavailable, "\(scene.told)")
    #expect(try server.end().count <= 6)
  }
}
