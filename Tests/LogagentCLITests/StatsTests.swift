// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogagentCLI
internal import SQLite
internal import StoreTestSupport
internal import Testing

@Suite("logagent stats")
struct StatsTests {
  private let fixture: CommandLineFixture
  // 2025-03-01T16:00:00Z
  private let base: Int64 = 1_740_844_800_000_000_000
  private let minute: Int64 = 60_000_000_000

  init() throws { fixture = try CommandLineFixture() }

  @Test("shows sources by size, each with its activity, severities and messages")
  func text() throws {
    try fixture.sample.addFile(2, source: "web", path: "/var/log/web.log")
    for number in 0..<4 {
      try fixture.sample.addRecord(base + Int64(number), "user \(number) came from \"a\(number)\"")
    }
    try fixture.sample.addRecord(base + 2 * minute, "user 9 came from \"b\"", severity: .error)
    try fixture.sample.addRecord(base + minute, "slow", severity: .warn, file: 2)
    #expect(
      fixture.run("stats").output == """
        6 records, 2025-03-01T16:00:00Z to 2025-03-01T16:02:00Z

        source    records    errors  warnings  activity, 1 min a column
        app             5         1         0  █ ▂
        web             1         0         1   █

        severity      records
        error               1 ██████████████
        warn                1 ██████████████
        info                4 \(String(repeating: "█", count: 58))

           count  severity  source and message
               5  error     app: user <*> came from <*>
               1  warn      web: slow

        """)
    #expect(fixture.run("stats", "--source", "web", "--top=0").output.contains("\n\nseverity"))
    #expect(!fixture.run("stats", "--source", "web").output.contains("app"))
    #expect(fixture.run("stats", "--since", "2025-03-02").status == .nothingFound)
    #expect(fixture.run("stats", "--since", "2025-03-01T16:01:30Z").output.hasPrefix("1 record,"))
  }

  @Test("counts requests by what they ask for")
  func requests() throws {
    for number in 0..<3 {
      try fixture.sample.addRecord(base + Int64(number), "\"GET /items/tea HTTP/1.1\" 20\(number)")
      try fixture.sample.addRecord(base + Int64(number), "\"PUT /items/lamp HTTP/1.1\" 404")
    }
    let output = fixture.run("stats").output
    #expect(output.contains("3  info      app: \"GET /items/tea <*>\n"), "\(output)")
    #expect(output.contains("app: \"PUT /items/lamp <*>\n"))
  }

  @Test("has no more columns than the terminal is wide", arguments: [40, 80, 140])
  func width(_ columns: Int) throws {
    fixture.output.columns = columns
    for hour in 0..<300 {
      try fixture.sample.addRecord(base + Int64(hour) * 60 * minute, "tick \(hour) of the clock")
    }
    let lines = fixture.run("stats").output.split(separator: "\n")
    #expect(lines.contains { $0.contains(" a column") })
    // Numbers are never cut, whatever the width.
    if columns >= 80 { #expect(lines.allSatisfy { $0.count <= columns }) }
  }

  @Test("counts a large store by its roll-ups")
  func rollups() throws {
    try fixture.sample.addRecord(base, "x")
    try fixture.sample.addRecord(base + 2 * minute, "y")
    try fixture.sample.connection.execute(
      """
      UPDATE record SET id = 600000 WHERE id = (SELECT max(id) FROM record);
      INSERT OR IGNORE INTO word (text) VALUES ('app');
      INSERT OR REPLACE INTO rollup SELECT \(base / minute), id, 17, 700 FROM word WHERE text = 'app'
      """)
    let text = fixture.run("stats").output
    #expect(text.contains("(by whole minutes, pruned records counted)"))
    #expect(text.contains("error             700 "))
  }

  @Test("is quiet about an empty store")
  func empty() {
    let result = fixture.run("stats")
    #expect(result.status == .nothingFound)
    #expect(result.errors == "logagent: no records found\n")
  }
}
