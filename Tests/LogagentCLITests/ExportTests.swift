// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogQuery
internal import LogagentCLI
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("logagent export")
struct ExportTests {
  private let fixture: CommandLineFixture
  private let base: Int64 = 1_740_844_800_000_000_000

  init() throws {
    fixture = try CommandLineFixture()
    try fixture.sample.addRecord(base, "one")
  }

  @Test("says what it wrote, and that it is not redacted")
  func report() throws {
    let path = fixture.folder.file("b.tar.gz")
    let result = fixture.run("export", "--since", "2025-03-01T16:00:00Z", "-o", path)
    #expect(result.status == .ok)
    #expect(result.errors.hasPrefix("logagent: wrote \(path): 1 records, 0 crashes, "))
    #expect(
      result.errors.hasSuffix(
        "\nlogagent: the bundle is NOT redacted: it may hold personal data and secrets\n"))
    #expect(result.output == "")
    #expect(try FileStatus(path: path).permissions == 0o600)
  }

  @Test("of nothing is an empty bundle, and says so")
  func nothing() throws {
    let path = fixture.folder.file("b.tar.gz")
    let result = fixture.run("export", "--since=2025-03-01T16:00:00.1Z", "--output=" + path)
    #expect(result.status == .ok)
    #expect(
      result.errors.hasSuffix(
        "logagent: there was nothing: no records and no crashes since 2025-03-01T16:00:00.1Z\n"))
    #expect(try FileStatus(path: path).size > 100)
  }

  @Test("takes - as standard output")
  func standardOutput() throws {
    let result = fixture.run("export", "--since", "@0", "-o", "-")
    #expect(result.status == .ok)
    #expect(result.bytes.starts(with: [0x1f, 0x8b]))
    fixture.output.isTerminal = true
    #expect(fixture.run("export", "--since", "@0", "-o", "-").status == .usage)
    fixture.output.isTerminal = false
    fixture.output.failure = OutputError(
      name: "standard output", reason: "Broken pipe", isClosed: true)
    #expect(fixture.run("export", "--since", "@0", "-o", "-").status == .ok)
  }

  @Test(
    "is refused with the status of its reason",
    arguments: [
      (["--since", "yesterdayish"], LogagentCLI.ExitStatus.usage, "'yesterdayish'"),
      (["--since", "2025-02-30T00:00:00Z"], .usage, "'2025-02-30T00:00:00Z'"),
      (["--since", "@10", "--until", "@9"], .usage, "later than"),
      ([], .usage, "--since is missing"),
      (["--since", "@0", "--max-bytes", "few"], .usage, "'few'"),
      (["--since", "@0", "--max-bytes", "10"], .usage, "--max-bytes 10"),
      (["--since", "@0", "-o", "/nowhere/b.tar.gz"], .cannotCreate, "/nowhere/b.tar.gz"),
      (["--since", "@0", "-o", "/"], .cannotCreate, "/: a folder"),
      (["--since", "@0", "-o", "/dev/full"], .inputOutput, "/dev/full: cannot write: No space"),
    ])
  func refusals(_ flags: [String], _ status: LogagentCLI.ExitStatus, _ part: String) {
    let flags = flags.contains("-o") ? flags : flags + ["-o", fixture.folder.file("b.tar.gz")]
    let result = fixture.run(["export"] + flags)
    #expect(result.status == status)
    #expect(result.errors.contains(part), "\(result.errors)")
    #expect(throws: FileError.self) { try FileStatus(path: fixture.folder.file("b.tar.gz")) }
  }
}
