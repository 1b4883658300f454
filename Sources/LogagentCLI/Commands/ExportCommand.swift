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
      Example("logagent export --since 2h --preview", "What would be masked, without a bundle"),
      Example("logagent export --since 1d -o - | ssh host 'cat > b.tar.gz'", "Over a pipe"),
    ]
    command.flags =
      Invocation.rangeFlags + [
        Flag("output", short: "o", value: "FILE", "Write FILE; - is standard output"),
        Flag("max-bytes", value: "SIZE", "No larger than this, such as 25MB"),
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
      bytes. With --max-bytes the newest records are kept, and logs.db goes first; manifest.json \
      lists what was left out. The default name is logagent-HOST-TIME.tar.gz.
      """,
      Invocation.timeNote,
    ]
    return command
  }()

  private static func runExport(_ call: Invocation) throws -> ExitStatus {
    let range = try call.range()
    guard let since = range.since else {
      throw CommandError.usage("export: --since is missing, such as --since 2h")
    }
    let isRedacted = !call.arguments.has("no-redact")
    let named = call.arguments.value("output") ?? defaultName(call)
    let path = isRedacted ? named : unredacted(named)
    let loader = call.loader
    let configuration = try loader.load()
    let store = call.arguments.value("database") ?? configuration.storePath
    var request = BundleRequest(
      storePath: store, since: since,
      output: path == "-" ? .sink(call.context.output) : .file(path), toolVersion: CLI.version)
    request.until = range.until
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
    if let folder = call.context.environment["TMPDIR"], folder.hasPrefix("/") {
      request.temporaryFolder = folder
    }
    if call.arguments.has("preview") { return try preview(request, rules, call) }
    if path == "-", call.context.output.isTerminal {
      throw CommandError.usage("export: a bundle is no text for a terminal; name a file with -o")
    }
    do {
      report(try SupportBundle.write(request), request, path, call)
      return .ok
    } catch let error as BundleError {
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

  private static func maxBytes(_ call: Invocation) throws(CommandError) -> Int64? {
    guard let text = call.arguments.value("max-bytes") else { return nil }
    guard let bytes = Quantity.bytes(text), bytes > 0 else {
      throw .usage("--max-bytes: expected a size such as 25MB or 2000000, got '\(text)'")
    }
    return bytes
  }

  private static func report(
    _ summary: BundleSummary, _ request: BundleRequest, _ path: String, _ call: Invocation
  ) {
    let name = path == "-" ? "standard output" : path
    call.warn(
      "wrote \(name): \(summary.records) records, \(summary.crashes) crashes, "
        + ByteCount.text(summary.bytes))
    if summary.records == 0, summary.crashes == 0 {
      call.warn("there was nothing: no records and no crashes since \(request.since)")
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
      call.warn("redacted: \(hits) places; redactions.json has the counts")
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

  private static func defaultName(_ call: Invocation) -> String {
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
