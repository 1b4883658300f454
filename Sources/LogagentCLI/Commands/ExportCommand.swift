// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import Redaction
internal import SupportBundle

extension Command {
  /// `logagent export`: a range of the store as one file that can be sent.
  static let export: Command = {
    var command = Command(
      "export", "write a support bundle: logs and crashes of a range", run: runExport)
    command.examples = [
      Example("logagent export --since 2h", "The last two hours, into the current folder"),
      Example(
        "logagent export --since 2026-11-29 --until 2026-11-30 -o day.tar.gz", "One day"),
      Example("logagent export --last-crash", "The newest crash, and what led to it"),
      Example("logagent export --since 2h --preview", "What would be masked, without a bundle"),
      Example("logagent export --last-crash --format perfetto", "A timeline of a crash"),
      Example("logagent export --since 1d -o - | ssh host 'cat > b.tar.gz'", "Over a pipe"),
    ]
    command.flags =
      ExportSelection.flags + [
        Flag("output", short: "o", value: "FILE", "Write FILE; - is standard output"),
        Flag(
          "format", short: "f", value: "FORMAT", completion: .words(of: ExportFormat.self),
          "bundle; otlp, lines of OTLP/JSON; or perfetto, a timeline"),
        maxSizeFlag,
        Flag("logs-db", value: "WHEN", "Hold logs.db too: always, never, or auto (up to 10 MB)"),
        Flag("include-dumps", "Take crash reports that are no text, which no rule can read"),
        Flag("no-redact", "Mask nothing; the file's name says so"),
        Flag("preview", "Print what would be masked, and write nothing"),
        Invocation.databaseFlag,
      ]
    command.notes = [
      """
      The bundle is redacted: secrets and personal data become marks such as <email:3>, the same \
      value the same mark; the finished file is looked through again, and is refused with status \
      65 if a rule finds anything. [redaction] and [[redact]] of the configuration choose and add \
      rules.
      """,
      """
      A bundle is complete or absent, readable by its owner only, and the same rows give the same \
      bytes. With --max-size crashes and what was logged around them are kept first, then the \
      newest records; logs.db goes before any of them. manifest.json lists what was left out. The \
      default name is logagent-HOST-TIME.tar.gz.
      """,
      """
      Around a crash is from a minute before it to five seconds after, or as --context says. \
      --source and --process choose crashes, too. When these flags leave nothing the bundle says \
      so, and the exit status is 1.
      """,
      """
      --format otlp writes the records alone, for OpenTelemetry's collector; --format perfetto a \
      trace for ui.perfetto.dev, best of the time around a crash. Both are redacted as bundles are.
      """,
      Invocation.timeNote,
    ]
    return command
  }()

  private static func runExport(_ call: Invocation) throws -> ExitStatus {
    let format = try call.arguments.choice("format", of: ExportFormat.self) ?? .bundle
    if format != .bundle { return try format.write(call) }
    let isRedacted = !call.arguments.has("no-redact")
    let named = call.arguments.value("output") ?? bundleName(call)
    let path = isRedacted ? named : unredacted(named)
    let loader = call.loader
    let configuration = try loader.load()
    let store = call.arguments.value("database") ?? configuration.storePath
    let chosen = try ExportSelection(call, configuration, store: store)
    var request = BundleRequest(
      storePath: store, since: nil,
      output: path == "-" ? .sink(call.context.output) : .file(path), toolVersion: CLI.version)
    request.selection = chosen.selection
    let rules = try RedactionSetup.rules(configuration.redaction)
    request.redaction = isRedacted ? rules : nil
    request.includesDumps = call.arguments.has("include-dumps")
    request.host = call.context.hostName
    request.configuration = try loader.resolvedFile.map { try FileSystem.contents(of: $0) }
    request.maxBytes = try maxBytes(call)
    if let choice = try call.arguments.choice("logs-db", of: BundleRequest.DatabaseChoice.self) {
      request.database = choice
    }
    request.shouldStop = call.context.shouldStop
    request.temporaryFolder = call.context.temporaryFolder
    if call.arguments.has("preview") { return try preview(request, rules, call) }
    if path == "-", call.context.output.isTerminal {
      throw CommandError.usage("export: a bundle is no text for a terminal; name a file with -o")
    }
    let tracks = call.arguments.has("since-last-upload")
    if tracks, path == "-" {
      throw CommandError.usage(
        "export: --since-last-upload needs a file that can be uploaded: -o FILE")
    }
    if isRedacted, path != "-" { request.marks = MarkBook() }
    let progress = ExportProgress(call.context.errors)
    request.progress = { progress?.show($0) }
    do {
      let summary = try SupportBundle.write(request)
      progress?.end()
      report(summary, request, path, call)
      // The agent's own folder may be closed to this person, who then has no values to reveal.
      if let marks = request.marks { try? Reveals(configuration).keep(marks, of: path) }
      if tracks {
        try Outgoing(configuration).note(bundle: path, lastRecord: summary.lastRecord)
      }
      let isEmpty = summary.records == 0 && summary.crashes == 0
      return isEmpty && chosen.isNarrowed ? .nothingFound : .ok
    } catch let error as BundleError {
      progress?.end()
      throw CommandError(status(error.kind), error.description)
    }
  }

