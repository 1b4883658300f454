// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import Foundation
internal import LogagentCLI
internal import TestSupport
internal import Testing

@Suite("logagent init")
struct InitTests {
  private let fixture: CommandLineFixture
  private let host: FakeHost

  init() throws {
    fixture = try CommandLineFixture()
    host = try FakeHost()
  }

  private func made() throws -> Configuration {
    let path = fixture.folder.file("made.toml")
    let result = fixture.run("init", "--root", host.root, "--output", path, "--force")
    #expect(result.status == .ok, "\(result.errors)")
    return try ConfigurationLoader(file: path, environment: ["HOME": "/"], userID: 0).load()
  }

  @Test("names logs that programs have open for writing, and no others")
  func openLogs() throws {
    try host.addProcess(7, "shop", writes: ["/srv/shop/logs/shop.log", "/srv/shop/logs/a.err"])
    try host.addProcess(8, "tail", reads: ["/srv/read/read.log"])
    try host.addProcess(9, "db", writes: ["/srv/db/data.bin", "/srv/shop/logs/b.log"])
    let configuration = try made()
    #expect(configuration.sources.map(\.name) == ["shop"])
    #expect(configuration.sources[0].include == ["/srv/shop/logs/*.err", "/srv/shop/logs/*.log"])
  }

  @Test("names what lies below /var/log")
  func varLog() throws {
    for name in ["kern.log", "syslog", "wtmp", "nginx/access.log", "journal/x.log", "empty/x.bin"] {
      try host.write("/var/log/" + name, "x\n")
    }
    let configuration = try made()
    #expect(configuration.sources.map(\.name) == ["system", "nginx"])
    #expect(configuration.sources[0].include == ["/var/log/*.log", "/var/log/syslog"])
  }

  @Test("names crash folders: usual ones, the kernel's, and those of running Swift programs")
  func crashFolders() throws {
    for folder in ["/var/crash", "/srv/cores", "/srv/backtraces"] { try host.makeFolder(folder) }
    try host.write("/proc/sys/kernel/core_pattern", "/srv/cores/core.%p\n")
    try host.addProcess(
      7, "shop", environment: ["SWIFT_BACKTRACE": "enable=yes,output-to=/srv/backtraces"])
    #expect(try made().spools.map(\.path) == ["/var/crash", "/srv/cores", "/srv/backtraces"])
  }

  @Test("names the journal where there is one")
  func journal() throws {
    try host.write("/var/log/syslog", "x\n")
    #expect(try made().journals.isEmpty)
    try host.write("/usr/bin/journalctl", "")
    try host.makeFolder("/var/log/journal")
    #expect(try made().journals.map(\.name) == ["journal"])
  }

  @Test("gives two folders of one program two names, and quotes what is odd")
  func names() throws {
    try host.addProcess(7, "a\"b", writes: ["/srv/a/x.log", "/srv/b [1]/x.log"])
    let configuration = try made()
    #expect(configuration.sources.map(\.name) == ["a\"b", "a\"b-2"])
    #expect(configuration.sources[1].include == ["/srv/b ?1?/*.log"])
  }

  @Test("refuses another host's root that is not there, or whose result would become this one's")
  func otherRoot() {
    let path = fixture.folder.file("made.toml")
    let missing = fixture.run("init", "--root", host.root + "/none", "--output", path)
    #expect(missing.status == .noInput)
    #expect(missing.errors.contains("none: no such folder"))
    let result = fixture.run("init", "--root", host.root, "--config", path)
    #expect(result.status == .usage)
    #expect(result.errors.contains("--output"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("replaces nothing unless told to")
  func force() throws {
    let path = try fixture.folder.write("made.toml", "# mine\n")
    let result = fixture.run("init", "--root", host.root, "--output", path)
    #expect(result.status == .cannotCreate)
    #expect(result.errors.contains("--force"))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "# mine\n")
    // Nothing lies on this host; the file is a commented example then.
    #expect(
      fixture.run("init", "--root", host.root, "--output", path, "--force").status == .nothingFound)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("# [[source]]"))
  }
}
