// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("A query")
struct QueryTests {
  private let fixture: QueryFixture

  init() throws { fixture = try QueryFixture() }

  private func error(_ sql: String) throws -> QueryError {
    try #require(#expect(throws: QueryError.self) { try fixture.ask(sql) })
  }

  @Test(
    "may be a SELECT, WITH, VALUES, EXPLAIN or a describing PRAGMA",
    arguments: [
      "SELECT count(*) FROM logs", "WITH a AS (SELECT 1) SELECT * FROM a", "VALUES (1), (2)",
      "EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT * FROM logs", "PRAGMA table_info(logs)",
      "PRAGMA user_version", "SELECT * FROM pragma_table_info('logs')", "SELECT 1;",
      "SELECT 1; -- done", " ; ; ",
      "SELECT value FROM json_each('[1,2]')",
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT * FROM n",
    ])
  func allowed(_ sql: String) throws {
    if sql.contains("SELECT") || sql.contains("A") { _ = try fixture.ask(sql) }
  }

  @Test(
    "that would write is refused",
    arguments: [
      ("INSERT INTO word (text) VALUES ('x')", "INSERT into word"),
      ("UPDATE record SET body = ''", "UPDATE of record"),
      ("DELETE FROM record", "DELETE from record"),
      ("WITH a AS (SELECT 1) INSERT INTO word SELECT 9, 'x' FROM a", "INSERT into word"),
      ("EXPLAIN DELETE FROM record", "DELETE from record"),
      ("REPLACE INTO word VALUES (1, 'x')", "INSERT into word"),
      ("CREATE TABLE x (a)", "CREATE, ALTER or DROP"),
      ("CREATE TEMP TABLE x (a)", "CREATE, ALTER or DROP"),
      ("DROP TABLE record", "CREATE, ALTER or DROP"),
      ("ALTER TABLE record RENAME TO x", ""),
      ("ATTACH '/tmp/x.db' AS x", "ATTACH /tmp/x.db"),
      ("DETACH main", "DETACH main"),
      ("VACUUM INTO '/tmp/x.db'", ""),
      ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode = DELETE"),
      ("PRAGMA writable_schema = 1", "PRAGMA writable_schema = 1"),
      ("PRAGMA wal_checkpoint", "PRAGMA wal_checkpoint"),
      ("BEGIN", "a transaction"),
      ("SAVEPOINT x", "a transaction"),
      ("ANALYZE", ""),
      ("REINDEX", ""),
      ("SELECT load_extension('x')", "the function load_extension"),
    ])
  func refused(_ sql: String, _ what: String) throws {
    let error = try error(sql)
    #expect(error.kind == .refused, "\(error)")
    #expect(error.message.hasPrefix("not allowed: \(what)"), "\(error)")
  }

  @Test("is one statement")
  func single() throws {
    let error = try error("SELECT 1; DELETE FROM record")
    #expect(error.kind == .refused)
    #expect(
      error.description == """
        not allowed: more than one statement; ask them one by one
          SELECT 1; DELETE FROM record
                    ^
        """)
    #expect(try self.error("  -- nothing").message == "SQL error: the text holds no statement")
  }

  @Test("with a mistake shows it under a caret, and the nearest name")
  func caret() throws {
    #expect(
      try error("SELECT bdy FROM logs").description == """
        SQL error: no such column: bdy; did you mean 'body'?
          SELECT bdy FROM logs
                 ^
        """)
    #expect(
      try error("SELECT 1,\n\twhat\nFROM logs").description == """
        SQL error: no such column: what
          line 2:  what
                   ^
        """)
    #expect(try error("SELECT * FROM lgs").message.hasSuffix("did you mean 'logs'?"))
    let long = "SELECT " + String(repeating: "1, ", count: 100) + "nope"
    let lines = try error(long).description.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    let caret = try #require(lines.last?.count)
    #expect(lines[1].prefix(caret).last == "n")
  }

  @Test("on a view of a table that is gone names the table")
  func brokenView() throws {
    try fixture.sample.connection.execute(
      "CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone")
    #expect(try error("SELECT * FROM broken").message.contains("gone"))
    #expect(try fixture.ask("SELECT count(*) AS n FROM logs") == "n\n0\n")
  }

  @Test("knows REGEXP, and says what is wrong with a pattern")
  func regexp() throws {
    for n in 1...3 { try fixture.sample.addRecord(Int64(n), "n=\(n)") }
    #expect(
      try fixture.ask("SELECT body FROM logs WHERE body REGEXP '^n=[23]$'") == "body\nn=2\nn=3\n")
    #expect(try fixture.ask("SELECT NULL REGEXP 'a' AS a") == "a\n\n")
    #expect(
      try error("SELECT body FROM logs WHERE body REGEXP '(a'").message
        == "SQL error: pattern '(a': missing closing parenthesis, at character 3")
  }

  @Test("ends when it takes too long, or when it is told to")
  func limits() throws {
    let sql = """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n
      """
    let slow = #expect(throws: QueryError.self) {
      try fixture.ask(sql, limits: QueryLimits(timeout: .milliseconds(50)))
    }
    #expect(try #require(slow).kind == .timedOut)
    var asked = 0
    let stopped = #expect(throws: QueryError.self) {
      try fixture.ask(
        sql,
        limits: QueryLimits {
          asked += 1
          return asked > 3
        })
    }
    #expect(try #require(stopped).kind == .interrupted)
  }

  @Test("of nine million rows ends with its reader", .timeLimit(.minutes(1)))
  func closedPipe() throws {
    try fixture.sample.connection.execute(
      """
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 3000)
      INSERT INTO record (time, severity, file, byte_offset, byte_length, context, body)
      SELECT i, 9, 1, i, 1, \(fixture.sample.context()), 'n=' || i FROM n
      """)
    let sink = MemorySink()
    sink.capacity = 1 << 20
    let started = ContinuousClock.now
    let error = #expect(throws: OutputError.self) {
      try fixture.ask("SELECT a.body AS x, b.body AS y FROM logs a, logs b", .json, sink: sink)
    }
    #expect(try #require(error).isClosed)
    #expect(started.duration(to: .now) < .seconds(20))
    #expect(sink.text.hasPrefix("{\"x\":\"n=1\",\"y\":\"n=1\"}\n"))
  }
}
