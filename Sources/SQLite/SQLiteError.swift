// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// An error of SQLite, with what was being done.
package struct SQLiteError: Error, CustomStringConvertible, Sendable {
  /// SQLite's extended result code.
  package var code: Int32
  /// SQLite's own message.
  package var message: String
  /// The statement, where there was one.
  package var sql: String?
  /// Byte offset in `sql` of the token that is wrong; `nil` when SQLite does not know.
  package var offset: Int?
  /// The file of the connection; `nil` when it could not be opened.
  package var path: String?

  package init(
    code: Int32, message: String, sql: String? = nil, offset: Int? = nil, path: String? = nil
  ) {
    self.code = code
    self.message = message
    self.sql = sql
    self.offset = offset
    self.path = path
  }

  /// The result code without its extension.
  package var primaryCode: Int32 { code & 0xff }

  /// Another connection holds the lock: worth another try.
  package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  /// No space, or a read-only or failing disk.
  package var isStorageFault: Bool {
    [SQLITE_FULL, SQLITE_IOERR, SQLITE_READONLY, SQLITE_CANTOPEN].contains(primaryCode)
  }
  /// There is no space for a file that is written.
  package var isDiskFull: Bool {
    // A write that fails for a full disk or a file size limit reports either.
    primaryCode == SQLITE_FULL || code == SQLITE_IOERR | (3 << 8)
  }
  /// The file is no database, or a damaged one.
  package var isCorrupt: Bool {
    // Of a header that names no known form of file SQLite says only SQLITE_ERROR.
    primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB
      || primaryCode == SQLITE_ERROR && message == "unsupported file format"
  }
  /// The authorizer refused the statement.
  package var isDenied: Bool { primaryCode == SQLITE_AUTH }
  package var isInterrupted: Bool { primaryCode == SQLITE_INTERRUPT }

  package var description: String { "\(message) (SQLite code \(code))" }

  static func last(_ handle: OpaquePointer?, sql: String? = nil) -> SQLiteError {
    guard let handle else { return SQLiteError(code: SQLITE_NOMEM, message: "out of memory") }
    let offset = sqlite3_error_offset(handle)
    return SQLiteError(
      code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)),
      sql: sql, offset: offset < 0 ? nil : Int(offset),
      path: sqlite3_db_filename(handle, "main").map { String(cString: $0) })
  }
}
