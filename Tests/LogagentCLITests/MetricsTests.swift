// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogagentCLI
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("logagent metrics")
struct MetricsTests {
  private let fixture: CommandLineFixture
  private let base: Int64 = 1_740_844_800_000_000_000

  init() throws {
    fixture = try CommandLineFixture()
    try fixture.sample.addFile(2, source: "we\"b", path: "/var/log/web.log")
    try fixture.sample.addRecord(base, "x")
    try fixture.sample.addCrash(1, base, report: Array("{}".utf8))
  }

  @Test("are in Prometheus' format: each with help and type, labels escaped")
  func format() {
    let text = fixture.run("metrics").output
    var typed: Set<Substring> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("# TYPE ") {
        typed.insert(line.split(separator: " ")[2])
      } else if !line.hasPrefix("# HELP ") {
        let name = line.prefix { $0 != "{" && $0 != " " }
        #expect(typed.contains(name), "\(line)")
        #expect(line.split(separator: " ").last.flatMap { Double($0) } != nil, "\(line)")
      }
    }
    #expect(text.contains("\nlogagent_up 0\n"))
    #expect(text.contains("\nlogagent_crashes 1\n"))
    #expect(text.contains("logagent_source_files{source=\"we\\\"b\"} 1\n"))
    #expect(text.contains("\nlogagent_last_crash_timestamp_seconds 1740844800\n"))
  }

  @Test("replace a file as a whole, readable for the exporter")
  func file() throws {
    let path = fixture.folder.file("logagent.prom")
    #expect(fixture.run("metrics", "-o", path).status == .ok)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("# HELP logagent_info ") && text.contains("\nlogagent_records 1\n"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o644)
    for flag in ["-o", "--listen"] {
      let result = fixture.run("metrics", flag, "/none/x.prom")
      #expect(result.status == .cannotCreate)
      #expect(result.errors.contains("/none/x.prom: cannot "))
    }
  }

  @Test("answer on a Unix socket")
  func socket() throws {
    let path = fixture.folder.file("m.sock")
    let answer = Pipe()
    let curl = Process()
    curl.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    curl.arguments = [
      "-c",
      """
      import socket, time
      for _ in range(200):
        s = socket.socket(socket.AF_UNIX)
        try: s.connect('\(path)'); break
        except OSError: time.sleep(0.02)
      s.sendall(b'GET /metrics HTTP/1.1\\r\\n\\r\\n')
      data = b''
      while (piece := s.recv(65536)): data += piece
      print(data.decode())
      """,
    ]
    curl.standardOutput = answer
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") else { return }
    try curl.run()
    fixture.shouldStop = { !curl.isRunning }
    #expect(fixture.run("metrics", "--listen", path).status == .ok)
    let text = String(decoding: answer.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.0 200 OK"))
    #expect(text.contains("logagent_records 1"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
