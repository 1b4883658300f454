// SPDX-License-Identifier: Apache-2.0

import SQLite
import TestSupport
import Testing

@Suite struct ConnectionTests {
  @Test func valuesComeBackAsTheyWereBound() throws {
    let folder = try TemporaryDirectory()
    let connection = try Connection(path: folder.file("a.db"), mode: .readWrite)
    try connection.execute("CREATE TABLE t (a, b, c, d)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?)")
    insert.bind(1, Int64.max)
    insert.bind(2, "é\0x")
    insert.bind(3, blob: [0, 255])
    insert.bind(4, "")
    try insert.run()
    let row = try connection.prepare("SELECT a, b, c, d, NULL FROM t")
    let hasRow = try row.step()
    #expect(hasRow)
    let values = (row.integer(0), row.text(1), row.blob(2), row.type(3))
    #expect(values.0 == Int64.max)
    #expect(values.1 == "é\0x")
    #expect(values.2 == [0, 255])
    #expect(values.3 == .text)
    let isNull = row.isNull(4)
    #expect(isNull)
    let hasMore = try row.step()
    #expect(!hasMore)
  }

  @Test func aFailedTransactionLeavesNothing() throws {
    let folder = try TemporaryDirectory()
    let connection = try Connection(path: folder.file("a.db"), mode: .readWrite)
    try connection.execute("CREATE TABLE t (a UNIQUE)")
    #expect(throws: SQLiteError.self) {
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute("INSERT INTO t VALUES (1); INSERT INTO t VALUES (1)")
      }
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func anErrorSaysWhereInTheStatement() throws {
    let folder = try TemporaryDirectory()
    let connection = try Connection(path: folder.file("a.db"), mode: .readWrite)
    do throws(SQLiteError) {
      _ = try connection.prepare("SELECT a FROM nowhere")
      Issue.record("it compiled")
    } catch {
      #expect(error.message == "no such table: nowhere")
    }
    do throws(SQLiteError) {
      _ = try connection.prepare("SELECT 1 FORM x")
      Issue.record("it compiled")
    } catch {
      #expect(error.offset == 14)
    }
  }

  @Test func aReadOnlyConnectionWritesNothing() throws {
    let folder = try TemporaryDirectory()
    try Connection(path: folder.file("a.db"), mode: .readWrite).execute("CREATE TABLE t (a)")
    let reader = try Connection(path: folder.file("a.db"), mode: .readOnly)
    #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
    #expect(throws: SQLiteError.self) {
      try Connection(path: folder.file("none.db"), mode: .readOnly)
    }
  }
}
