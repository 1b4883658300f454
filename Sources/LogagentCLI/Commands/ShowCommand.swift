// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent show`: all sources, merged by time, to be read.
  static let show: Command = {
    var command = Command("show", "show records of all sources by time", run: runShow)
    command.examples = [
      Example("logagent show --since 2h --severity warn", "What went wrong lately"),
      Example("logagent show -f --source api", "What a source writes now"),
      Example("logagent show -n 50 --grep 'time.?out' -o json", "For a program"),
    ]
    command.flags =
      RecordFilter.flags + [
        Flag("lines", short: "n", value: "N", "Only the last N records"),
        Flag("follow", short: "f", "Go on with new records as they are stored"),
        Flag(
          "output", short: "o", value: "FORM", completion: .words(of: RecordPrinter.Form.self),
          "short, full, json, cat (the body alone) or verbose"),
        Flag("no-pager", "Never show the output in a pager"),
        Flag("local", "Show times in this host's zone instead of UTC"),
        Invocation.databaseFlag,
        Invocation.bundleFlag,
      ]
    command.notes = [
      Invocation.timeNote,
      """
      A PATTERN without capitals finds both cases. --follow begins with the last 10 records. The \
      exit status is 1 when nothing is found.
      """,
      """
      On a terminal lines are aligned and wrapped, each day has a heading, and long output is \
      shown in LOGAGENT_PAGER, else PAGER, else less. Colours are not used when NO_COLOR is set. \
      Elsewhere a record's first line begins with its full time, and further lines with blanks.
      """,
    ]
    return command
  }()

  private static func runShow(_ call: Invocation) throws -> ExitStatus {
    var filter = try RecordFilter(call)
    let follows = call.arguments.has("follow")
    if follows, call.arguments.has("until") {
      throw CommandError.usage("--follow has no end: leave --until away")
    }
    if follows, call.arguments.has("bundle") {
      throw CommandError.usage("--follow: nothing more comes into a bundle")
    }
    let form = try call.arguments.choice("output", of: RecordPrinter.Form.self) ?? .short
    var printer = RecordPrinter(
      form: form, usesColor: call.usesColor,
      zone: call.arguments.has("local") ? call.context.zone : nil,
      width: call.context.output.isTerminal ? call.context.output.columns : nil)
    let asked = try call.arguments.integer("lines", in: 0...Int.max)
    let count = asked ?? (follows && !call.arguments.has("since") ? 10 : nil)
    var store = try call.openStore()
    filter.useGrams(of: store)
    if !follows { call.startPager() }
    // What is stored from here on belongs to the following, whatever is shown first.
    var last = follows ? try newest(store) : 0
    let shown = try show(statement(printer, filter, last: count), filter, &printer, store, call)
    printer.flush(to: call.output)
    guard follows else { return shown == 0 ? try call.nothingFound(in: store) : .ok }
    try call.output.flush()
    while !call.context.shouldStop() {
      call.context.pause(200)
      if !store.isCurrent {
        // The agent has set a damaged store aside and begun another one.
        guard let other = try? call.openStore() else { continue }
        store = other
        last = 0
      }
      let newest = try newest(store)
      if newest == last { continue }
      filter = try RecordFilter(call)
      filter.add(after: last)
      filter.add(upTo: newest)
      _ = try show(statement(printer, filter, last: nil), filter, &printer, store, call)
      printer.flush(to: call.output)
      try call.output.flush()
      last = newest
    }
    return .ok
  }

  private static func statement(
    _ printer: RecordPrinter, _ filter: RecordFilter, last: Int?
  ) -> String {
    let rows = "SELECT * FROM logs WHERE \(filter.condition)"
    guard let last else {
      return "SELECT \(printer.columns) FROM (\(rows)) ORDER BY \(RecordJSON.order)"
    }
    let backwards = RecordJSON.order.replacing(",", with: " DESC,") + " DESC"
    return """
      SELECT \(printer.columns) FROM (\(rows) ORDER BY \(backwards) LIMIT \(last))
      ORDER BY \(RecordJSON.order)
      """
  }

  private static func show(
    _ sql: String, _ filter: RecordFilter, _ printer: inout RecordPrinter, _ store: QueryStore,
    _ call: Invocation
  ) throws -> Int {
    var count = 0
    do {
      try store.forEach(sql, limits: call.limits, bind: filter.bind) { row in
        count += 1
        printer.write(row, to: call.output)
        try call.output.endOfRow()
      }
    } catch let error as QueryError where error.kind == .interrupted && call.arguments.has("follow")
    {
      // The usual end of following.
    }
    return count
  }

  private static func newest(_ store: QueryStore) throws -> Int64 {
    var newest: Int64 = 0
    try store.forEach("SELECT max(id) FROM record") { newest = $0.integer(0) }
    return newest
  }
}
