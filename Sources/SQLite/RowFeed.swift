// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Lets SQL read rows in memory as a table: `INSERT … SELECT … FROM name` takes them in one run of
/// the virtual machine, which costs some 40 % less than binding and stepping each row.
///
/// SQLite holds a feed, and the feed its source, until the connection is closed and its last
/// statement gone; they are used by that connection's thread.
package final class RowFeed {
  /// How many rows there are now; takes the source.
  package typealias Count = @convention(c) (UnsafeRawPointer) -> Int
  /// Gives the value of a column (its index) of a row into SQLite's context, by `ColumnResult`; NULL
  /// when it does nothing.
  package typealias Column = @convention(c) (UnsafeRawPointer, Int32, Int, OpaquePointer) -> Void

  let columns: [String]
  private let owner: AnyObject
  // Plain pointers: a call for each value of each row must count no references.
  private let source: UnsafeRawPointer
  private let count: Count
  private let column: Column
  // At a fixed address: SQLite keeps a pointer to it.
  private let module: UnsafeMutablePointer<sqlite3_module>

  /// - Parameters:
  ///   - source: an object with the rows.
  ///   - columns: their names, in the order of their indexes.
  ///   - count: how many rows the source has.
  ///   - column: its values.
  package init(
    source: AnyObject, columns: [String], count: @escaping Count, column: @escaping Column
  ) {
    owner = source
    self.source = UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
    self.columns = columns
    self.count = count
    self.column = column
    module = .allocate(capacity: 1)
    module.initialize(to: Self.makeModule())
  }

  deinit { module.deallocate() }

  /// Makes the rows readable as the table `name`.
  ///
  /// - Throws: `SQLiteError`.
  package func register(_ name: String, with connection: Connection) throws(SQLiteError) {
    let context = Unmanaged.passRetained(self).toOpaque()
    // SQLite lets go of it also when it refuses the module.
    let status = sqlite3_create_module_v2(connection.handle, name, module, context) { feed in
      if let feed { Unmanaged<RowFeed>.fromOpaque(feed).release() }
    }
    guard status == SQLITE_OK else { throw SQLiteError.last(connection.handle) }
  }

  // SQLite's structures come first, as it knows ours by their beginning.
  private struct Table {
    var base = sqlite3_vtab()
    var feed: Unmanaged<RowFeed>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    var source: UnsafeRawPointer
    var rowCount: Count
    var column: Column
    var row = 0
    var count = 0
  }

  private static func makeModule() -> sqlite3_module {
    var module = sqlite3_module()
    // Without xCreate the table exists by itself, in this connection only.
    module.xConnect = { database, context, _, _, table, _ in
      guard let context, let table else { return SQLITE_MISUSE }
      let feed = Unmanaged<RowFeed>.fromOpaque(context)
      let names = feed.takeUnretainedValue().columns.joined(separator: ", ")
      let status = sqlite3_declare_vtab(database, "CREATE TABLE rows (\(names))")
      guard status == SQLITE_OK else { return status }
      let made = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      made.initialize(to: Table(feed: feed))
      table.pointee = UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      table.map { UnsafeMutableRawPointer($0).deallocate() }
      return SQLITE_OK
    }
    module.xBestIndex = { _, info in
      info?.pointee.estimatedCost = 1
      return SQLITE_OK
    }
    module.xOpen = { table, cursor in
      guard let table, let cursor else { return SQLITE_MISUSE }
      let feed = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.feed
        .takeUnretainedValue()
      let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      made.initialize(
        to: Cursor(source: feed.source, rowCount: feed.count, column: feed.column))
      cursor.pointee =
        UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      cursor.map { UnsafeMutableRawPointer($0).deallocate() }
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in
      guard let cursor = RowFeed.cursor(cursor) else { return SQLITE_MISUSE }
      cursor.pointee.row = 0
      cursor.pointee.count = cursor.pointee.rowCount(cursor.pointee.source)
      return SQLITE_OK
    }
    module.xNext = { cursor in
      RowFeed.cursor(cursor)?.pointee.row += 1
      return SQLITE_OK
    }
    module.xEof = { cursor in
      guard let cursor = RowFeed.cursor(cursor)?.pointee else { return 1 }
      return cursor.row >= cursor.count ? 1 : 0
    }
    module.xColumn = { cursor, context, index in
      guard let cursor = RowFeed.cursor(cursor), let context else { return SQLITE_MISUSE }
      cursor.pointee.column(cursor.pointee.source, index, cursor.pointee.row, context)
      return SQLITE_OK
    }
    module.xRowid = { cursor, id in
      id?.pointee = Int64(RowFeed.cursor(cursor)?.pointee.row ?? 0)
      return SQLITE_OK
    }
    return module
  }

  private static func cursor(
    _ base: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<Cursor>? {
    base.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self) }
  }
}

/// Takes the value of one column.
package struct ColumnResult {
  let context: OpaquePointer

  /// - Parameter context: as `RowFeed.Column` gets it.
  package init(_ context: OpaquePointer) { self.context = context }

  package func set(_ value: Int64) { sqlite3_result_int64(context, value) }

  /// Text that stays where it is until the statement has run; nothing is copied here.
  package func set(text: UnsafeBufferPointer<UInt8>) {
    let start = UnsafeRawPointer(text.baseAddress ?? Self.emptyText)
    sqlite3_result_text(
      context, start.assumingMemoryBound(to: CChar.self), Int32(truncatingIfNeeded: text.count),
      nil)
  }

  /// Bytes that stay where they are until the statement has run.
  package func set(blob: UnsafeBufferPointer<UInt8>) {
    sqlite3_result_blob(
      context, UnsafeRawPointer(blob.baseAddress ?? Self.emptyText),
      Int32(truncatingIfNeeded: blob.count), nil)
  }

  // SQLite reads a nil pointer as NULL; an empty text needs an address, never read.
  private static var emptyText: UnsafePointer<UInt8> { UnsafePointer(bitPattern: 1)! }
}
