// SPDX-License-Identifier: Apache-2.0

import FileIO
import Foundation
import Glibc
import LogModel
import TestSupport
import Testing

@testable import BundleUpload

/// nginx with WebDAV over TLS, an authority of its own, and clients that must have a certificate.
final class NginxServer {
  static let isThere =
    ServerProgram.succeeds(["nginx", "-v"]) && ServerProgram.succeeds(["openssl", "version"])

  let folder: TemporaryDirectory
  let port: UInt16
  private var program: ServerProgram?

  init() throws {
    folder = try TemporaryDirectory()
    port = try Self.freePort()
    try makeCertificates()
    try FileManager.default.createDirectory(
      atPath: folder.file("files"), withIntermediateDirectories: true)
    try folder.write("nginx.conf", configuration)
    // The shell ends it when nobody holds the other end of its input any more.
    program = try ServerProgram([
      "sh", "-c", "\"$@\" & cat; kill -9 $!", "sh", "nginx", "-p", folder.path, "-c",
      folder.file("nginx.conf"), "-e", folder.file("error.log"),
    ])
    try waitUntilItListens()
  }

  private var configuration: String {
    """
    \(getuid() == 0 ? "user root;" : "")
    daemon off;
    master_process off;
    pid \(folder.file("pid"));
    events { worker_connections 64; }
    http {
      access_log off;
      client_body_temp_path \(folder.file("body"));
      client_max_body_size 1m;
      server {
        listen 127.0.0.1:\(port) ssl;
        ssl_certificate \(folder.file("server.pem"));
        ssl_certificate_key \(folder.file("server.key"));
        ssl_client_certificate \(folder.file("ca.pem"));
        ssl_verify_client on;
        root \(folder.file("files"));
        location / { dav_methods PUT; create_full_put_path on; }
      }
    }
    """
  }

  private func makeCertificates() throws {
    let own = { (name: String) in self.folder.file(name) }
    try ServerProgram.run([
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=ca",
      "-keyout", own("ca.key"), "-out", own("ca.pem"),
    ])
    try folder.write("names", "subjectAltName=IP:127.0.0.1")
    for name in ["server", "client"] {
      try ServerProgram.run([
        "openssl", "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=\(name)",
        "-keyout", own(name + ".key"), "-out", own(name + ".csr"),
      ])
      try ServerProgram.run([
        "openssl", "x509", "-req", "-in", own(name + ".csr"), "-CA", own("ca.pem"), "-CAkey",
        own("ca.key"), "-CAcreateserial", "-days", "2", "-extfile", own("names"), "-out",
        own(name + ".pem"),
      ])
    }
  }

  private static func freePort() throws -> UInt16 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, length) == 0 ? getsockname(number, $0, &length) : -1
      }
    }
    if status != 0 { throw ServerProgram.Failure(text: "no free port") }
    return UInt16(bigEndian: address.sin_port)
  }

  private func waitUntilItListens() throws {
    let deadline = Date(timeIntervalSinceNow: 10)
    while Date() < deadline {
      // The file is there once the sockets are open.
      if let text = try? String(contentsOfFile: folder.file("pid"), encoding: .utf8), !text.isEmpty
      {
        return
      }
      usleep(5_000)
    }
    throw ServerProgram.Failure(
      text: (try? String(contentsOfFile: folder.file("error.log"), encoding: .utf8)) ?? "")
  }

  var url: String { "https://127.0.0.1:\(port)/in/" }

  func trust(_ target: inout UploadTarget, isKnown: Bool = true) {
    target.caFile = folder.file("ca.pem")
    if isKnown {
      target.clientCertificate = folder.file("client.pem")
      target.clientKey = folder.file("client.key")
    }
  }
}

@Suite("nginx", .enabled(if: NginxServer.isThere, "nginx or openssl is missing"))
struct NginxTests {
  @Test("takes a file by WebDAV over TLS, with a client certificate")
  func dav() throws {
    let server = try NginxServer()
    let scene = try UploadScene()
    let status = try scene.upload(to: server.url) { server.trust(&$0) }
    #expect(status == .ok, "\(scene.told)")
    let stored = FileManager.default.contents(atPath: server.folder.file("files/in/b.tar.gz"))
    #expect(stored == Data(scene.bytes))
  }

  @Test("is sent nothing when its authority is unknown, or its name another one")
  func untrusted() throws {
    let server = try NginxServer()
    let scene = try UploadScene()
    #expect(try scene.upload(to: server.url) == .unavailable)
    #expect(scene.told("pending").first?.lowercased().contains("certificate") == true)
    let named = server.url.replacingOccurrences(of: "127.0.0.1", with: "localhost")
    #expect(try scene.upload(to: named) { server.trust(&$0) } == .unavailable)
    #expect(!FileManager.default.fileExists(atPath: server.folder.file("files/in")))
  }

  @Test("refuses a client without a certificate, and a file that is too large")
  func refused() throws {
    let server = try NginxServer()
    let scene = try UploadScene(retrySeconds: 0)
    let status = try scene.upload(to: server.url) { server.trust(&$0, isKnown: false) }
    #expect(status == .refused)
    #expect(scene.told("failed").first?.contains("400") == true)
    let large = try UploadScene(size: 2_000_000)
    #expect(try large.upload(to: server.url) { server.trust(&$0) } == .refused)
    #expect(large.told("failed").first?.contains("413") == true)
  }
}

@Suite(
  "S3",
  .enabled(if: ServerProgram.succeeds(["python3", "-c", "import moto, boto3"]), "moto is missing"))
struct S3Tests {
  private let server: ServerProgram
  private let port: String
  private let environment: [String: String]

  init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Servers/s3.py"
    server = try ServerProgram(["python3", script])
    let words = try #require(server.line()).split(separator: " ").map(String.init)
    port = words[0]
    environment = ["LOGTEST_ID": words[1], "LOGTEST_KEY": words[2]]
  }

  private func send(_ environment: [String: String], _ scene: UploadScene) throws -> UploadStatus {
    scene.environment = environment
    return try scene.upload(to: "http://127.0.0.1:\(port)/bundles/", .s3) {
      $0.user = .environment("LOGTEST_ID")
      $0.password = .environment("LOGTEST_KEY")
      $0.region = "eu-central-1"
    }
  }

  @Test("takes what is signed with the right key, and nothing else")
  func signed() throws {
    let forged = try UploadScene(retrySeconds: 0)
    let status = try send(environment.merging(["LOGTEST_KEY": "wrong"]) { $1 }, forged)
    #expect(status == .refused)
    #expect(forged.told("failed").first?.contains("403") == true)
    let scene = try UploadScene()
    #expect(try send(environment, scene) == .ok, "\(scene.told)")
    #expect(try server.end() == ["b.tar.gz \(scene.sha256)"])
  }
}
