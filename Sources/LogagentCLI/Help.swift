// SPDX-License-Identifier: Apache-2.0

/// The help texts, made from the command table; no line is longer than 80 columns.
enum Help {
  static func program() -> String {
    var text = """
      logagent: logs and crash reports in one SQLite store, to be asked and exported

      Usage: logagent COMMAND [FLAG…]

      Examples:
        logagent show --since 2h --severity warn
        logagent query "SELECT time, body FROM logs WHERE severity_number >= 17"
        logagent crashes
        logagent export --since yesterday

      Commands:

      """
    text += columns(Command.visible.map { ($0.name, $0.summary) })
    text += "\nFlags:\n"
    text += columns(
      Command.commonFlags.map { (left($0), $0.summary) } + [
        (left(Flag("version", "")), "Show the version")
      ])
    text += "\nExit status:\n"
    text += columns(ExitStatus.allCases.map { (String($0.rawValue), $0.summary) })
    return text + "\n'logagent COMMAND --help' tells more about a command.\n"
  }

  static func command(_ command: Command) -> String {
    var text = wrap("logagent \(command.name): \(command.summary)", indent: 0) + "\n"
    if !command.examples.isEmpty {
      text += "Examples:\n"
      for example in command.examples {
        text += "  # \(example.purpose)\n  \(example.line)\n"
      }
      text += "\n"
    }
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    text += "Usage: logagent \(command.name) [FLAG…]\(operands)\n\nFlags:\n"
    text += columns(command.allFlags.map { (left($0), $0.summary) })
    for note in command.notes { text += "\n" + wrap(note, indent: 0) }
    return text
  }

  private static func left(_ flag: Flag) -> String {
    let short = flag.short.map { "-\($0), " } ?? "    "
    return short + "--\(flag.name)" + (flag.value.map { " \($0)" } ?? "")
  }

  /// Two columns: the second wraps under itself.
  private static func columns(_ rows: [(String, String)]) -> String {
    let width = min(28, rows.map(\.0.count).max() ?? 0)
    var text = ""
    for (left, right) in rows {
      let indent = width + 4
      let body = wrap(right, indent: indent).drop { $0 == " " }
      let missing = width - left.count
      text += "  " + left
      text +=
        missing < 0
        ? "\n" + String(repeating: " ", count: indent) : String(repeating: " ", count: missing + 2)
      text += body
    }
    return text
  }

  private static func wrap(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var result = ""
    var line = margin
    for word in text.split(separator: " ") {
      if line.count > indent, line.count + 1 + word.count > 80 {
        result += line + "\n"
        line = margin
      }
      line += (line.count > indent ? " " : "") + word
    }
    return result + line + "\n"
  }
}
