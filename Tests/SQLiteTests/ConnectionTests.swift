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
    #expect(try row.step())
    #expect(row.integer(0) == Int64.max)
    #expect(row.text(1) == "é\0x")
    #expect(row.blob(2) == [0, 255])
    #expect(row.type(3) == .text)
    #expect(row.isNull(4))
    #expect(try !row.step())
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
      _ = try connection.prepare("SELECT nothing FROM nowhere")
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
