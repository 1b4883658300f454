// SPDX-License-Identifier: Apache-2.0

/// The help texts, made from the command table; no line is longer than 80 columns.
enum Help {
  /// What to do first.
  static let examples: [Command.Example] = [
    .init("logagent init", "Write a configuration for what lies on this host"),
    .init("logagent run /srv/shop/logs", "Follow all logs and crash reports of a folder"),
    .init("logagent show --since 2h --severity warn", "What went wrong lately"),
    .init(
      "logagent query \"SELECT time, body FROM logs WHERE severity = 'error'\"",
      "A question in SQL"),
    .init("logagent export --since yesterday", "A support bundle to send"),
  ]

  static func program() -> String {
    var text = """
      logagent: logs and crash reports in one SQLite store, to be asked and exported

      Examples:

      """
    text += examples.reduce("") { $0 + exampleLines($1) }
    text += """

      Usage: logagent COMMAND [FLAG…]

      Commands:

      """
    text += columns(Command.visible.map { ($0.name, $0.summary) })
    text += "\nFlags:\n"
    text += columns(
      Command.commonFlags.map { (left($0), $0.summary) } + [
        (left(Flag("version", short: "V", "")), "Show the version")
      ])
    text += "\nExit status:\n"
    text += columns(ExitStatus.allCases.map { (String($0.rawValue), $0.summary) })
    return text + "\n'logagent COMMAND --help' tells more about a command.\n"
  }

  /// The help of one command; a short one, as of `-h`, leaves the paragraphs away.
  static func command(_ command: Command, isShort: Bool = false) -> String {
    var text = wrap("logagent \(command.name): \(command.summary)", indent: 0) + "\n"
    if !command.examples.isEmpty {
      text += "Examples:\n" + command.examples.reduce("") { $0 + exampleLines($1) } + "\n"
    }
    let operands = command.operands.isEmpty ? "" : " " + command.operands
    text += "Usage: logagent \(command.name) [FLAG…]\(operands)\n\nFlags:\n"
    text += columns(command.allFlags.map { (left($0), $0.summary) })
    if isShort { return text + "\n'logagent \(command.name) --help' tells more.\n" }
    for note in command.notes { text += "\n" + wrap(note, indent: 0) }
    return text
  }

  private static func exampleLines(_ example: Command.Example) -> String {
    "  # \(example.purpose)\n  \(example.line)\n"
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
