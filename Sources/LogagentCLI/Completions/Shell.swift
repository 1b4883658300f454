// SPDX-License-Identifier: Apache-2.0

/// A shell whose completions we write.
package enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The script for it, made from the table of commands.
  package var script: String {
    switch self {
    case .bash: BashCompletion.script
    case .zsh: ZshCompletion.script
    case .fish: FishCompletion.script
    }
  }

  /// The file's name as the shell wants to find it.
  package var fileName: String {
    switch self {
    case .bash: "logagent.bash"
    case .zsh: "_logagent"
    case .fish: "logagent.fish"
    }
  }

  /// The first words of commands, in their order, each once: `crash` for `crash show`.
  static var firstWords: [(word: String, summary: String)] {
    var words: [(word: String, summary: String)] = []
    for command in Command.visible {
      let word = String(command.name.prefix { $0 != " " })
      if words.contains(where: { $0.word == word }) { continue }
      words.append((word, command.summary))
    }
    return words
  }

  /// The second words behind each first word that has some.
  static var secondWords: [(first: String, rest: [(word: String, summary: String)])] {
    var groups: [(first: String, rest: [(word: String, summary: String)])] = []
    for command in Command.visible {
      let parts = command.name.split(separator: " ").map(String.init)
      guard parts.count == 2 else { continue }
      let pair = (word: parts[1], summary: command.summary)
      if let index = groups.firstIndex(where: { $0.first == parts[0] }) {
        groups[index].rest.append(pair)
      } else {
        groups.append((parts[0], [pair]))
      }
    }
    return groups
  }

  /// `text` between single quotes, for any of the three.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

  /// The flags that say which store is asked, so that its names are completed.
  static let storeFlags = ["config", "database", "state-dir"]
}
