// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite

/// A person who asks one question after the other.
///
/// A statement ends with a semicolon, also lines later; a line that begins with a dot is for the
/// session itself.
struct QuerySession {
  private let call: Invocation
  private let store: QueryStore
  private let input: any LineInput
  private let limits: QueryLimits
  private var format: ResultFormat
  private let queries: [SavedQuery]

  static let help = """
    SELECT …;        ask; a statement ends with a semicolon
    .schema [VIEW]   what can be asked, or the columns of one view
    .saved [NAME]    list the saved queries, or ask one of them
    .mode FORMAT     table, csv, json or tsv
    .help            this
    .quit            end, as Ctrl-D does

    """

  init(_ call: Invocation, store: QueryStore, input: any LineInput, format: ResultFormat) {
    self.call = call
    self.store = store
    self.input = input
    self.format = format
    limits = call.limits
    queries = SavedQuery.all(in: call.context.queryFolders)
  }

  /// Runs until the end of input.
  ///
  /// - Throws: `OutputError`.
  mutating func run() throws {
    input.completions = Self.words(store) + queries.map { ".saved " + $0.name }
    call.output.append("\(store.path): SQL ends with a semicolon; .help tells more\n")
    try call.output.flush()
    var pending = ""
    while let line = input.read(prompt: pending.isEmpty ? "logagent> " : "     ...> ") {
      let trimmed = line.trimmed
      if pending.isEmpty, trimmed.isEmpty { continue }
      if pending.isEmpty, trimmed.hasPrefix(".") {
        if [".quit", ".exit", ".q"].contains(trimmed) { return }
        try command(trimmed)
        continue
      }
      pending += pending.isEmpty ? line : "\n" + line
      guard trimmed.hasSuffix(";") else { continue }
      try ask(pending)
      pending = ""
    }
    // The prompt of the last line is still there.
    call.output.append("\n")
  }

  private mutating func command(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let argument = words.count > 1 ? words[1] : nil
    switch words[0] {
    case ".help": call.output.append(Self.help)
    case ".schema", ".tables":
      call.output.append(SchemaText.plain(of: argument, columns: call.context.output.columns))
    case ".mode":
      if let format = argument.flatMap(ResultFormat.init) {
        self.format = format
      } else {
        call.warn(".mode: expected table, csv, json or tsv")
      }
    case ".saved":
      if let argument {
        do throws(CommandError) {
          try ask(SavedQuery.named(argument, in: call.context.queryFolders).sql)
        } catch let error { call.warn(error.message) }
      } else {
        call.output.append(Self.list(queries))
      }
    default: call.warn("unknown command \(SafeText.escaped(words[0])); .help lists them")
    }
    try call.output.flush()
  }

  /// A question that fails does not end the session; a terminal that is gone does.
  private func ask(_ sql: String) throws(CommandError) {
    input.begin()
    defer { input.end() }
    do {
      let formatter = format.formatter(for: call.context.output)
      let count = try store.run(sql, limits: limits, formatter: formatter, to: call.output)
      if format == .table, count == 0 { call.output.append("no rows\n") }
      try call.output.flush()
    } catch let error as QueryError {
      call.warn(error.kind == .interrupted ? "interrupted" : error.description)
      _ = try? call.output.flush()
    } catch {
      if let failure = CommandError(error) { throw failure }
    }
  }

  /// One line a query.
  static func list(_ queries: [SavedQuery]) -> String {
    let width = queries.map(\.name.count).max() ?? 0
    return queries.reduce(into: "") { text, query in
      text += SafeText.escaped(query.name).padded(to: width) + "  "
      text += SafeText.escaped(query.summary) + "\n"
    }
  }

  /// Names of views and columns, and the words of SQL that questions are made of.
  private static func words(_ store: QueryStore) -> [String] {
    var words = [
      "SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "LIMIT", "DESC", "COUNT", "DISTINCT",
      "REGEXP", "LIKE", "BETWEEN", "JOIN", "HAVING", ".help", ".mode", ".quit", ".saved", ".schema",
    ]
    let sql = """
      SELECT name FROM sqlite_schema WHERE type = 'view'
      UNION SELECT c.name FROM sqlite_schema s, pragma_table_info(s.name) c WHERE s.type = 'view'
      """
    // Without names there is less to complete, and nothing else is missing.
    try? store.forEach(sql) { words.append($0.text(0)) }
    return words
  }
}

extension String {
  /// Without blanks at both ends.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
