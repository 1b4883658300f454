// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Foundation
internal import LogModel
internal import LogQuery
internal import SQLite
internal import StoreTestSupport
internal import SupportBundle
internal import TestSupport
internal import Testing

@Suite("A support bundle")
struct SupportBundleTests {
  private let fixture: BundleFixture
  private let base = BundleFixture.base

  init() throws { fixture = try BundleFixture() }

  @Test("takes both ends of its range, to the nanosecond")
  func range() throws {
    for (n, time) in [base - 1, base, base + 1, base + 99, base + 100, base + 101].enumerated() {
      try fixture.sample.addRecord(time, "n=\(n)")
    }
    try fixture.sample.addCrash(1, base, report: Array("a".utf8))
    try fixture.sample.addCrash(2, base - 1, report: Array("b".utf8))
    var request = fixture.request("a.tar.gz")
    var bundle = try fixture.unpack(request)
    #expect(try bundle.bodies() == ["n=1", "n=2", "n=3", "n=4", "n=5"])
    #expect(bundle.manifest["crashes"] as? Int == 1)
    request.selection.until = Timestamp(nanoseconds: base + 100)
    bundle = try fixture.unpack(request)
    #expect(try bundle.bodies() == ["n=1", "n=2", "n=3", "n=4"])
    #expect(bundle.manifest["records"] as? Int == 4)
    let range = try #require(bundle.manifest["range"] as? [String: Any])
    #expect(range["since"] as? String == "2025-03-01T16:00:00.5Z")
    #expect(range["until"] as? String == "2025-03-01T16:00:00.5000001Z")
    #expect(range["last"] as? String == "2025-03-01T16:00:00.5000001Z")
  }

  @Test("counts a record with an impossible time by its arrival")
  func suspectTimes() throws {
    for (time, observed, body) in [
      (base + 1_000_000_000_000_000, base - 10, "future, came early"),
      (base + 1_000_000_000_000_000, base + 10, "future"), (5, base + 20, "1970"),
      (5, base - 20, "1970, came early"),
    ] {
      let id = try fixture.sample.addRecord(time, body)
      try fixture.sample.setObservedTime(observed, of: id)
      try fixture.sample.connection.execute(
        "UPDATE context SET flags = 8192 WHERE id = (SELECT context FROM record WHERE id = \(id))")
    }
    var request = fixture.request("a.tar.gz")
    request.selection.until = Timestamp(nanoseconds: base + 100)
    #expect(try fixture.unpack(request).bodies() == ["1970", "future"])
  }