  private static func status(_ kind: BundleError.Kind) -> ExitStatus {
    switch kind {
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    case .tooSmall: .usage
    case .unsafe, .unreadable: .dataError
    case .interrupted: .interrupted
    }
  }

  private static let maxSizeFlag: Flag = {
    var flag = Flag("max-size", value: "SIZE", "No larger than this, such as 25MB")
    flag.aliases = ["max-bytes"]
    return flag
  }()

  private static func maxBytes(_ call: Invocation) throws(CommandError) -> Int64? {
    guard let text = call.arguments.value("max-size") else { return nil }
    guard let bytes = Quantity.bytes(text), bytes > 0 else {
      throw .usage("--max-size: expected a size such as 25MB or 2000000, got '\(text)'")
    }
    return bytes
  }

  private static func report(
    _ summary: BundleSummary, _ request: BundleRequest, _ path: String, _ call: Invocation
  ) {
    let name = path == "-" ? "standard output" : path
    call.warn(
      "wrote \(name): \(counted(summary.records, "record")), "
        + "\(counted(summary.crashes, "crash", "crashes")), " + ByteCount.text(summary.bytes))
    if summary.records == 0, summary.crashes == 0 {
      let since = request.selection.since.map { " since \($0)" } ?? ""
      call.warn("there was nothing: no records and no crashes\(since)")
      return
    }
    if summary.recordsLeftOut + summary.reportsLeftOut > 0 {
      var parts: [String] = []
      if summary.recordsLeftOut > 0 { parts.append("\(summary.recordsLeftOut) older records") }
      if summary.reportsLeftOut > 0 {
        parts.append("the reports of \(summary.reportsLeftOut) crashes")
      }
      call.warn("left out: \(parts.joined(separator: ", ")); manifest.json says why")
    }
    if request.redaction == nil {
      call.warn("the bundle is NOT redacted: it may hold personal data and secrets")
    } else {
      let hits = summary.redactions.reduce(0) { $0 + $1.hits }
      call.warn("redacted: \(counted(hits, "place")); redactions.json has the counts")
    }
  }

  /// The name with which a file says itself that nothing is masked.
  private static func unredacted(_ path: String) -> String {
    let isFile = (try? FileStatus(path: path)).map { $0.kind == .regular } ?? true
    guard path != "-", isFile, !FileSystem.name(of: path).contains("unredacted") else {
      return path
    }
    for ending in [".tar.gz", ".tgz"] where path.hasSuffix(ending) {
      return path.dropLast(ending.count) + "-unredacted" + ending
    }
    return path + "-unredacted"
  }

  /// What a bundle is called when nobody says: by host and time.
  static func bundleName(_ call: Invocation) -> String {
    let time = CivilTime(utc: call.context.now())
    let two = { (value: Int) in (value < 10 ? "0" : "") + String(value) }
    let date = "\(time.year)\(two(time.month))\(two(time.day))"
    let clock = "\(two(time.hour))\(two(time.minute))\(two(time.second))"
    let host = call.context.hostName.filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
    }
    return "logagent-\(host.isEmpty ? "host" : host)-\(date)T\(clock)Z.tar.gz"
  }
}
