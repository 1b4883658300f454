// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// A compiled statement, finalised when it goes out of scope.
package struct Statement: ~Copyable {
  package let handle: OpaquePointer
  private let connection: Connection

  init(connection: Connection, sql: String, persistent: Bool) throws(SQLiteError) {
    self.connection = connection
    var compiled: OpaquePointer?
    let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
    guard sqlite3_prepare_v3(connection.handle, sql, -1, flags, &compiled, nil) == SQLITE_OK else {
      throw SQLiteError.last(connection.handle, sql: sql)
    }
    guard let compiled else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "the SQL text holds no statement", sql: sql)
    }
    handle = compiled
  }

  deinit { sqlite3_finalize(handle) }

  /// Goes to the next row; false at the end.
  package borrowing func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError.last(connection.handle, sql: sql)
    }
  }

  /// Runs a statement that gives no rows, then makes it ready for the next use.
  package borrowing func run() throws(SQLiteError) {
    defer { sqlite3_reset(handle) }
    _ = try step()
  }

  /// Makes it ready for the next use; bindings stay.
  package borrowing func reset() { sqlite3_reset(handle) }

  package var sql: String { String(cString: sqlite3_sql(handle)) }

  // MARK: Parameters, counted from 1

  package borrowing func bind(_ index: Int32, _ value: Int64) {
    sqlite3_bind_int64(handle, index, value)
  }

  package borrowing func bind(_ index: Int32, _ value: Int64?) {
    if let value { sqlite3_bind_int64(handle, index, value) } else { bindNull(index) }
  }

  package borrowing func bind(_ index: Int32, double value: Double) {
    sqlite3_bind_double(handle, index, value)
  }

  package borrowing func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

  /// Binds a copy of `value`.
  package borrowing func bind(_ index: Int32, _ value: String?) {
    guard var value else { return bindNull(index) }
    value.withUTF8 { bytes in
      let start = UnsafeRawPointer(bytes.baseAddress ?? Self.emptyText)
      _ = sqlite3_bind_text64(
        handle, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
        Self.transient, UInt8(SQLITE_UTF8))
    }
  }

  /// Binds text without a copy: the bytes must live until the next `reset` or binding.
  package borrowing func bindStatic(_ index: Int32, text: UnsafeBufferPointer<UInt8>) {
    let bytes = UnsafeRawPointer(text.baseAddress ?? Self.emptyText)
    sqlite3_bind_text64(
      handle, index, bytes.assumingMemoryBound(to: CChar.self), UInt64(text.count), nil,
      UInt8(SQLITE_UTF8))
  }

  /// Binds a copy of `value`.
  package borrowing func bind(_ index: Int32, blob value: [UInt8]?) {
    guard let value else { return bindNull(index) }
    value.withUnsafeBytes { bytes in
      _ = sqlite3_bind_blob64(
        handle, index, bytes.baseAddress ?? UnsafeRawPointer(Self.emptyText), UInt64(bytes.count),
        Self.transient)
    }
  }

  /// Binds bytes without a copy: they must live until the next `reset` or binding.
  package borrowing func bindStatic(_ index: Int32, blob: UnsafeBufferPointer<UInt8>) {
    sqlite3_bind_blob64(
      handle, index, UnsafeRawPointer(blob.baseAddress ?? Self.emptyText), UInt64(blob.count), nil)
  }

  // MARK: Columns, counted from 0

  package var columnCount: Int32 { sqlite3_column_count(handle) }

  package borrowing func columnName(_ index: Int32) -> String {
    sqlite3_column_name(handle, index).map { String(cString: $0) } ?? ""
  }

  package borrowing func type(_ index: Int32) -> ValueType {
    ValueType(rawValue: sqlite3_column_type(handle, index)) ?? .null
  }

  package borrowing func isNull(_ index: Int32) -> Bool {
    sqlite3_column_type(handle, index) == SQLITE_NULL
  }

  package borrowing func integer(_ index: Int32) -> Int64 { sqlite3_column_int64(handle, index) }

  package borrowing func double(_ index: Int32) -> Double { sqlite3_column_double(handle, index) }

  package borrowing func text(_ index: Int32) -> String {
    withText(index) { String(decoding: $0, as: UTF8.self) }
  }

  /// The text, or `nil` for NULL.
  package borrowing func optionalText(_ index: Int32) -> String? {
    isNull(index) ? nil : text(index)
  }

  /// The integer, or `nil` for NULL.
  package borrowing func optionalInteger(_ index: Int32) -> Int64? {
    isNull(index) ? nil : integer(index)
  }

  /// A column's value, which is quicker to ask than the column when more than one thing is asked.
  package borrowing func value(_ index: Int32) -> ColumnValue {
    ColumnValue(handle: sqlite3_column_value(handle, index))
  }

  /// Calls `body` with the UTF-8 of a column, valid during the call.
  package borrowing func withText<Result>(
    _ index: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let start = sqlite3_column_text(handle, index)
    return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
  }

  /// A copy of a column's bytes.
  package borrowing func blob(_ index: Int32) -> [UInt8] {
    let start = sqlite3_column_blob(handle, index)
    let count = Int(sqlite3_column_bytes(handle, index))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  // SQLITE_TRANSIENT is a cast that Swift does not import: -1 tells SQLite to copy.
  private static var transient: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  // SQLite reads a nil pointer as NULL; an empty text needs an address, never read.
  private static var emptyText: UnsafePointer<UInt8> { UnsafePointer(bitPattern: 1)! }
}

/// The value of a column in one row, valid until the statement goes on.
///
/// SQLite calls such a value unprotected, which makes no difference to connections without a mutex.
package struct ColumnValue {
  fileprivate let handle: OpaquePointer?

  package var type: ValueType { ValueType(rawValue: sqlite3_value_type(handle)) ?? .null }

  package var integer: Int64 { sqlite3_value_int64(handle) }

  package var double: Double { sqlite3_value_double(handle) }

  /// The bytes of a text or a blob as they are; none of other values.
  package var bytes: UnsafeBufferPointer<UInt8> {
    let type = sqlite3_value_type(handle)
    guard type == SQLITE_TEXT || type == SQLITE_BLOB else {
      return UnsafeBufferPointer(start: nil, count: 0)
    }
    let start = sqlite3_value_blob(handle)?.assumingMemoryBound(to: UInt8.self)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(handle)))
  }
}

/// The type of a column's value in one row.
package enum ValueType: Int32, Sendable {
  case integer = 1
  case float = 2
  case text = 3
  case blob = 4
  case null = 5
}
