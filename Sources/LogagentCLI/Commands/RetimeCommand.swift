// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import LogQuery
internal import Pipeline
internal import SQLite

extension Command {
  /// `logagent retime`: mends the times of a source whose zone was assumed wrongly.
  static let retime: Command = {
    var command = Command(
      "retime", "mend the times of a source that has no zone in them", run: runRetime)
    command.examples = [
      Example(
        "logagent retime --source shop --zone Europe/Berlin --dry-run", "What would be changed"),
      Example("logagent retime --source shop --zone Europe/Berlin", "Change it"),
    ]
    command.flags = [
      Flag(
        "source", short: "s", value: "NAME", completion: .stored(.sources), "Of this source"),
      Flag(
        "zone", short: "z", value: "ZONE", "The zone that the times are in, as in Europe/Berlin"),
      Flag("from", value: "ZONE", "The zone in which they were read (that of the configuration)"),
      Flag("dry-run", short: "n", "Only tell what would be changed"),
      Invocation.databaseFlag,
    ]
    command.notes = [
      """
      Times that were read without a zone (time_quality assumed_zone, or inferred_year) move, and \
      with them records that have taken over their time. Summer time is minded, in both zones. \
      Times that name their zone stay. Histograms, and crashes that only such lines tell of, move, \
      too.
      """,
      """
      The agent may run meanwhile: the times change in small transactions. An interrupted command \
      goes on when it is given again, and no time moves twice. For what is still to come write \
      timezone = "ZONE" under [[source]].
      """,
    ]
    return command
  }()

  private static func runRetime(_ call: Invocation) throws -> ExitStatus {
    guard let source = call.arguments.value("source"), let zone = call.arguments.value("zone")
    else {
      throw CommandError.usage("retime: --source NAME and --zone ZONE say what is to be changed")
    }
    let configuration = try call.configuration()
    // Opened for reading first: it says what is wrong with the file.
    let store = try call.openStore()
    var names: [String] = []
    try store.forEach("SELECT source FROM sources") { names.append($0.text(0)) }
    guard names.contains(source) else {
      throw CommandError(
        .nothingFound,
        "no source '\(SafeText.escaped(source))'" + NearestName.hint(source, in: names))
    }
    let assumed =
      call.arguments.value("from")
      ?? configuration.sources.first { $0.name == source }?.timeZone ?? configuration.timeZone
      ?? HostTimeZone.current().name
    let isTrial = call.arguments.has("dry-run")
    let connection = try Connection(
      path: store.path, mode: isTrial ? .readOnly : .readWrite)
    connection.setBusyTimeout(milliseconds: 10_000)
    let summary: SourceRetimer.Summary
    do {
      // A host without a zone reads times as UTC.
      var retimer = try SourceRetimer(
        connection, source: source, zoneName: zone,
        assumed: assumed.isEmpty || assumed == "local" ? "UTC" : assumed)
      summary = try retimer.run(isTrial: isTrial, shouldStop: call.context.shouldStop)
    } catch let error as RetimeError { throw CommandError.usage("retime: \(error)") }
    if call.context.shouldStop() { throw CommandError(.interrupted, "interrupted") }
    tell(summary, source, zone, assumed, isTrial, call)
    return summary.changed == 0 ? .nothingFound : .ok
  }

  private static func tell(
    _ summary: SourceRetimer.Summary, _ source: String, _ zone: String, _ assumed: String,
    _ isTrial: Bool, _ call: Invocation
  ) {
    let name = SafeText.escaped(source)
    guard summary.changed > 0, let first = summary.first else {
      call.warn(
        "no time of \(name) changes: all \(summary.records) name their zone, or are in \(zone) "
          + "already; --from names the zone in which they were read")
      return
    }
    let range =
      summary.leastShift == summary.greatestShift
      ? "by \(hours(summary.leastShift))"
      : "by \(hours(summary.leastShift)) to \(hours(summary.greatestShift))"
    call.output.append(
      "\(name): \(summary.changed) of \(summary.records) times \(isTrial ? "would move" : "moved") "
        + "\(range), from \(assumed) to \(zone)\n"
        + "the first: \(first.from) → \(first.to)\n")
  }

  private static func hours(_ seconds: Int64) -> String {
    let minutes = abs(seconds) / 60
    let sign = seconds < 0 ? "-" : "+"
    return minutes % 60 == 0 ? "\(sign)\(minutes / 60) h" : "\(sign)\(minutes) min"
  }
}
