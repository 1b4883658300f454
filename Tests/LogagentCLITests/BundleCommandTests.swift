// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogagentCLI
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("A bundle")
struct BundleCommandTests {
  private let fixture: CommandLineFixture
  private let base: Int64 = 1_740_844_800_000_000_000
  private let second: Int64 = 1_000_000_000

  init() throws { fixture = try CommandLineFixture() }

  /// Exports into a file of this name; the result of the command.
  @discardableResult
  private func export(_ name: String, _ flags: String...) -> CommandLineFixture.Result {
    let flags = flags.isEmpty ? ["--since", "@0"] : flags
    return fixture.run(["export", "-o", fixture.folder.file(name)] + flags)
  }

  private func bodies(_ name: String) -> [String] {
    let result = fixture.run(
      "query", "--bundle", fixture.folder.file(name), "-f", "tsv",
      "SELECT body FROM logs WHERE crash_id IS NULL ORDER BY time_unix_nano, id")
    #expect(result.status == .ok, "\(result.errors)")
    return result.output.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test("upload refuses an address that no server has before the file is in the outbox")
  func uploadAddress() {
    let result = fixture.run("upload", "--url", "ftp://host/in/", "b.tar.gz")
    #expect(result.status == .usage)
    #expect(result.errors.contains("--url: expected an address such as https://HOST/PATH"))
  }

  @Test("is asked without unpacking it, and nothing is left of that")
  func asked() throws {
    try fixture.sample.addRecord(base, "one", severity: .error)
    try fixture.sample.addCrash(7, base + 5, report: Array("{\"a\": 1}".utf8))
    export("b.tar.gz")
    let path = fixture.folder.file("b.tar.gz")
    fixture.environment["TMPDIR"] = fixture.folder.path
    let before = try FileSystem.names(in: fixture.folder.path)
    #expect(bodies("b.tar.gz") == ["one"])
    #expect(fixture.run("show", "--bundle", path, "-o", "cat").output.contains("one\n"))
    let crashes = fixture.run("crashes", "--bundle", path, "--format", "tsv")
    #expect(crashes.output.contains("\n7\t"))
    #expect(try FileSystem.names(in: fixture.folder.path) == before)
  }

  @Test("that is none, or has no database, is refused")
  func refused() throws {
    try fixture.folder.write("x.tar.gz", "no archive")
    let result = fixture.run(
      "query", "--bundle", fixture.folder.file("x.tar.gz"), "SELECT 1")
    #expect(result.status == .dataError)
    export("n.tar.gz", "--since", "@0", "--logs-db", "never")
    let without = fixture.run("query", "--bundle", fixture.folder.file("n.tar.gz"), "SELECT 1")
    #expect(without.status == .dataError)
    #expect(without.errors.contains("--logs-db always"))
  }

  @Test("holds what was asked for by severity, source, pattern or SQL")
  func chosen() throws {
    try fixture.sample.addFile(2, source: "web", path: "/var/log/web.log")
    try fixture.sample.addRecord(base, "fine")
    let id = try fixture.sample.addRecord(base + 1, "bad", severity: .error)
    try fixture.sample.addRecord(base + 2, "GET /", file: 2)
    export("a.tar.gz", "--since", "@0", "--severity", "error")
    #expect(bodies("a.tar.gz") == ["bad"])
    export("b.tar.gz", "--since", "@0", "--source", "web")
    #expect(bodies("b.tar.gz") == ["GET /"])
    export("c.tar.gz", "--since", "@0", "--grep", "^f")
    #expect(bodies("c.tar.gz") == ["fine"])
    export("d.tar.gz", "--sql", "SELECT id FROM logs WHERE id = \(id)")
    #expect(bodies("d.tar.gz") == ["bad"])
    let none = export("e.tar.gz", "--since", "@0", "--grep", "nowhere")
    #expect(none.status == .nothingFound)
    #expect(none.errors.contains("there was nothing"))
    #expect(bodies("e.tar.gz").isEmpty)
    let wrong = export("f.tar.gz", "--sql", "DELETE FROM record")
    #expect(wrong.status != .ok)
  }

  @Test("of the newest crash holds what was logged around it")
  func lastCrash() throws {
    try fixture.sample.addRecord(base, "long before")
    try fixture.sample.addRecord(base + 570 * second, "just before")
    try fixture.sample.addRecord(base + 604 * second, "just after")
    try fixture.sample.addRecord(base + 700 * second, "long after")
    try fixture.sample.addCrash(1, base + 60 * second, report: Array("{}".utf8))
    try fixture.sample.addCrash(2, base + 600 * second, report: Array("{}".utf8))
    #expect(export("a.tar.gz", "--last-crash").errors.contains("2 records, 1 crash"))
    #expect(bodies("a.tar.gz") == ["just before", "just after"])
    export("b.tar.gz", "--crash", "1", "--context", "2m")
    #expect(bodies("b.tar.gz") == ["long before"])
    #expect(export("c.tar.gz", "--crash", "9").status == .nothingFound)
  }

  @Test("with a limit keeps what was logged around a crash longer than what is newer")
  func limit() throws {
    for index in 0..<3000 {
      let noise = String((0..<8).map { _ in "0123456789abcdef".randomElement() ?? "0" })
      try fixture.sample.addRecord(base + Int64(index) * second, "n \(index) \(noise)")
    }
    try fixture.sample.addCrash(1, base + 100 * second, report: Array("{}".utf8))
    export("a.tar.gz", "--since", "@0", "--max-size", "60000", "--logs-db", "always")
    let numbers = bodies("a.tar.gz").compactMap {
      Int($0.split(separator: " ").dropFirst().first ?? "")
    }
    #expect(numbers.count < 2900)
    #expect(numbers.contains(60) && numbers.contains(105) && numbers.contains(2999))
    #expect(!numbers.contains(20) && !numbers.contains(200))
  }

  @Test("is compared with another: crashes and messages that are new, gone, or more")
  func diff() throws {
    try fixture.sample.addRecord(base, "user 1 came")
    try fixture.sample.addRecord(base + 1, "cache 12 cleared")
    export("a.tar.gz")
    for index in 0..<40 { try fixture.sample.addRecord(base + Int64(index), "user \(index) came") }
    try fixture.sample.addRecord(base + 3, "disk 7 is full")
    try fixture.sample.addCrash(1, base, report: Array("{}".utf8))
    export("b.tar.gz", "--since", "@0", "--grep", "user|disk")
    let paths = ["a.tar.gz", "b.tar.gz"].map(fixture.folder.file)
    let result = fixture.run(["bundle", "diff"] + paths)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4, "\(result.output)")
    #expect(lines[0].hasPrefix("new crash"))
    #expect(lines[1].hasPrefix("new message") && lines[1].hasSuffix("app: disk <*> is full"))
    #expect(lines[2].hasPrefix("gone message") && lines[2].hasSuffix("app: cache <*> cleared"))
    #expect(lines[3].hasPrefix("more message") && lines[3].hasSuffix("app: user <*> came"))
    #expect(fixture.run("bundle", "diff", paths[0], paths[0]).status == .nothingFound)
  }

  @Test("reveals what a mark stands for where it was made, and nowhere else")
  func reveal() throws {
    try fixture.sample.addRecord(base, "mail of kim@example.org and ann@example.org")
    export("a.tar.gz")
    let path = fixture.folder.file("a.tar.gz")
    #expect(fixture.run("redactions", path).output.hasPrefix("email             2"))
    #expect(fixture.run("redactions", path, "--reveal", "<email:2>").output == "ann@example.org\n")
    #expect(fixture.run("redactions", path, "--reveal", "email:9").status == .nothingFound)
    let other = try TemporaryDirectory()
    fixture.environment["LOGAGENT_STATE_DIR"] = other.path
    let result = fixture.run("redactions", path, "--reveal", "<email:2>")
    #expect(result.status == .unavailable)
    #expect(!result.output.contains("ann"))
  }
}
