// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A server program of `Servers`, which ends with this value.
final class TestServer {
  /// What it tells of a request.
  struct Request: Decodable {
    var method: String
    var path: String
    var at: Double
    var headers: [String: String]
    var size: Int
    var sha256: String
    var text: String
    /// The digest of what the server had afterwards.
    var stored: String
  }

  private(set) var port = 0
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/Servers"

  static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Starts `failing.py` with these steps.
  init(_ steps: [String], arguments: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = [Self.folder + "/failing.py"] + arguments + steps
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let line = try #require(readLine())
    port = try #require(Int(line))
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  private func readLine() -> String? {
    while true {
      if let end = rest.firstIndex(of: 0x0a) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest = Data(rest[rest.index(after: end)...])
        return line
      }
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { return nil }
      rest += piece
    }
  }

  /// The requests that were answered or broken off, once `count` of them were.
  func requests(_ count: Int) throws -> [Request] {
    var requests: [Request] = []
    for _ in 0..<count {
      let line = try #require(readLine())
      requests.append(try JSONDecoder().decode(Request.self, from: Data(line.utf8)))
    }
    return requests
  }

  /// Ends it; all further requests that it told.
  func end() throws -> [Request] {
    try input.fileHandleForWriting.close()
    var requests: [Request] = []
    while let line = readLine() {
      requests.append(try JSONDecoder().decode(Request.self, from: Data(line.utf8)))
    }
    return requests
  }

  func url(_ path: String = "/in/b.tar.gz", scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(port)\(path)"
  }
}
