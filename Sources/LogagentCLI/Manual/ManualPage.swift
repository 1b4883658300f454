// SPDX-License-Identifier: Apache-2.0

/// A page of the manual, made from the tables that the program itself uses.
package struct ManualPage: Sendable {
  /// `logagent-show`.
  package var name: String
  /// 1 for commands, 5 for files, 8 for services.
  package var section: Int
  /// In the macros of man(7).
  package var text: String

  /// As it is installed: `logagent-show.1`.
  package var fileName: String { "\(name).\(section)" }

  /// All pages: the program, its commands, the service and the configuration file.
  package static var all: [ManualPage] {
    [program] + Command.visible.map(page) + [service, configurationFile]
  }

  /// `logagent-crash-show` for `crash show`.
  static func name(of command: Command) -> String {
    "logagent-" + command.name.replacing(" ", with: "-")
  }

  /// What the comment on top of each page names.
  static let flagTable = "the flag table of logagent"

  // MARK: Parts that pages share

  static func appendFlags(_ flags: [Flag], to roff: inout Roff) {
    for flag in flags {
      let names = (flag.short.map { "-\($0), " } ?? "") + "--\(flag.name)"
      roff.term(names, argument: flag.value, sentence(flag.summary))
    }
  }

  static func appendExamples(_ examples: [Command.Example], to roff: inout Roff) {
    if examples.isEmpty { return }
    roff.section("EXAMPLES")
    for example in examples {
      roff.paragraph(example.purpose + ":")
      roff.literal(example.line)
    }
  }

  static func appendExitStatus(to roff: inout Roff) {
    roff.section("EXIT STATUS")
    for status in ExitStatus.allCases {
      roff.term(String(status.rawValue), sentence(status.summary))
    }
  }

  /// With a capital and a full stop; a list of words to type keeps its letters.
  static func sentence(_ text: String) -> String {
    let isList = text.split(separator: " ").first?.hasSuffix(",") ?? false
    let body = (isList ? String(text.prefix(1)) : text.prefix(1).uppercased()) + text.dropFirst()
    return body.hasSuffix(".") || body.hasSuffix("…") ? body : body + "."
  }
}
