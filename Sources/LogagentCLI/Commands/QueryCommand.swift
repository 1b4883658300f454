// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogQuery

extension Command {
  /// `logagent query SQL`: a person's own question.
  static let query: Command = {
    var command = Command("query", "answer a question in SQL", run: runQuery)
    command.operands = "SQL"
    command.operandCount = 1...1
    command.examples = [
      Example(
        "logagent query \"SELECT time, body FROM logs WHERE severity = 'error'\"",
        "All errors"),
      Example(
        "logagent query -f csv \"SELECT source, count(*) FROM logs GROUP BY 1\"",
        "Records by source, for a spreadsheet"),
      Example("logagent query - < question.sql", "SQL from a file"),
    ]
    command.flags = [
      Flag(
        "format", short: "f", value: "FORMAT", completion: .words(of: ResultFormat.self),
        "table, csv, json (an object a line) or tsv"),
      Flag("timeout", short: "t", value: "TIME", "Stop after so long, such as 30s or 5m"),
      Flag("raw", "In CSV, leave text as it is that a spreadsheet would run"),
      Flag("no-pager", "Never show the output in a pager"),
      Invocation.databaseFlag,
    ]
    command.notes = [
      """
      The store has the views logs, crashes, files and sources. X REGEXP 'PATTERN' knows Perl's \
      syntax. One statement is allowed, and only one that reads. FORMAT is table on a terminal, \
      tsv elsewhere.
      """
    ]
    return command
  }()

  private static func runQuery(_ call: Invocation) throws -> ExitStatus {
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
    var sql = call.arguments.operands[0]
    if sql == "-" { sql = String(decoding: try call.context.input(), as: UTF8.self) }
    let formatter = format.formatter(
      for: call.context.output, raw: call.arguments.has("raw"))
    let store = try call.openStore()
    if format == .table { call.startPager() }
    _ = try store.run(sql, limits: limits, formatter: formatter, to: call.output)
    return .ok
  }
}
