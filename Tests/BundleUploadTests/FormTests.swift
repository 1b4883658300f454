// SPDX-License-Identifier: Apache-2.0

import Foundation
import LogModel
import TestSupport
import Testing

@testable import BundleUpload

@Suite("A form", .enabled(if: TestServer.python != nil, "python3 is missing"))
struct FormTests {
  @Test("has the file, the fields and the headers that are configured")
  func post() throws {
    let server = try TestServer(["200"])
    let scene = try UploadScene(size: 100)
    let status = try scene.upload(to: server.url("/form"), .post) {
      $0.field = "bundle"
      $0.fields = [.init("app", "shop")]
      $0.headers = [.init("X-App", "shop")]
    }
    #expect(status == .ok)
    let request = try server.requests(1)[0]
    #expect(request.method == "POST")
    #expect(request.headers["x-app"] == "shop")
    #expect(request.text.contains("name=\"bundle\"; filename=\"b.tar.gz\""))
    #expect(request.text.contains("name=\"app\"\r\n\r\nshop\r\n"))
    let type = try #require(request.headers["content-type"])
    let boundary = try #require(type.split(separator: "=").last)
    #expect(request.text.hasSuffix("\r\n--\(boundary)--\r\n"))
  }

  @Test("of crash reports is what KSCrash sends, compressed if the server takes it")
  func kscrash() throws {
    let server = try TestServer(["415", "200"])
    let scene = try UploadScene(size: 1)
    scene.job.files = [
      .init(path: try scene.folder.write("reports.json", "[{\"a\":1}]"), name: "reports.json")
    ]
    #expect(try scene.upload(to: server.url(), .kscrash) { $0.usesGzip = true } == .ok)
    let requests = try server.requests(2)
    #expect(requests[0].headers["content-encoding"] == "gzip")
    #expect(requests[0].text.hasPrefix("\u{1f}\u{8b}"))
    #expect(requests[1].headers["content-encoding"] == nil)
    #expect(requests[1].text.contains("name=\"reports\"; filename=\"reports.json\""))
    #expect(requests[1].text.contains("[{\"a\":1}]"))
  }

  @Test("is signed for S3, with the digest of the file")
  func s3() throws {
    let server = try TestServer(["200"])
    let scene = try UploadScene()
    scene.environment = ["LOGTEST_ID": "AKID", "LOGTEST_KEY": "secret"]
    let status = try scene.upload(to: server.url("/bucket/"), .s3) {
      $0.user = .environment("LOGTEST_ID")
      $0.password = .environment("LOGTEST_KEY")
      $0.region = "eu-central-1"
    }
    #expect(status == .ok)
    let request = try server.requests(1)[0]
    #expect(request.path == "/bucket/b.tar.gz")
    #expect(request.headers["x-amz-content-sha256"] == scene.sha256)
    let authorization = request.headers["authorization"] ?? ""
    #expect(authorization.hasPrefix("AWS4-HMAC-SHA256 Credential=AKID/"))
    #expect(authorization.contains("/eu-central-1/s3/aws4_request"))
  }
}
