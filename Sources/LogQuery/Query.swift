// SPDX-License-Identifier: Apache-2.0

internal import LogModel
package import SQLite

/// When a query has to end before its end.
package struct QueryLimits {
  /// How long it may run; `nil` for as long as it takes.
  package var timeout: Duration?
  /// Asked about every millisecond: whether the person wants it to end.
  package var shouldStop: () -> Bool

  package init(timeout: Duration? = nil, shouldStop: @escaping () -> Bool = { false }) {
    self.timeout = timeout
    self.shouldStop = shouldStop
  }
}

extension QueryStore {
  /// Answers one statement of a person, row by row.
  ///
  /// - Parameters:
  ///   - sql: one statement that only reads.
  ///   - limits: when to end early.
  ///   - formatter: turns rows into text.
  ///   - writer: where the text goes; flushed at the end.
  /// - Returns: the number of rows.
  /// - Throws: `QueryError`, `OutputError`.
  package func run(
    _ sql: String, limits: QueryLimits = QueryLimits(), formatter: any RowFormatter,
    to writer: ByteWriter
  ) throws -> Int {
    try checkSingle(sql)
    var formatter = formatter
    var rows = 0
    try execute(sql, limits: limits) { statement in
      if rows == 0 { try formatter.begin(statement, to: writer) }
      rows += 1
      try formatter.row(statement, to: writer)
      try writer.endOfRow()
    } whenEmpty: { statement in
      try formatter.begin(statement, to: writer)
    }
    try formatter.end(to: writer)
    try writer.flush()
    return rows
  }

  /// Runs a statement of our own and calls `body` for each row.
  ///
  /// - Parameters:
  ///   - sql: one statement that only reads.
  ///   - limits: when to end early.
  ///   - bind: sets the statement's parameters.
  ///   - body: called for each row.
  /// - Throws: `QueryError`, and what `body` throws.
  package func forEach(
    _ sql: String, limits: QueryLimits = QueryLimits(),
    bind: (borrowing Statement) -> Void = { _ in },
    _ body: (borrowing Statement) throws -> Void
  ) throws {
    try execute(sql, limits: limits, bind: bind, body, whenEmpty: { _ in })
  }

  private func execute(
    _ sql: String, limits: QueryLimits, bind: (borrowing Statement) -> Void = { _ in },
    _ body: (borrowing Statement) throws -> Void,
    whenEmpty: (borrowing Statement) throws -> Void
  ) throws {
    let deadline = limits.timeout.map { ContinuousClock.now.advanced(by: $0) }
    let isOver = { deadline.map { ContinuousClock.now >= $0 } ?? false }
    let shouldStop = limits.shouldStop
    let handler = ProgressHandler(connection, steps: 10_000) { shouldStop() || isOver() }
    defer { withExtendedLifetime(handler) {} }
    do {
      let statement = try connection.prepare(sql)
      guard statement.isReadOnly else { throw refusal("a statement that writes") }
      bind(statement)
      var isEmpty = true
      while try statement.step() {
        isEmpty = false
        try body(statement)
        // Rows can come faster than the handler is asked, when each is slow to write.
        if shouldStop() { throw QueryError(.interrupted, "interrupted") }
      }
      if isEmpty { try whenEmpty(statement) }
    } catch let error as SQLiteError {
      if error.isInterrupted, !shouldStop(), let timeout = limits.timeout {
        throw QueryError(.timedOut, "stopped after \(timeout.formattedSeconds): the query is slow")
      }
      throw described(error)
    }
  }

  // MARK: What a person may ask

  private func checkSingle(_ sql: String) throws(QueryError) {
    guard !sql.utf8.contains(0) else { throw QueryError(.sql, "SQL error: the text holds a NUL") }
    readOnlyGuard.reset()
    let end: Int?
    do throws(SQLiteError) {
      end = try connection.endOfFirstStatement(sql)
    } catch {
      throw described(error)
    }
    guard let end else { throw QueryError(.sql, "SQL error: the text holds no statement") }
    let rest = String(decoding: Array(sql.utf8)[end...], as: UTF8.self)
    guard connection.isBlank(rest) else {
      throw QueryError(
        .refused, "not allowed: more than one statement; ask them one by one",
        excerpt: SQLExcerpt.text(sql, offset: end + rest.utf8.prefix { $0 <= 0x20 }.count))
    }
  }

  private func described(_ error: SQLiteError) -> QueryError {
    if error.isDenied || readOnlyGuard.refusal != nil {
      return refusal(readOnlyGuard.refusal ?? "a statement that writes")
    }
    // Before anything is refused: the views have no triggers to write by.
    if error.message.hasPrefix("cannot modify ") { return refusal("a statement that writes") }
    var described = QueryError(error, path: path)
    if described.kind == .sql { described.message += hint(error.message) }
    return described
  }

  private func refusal(_ what: String) -> QueryError {
    QueryError(
      .refused,
      "not allowed: \(SafeText.escaped(what)); a query can only read (SELECT, WITH, VALUES, EXPLAIN)"
    )
  }

  /// The nearest table or column, for a name that SQLite does not know.
  private func hint(_ message: String) -> String {
    let tables = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')"
    if let name = message.rest(after: "no such table: ") {
      return NearestName.hint(name, in: names(tables))
    }
    if let name = message.rest(after: "no such column: ") {
      let columns = """
        SELECT DISTINCT c.name FROM sqlite_schema s, pragma_table_info(s.name) c
        WHERE s.type = 'view'
        """
      let bare = name.split(separator: ".").last.map(String.init) ?? name
      // One that exists was asked of the wrong view.
      let owners = names(
        """
        SELECT s.name FROM sqlite_schema s, pragma_table_info(s.name) c
        WHERE s.type = 'view' AND c.name = '\(bare.replacing("'", with: "''"))' LIMIT 3
        """)
      if !owners.isEmpty { return "; it is a column of \(owners.joined(separator: ", "))" }
      return NearestName.hint(bare, in: names(columns))
    }
    return ""
  }

  private func names(_ sql: String) -> [String] {
    var names: [String] = []
    try? forEach(sql) { names.append($0.text(0)) }
    return names
  }
}

extension String {
  fileprivate func rest(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}

extension Duration {
  /// `2 s`, `1.5 s`, `20 ms`.
  fileprivate var formattedSeconds: String {
    let milliseconds = components.attoseconds / 1_000_000_000_000_000
    if components.seconds == 0, milliseconds < 100 { return "\(milliseconds) ms" }
    let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
