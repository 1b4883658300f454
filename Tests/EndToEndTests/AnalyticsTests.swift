// SPDX-License-Identifier: Apache-2.0

import Foundation
import SQLite
import TestSupport
import Testing

/// What `contrib/docs/analytics.md` says, tried with the package `duckdb` of Python where it is.
private enum DuckDB {
  static let isAvailable = (try? run("/usr/bin/env", ["python3", "-c", "import duckdb"]))?.0 == 0

  static func run(_ program: String, _ words: [String]) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}

@Suite("DuckDB", .enabled(if: DuckDB.isAvailable, "the Python package duckdb is missing"))
struct AnalyticsTests {
  @Test("reads the JSON lines that query and show write, with the types that it finds in them")
  func jsonLines() throws {
    let folder = try TemporaryDirectory()
    let lines = (0..<30).map {
      "{\"timestamp\":\"2026-11-30T10:00:\($0 + 10)Z\",\"level\":\"\($0 % 3 == 0 ? "error" : "info")\","
        + "\"message\":\"n \($0)\",\"kind\":\"/a/\($0 % 2)\",\"ms\":\($0)}"
    }
    try folder.write("app.jsonl", lines.joined(separator: "\n") + "\n")
    let program = BuiltProgram.url("logagent").path
    let state = folder.file("state")
    _ = try DuckDB.run(program, ["import", "--state-dir", state, folder.file("app.jsonl")])
    let question = "SELECT time_unix_nano, time, severity, source, body, attributes FROM logs"
    let (status, rows) = try DuckDB.run(
      program, ["query", "--state-dir", state, "-f", "json", question])
    #expect(status == 0)
    try folder.write("logs.jsonl", rows)
    let script = """
      import duckdb
      table = "read_json_auto('\(folder.file("logs.jsonl"))')"
      print(duckdb.sql(f"SELECT severity, count(*) FROM {table} GROUP BY 1 ORDER BY 1").fetchall())
      print(duckdb.sql(f"SELECT typeof(time_unix_nano), typeof(time) FROM {table} LIMIT 1").fetchall())
      print(duckdb.sql(f\"\"\"SELECT json_extract_string(attributes, '$.kind') AS kind,
        avg(CAST(json_extract(attributes, '$.ms') AS INTEGER)) FROM {table}
        GROUP BY 1 ORDER BY 1\"\"\").fetchall())
      """
    let (done, output) = try DuckDB.run("/usr/bin/env", ["python3", "-c", script])
    #expect(done == 0)
    let answers = output.split(separator: "\n")
    try #require(answers.count == 3)
    #expect(answers[0] == "[('error', 10), ('info', 20)]")
    #expect(answers[1].contains("BIGINT"))
    #expect(answers[2] == "[('/a/0', 14.0), ('/a/1', 15.0)]")
  }
}