  @Test("has members in order, of one time, owned by nobody")
  func members() throws {
    try fixture.sample.addRecord(base, "one")
    try fixture.sample.addCrash(7, base + 1_000_000_000, report: Array("report".utf8))
    try fixture.sample.addCrash(12, base, report: Array("other".utf8))
    let bundle = try fixture.unpack(fixture.request("a.tar.gz"))
    #expect(
      bundle.names == [
        "README.txt", "crashes/12/crash.json", "crashes/12/report", "crashes/7/crash.json",
        "crashes/7/report", "logs.db", "logs.jsonl", "status.json", "redactions.json",
        "report.html",
        "manifest.json", "SHA256SUMS",
      ])
    let script = """
      import sys, tarfile
      for m in tarfile.open(sys.argv[1], 'r:gz'):
        print(m.mode, m.uid, m.gid, m.mtime, m.isreg())
      """
    let listing = try Shell.run("python3", ["-c", script, fixture.folder.file("a.tar.gz")])
    #expect(Set(listing.split(separator: "\n")) == ["384 0 0 1740844801 True"])
  }

  @Test("is of no time that is still to come, although a record's clock went ahead")
  func clockAhead() throws {
    let id = try fixture.sample.addRecord(base + 1_000_000_000_000_000, "from tomorrow")
    try fixture.sample.setObservedTime(base, of: id)
    let bundle = try fixture.unpack(fixture.request("a.tar.gz"))
    #expect(try bundle.bodies() == ["from tomorrow"])
    let script = "import sys, tarfile; print(max(m.mtime for m in tarfile.open(sys.argv[1])))"
    let newest = try Shell.run("python3", ["-c", script, fixture.folder.file("a.tar.gz")])
    #expect(newest == "\(base / 1_000_000_000)\n")
  }

  @Test("lists every member with its size and hash")
  func hashes() throws {
    try fixture.sample.addRecord(base, "one", severity: .error)
    let report: [UInt8] = [0, 255, 13, 10, 0]
    try fixture.sample.addCrash(7, base, report: report, path: "/var/crash/a b.json")
    // The record that stands for the crash is no line of a log.
    try fixture.sample.addRecord(base, "crash SIGSEGV", severity: .fatal, crash: 7)
    var request = fixture.request("a.tar.gz")
    request.redaction = nil
    let bundle = try fixture.unpack(request)
    let files = try #require(bundle.manifest["files"] as? [[String: Any]])
    #expect(files.count == 1)
    #expect(files[0]["original"] as? String == "/var/crash/a b.json")
    #expect(files[0]["member"] as? String == "crashes/7/report")
    #expect(files[0]["size"] as? Int == report.count)
    #expect(files[0]["sha256"] as? String == SHA256.hex(report))
    #expect(try bundle.content("crashes/7/report") == report)
    let members = try #require(bundle.manifest["members"] as? [[String: Any]])
    #expect(members.count == bundle.names.count - 2)
    for member in members {
      let content = try bundle.content(try #require(member["name"] as? String))
      #expect(member["size"] as? Int == content.count)
      #expect(member["sha256"] as? String == SHA256.hex(content))
    }
    #expect(bundle.manifest["redacted"] as? Bool == false)
    #expect((bundle.manifest["redactions"] as? [String: Any])?.isEmpty == true)
    let counts = try #require(bundle.manifest["counts"] as? [String: [String: Int]])
    #expect(counts == ["app": ["error": 1]])
    #expect(bundle.manifest["records"] as? Int == 1)
    #expect(try bundle.bodies() == ["one"])
  }

  @Test("has a database that sqlite3 opens, with the range and nothing else")
  func database() throws {
    let sample = fixture.sample
    try sample.addFile(2, source: "web")
    try sample.addFile(3, source: "idle")
    try sample.addRecord(base - 1, "before", process: "old")
    let id = try sample.addRecord(base, "in", file: 2, process: "api", attributes: "{\"k\":1}")
    // It was read with others before it.
    try sample.connection.execute("DELETE FROM observation WHERE record = \(id)")
    try sample.setObservedTime(base + 7, of: id - 1)
    try sample.addCrash(4, base, report: Array("report".utf8))
    try sample.connection.execute(
      """
      CREATE TABLE notes (t); CREATE INDEX notes_t ON notes (t); INSERT INTO notes VALUES ('milk');
      CREATE VIEW mine AS SELECT body FROM logs; CREATE TABLE gone (a);
      CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone;
      """)
    let bundle = try fixture.unpack(fixture.request("a.tar.gz"))
    let ask = { (sql: String) in try Shell.run("sqlite3", [bundle.path("logs.db"), sql]) }
    #expect(
      try ask("SELECT source, process, body, attributes FROM logs") == "web|api|in|{\"k\":1}\n")
    #expect(try ask("SELECT id, signal FROM crashes") == "4|SIGSEGV\n")
    #expect(try ask("SELECT observed_time_unix_nano - \(base) FROM logs") == "7\n")
    #expect(try ask("SELECT text FROM word") == "api\n")
    #expect(try ask("SELECT count(*) FROM context") == "1\n")
    #expect(try ask("SELECT source FROM sources") == "app\nweb\n")
    #expect(try ask("SELECT count(*) FROM crash_report") == "0\n")
    #expect(try ask("PRAGMA user_version; PRAGMA freelist_count") == "1\n0\n")
    #expect(try ask("PRAGMA integrity_check; PRAGMA journal_mode") == "ok\ndelete\n")
    #expect(try ask("SELECT count(*) FROM sqlite_schema WHERE name IN ('notes', 'mine')") == "0\n")
    let all = try bundle.names.flatMap { try bundle.content($0) }
    #expect(!String(decoding: all, as: UTF8.self).contains("milk"))
    _ = try QueryStore(path: bundle.path("logs.db"))
  }

  @Test("has the same bytes for the same rows")
  func determinism() throws {
    for n in 0..<500 {
      try fixture.sample.addRecord(base + Int64(n % 7), "n=\(n)", process: "p\(n)")
    }
    try fixture.sample.addCrash(1, base, report: Array("report".utf8))
    _ = try SupportBundle.write(fixture.request("a.tar.gz"))
    sleep(1)
    _ = try SupportBundle.write(fixture.request("b.tar.gz"))
    let a = try FileSystem.contents(of: fixture.folder.file("a.tar.gz"))
    #expect(try FileSystem.contents(of: fixture.folder.file("b.tar.gz")) == a)
    // The time in gzip's header.
    #expect(a[4..<8].allSatisfy { $0 == 0 })
  }

  @Test("of an empty range is a valid bundle with nothing in it")
  func empty() throws {
    let bundle = try fixture.unpack(fixture.request("a.tar.gz"))
    #expect(bundle.manifest["records"] as? Int == 0)
    #expect(bundle.manifest["crashes"] as? Int == 0)
    #expect(try bundle.content("logs.jsonl").isEmpty)
    #expect(bundle.summary.bytes > 0)
  }

  @Test("names what is wrong with files")
  func problems() throws {
    try fixture.sample.addFile(2, source: "web", path: "/var/log/x", problem: "no text")
    let bundle = try fixture.unpack(fixture.request("a.tar.gz"))
    let problems = try #require(bundle.manifest["problems"] as? [[String: String]])
    #expect(problems == [["path": "/var/log/x", "reason": "no text"]])
  }

  @Test("holds logs.db unless it is large, or as it is told")
  func databaseChoice() throws {
    try fixture.sample.connection.execute(
      """
      INSERT INTO record (time, severity, file, byte_offset, byte_length, context, body)
      WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 6000)
      SELECT \(base), 9, 1, i, 1, \(fixture.sample.context()), hex(randomblob(2000)) FROM n
      """)
    var request = fixture.request("a.tar.gz")
    let auto = try fixture.unpack(request)
    #expect(!auto.names.contains("logs.db"))
    let leftOut = try #require(auto.manifest["left_out"] as? [[String: String]])
    #expect(
      leftOut == [["what": "logs.db", "reason": "it would need more than 10000000 bytes"]])
    request.database = .always
    #expect(try fixture.unpack(request).names.contains("logs.db"))
    request.database = .never
    request.selection.since = Timestamp(nanoseconds: base + 1)
    #expect(try !fixture.unpack(request).names.contains("logs.db"))
  }

  @Test("goes to a sink as well")
  func sink() throws {
    final class Sink: OutputSink {
      let isTerminal = false
      let columns = 80
      var bytes: [UInt8] = []
      func write(_ more: UnsafeRawBufferPointer) { bytes.append(contentsOf: more) }
    }
    try fixture.sample.addRecord(base, "one")
    _ = try SupportBundle.write(fixture.request("a.tar.gz"))
    let sink = Sink()
    var request = fixture.request("")
    request.output = .sink(sink)
    request.temporaryFolder = fixture.folder.path
    _ = try SupportBundle.write(request)
    #expect(try FileSystem.contents(of: fixture.folder.file("a.tar.gz")) == sink.bytes)
    #expect(try fixture.others() == ["a.tar.gz"])
  }
}
