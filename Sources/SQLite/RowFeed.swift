// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Rows in memory, for a `RowFeed`.
package protocol RowSource: AnyObject {
  /// How many rows there are now.
  var rowCount: Int { get }
  /// Gives the value of one column of one row; NULL when it does nothing.
  func column(_ index: Int32, of row: Int, into result: ColumnResult)
}

/// Lets SQL read rows in memory as a table: `INSERT … SELECT … FROM name` takes them in one run of
/// the virtual machine, which costs some 40 % less than binding and stepping each row.
///
/// A feed and its source must outlive the connection that they are registered with, and are used
/// by that connection's thread.
package final class RowFeed {
  let columns: [String]
  // Not counted for each value of each row: whoever makes a feed holds its source as well.
  private unowned(unsafe) let source: any RowSource
  // At a fixed address: SQLite keeps a pointer to it.
  private let module: UnsafeMutablePointer<sqlite3_module>

  /// - Parameters:
  ///   - source: the rows.
  ///   - columns: their names, in the order of `column(_:of:into:)`.
  package init(source: any RowSource, columns: [String]) {
    self.source = source
    self.columns = columns
    module = .allocate(capacity: 1)
    module.initialize(to: Self.makeModule())
  }

  deinit { module.deallocate() }

  /// Makes the rows readable as the table `name`.
  ///
  /// - Throws: `SQLiteError`.
  package func register(_ name: String, with connection: Connection) throws(SQLiteError) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let status = sqlite3_create_module_v2(connection.handle, name, module, context, nil)
    guard status == SQLITE_OK else { throw SQLiteError.last(connection.handle) }
  }

  // SQLite's structures come first, as it knows ours by their beginning.
  private struct Table {
    var base = sqlite3_vtab()
    var feed: Unmanaged<RowFeed>
  }

  private struct Cursor {
    var base = sqlite3_vtab_cursor()
    var feed: Unmanaged<RowFeed>
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
      let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      made.initialize(to: Cursor(feed: feed))
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
      cursor.pointee.count = cursor.pointee.feed._withUnsafeGuaranteedRef { $0.source.rowCount }
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
      let row = cursor.pointee.row
      cursor.pointee.feed._withUnsafeGuaranteedRef {
        $0.source.column(index, of: row, into: ColumnResult(context: context))
      }
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
