// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

extension Connection {
  /// Where the first statement of `sql` ends, in bytes; `nil` when there is no statement.
  ///
  /// - Throws: `SQLiteError` when the first statement can't be compiled.
  package func endOfFirstStatement(_ sql: String) throws(SQLiteError) -> Int? {
    var text = sql
    var end: Int?
    let code = text.withUTF8 { bytes -> Int32 in
      guard let base = bytes.baseAddress else { return SQLITE_OK }
      return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
        var statement: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v3(
          handle, start, Int32(bytes.count), 0, &statement, &tail)
        if statement != nil { end = tail.map { $0 - start } }
        sqlite3_finalize(statement)
        return code
      }
    }
    guard code == SQLITE_OK else { throw SQLiteError.last(handle, sql: sql) }
    return end
  }

  /// Whether `sql` is only blanks, comments and semicolons.
  package func isBlank(_ sql: String) -> Bool {
    var rest = Substring(sql)
    while !rest.isEmpty {
      var text = String(rest)
      var next = 0
      var holdsStatement = false
      text.withUTF8 { bytes in
        guard let base = bytes.baseAddress else { return }
        base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
          var statement: OpaquePointer?
          var tail: UnsafePointer<CChar>?
          let code = sqlite3_prepare_v3(
            handle, start, Int32(bytes.count), 0, &statement, &tail)
          holdsStatement = statement != nil || code != SQLITE_OK
          next = tail.map { $0 - start } ?? bytes.count
          sqlite3_finalize(statement)
        }
      }
      if holdsStatement { return false }
      if next == 0 { return true }
      rest = Substring(String(decoding: Array(text.utf8).dropFirst(next), as: UTF8.self))
    }
    return true
  }
}

extension Statement {
  /// SQLite's own word for it that the statement changes nothing.
  package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// Placeholders such as `?` and `:name`.
  package var parameterCount: Int32 { sqlite3_bind_parameter_count(handle) }

  /// Calls `body` with a column's bytes as they are stored, valid during the call.
  package borrowing func withBlob<Result>(
    _ index: Int32, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let start = sqlite3_column_blob(handle, index)
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, index))
    return body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Binds all columns of `row` to the parameters 1, 2, … of this statement, with their types.
  package borrowing func bindAll(of row: borrowing Statement) {
    for index in 0..<row.columnCount {
      sqlite3_bind_value(handle, index + 1, sqlite3_column_value(row.handle, index))
    }
  }
}
