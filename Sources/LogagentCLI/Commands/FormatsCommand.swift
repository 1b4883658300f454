// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogParser
internal import LogQuery
internal import Pipeline

extension Command {
  /// `logagent formats PATH…`: what files are taken for, and why.
  static let formats: Command = {
    var command = Command("formats", "show what files are taken for, and why", run: showFormats)
    command.operands = "[PATH…]"
    command.operandCount = 0...Int.max
    command.examples = [
      Example("logagent formats /var/log", "Each file's format with its first record"),
      Example("logagent formats --list", "All formats that are known"),
      Example(
        "logagent formats --import till.json >> logagent.toml", "Take over a format file of lnav"),
    ]
    command.flags = [
      Flag("list", "List the known formats: family, what they map, an example"),
      Flag("markdown", "With --list: as the reference page"),
      Flag("import", value: "FILE", "Print an lnav format file as [[format]], its samples tried"),
    ]
    return command
  }()

  private static func showFormats(_ call: Invocation) throws -> ExitStatus {
    if let path = call.arguments.value("import") { return try importFormats(path, call.output) }
    if call.arguments.has("list") {
      let own = try UserFormats(try call.configuration().formats)
      let isPage = call.arguments.has("markdown")
      call.output.append(
        isPage ? FormatReference.page() : FormatReference.table(own.all.map(\.info)))
      return .ok
    }
    var configuration = try call.configuration()
    configuration.paths += call.arguments.operands
    if configuration.paths.isEmpty && configuration.sources.isEmpty {
      throw CommandError.usage("which files? Name files or folders, or configure a [[source]]")
    }
    let survey = try FormatSurvey(configuration)
    for file in survey.files { show(file, call.output) }
    for (path, reason) in survey.problems.sorted(by: { $0.key < $1.key }) {
      call.warn("\(path): \(reason)")
    }
    if !survey.problems.isEmpty { return .someInputFailed }
    return survey.files.isEmpty ? .nothingFound : .ok
  }

  /// Prints the formats of an lnav file. One whose samples do not hold is refused.
  private static func importFormats(_ path: String, _ output: ByteWriter) throws -> ExitStatus {
    // A file that is not there, or closed to us, has a status of its own.
    _ = try FileDescriptor.openForReading(path)
    let definitions: [UserFormatDefinition]
    do throws(UserFormatError) {
      definitions = try UserFormats.lnavFormats(in: path, place: path)
    } catch {
      // The reason names the file and the line.
      throw CommandError(.dataError, SafeText.escaped(error.reason))
    }
    do throws(UserFormatError) {
      for definition in definitions {
        let format = try UserFormat(definition)
        if !definition.samples.isEmpty { try format.checkSamples() }
      }
    } catch { throw CommandError(.dataError, SafeText.escaped(error.description)) }
    output.append(definitions.map(UserFormatText.toml).joined(separator: "\n"))
    return .ok
  }

  private static func show(_ file: FormatSurvey.File, _ output: ByteWriter) {
    output.append("\(SafeText.escaped(file.path))\n")
    output.append("  format  \(file.format): \(SafeText.escaped(file.reason))\n")
    let others = file.candidates.filter { $0.formatName != file.format && $0.score > 0 }
    if !others.isEmpty {
      let list = others.map { "\($0.formatName) \(Int(($0.score * 100).rounded())) %" }
      output.append("  also    \(list.joined(separator: ", "))\n")
    }
    guard let sample = file.sample else { return }
    var facts = ["\(sample.time) (\(sample.timeQuality.name))"]
    if sample.severity != .unspecified { facts.append(sample.severity.name) }
    if !sample.process.isEmpty { facts.append("process=\(sample.process)") }
    if !sample.scope.isEmpty { facts.append("logger=\(sample.scope)") }
    output.append("  sample  \(SafeText.escaped(facts.joined(separator: "  ")))\n")
    let body = sample.body.prefix(200) + (sample.body.count > 200 ? "…" : "")
    output.append("          \(SafeText.escaped(String(body)))\n")
    if !sample.attributes.isEmpty {
      output.append("          {\(SafeText.escaped(String(sample.attributes.prefix(200))))}\n")
    }
  }
}
