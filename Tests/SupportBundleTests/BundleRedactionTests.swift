// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Foundation
internal import LogModel
internal import LogQuery
internal import Patterns
internal import Redaction
internal import SQLite
internal import StoreTestSupport
internal import SupportBundle
internal import TestSupport
internal import Testing

@Suite("A redacted bundle")
struct BundleRedactionTests {
  private let fixture: BundleFixture
  private let base = BundleFixture.base
  private static let secret = "Zq7Kd2Lm9Xp4Rt6Wv8"

  init() throws { fixture = try BundleFixture() }

  @Test("holds no secret in any member, wherever it stood in the store")
  func everywhere() throws {
    let secret = Self.secret
    let sample = fixture.sample
    try sample.addFile(
      2, source: "web", path: "/home/\(secret)/web.log", problem: "token=\(secret)")
    try sample.addRecord(base, "password=\(secret)", process: "tool --token \(secret)")
    try sample.addRecord(
      base, "ok", file: 2,
      attributes: "{\"password\":\"\(secret)\",\"n\":{\"apiKey\":[\"\(secret)\"]}}")
    let id = try sample.addRecord(base, "split")
    try sample.connection.execute(
      """
      UPDATE record SET head = 'at password=', body = '\(secret) x', tail = ' "token":"\(secret)"'
      WHERE id = \(id)
      """)
    let other = try sample.addRecord(base, "repaired")
    try sample.connection.execute(
      "UPDATE record SET original = CAST('secret=\(secret)' AS BLOB) WHERE id = \(other)")
    let json =
      "{\"env\":{\"DB_PASSWORD\":\"\(secret)\"},\"argv\":[\"x\",\"--token\",\"\(secret)\"]}"
    try sample.addCrash(1, base, report: Array(json.utf8), path: "/home/\(secret)/a.json")
    try sample.addCrash(
      2, base, report: Array("Path: /Users/\(secret)/x\npassword: \(secret)\n".utf8))
    try sample.addCrash(3, base, report: Array("\0dump \(secret)".utf8))
    try sample.connection.execute(
      """
      UPDATE crash SET reason = 'Authorization: Bearer \(secret)', note = 'secret=\(secret)',
        frames = '[{"symbol":"f","file":"/home/\(secret)/main.swift","line":7}]' WHERE id = 1
      """)
    var request = fixture.request("a.tar.gz")
    request.configuration = Array("[upload]\ntoken = \"\(secret)\"\n".utf8)
    let bundle = try fixture.unpack(request)
    for name in bundle.names {
      let text = String(decoding: try bundle.content(name), as: UTF8.self)
      #expect(!text.contains(secret), "\(name)")
    }
    #expect(bundle.manifest["redacted"] as? Bool == true)
    let hits = try #require(bundle.manifest["redactions"] as? [String: Int])
    #expect((hits["secret"] ?? 0) > 5)
    #expect((hits["home-user"] ?? 0) > 2)
    // One value, one mark.
    #expect(try bundle.bodies().contains("password=<secret:1>"))
    let report = String(decoding: try bundle.content("crashes/1/report"), as: UTF8.self)
    #expect(report == json.replacing(secret, with: "<secret:1>"))
    let files = try #require(bundle.manifest["files"] as? [[String: Any]])
    #expect(files[0]["original"] as? String == "/home/<secret:1>/a.json")
    #expect(files[0]["sha256"] as? String == SHA256.hex(Array(json.utf8)))
    let leftOut = try #require(bundle.manifest["left_out"] as? [[String: Any]])
    #expect(leftOut.count == 1)
    #expect((leftOut[0]["reason"] as? String)?.contains("--include-dumps") == true)
    #expect(try Shell.run("sqlite3", [bundle.path("logs.db"), "PRAGMA freelist_count"]) == "0\n")
    // The store keeps what it has.
    #expect(
      try sample.connection.integer("SELECT count(*) FROM logs WHERE original LIKE '%\(secret)%'")
        == 3)
  }

  @Test("counts by rule, file and field")
  func counts() throws {
    try fixture.sample.addRecord(base, "password=\(Self.secret) a@x.org")
    let bundle = try fixture.unpack(fixture.request("a.tar.gz"))
    let data = Data(try bundle.content("redactions.json"))
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["rules"] as? [String: Int] == ["email": 1, "secret": 1])
    let places = try #require(object["places"] as? [[String: Any]])
    #expect(places.map { $0["field"] as? String } == ["body", "body"])
  }

  @Test("takes dumps when it is told, as they are")
  func dumps() throws {
    let dump: [UInt8] = Array("MDMP".utf8) + [0, 1, 2] + Array("password=hunter2".utf8)
    try fixture.sample.addCrash(1, base, report: dump)
    var request = fixture.request("a.tar.gz")
    request.includesDumps = true
    #expect(try fixture.unpack(request).content("crashes/1/report") == dump)
  }

  @Test("passes its own proof for texts that try to break it")
  func oddTexts() throws {
    let pieces = [
      "password=", "\"password\":\"", "\\\"", "<secret:", "1>", "x", "\u{2028}", "</script>",
      "kim@x.org",
      "\n", " ", "4111111111111111", "\u{202e}", "--token ", "://a:b@c", "é", "\u{0}",
    ]
    var random = SystemRandomNumberGenerator()
    try fixture.sample.connection.execute("BEGIN")
    for n in 0..<800 {
      let text = (0..<12).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let id = try fixture.sample.addRecord(base + Int64(n), text)
      let head = (0..<3).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let update = try fixture.sample.connection.prepare(
        "UPDATE record SET head = ?, attributes = json_object('k', ?, 'token', ?) WHERE id = \(id)")
      update.bind(1, head)
      update.bind(2, text)
      update.bind(3, head)
      try update.run()
    }
    try fixture.sample.connection.execute("COMMIT")
    let bundle = try fixture.unpack(fixture.request("a.tar.gz"))
    #expect(bundle.summary.records == 800)
    let page = String(decoding: try bundle.content("report.html"), as: UTF8.self)
    // Only ours: nothing of a log can end the document or begin a script.
    #expect(page.ranges(of: "</script>").count == 2)
    #expect(page.contains("default-src 'none'"))
    #expect(!page.contains("http://") && !page.contains("https://"))
  }

  @Test("is refused by the proof when a rule finds something all the same, and leaves nothing")
  func proof() throws {
    // A pattern that finds what each mark brings with it.
    try fixture.sample.addRecord(base, "id=42 z")
    var request = fixture.request("a.tar.gz")
    var rules = RedactionRules()
    rules.userRules = [UserRule(name: "any", pattern: try .init("readable|README"), keys: [])]
    request.redaction = rules
    let error = try #require(
      #expect(throws: BundleError.self) { _ = try SupportBundle.write(request) })
    #expect(error.kind == .unsafe)
    #expect(error.description.contains("rule 'user-any' found something in README.txt"))
    #expect(try fixture.others() == [])
  }

  @Test("can be verified; archives that no bundle is are refused")
  func verifier() throws {
    try fixture.sample.addRecord(base, "one")
    _ = try SupportBundle.write(fixture.request("a.tar.gz"))
    let good = fixture.folder.file("a.tar.gz")
    #expect(try BundleVerifier.verify(good).isRedacted)
    for (name, change, part) in [
      ("up", "a('../x')", "unsafe name"), ("abs", "a('/x')", "unsafe name"),
      ("twice", "a('README.txt')", "two members"), ("extra", "a('extra')", "extra is not in"),
      ("link", "a('l', tarfile.SYMTYPE)", "no plain file"),
      ("hard", "a('h', tarfile.LNKTYPE)", "no plain file"),
      ("folder", "a('d', tarfile.DIRTYPE)", "unsafe name"),
      ("long", "a('x' * 120)", "unsafe name"),
      ("bomb", "a('b', size=200 << 20)", "far more"),
      ("changed", "skip = 'logs.jsonl'; a('logs.jsonl')", "logs.jsonl is not what"),
      ("less", "skip = 'logs.jsonl'", "logs.jsonl is missing"),
    ] {
      let bad = fixture.folder.file(name + ".tar.gz")
      let script = """
        import io, sys, tarfile
        source, target = tarfile.open(sys.argv[1]), tarfile.open(sys.argv[2], 'w:gz')
        skip = None
        later = []
        class Zeros:
          def read(self, n): return bytes(n)
        def a(name, kind=tarfile.REGTYPE, size=4):
          later.append((name, kind, size))
        \(change)
        for m in source:
          if m.name != skip: target.addfile(m, source.extractfile(m))
        for name, kind, size in later:
          i = tarfile.TarInfo(name)
          i.type, i.linkname = kind, 'README.txt' if kind != tarfile.REGTYPE else ''
          i.size = size if kind == tarfile.REGTYPE else 0
          target.addfile(i, Zeros())
        target.close()
        """
      _ = try Shell.run("python3", ["-c", script, good, bad])
      let error = try #require(
        #expect(throws: BundleError.self) { try BundleVerifier.verify(bad) })
      #expect(error.description.contains(part), "\(name): \(error.description)")
    }
  }
}
