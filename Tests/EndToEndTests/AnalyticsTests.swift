// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// What `contrib/docs/analytics.md` says, tried with the package `duckdb` of Python where it is.
private let hasDuckDB =
  (try? ProgramRun("/usr/bin/env", ["python3", "-c", "import duckdb"]))?.status == 0

@Suite("DuckDB", .enabled(if: hasDuckDB, "the Python package duckdb is missing"))
struct AnalyticsTests {
  @Test("reads the JSON lines that query and show write, with the types that it finds in them")
  func jsonLines() throws {
    let folder = try TemporaryDirectory()
    let lines = (0..<30).map {
      "{\"timestamp\":\"2026-11-30T10:00:\($0 + 10)Z\",\"level\":\"\($0 % 3 == 0 ? "error" : "info")\","
        + "\"message\":\"n \($0)\",\"kind\":\"/a/\($0 % 2)\",\"ms\":\($0)}"
    }
    try folder.write("app.jsonl", lines.joined(separator: "\n") + "\n")
    let state = folder.file("state")
    _ = try ProgramRun("logagent", ["import", "--state-dir", state, folder.file("app.jsonl")])
    let question = "SELECT time_unix_nano, time, severity, source, body, attributes FROM logs"
    let rows = try ProgramRun(
      "logagent", ["query", "--state-dir", state, "-f", "json", question], mergesErrors: false)
    #expect(rows.status == 0)
    try folder.write("logs.jsonl", rows.text)
    let script = """
      import duckdb
      table = "read_json_auto('\(folder.file("logs.jsonl"))')"
      print(duckdb.sql(f"SELECT severity, count(*) FROM {table} GROUP BY 1 ORDER BY 1").fetchall())
      print(duckdb.sql(f"SELECT typeof(time_unix_nano), typeof(time) FROM {table} LIMIT 1").fetchall())
      print(duckdb.sql(f\"\"\"SELECT json_extract_string(attributes, '$.kind') AS kind,
        avg(CAST(json_extract(attributes, '$.ms') AS INTEGER)) FROM {table}
        GROUP BY 1 ORDER BY 1\"\"\").fetchall())
      """
    let answer = try ProgramRun(
      "/usr/bin/env", ["python3", "-c", script], mergesErrors: false)
    #expect(answer.status == 0)
    let answers = answer.text.split(separator: "\n")
    try #require(answers.count == 3)
    #expect(answers[0] == "[('error', 10), ('info', 20)]")
    #expect(answers[1].contains("BIGINT"))
    #expect(answers[2] == "[('/a/0', 14.0), ('/a/1', 15.0)]")
  }
}
