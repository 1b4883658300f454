// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery

/// The program `logagent`: finds the command, runs it, and turns errors into lines and a status.
package enum CLI {
  /// The version of this program.
  package static let version = "0.1.0"

  /// Runs one command line.
  ///
  /// - Parameters:
  ///   - arguments: the words after the program's name.
  ///   - context: the world.
  /// - Returns: the status to exit with.
  package static func run(_ arguments: [String], in context: CLIContext) -> ExitStatus {
    let output = ByteWriter(context.output)
    var result = Result { try dispatch(arguments, context, output) }
    do {
      // Rows that came before an error are worth having.
      try output.flush()
    } catch {
      if case .success = result { result = .failure(error) }
    }
    switch result {
    case .success(let status): return status
    case .failure(let error):
      guard let failure = CommandError(error) else { return .ok }
      if failure.status != .interrupted { report(failure.message, to: context.errors) }
      return failure.status
    }
  }

  private static func dispatch(
    _ arguments: [String], _ context: CLIContext, _ output: ByteWriter
  ) throws -> ExitStatus {
    // Flags that every command takes may stand before its name.
    var before: [String] = []
    var rest = arguments[...]
    while let word = rest.first, word.hasPrefix("-") {
      rest.removeFirst()
      if word == "--version" || word == "-V" {
        output.append("logagent \(version)\n")
        return .ok
      }
      if word == "--help" || word == "-h" { return showHelp(rest.first, output) }
      before.append(word)
      let takesValue = Command.commonFlags.contains { "--" + $0.name == word && $0.value != nil }
      if takesValue, let value = rest.popFirst() { before.append(value) }
    }
    // A slip among them is found here, before the command.
    _ = try Arguments(before, flags: Command.commonFlags)
    guard let word = rest.popFirst() else {
      throw CommandError.usage("which command? 'logagent --help' lists them")
    }
    if word == "help" { return try help(rest, output) }
    let (command, words) = try find(word, rest)
    let parsed = try Arguments(before + words, flags: command.allFlags)
    if parsed.has("help") {
      output.append(Help.command(command, isShort: parsed.usedShort("help")))
      return .ok
    }
    try checkOperands(parsed, of: command)
    return try command.run(
      Invocation(arguments: parsed, flags: command.allFlags, context: context, output: output))
  }

  private static func find(
    _ word: String, _ rest: ArraySlice<String>
  ) throws(CommandError) -> (Command, [String]) {
    if let next = rest.first, let two = Command.all.first(where: { $0.name == "\(word) \(next)" }) {
      return (two, Array(rest.dropFirst()))
    }
    if let one = Command.all.first(where: { $0.name == word }) { return (one, Array(rest)) }
    let longer = Command.all.filter { $0.name.hasPrefix(word + " ") }
    if let first = longer.first {
      throw .usage("'\(word)' needs a second word: logagent \(first.name)")
    }
    throw .usage(
      "unknown command '\(SafeText.escaped(word))'"
        + NearestName.hint(word, in: Command.visible.map(\.name))
        + " ('logagent --help' lists them)")
  }

  private static func checkOperands(
    _ arguments: Arguments, of command: Command
  ) throws(CommandError) {
    let count = arguments.operands.count
    if count < command.operandCount.lowerBound {
      throw .usage(
        "\(command.name): \(command.operands) is missing; see 'logagent \(command.name) --help'")
    }
    if count > command.operandCount.upperBound {
      let extra = SafeText.escaped(arguments.operands[command.operandCount.upperBound])
      throw .usage("\(command.name): what is '\(extra)'? See 'logagent \(command.name) --help'")
    }
  }

  private static func showHelp(_ word: String?, _ output: ByteWriter) -> ExitStatus {
    let command = Command.all.first { $0.name == word }
    output.append(command.map { Help.command($0) } ?? Help.program())
    return .ok
  }

  private static func help(
    _ words: ArraySlice<String>, _ output: ByteWriter
  ) throws(CommandError) -> ExitStatus {
    guard let first = words.first else { return showHelp(nil, output) }
    output.append(Help.command(try find(first, words.dropFirst()).0))
    return .ok
  }

  /// Writes `message` to standard error: each line that stands for itself after the program's name,
  /// lines that begin with blanks as they are.
  static func report(_ message: String, to errors: any OutputSink) {
    var text = ""
    for line in message.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.hasPrefix("  ") ? "" : "logagent: "
      text += SafeText.escaped(String(line)) + "\n"
    }
    text.withUTF8 { bytes in
      // There is nobody left to tell when this fails.
      try? errors.write(UnsafeRawBufferPointer(bytes))
    }
  }
}
