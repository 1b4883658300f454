// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A connection to one SQLite file; used by one thread at a time, as it is opened without a mutex.
///
/// `@unchecked Sendable`: the owner hands a connection to a thread as a whole; `interrupt()` is the
/// only call that SQLite allows from another one.
package final class Connection: @unchecked Sendable {
  /// How to open.
  package enum Mode: Sendable {
    /// Creates the file when it is missing. The caller sees to the file's permissions before.
    case readWrite
    /// Never writes, whatever the statement; the file must exist.
    case readOnly
  }

  package let handle: OpaquePointer
  package let path: String

  /// Opens `path`.
  ///
  /// - Throws: `SQLiteError` when it can't be opened; a file that is no database shows only at the
  ///   first statement.
  package init(path: String, mode: Mode) throws(SQLiteError) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
    switch mode {
    case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = SQLiteError.last(opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    self.path = path
    _ = la_sqlite3_set_defensive(opened, 1)
    _ = la_sqlite3_disable_extensions(opened)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs one or more statements that give no rows.
  package func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SQLiteError.last(handle, sql: sql)
    }
  }

  /// Compiles the first statement of `sql`.
  ///
  /// - Parameter persistent: whether it will be used many times.
  package func prepare(_ sql: String, persistent: Bool = false) throws(SQLiteError) -> Statement {
    try Statement(connection: self, sql: sql, persistent: persistent)
  }

  /// The first column of the first row as an integer; `nil` for no row or NULL.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }

  /// The first column of the first row as text; `nil` for no row or NULL.
  package func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try prepare(sql)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  /// The first column of all rows, as integers.
  package func integers(_ sql: String) throws(SQLiteError) -> [Int64] {
    let statement = try prepare(sql)
    var values: [Int64] = []
    while try statement.step() { values.append(statement.integer(0)) }
    return values
  }

  /// The size of the write-ahead log's file, in bytes; 0 without one.
  package var logBytes: Int64 { la_sqlite3_log_size(handle) }

  /// Runs `body` in a transaction, which is rolled back when it throws.
  package func transaction<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // Some errors end the transaction by themselves; then this fails, which is as good.
      _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Waits up to `milliseconds` for another connection's lock.
  package func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  /// Stops the running statement from any thread; it throws `isInterrupted`.
  package func interrupt() { sqlite3_interrupt(handle) }

  /// Rows changed by the last statement.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Gives memory back to the system as far as possible.
  package func releaseMemory() { _ = sqlite3_db_release_memory(handle) }
}
