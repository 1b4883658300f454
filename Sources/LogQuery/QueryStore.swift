// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogModel
internal import Patterns
package import SQLite

/// The store, opened so that nothing can be written to it.
///
/// Three things see to that: the file is opened read-only, an authorizer refuses all but reading,
/// and SQLite must call a statement read-only before it runs.
package final class QueryStore {
  /// The newest schema that this program knows; `PRAGMA user_version` of the file.
  package static let schemaVersion: Int64 = 1

  /// Bytes of the store that are mapped; what lies behind is read.
  private static let mappedBytes = 1 << 30

  package let connection: Connection
  /// As it was named, for messages.
  package let path: String
  let readOnlyGuard: ReadOnlyGuard
  /// Device and inode of the file that was opened.
  private let identity: [UInt64]

  /// The path without links, as SQLite wants it.
  package var resolvedPath: String { Self.resolved(path) }

  /// Opens the store at `path`.
  ///
  /// - Throws: `QueryError` that says what is there instead, and how to make a store.
  package init(path: String) throws(QueryError) {
    self.path = path
    try Self.check(path)
    identity = Self.identity(of: path)
    do throws(SQLiteError) {
      // SQLite refuses links on the way, which protects those who write; a reader may use them.
      connection = try Connection(path: Self.resolved(path), mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      // Mapped pages are not copied: a question reads tens of megabytes of filters, or all records.
      // The write-ahead log sees to it that no page goes away that a reader may still look at.
      try connection.execute("PRAGMA mmap_size = \(Self.mappedBytes)")
      try FrameText.install(on: connection)
      readOnlyGuard = ReadOnlyGuard(connection)
      try Self.defineFunctions(connection)
    } catch {
      throw QueryError(error, path: path)
    }
    try checkVersion()
  }

  /// Whether the file of this name is still the one that was opened.
  package var isCurrent: Bool { Self.identity(of: path) == identity }

  private static func identity(of path: String) -> [UInt64] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    return [UInt64(status.st_dev), UInt64(status.st_ino)]
  }

  private static func check(_ path: String) throws(QueryError) {
    let name = SafeText.escaped(path)
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR {
        throw QueryError(
          .missing,
          "\(name): there is no store yet; 'logagent run' or 'logagent import PATH' makes one")
      }
      throw QueryError(.notAllowed, Self.cannotOpen(name))
    }
    if status.st_mode & 0o170000 == 0o040000 {
      throw QueryError(.notAStore, "\(name): a folder, not a store; name the file logs.db in it")
    }
    guard access(path, R_OK) == 0 else {
      throw QueryError(.notAllowed, Self.cannotOpen(name))
    }
  }

  private static func cannotOpen(_ name: String) -> String {
    let number = errno
    return "\(name): cannot open: \(String(cString: strerror(number)))"
      + (number == EACCES ? "; it is for root and the agent's user alone" : "")
  }

  private static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private func checkVersion() throws(QueryError) {
    let version: Int64
    let tables: Int64
    do throws(SQLiteError) {
      version = try connection.integer("PRAGMA user_version") ?? 0
      tables = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'logs'") ?? 0
    } catch {
      throw QueryError(error, path: path)
    }
    let name = SafeText.escaped(path)
    if version > Self.schemaVersion {
      throw QueryError(
        .notAStore,
        "\(name): made by a newer logagent (schema \(version); this one knows "
          + "\(Self.schemaVersion)); use that one, or newer")
    }
    if version < 1 || tables == 0 {
      throw QueryError(.notAStore, "\(name): a SQLite file, but not a logagent store")
    }
  }

  /// Makes sure that `pattern` can be used with `REGEXP`.
  ///
  /// - Throws: `QueryError` of kind `pattern`, with the place of the mistake.
  package static func check(pattern: String) throws(QueryError) {
    do throws(PatternError) {
      _ = try Pattern(pattern)
    } catch {
      throw QueryError(.pattern, SafeText.escaped(error.description))
    }
  }

  /// `X REGEXP Y`, which SQLite reads as `regexp(Y, X)`.
  private static func defineFunctions(_ connection: Connection) throws(SQLiteError) {
    try connection.define("regexp", argumentCount: 2) { call in
      if call.isNull(0) || call.isNull(1) { return call.answerNull() }
      let matcher: Matcher
      if let kept = call.kept(0) as? Matcher {
        matcher = kept
      } else {
        do throws(PatternError) {
          matcher = Matcher(try Pattern(call.text(0)))
        } catch {
          return call.fail(error.description)
        }
        call.keep(0, matcher)
      }
      let found = call.withText(1) { matcher.find(in: $0) }
      if let failure = matcher.failure {
        return call.fail("pattern '\(matcher.pattern.text)': \(failure)")
      }
      call.answer(found)
    }
  }
}
