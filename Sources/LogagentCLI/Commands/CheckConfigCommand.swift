// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogParser
internal import LogQuery
internal import Pipeline

extension Command {
  /// `logagent check-config`: what the agent would do, or what is wrong.
  static let checkConfig: Command = {
    var command = Command(
      "check-config", "check the configuration and show what it means", run: runCheckConfig)
    command.examples = [
      Example("logagent check-config --config logagent.toml", "Before a restart")
    ]
    command.notes = [
      """
      All mistakes are reported, each with file, line and column; the exit status is 78 then. \
      Variables such as LOGAGENT_STATE_DIR and LOGAGENT_RETENTION_MAX_BYTES override the file, \
      flags override both.
      """
    ]
    return command
  }()

  private static func runCheckConfig(_ call: Invocation) throws -> ExitStatus {
    let loader = call.loader
    let configuration = try loader.load()
    // Patterns and samples of [[redact]] are tried, too.
    _ = try RedactionSetup.rules(configuration.redaction)
    // And those of [[format]].
    let formats = try UserFormats(configuration.formats)
    try formats.checkSamples()
    var lines: [(String, String)] = [
      ("configuration", loader.resolvedFile ?? "none; \(loader.usualFile) does not exist"),
      ("store", configuration.storePath),
      ("time zone", configuration.timeZone ?? "this host's"),
    ]
    for source in configuration.sources {
      lines.append(("source \(source.name)", source.include.joined(separator: ", ")))
    }
    for spool in configuration.spools { lines.append(("spool \(spool.name)", spool.path)) }
    let limits = configuration.limits
    let age = configuration.retention.maxAgeNanoseconds.map { "\($0 / 1_000_000_000) s" }
    lines += [
      ("longest line", "\(limits.maxLineBytes) bytes"),
      ("longest record", "\(limits.maxRecordLines) lines, \(limits.maxRecordBytes) bytes"),
      ("largest report", "\(limits.maxReportBytes) bytes"),
      ("kept", "\(configuration.retention.maxBytes) bytes, " + (age ?? "of any age")),
    ]
    for format in formats.all { lines.append(("format \(format.name)", format.info.summary)) }
    if !configuration.redaction.rules.isEmpty {
      lines.append(("redacts", configuration.redaction.rules.map(\.name).joined(separator: ", ")))
    }
    let width = min(30, lines.map(\.0.count).max() ?? 0)
    for (name, value) in lines {
      call.output.append(
        SafeText.escaped(name).padded(to: width) + "  " + SafeText.escaped(value) + "\n")
    }
    if configuration.sources.isEmpty, configuration.spools.isEmpty {
      call.warn("no [[source]] and no [[spool]]: there is nothing to read")
    }
    return .ok
  }
}
