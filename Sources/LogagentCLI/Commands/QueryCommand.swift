// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogQuery

extension Command {
  /// `logagent query SQL`: a person's own question.
  static let query: Command = {
    var command = Command("query", "answer a question in SQL", run: runQuery)
    command.operands = "[SQL]"
    command.operandCount = 0...1
    command.examples = [
      Example(
        "logagent query \"SELECT time, body FROM logs WHERE severity = 'error'\"",
        "All errors"),
      Example(
        "logagent query -f csv \"SELECT source, count(*) FROM logs GROUP BY 1\"",
        "Records by source, for a spreadsheet"),
      Example("logagent query - < question.sql", "SQL from a file"),
      Example("logagent query --saved errors-by-source", "A saved query"),
      Example("logagent query", "One question after the other, on a terminal"),
    ]
    command.flags = [
      Flag(
        "format", short: "f", value: "FORMAT", completion: .words(of: ResultFormat.self),
        "table, csv, json (an object a line) or tsv"),
      Flag("timeout", short: "t", value: "TIME", "Stop after so long, such as 30s or 5m"),
      Flag(
        "saved", short: "s", value: "NAME", completion: .stored(.queries),
        "Ask the saved query NAME"),
      Flag("list", "List the saved queries"),
      Flag("help-schema", "Show the views and their columns"),
      Flag("raw", "In CSV, leave text as it is that a spreadsheet would run"),
      Flag("no-pager", "Never show the output in a pager"),
      Invocation.databaseFlag,
      Invocation.bundleFlag,
    ]
    command.notes = [
      """
      The store has the views logs, crashes, runs, sources, files and gaps; --help-schema shows \
      their columns. X REGEXP 'PATTERN' knows Perl's syntax. One statement is allowed, and only one \
      that reads. FORMAT is table on a terminal, tsv elsewhere.
      """,
      """
      Without SQL, on a terminal, questions are asked one after the other, with history and \
      completion of names where readline or libedit is installed. Saved queries are files NAME.sql \
      in ~/.config/logagent/queries, /etc/logagent/queries and /usr/share/logagent/queries.
      """,
    ]
    return command
  }()

  private static func runQuery(_ call: Invocation) throws -> ExitStatus {
    if call.arguments.has("help-schema") {
      call.output.append(SchemaText.plain(of: nil, columns: call.context.output.columns))
      return .ok
    }
    if call.arguments.has("list") {
      let queries = SavedQuery.all(in: call.context.queryFolders)
      call.output.append(QuerySession.list(queries))
      return queries.isEmpty ? .nothingFound : .ok
    }
    let format =
      try call.arguments.choice("format", of: ResultFormat.self)
      ?? (call.context.output.isTerminal ? .table : .tsv)
    var limits = call.limits
    if let text = call.arguments.value("timeout") {
      // A bare number is seconds: other tools have it so.
      guard let time = Quantity.nanoseconds(text) ?? Quantity.nanoseconds(text + "s"), time > 0
      else {
        throw CommandError.usage("--timeout: expected a time such as 30s or 5m, got '\(text)'")
      }
      limits.timeout = .nanoseconds(time)
    }
    guard let sql = try question(call) else {
      guard let input = call.context.lineInput else {
        throw CommandError.usage("query: SQL is missing; - reads it from standard input")
      }
      var session = QuerySession(
        call, store: try call.openStore(), input: input,
        format: try call.arguments.choice("format", of: ResultFormat.self) ?? .table)
      try session.run()
      return .ok
    }
    let formatter = format.formatter(
      for: call.context.output, raw: call.arguments.has("raw"))
    let store = try call.openStore()
    if format == .table { call.startPager() }
    _ = try store.run(sql, limits: limits, formatter: formatter, to: call.output)
    return .ok
  }

  /// The SQL of the command line; `nil` when there is none.
  private static func question(_ call: Invocation) throws -> String? {
    let operand = call.arguments.operands.first
    if let name = call.arguments.value("saved") {
      if operand != nil { throw CommandError.usage("query: --saved and SQL are two questions") }
      return try SavedQuery.named(name, in: call.context.queryFolders).sql
    }
    if operand == "-" { return String(decoding: try call.context.input(), as: UTF8.self) }
    return operand
  }
}
