// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent stats`: who says how much of what, and when.
  static let stats: Command = {
    var command = Command(
      "stats", "count records by source, severity, time and message", run: runStats)
    command.examples = [
      Example("logagent stats --since 1d", "The last day"),
      Example("logagent stats --source api --top 30", "What one source says most"),
    ]
    command.flags =
      Invocation.rangeFlags + [
        Flag(
          "source", short: "s", value: "NAME", completion: .stored(.sources),
          "Of this source; may be repeated"),
        Flag("top", value: "N", "So many of the most frequent messages (10)"),
        Flag("no-pager", "Never show the output in a pager"),
        Invocation.databaseFlag,
        Invocation.bundleFlag,
      ]
    command.notes = [
      Invocation.timeNote,
      """
      A column of the activity is as high as the records of its time are many, compared with the \
      highest of its source; red ones hold errors, yellow ones warnings. Messages that differ in \
      numbers and quoted words only are one, with <*> for what differs; the newest 200000 records \
      are compared. The exit status is 1 when there are no records.
      """,
    ]
    return command
  }()

  private static func runStats(_ call: Invocation) throws -> ExitStatus {
    let asked = try call.range()
    let top = try call.arguments.integer("top", in: 0...1000) ?? 10
    let store = try call.openStore()
    var first: Int64?
    var last: Int64?
    try store.forEach("SELECT min(time), max(time) FROM record") { row in
      first = row.optionalInteger(0)
      last = row.optionalInteger(1)
    }
    guard let first, let last else {
      return try call.nothingFound(in: store)
    }
    let range = StoreStatistics.Range(
      since: max(first, asked.since?.nanoseconds ?? first),
      until: min(last, asked.until?.nanoseconds ?? last),
      sources: call.arguments.all("source"))
    guard range.since <= range.until else {
      return try call.nothingFound(in: store)
    }
    let width = call.context.output.columns
    let statistics = try StoreStatistics(
      store, range, columns: StatisticsText.histogramColumns(width), top: top,
      limits: call.limits)
    if statistics.sources.isEmpty {
      return try call.nothingFound(in: store)
    }
    call.startPager()
    let text = StatisticsText(statistics, width: width, usesColor: call.usesColor)
    call.output.append(text.text)
    return .ok
  }
}
