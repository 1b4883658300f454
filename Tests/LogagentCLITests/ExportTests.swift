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

  @Test("says what it wrote, and what it masked")
  func report() throws {
    let path = fixture.folder.file("b.tar.gz")
    let result = fixture.run("export", "--since", "2025-03-01T16:00:00Z", "-o", path)
    #expect(result.status == .ok)
    #expect(result.errors.hasPrefix("logagent: wrote \(path): 1 record, 0 crashes, "))
    #expect(
      result.errors.hasSuffix(
        "\nlogagent: redacted: 0 places; redactions.json has the counts\n"))
    #expect(result.output == "")
    #expect(try FileStatus(path: path).permissions == 0o600)
    let check = fixture.run("verify", path)
    #expect(check.status == .ok)
    #expect(check.output.hasSuffix(", redacted\n"))
  }

  @Test("without redaction says so loudly, in the file's name, too")
  func unredacted() throws {
    try fixture.sample.addRecord(base, "password=hunter2")
    let path = fixture.folder.file("b.tar.gz")
    let result = fixture.run(
      "export", "--since", "2025-03-01T16:00:00Z", "--no-redact", "-o", path)
    #expect(result.status == .ok)
    #expect(
      result.errors.hasSuffix(
        "\nlogagent: the bundle is NOT redacted: it may hold personal data and secrets\n"))
    #expect(throws: FileError.self) { try FileStatus(path: path) }
    let other = fixture.folder.file("b-unredacted.tar.gz")
    #expect(fixture.run("verify", other).output.hasSuffix(", NOT redacted\n"))
  }

  @Test("can show what it would mask, by shape only, and writes nothing")
  func preview() throws {
    try fixture.sample.addRecord(base, "login password=Hunter22 of kim@example.org")
    let path = fixture.folder.file("b.tar.gz")
    let result = fixture.run(
      "export", "--since", "2025-03-01T16:00:00Z", "--preview", "-o", path)
    #expect(result.status == .ok)
    #expect(
      result.output == """
        2025-03-01T16:00:00.000000000Z record secret: …login password=[Aa9, 8 bytes] of kim@exam…
        2025-03-01T16:00:00.000000000Z record email: …in password=<secret:1> of [a@a.a, 15 bytes]…

        """)
    #expect(throws: FileError.self) { try FileStatus(path: path) }
  }

  @Test("uses the rules of the configuration, and names what is wrong with them")
  func configuredRules() throws {
    try fixture.sample.addRecord(base, "customer 4711 wrote to kim@example.org")
    let config = try fixture.folder.write(
      "a.toml",
      """
      [redaction]
      disable = ["email"]
      [[redact]]
      name = "customer"
      pattern = 'customer (\\d+)'
      samples = ["customer 1"]
      not = ["customer service"]

      """)
    let path = fixture.folder.file("b.tar.gz")
    let arguments = ["--config", config, "export", "--since", "2025-03-01T16:00:00Z"]
    #expect(fixture.run(arguments + ["-o", path]).status == .ok)
    let preview = fixture.run(arguments + ["--preview"])
    #expect(preview.output.contains(" user-customer: …customer [9, 4 bytes] wrote to ki…"))
    #expect(fixture.run("--config", config, "check-config").status == .ok)
    for (text, part) in [
      ("[redaction]\nenable = [\"e-mail\"]\n", "unknown rule 'e-mail'; did you mean 'email'?"),
      ("[[redact]]\nname = \"a\"\npattern = '('\n", "redact 'a': pattern '('"),
      ("[[redact]]\nname = \"a\"\npattern = 'x'\nsamples = [\"y\"]\n", "in its sample 'y'"),
      ("[[redact]]\nname = \"a\"\npattern = 'x'\nnot = [\"x\"]\n", "is found in 'x'"),
      ("[[redact]]\nname = \"A b\"\npattern = 'x'\n", "redact.name"),
      ("[[redact]]\nname = \"a\"\n", "a pattern or keys"),
    ] {
      let file = try fixture.folder.write("bad.toml", text)
      let result = fixture.run("--config", file, "check-config")
      #expect(result.status == .configuration)
      #expect(result.errors.contains(part), "\(result.errors)")
    }
  }

  @Test("is refused by verify when it was changed, cut off or made by others")
  func verify() throws {
    let path = fixture.folder.file("b.tar.gz")
    #expect(fixture.run("export", "--since", "@0", "-o", path).status == .ok)
    let bytes = try FileSystem.contents(of: path)
    let cut = try fixture.folder.write("cut.tar.gz", "")
    let file = try FileDescriptor.create(fixture.folder.file("half.tar.gz"))
    try file.write(Array(bytes[..<(bytes.count / 2)]))
    for name in [cut, fixture.folder.file("half.tar.gz"), fixture.folder.file("logs.db")] {
      #expect(fixture.run("verify", name).status == .dataError)
    }
    #expect(fixture.run("verify", fixture.folder.file("none")).status == .noInput)
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
      (["--since", "@0", "--max-bytes", "10"], .usage, "--max-size 10"),
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
