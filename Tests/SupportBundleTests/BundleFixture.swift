// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogQuery
internal import StoreTestSupport
internal import SupportBundle
internal import TestSupport

/// A store in a folder of its own, and bundles of it.
struct BundleFixture {
  // 2025-03-01T16:00:00.5Z
  static let base: Int64 = 1_740_844_800_500_000_000

  let folder: TemporaryDirectory
  let sample: SampleStore

  init() throws {
    folder = try TemporaryDirectory()
    sample = try SampleStore(path: folder.file("logs.db"))
    try sample.addFile(1)
  }

  func request(_ name: String, since: Int64 = base) -> BundleRequest {
    BundleRequest(
      storePath: sample.path, since: Timestamp(nanoseconds: since),
      output: .file(folder.file(name)), toolVersion: "1.2.3")
  }

  /// Makes a bundle and unpacks it with the system's tar.
  func unpack(_ request: BundleRequest) throws -> Unpacked {
    let summary = try SupportBundle.write(request)
    guard case .file(let path) = request.output else { throw CocoaError(.fileNoSuchFile) }
    return try Unpacked(path, summary: summary)
  }

  /// Names in the folder besides the store's.
  func others() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix("logs.db") }.sorted()
  }
}

/// A bundle, taken apart by tar.
struct Unpacked {
  let summary: BundleSummary
  let names: [String]
  let manifest: [String: Any]
  private let folder: TemporaryDirectory

  init(_ path: String, summary: BundleSummary) throws {
    self.summary = summary
    folder = try TemporaryDirectory()
    names = try Shell.run("tar", ["-tzf", path]).split(separator: "\n").map(String.init)
    _ = try Shell.run("tar", ["-xzf", path, "-C", folder.path])
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("manifest.json")))
    manifest = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  func content(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
  }

  func path(_ name: String) -> String { folder.file(name) }

  /// The records of `logs.jsonl`.
  func records() throws -> [[String: Any]] {
    try content("logs.jsonl").split(separator: 10).map {
      try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] ?? [:]
    }
  }

  func bodies() throws -> [String] { try records().map { $0["body"] as? String ?? "" } }
}

/// Runs a program of the system.
enum Shell {
  struct Failure: Error {
    let text: String
  }

  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    if process.terminationStatus != 0 { throw Failure(text: text) }
    return text
  }
}
