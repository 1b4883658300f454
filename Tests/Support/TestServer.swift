// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A server of `Tests/BundleUploadTests/Servers`, which ends with this value.
package final class TestServer {
  /// What it tells of a request.
  package struct Request: Decodable {
    package var method: String
    package var path: String
    /// Seconds of a steady clock.
    package var at: Double
    package var headers: [String: String]
    package var size: Int
    package var sha256: String
    package var text: String
    /// The digest of what the server had afterwards.
    package var stored: String
  }

  /// The server ended, or has not told what it should.
  package struct Failure: Error {}

  package private(set) var port = 0
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  private static let script =
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().path + "/BundleUploadTests/Servers/failing.py"

  /// Python 3, which the server needs; `nil` where there is none.
  package static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Starts `failing.py` with these steps.
  package init(_ steps: [String], arguments: [String] = []) throws {
    process.executableURL = URL(fileURLWithPath: Self.python ?? "")
    process.arguments = [Self.script] + arguments + steps
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard let number = readLine().flatMap({ Int($0) }) else { throw Failure() }
    port = number
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
  package func requests(_ count: Int) throws -> [Request] {
    var requests: [Request] = []
    for _ in 0..<count {
      guard let line = readLine() else { throw Failure() }
      requests.append(try JSONDecoder().decode(Request.self, from: Data(line.utf8)))
    }
    return requests
  }

  /// Ends it; all further requests that it told.
  package func end() throws -> [Request] {
    try input.fileHandleForWriting.close()
    var requests: [Request] = []
    while let line = readLine() {
      requests.append(try JSONDecoder().decode(Request.self, from: Data(line.utf8)))
    }
    return requests
  }

  /// The digest of `bytes`, by the system's own program.
  package static func sha256(_ bytes: [UInt8]) throws -> String {
    let folder = try TemporaryDirectory()
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    process.arguments = [try folder.write("bytes", bytes)]
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data.prefix(64), as: UTF8.self)
  }

  package func url(_ path: String = "/in/b.tar.gz", scheme: String = "http") -> String {
    "\(scheme)://127.0.0.1:\(port)\(path)"
  }
}
