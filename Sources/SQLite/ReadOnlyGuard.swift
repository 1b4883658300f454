// SPDX-License-Identifier: Apache-2.0

internal import CSQLite

/// Lets a connection compile nothing but statements that read.
///
/// SQLite asks the authorizer about every table, function and pragma while it compiles, also for
/// what stands inside views and common table expressions. It holds as long as the guard lives.
package final class ReadOnlyGuard {
  /// What was refused last, in words: `INSERT into notes`. `nil` when nothing was.
  package private(set) var refusal: String?

  private let connection: Connection

  package init(_ connection: Connection) {
    self.connection = connection
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_set_authorizer(connection.handle, authorize, context)
  }

  deinit { sqlite3_set_authorizer(connection.handle, nil, nil) }

  /// Forgets what was refused.
  package func reset() { refusal = nil }

  fileprivate func decide(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION:
      guard let name = second, Self.harmfulFunctions.contains(name.lowercased()) else {
        return SQLITE_OK
      }
      refusal = "the function \(name)"
    case SQLITE_PRAGMA:
      let name = (first ?? "").lowercased()
      if Self.describingPragmas.contains(name) { return SQLITE_OK }
      if second == nil, Self.statePragmas.contains(name) { return SQLITE_OK }
      refusal = "PRAGMA \(first ?? "")" + (second.map { " = \($0)" } ?? "")
    case SQLITE_UPDATE where Self.schemaTables.contains(first ?? ""):
      // Table-valued pragmas and functions declare themselves so, in memory. SQLite itself lets
      // nobody else update these tables.
      return SQLITE_OK
    default:
      // SQLite also asks for the steps of a step; the first one says what the person wrote.
      if refusal == nil { refusal = Self.words(action, first) }
    }
    return SQLITE_DENY
  }

  private static let harmfulFunctions: Set<String> = [
    "load_extension", "readfile", "writefile", "edit", "fts3_tokenizer",
  ]

  // They take the name of a table or an index, and change nothing.
  private static let describingPragmas: Set<String> = [
    "collation_list", "compile_options", "database_list", "foreign_key_list", "function_list",
    "index_info", "index_list", "index_xinfo", "integrity_check", "module_list", "pragma_list",
    "quick_check", "table_info", "table_list", "table_xinfo",
  ]

  // With a value they would set it.
  private static let statePragmas: Set<String> = [
    "application_id", "auto_vacuum", "data_version", "encoding", "freelist_count", "journal_mode",
    "page_count", "page_size", "schema_version", "user_version",
  ]

  private static let schemaTables: Set<String> = [
    "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema",
  ]

  private static func words(_ action: Int32, _ name: String?) -> String {
    if schemaTables.contains(name ?? "") { return "CREATE, ALTER or DROP" }
    let name = name.map { " " + $0 } ?? ""
    switch action {
    case SQLITE_INSERT: return "INSERT into" + name
    case SQLITE_UPDATE: return "UPDATE of" + name
    case SQLITE_DELETE: return "DELETE from" + name
    case SQLITE_ATTACH: return "ATTACH" + name
    case SQLITE_DETACH: return "DETACH" + name
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return "a transaction"
    case SQLITE_ALTER_TABLE: return "ALTER TABLE"
    case SQLITE_ANALYZE: return "ANALYZE"
    case SQLITE_REINDEX: return "REINDEX" + name
    case SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_TRIGGER,
      SQLITE_CREATE_TEMP_VIEW:
      return "CREATE TEMP" + name
    case SQLITE_CREATE_INDEX, SQLITE_CREATE_TABLE, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW,
      SQLITE_CREATE_VTABLE:
      return "CREATE" + name
    default: return "DROP" + name
    }
  }
}

private func authorize(
  _ context: UnsafeMutableRawPointer?, _ action: Int32, _ first: UnsafePointer<CChar>?,
  _ second: UnsafePointer<CChar>?, _ database: UnsafePointer<CChar>?,
  _ trigger: UnsafePointer<CChar>?
) -> Int32 {
  guard let context else { return SQLITE_DENY }
  let owner = Unmanaged<ReadOnlyGuard>.fromOpaque(context).takeUnretainedValue()
  return owner.decide(
    action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
}
