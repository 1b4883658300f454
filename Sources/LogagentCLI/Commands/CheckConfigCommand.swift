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
      Example("logagent check-config --config logagent.toml", "Before a restart"),
      Example("logagent check-config --quiet", "Only what is wrong, for a script"),
    ]
    command.flags = [
      Flag("quiet", short: "q", "Show only what is wrong"),
      Flag("no-pager", "Never show the output in a pager"),
    ]
    command.notes = [
      """
      Shows each value with where it was said, and the files that each source means now. All \
      mistakes are reported, each with file, line and column; the exit status is 78 then. \
      Variables such as LOGAGENT_STATE_DIR and LOGAGENT_RETENTION_MAX_BYTES override the file, \
      flags override both: see logagent.toml(5).
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
    if configuration.sources.isEmpty, configuration.spools.isEmpty,
      configuration.journals.isEmpty
    {
      call.warn("no [[source]] and no [[spool]]: there is nothing to read")
    }
    if let target = configuration.upload.configuredTarget {
      for problem in UploadNeeds.problems(of: target, call.context.environment) {
        call.warn("[upload]: \(problem.text): \(problem.remedy)")
      }
    }
    if call.arguments.has("quiet") { return .ok }
    let file = loader.resolvedFile ?? "none; \(loader.usualFile) does not exist"
    var text = "configuration: \(SafeText.escaped(file))\n\n"
    text += settings(configuration)
    text += sources(configuration)
    for (index, spool) in configuration.spools.enumerated() {
      text += "\n" + heading("spool", spool.name, index, configuration)
      text += "  \(SafeText.escaped(spool.path)): \(spoolState(spool.path))\n"
    }
    for format in formats.all {
      text +=
        "\nformat \(format.name): \(SafeText.escaped(format.info.summary)), as its samples say\n"
    }
    for (index, journal) in configuration.journals.enumerated() {
      text += "\n" + heading("journal", journal.name, index, configuration)
      let parts = journal.units + journal.matches
      text += "  " + (journal.directory.map { SafeText.escaped($0) + ": " } ?? "")
      text +=
        parts.isEmpty ? "all entries\n" : SafeText.escaped(parts.joined(separator: ", ")) + "\n"
    }
    if !configuration.redaction.rules.isEmpty {
      let names = configuration.redaction.rules.map(\.name)
      text += "\nredacts: \(names.joined(separator: ", ")), as their samples say\n"
    }
    call.startPager()
    call.output.append(text)
    return .ok
  }

  /// Three columns: key, value, origin.
  private static func settings(_ configuration: Configuration) -> String {
    let rows = ConfigurationReference.values(of: configuration).map { key, value in
      (key, SafeText.escaped(value), origin(key, configuration))
    }
    let keyWidth = rows.map(\.0.count).max() ?? 0
    // A long path must not push all origins to the right.
    let valueWidth = rows.map { SafeText.width($0.1) }.filter { $0 <= 30 }.max() ?? 0
    return rows.reduce(into: "") { text, row in
      text += row.0.padded(to: keyWidth) + "  "
      text += row.1 + String(repeating: " ", count: max(0, valueWidth - SafeText.width(row.1)))
      text += "  \(row.2)\n"
    }
  }

  private static func origin(_ key: String, _ configuration: Configuration) -> String {
    guard let origin = configuration.origins[key] else { return "default" }
    return SafeText.escaped(origin.description)
  }

  private static func heading(
    _ table: String, _ name: String, _ index: Int, _ configuration: Configuration
  ) -> String {
    "\(table) \(SafeText.escaped(name))  (\(origin("\(table)[\(index)]", configuration)))\n"
  }

  private static func sources(_ configuration: Configuration) -> String {
    var text = ""
    let survey = SourceSurvey(configuration)
    for (index, source) in configuration.sources.enumerated() {
      text += "\n" + heading("source", source.name, index, configuration)
      for pattern in source.include { text += "  include \(SafeText.escaped(pattern))\n" }
      for pattern in source.exclude { text += "  exclude \(SafeText.escaped(pattern))\n" }
      let found = survey.sources[index]
      let count = found.files.count
      text += "  matches \(count) \(count == 1 ? "file" : "files")"
      let problems = found.unreadable + found.problems
      if !found.unreadable.isEmpty { text += ", \(found.unreadable.count) unreadable" }
      text += problems.isEmpty ? "\n" : ":\n"
      for problem in problems {
        text += "    \(SafeText.escaped(problem.path)): \(SafeText.escaped(problem.reason))\n"
      }
    }
    return text
  }

  private static func spoolState(_ path: String) -> String {
    do throws(FileError) {
      let count = try FileSystem.names(in: path).count
      return "\(count) \(count == 1 ? "entry" : "entries")"
    } catch {
      return error.isNotFound ? "not there yet" : error.reason
    }
  }
}
