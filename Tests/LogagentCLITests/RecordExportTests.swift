// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogagentCLI
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("logagent export --format")
struct RecordExportTests {
  private let fixture: CommandLineFixture
  private let base: Int64 = 1_740_844_800_000_000_000

  init() throws {
    fixture = try CommandLineFixture()
    try fixture.sample.addFile(2, source: "web", path: "/var/log/web.log")
    try fixture.sample.addRecord(
      base, "mail to ada@example.org", severity: .error, process: "api", pid: 7,
      attributes: """
        {"n":1,"big":9007199254740993,"x":1.5,"ok":true,"none":null,"list":[1,"a"],"in":{"k":"v"},\
        "trace_id":"0af7651916cd43dd8448eb211c80319c","password":"secret"}
        """)
    try fixture.sample.addRecord(base + 1_500_000, "second", process: "api", pid: 7)
    try fixture.sample.addRecord(base + 2_000_000, "third\nline", severity: .warn, file: 2)
  }

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Attributes of OTLP as a dictionary: key to the one member of its value.
  private func attributes(_ list: Any?) -> [String: String] {
    var found: [String: String] = [:]
    for case let entry as [String: Any] in list as? [Any] ?? [] {
      guard let value = entry["value"] as? [String: Any], let kind = value.first else { continue }
      found[entry["key"] as? String ?? ""] = "\(kind.key) \(kind.value)"
    }
    return found
  }

  @Test("otlp writes lines of OTLP/JSON, redacted")
  func otlp() throws {
    let result = fixture.run("export", "--since", "@0", "--format", "otlp", "-o", "-")
    #expect(result.status == .ok)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    let group = try #require((try object(lines[0])["resourceLogs"] as? [[String: Any]])?.first)
    let resource = attributes((group["resource"] as? [String: Any])?["attributes"])
    #expect(resource["service.name"] == "stringValue api")
    #expect(resource["process.pid"] == "intValue 7")
    let scope = try #require((group["scopeLogs"] as? [[String: Any]])?.first)
    let records = try #require(scope["logRecords"] as? [[String: Any]])
    #expect(records.count == 2)
    #expect(records[0]["timeUnixNano"] as? String == String(base))
    #expect(records[0]["severityNumber"] as? Int == 17)
    #expect(records[0]["traceId"] as? String == "0af7651916cd43dd8448eb211c80319c")
    #expect((records[0]["body"] as? [String: String])?["stringValue"] == "mail to <email:1>")
    let own = attributes(records[0]["attributes"])
    #expect(own["n"] == "intValue 1" && own["big"] == "intValue 9007199254740993")
    #expect(own["x"] == "doubleValue 1.5" && own["ok"] == "boolValue 1")
    #expect(own["logagent.source"] == "stringValue app")
    #expect(own["list"]?.hasPrefix("arrayValue") == true && own["in"]?.hasPrefix("kvlist") == true)
    #expect(own["trace_id"] == nil && own["none"] == nil)
    #expect(own["password"]?.hasPrefix("stringValue <") == true)
    #expect(!result.output.contains("ada@"))
  }

  @Test("perfetto writes a timeline around a crash")
  func perfetto() throws {
    try fixture.sample.addCrash(1, base + 1_800_000, report: Array("{}".utf8))
    try fixture.sample.addRecord(base + 90_000_000_000, "long after")
    let path = fixture.folder.file("t.json")
    let result = fixture.run("export", "--last-crash", "-f", "perfetto", "-o", path)
    #expect(result.status == .ok, "\(result.errors)")
    let trace = try object(try String(contentsOfFile: path, encoding: .utf8))
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    let instants = events.filter { $0["ph"] as? String == "i" && $0["cat"] as? String != "crash" }
    #expect(instants.map { $0["name"] as? String ?? "" }.contains("third"))
    #expect(!instants.contains { $0["name"] as? String == "long after" })
    let second = try #require(instants.first { $0["name"] as? String == "second" })
    #expect(second["ts"] as? Double == 1500 && second["pid"] as? Int == 7)
    let crash = try #require(events.first { $0["cat"] as? String == "crash" })
    #expect(crash["ts"] as? Double == 1800 && crash["s"] as? String == "g")
    let names = events.filter { $0["name"] as? String == "process_name" }
      .compactMap { ($0["args"] as? [String: String])?["name"] }
    #expect(Set(names).isSuperset(of: ["api", "web"]))
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("ada@"))
  }

  @Test("says what does not fit, and what is not there")
  func mistakes() {
    #expect(fixture.run("export", "--format", "otlp").status == .usage)
    #expect(fixture.run("export", "--since", "@0", "-f", "otlp", "--preview").status == .usage)
    #expect(fixture.run("export", "-f", "perfetto", "--crash", "9").status == .nothingFound)
    #expect(
      fixture.run("export", "--since", "2026-01-01", "-f", "otlp", "-o", "-").status
        == .nothingFound)
    #expect(
      fixture.run("export", "--since", "@0", "-f", "otlp", "-o", "-", "--no-redact").output
        .contains("ada@example.org"))
  }
}
