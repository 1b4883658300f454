// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent crashes`: one line a report.
  static let crashes: Command = {
    var command = Command("crashes", "list the crashes", run: runCrashes)
    command.examples = [
      Example("logagent crashes --since 7d", "The last week's"),
      Example("logagent crashes --last-run api --ack", "Whether it crashed when it last ran"),
      Example("logagent crashes --process api --format json", "One program's, for a script"),
    ]
    command.flags =
      Invocation.rangeFlags + [
        Flag(
          "process", value: "NAME", completion: .stored(.processes),
          "Of this process, by name or id"),
        Flag(
          "last-run", value: "NAME", completion: .stored(.processes),
          "Only tell whether the last run of NAME crashed"),
        Flag("ack", "With --last-run: the crash is known from now on"),
        Flag(
          "format", short: "f", value: "FORMAT", completion: .words(of: ResultFormat.self),
          "table, csv, json (an object a line) or tsv"),
        Flag("no-pager", "Never show the output in a pager"),
        Invocation.databaseFlag,
        Invocation.bundleFlag,
      ]
    command.notes = [
      Invocation.timeNote,
      """
      On a terminal crashes of one program with one cause are one entry: the latest, and how many \
      there are; --format table lists each. 'occurrences' counts the crashes with the same \
      fingerprint. The exit status is 1 when there is none. 'logagent crash show ID' tells more.
      """,
      """
      With --last-run the exit status is 3 when the last run crashed and nobody has acknowledged \
      it, 1 when no run of NAME is known, else 0. Runs are known from 'logagent exec' and from \
      crashes.
      """,
    ]
    return command
  }()

  private static func tellLastRun(of name: String, _ call: Invocation) throws -> ExitStatus {
    guard let run = try LastRun(of: name, in: call.openStore()) else {
      call.warn("no run of '\(name)' is known")
      return .nothingFound
    }
    call.output.append(run.text + "\n")
    if call.arguments.has("ack") { try run.acknowledge(call) }
    return run.status
  }

  private static func runCrashes(_ call: Invocation) throws -> ExitStatus {
    if let name = call.arguments.value("last-run") { return try tellLastRun(of: name, call) }
    if call.arguments.has("ack") { throw CommandError.usage("--ack needs --last-run NAME") }
    let range = try call.range()
    let format = try call.arguments.choice("format", of: ResultFormat.self)
    var condition = "1"
    if let since = range.since { condition += " AND time_unix_nano >= \(since.nanoseconds)" }
    if let until = range.until { condition += " AND time_unix_nano <= \(until.nanoseconds)" }
    if let process = call.arguments.value("process") {
      let pid = Int64(process).map { " OR pid = \($0)" } ?? ""
      condition += " AND (process = '\(process.replacing("'", with: "''"))'\(pid))"
    }
    let sql = """
      SELECT id, time, process, pid, kind, signal, reason, occurrences, top_frame
      FROM crashes WHERE \(condition) ORDER BY time_unix_nano, id
      """
    let store = try call.openStore()
    let isForPeople = format == nil && call.context.output.isTerminal
    if isForPeople || format == .table { call.startPager() }
    let count: Int
    if isForPeople {
      count = try CrashList.write(where: condition, from: store, call)
    } else {
      let formatter = (format ?? .tsv).formatter(for: call.context.output)
      count = try store.run(sql, limits: call.limits, formatter: formatter, to: call.output)
    }
    if count > 0 { return .ok }
    if format != .json { call.warn("no crashes found") }
    return .nothingFound
  }
}
