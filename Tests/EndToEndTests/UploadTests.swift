// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("logagent upload", .enabled(if: TestServer.python != nil, "python3 is missing"))
struct UploadTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func writeConfiguration(_ upload: String) throws -> String {
    try folder.write(
      "logagent.toml",
      """
      state_dir = "state"
      [[source]]
      name = "app"
      include = ["logs/*.log"]
      [limits]
      poll_ms = 200
      [upload]
      \(upload)
      """)
  }

  private func start(_ arguments: [String], errors: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = BuiltProgram.url("logagent")
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    if let errors { process.standardError = errors }
    try process.run()
    return process
  }

  private func run(_ arguments: [String]) throws -> (status: Int32, errors: String) {
    let errors = Pipe()
    let process = try start(arguments, errors: errors)
    let data = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  private func importLog() throws {
    try folder.write("logs/app.log", "2026-11-30T10:00:00Z info demo : hello\n")
    #expect(try run(["import", "--state-dir", "state", "logs"]).status == 0)
  }

  @Test("sends a redacted bundle, and nothing that is not redacted")
  func redactedOnly() throws {
    let server = try TestServer(["201"])
    let file = try writeConfiguration("url = \"\(server.url("/in/"))\"")
    try importLog()
    #expect(
      try run(["export", "--config", file, "--since", "@0", "-o", "b.tar.gz"]).status == 0)
    #expect(
      try run(["export", "--config", file, "--since", "@0", "-o", "c.tar.gz", "--no-redact"])
        .status == 0)
    let refused = try run(["upload", "--config", file, "c-unredacted.tar.gz"])
    #expect(refused.status == 77)
    #expect(refused.errors.contains("allow_unredacted"))
    try folder.write("any.bin", "no bundle")
    #expect(try run(["upload", "--config", file, "any.bin"]).status == 77)
    let sent = try run(["upload", "--config", file, "b.tar.gz"])
    #expect(sent.status == 0, "\(sent.errors)")
    #expect(try server.end().map(\.path) == ["/in/b.tar.gz"])
  }

  @Test("goes on after kill -9, and the server has the file once and whole")
  func killed() throws {
    let server = try TestServer(["tus:0"])
    let file = try writeConfiguration(
      """
      url = "\(server.url("/files"))"
      method = "tus"
      rate_limit = 300000
      allow_unredacted = true
      """)
    try folder.write("b.bin", [UInt8](repeating: 7, count: 700_000))
    let process = try start(["upload", "--config", file, "b.bin"], errors: Pipe())
    // The upload is on its way when its item lies in `uploading` and the address is known.
    let uploading = folder.file("state/outbox/uploading")
    let deadline = Date(timeIntervalSinceNow: 20)
    var isUnderWay = false
    while !isUnderWay, Date() < deadline {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: uploading)) ?? []
      isUnderWay = names.contains {
        let state = try? String(contentsOfFile: "\(uploading)/\($0)/state", encoding: .utf8)
        return state?.contains("unanswered 1") == true
      }
      usleep(5_000)
    }
    #expect(isUnderWay)
    let children = try Self.children(of: process.processIdentifier)
    #expect(!children.isEmpty)
    for child in children { kill(child, SIGKILL) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 69)
    let again = try run(["upload", "--config", file, "--retry", "--wait"])
    #expect(again.status == 0, "\(again.errors)")
    let requests = try server.end()
    #expect(requests.filter { $0.method == "POST" }.count == 1)
    let whole = try TestServer.sha256([UInt8](repeating: 7, count: 700_000))
    #expect(requests.last?.stored == whole)
  }

  private static func children(of parent: Int32) throws -> [Int32] {
    let path = "/proc/\(parent)/task/\(parent)/children"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.split(separator: " ").compactMap { Int32($0) }
  }

  @Test("is started by the agent after a crash, with what is new")
  func automatic() throws {
    let server = try TestServer(["503", "201"])
    let file = try writeConfiguration("url = \"\(server.url("/in/"))\"\nautomatic = \"crash\"")
    try folder.write("logs/app.log", "")
    let errors = Pipe()
    let agent = try start(["run", "--config", file], errors: errors)
    defer {
      agent.terminate()
      agent.waitUntilExit()
    }
    let now = ISO8601DateFormatter().string(from: Date())
    try folder.append(
      "logs/app.log",
      "\(now) info demo : hello\nmain.swift:65: Fatal error: Index out of range\n")
    // Ten seconds of context, then the bundle; the second attempt is not sooner than in 30 s.
    let first = try server.requests(1)[0]
    #expect(first.method == "PUT")
    #expect(first.path.hasPrefix("/in/logagent-"))
    #expect(first.size > 1000)
  }

  @Test("acknowledges rows for --since-last-upload only when the server has them")
  func sinceLastUpload() throws {
    let server = try TestServer(["403", "201"])
    let file = try writeConfiguration("url = \"\(server.url("/in/"))\"")
    try importLog()
    func export(_ name: String) throws -> String {
      try run(["export", "--config", file, "--since-last-upload", "-o", name]).errors
    }
    #expect(try export("a.tar.gz").contains(": 1 record,"))
    #expect(try run(["upload", "--config", file, "a.tar.gz"]).status == 65)
    // Refused: the next bundle begins where this one did.
    #expect(try export("b.tar.gz").contains(": 1 record,"))
    #expect(try run(["upload", "--config", file, "b.tar.gz"]).status == 0)
    try folder.append("logs/app.log", "2026-11-30T09:00:00Z info demo : older, stored later\n")
    #expect(try run(["import", "--state-dir", "state", "logs"]).status == 0)
    #expect(try export("c.tar.gz").contains(": 1 record,"))
    #expect(try server.end().count == 2)
  }
}
