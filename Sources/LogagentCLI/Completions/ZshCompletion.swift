// SPDX-License-Identifier: Apache-2.0

/// The script for zsh: one function of the completion system, which lies in a folder of `fpath`.
enum ZshCompletion {
  static var script: String {
    """
    #compdef logagent
    # Completion of logagent for zsh, made by 'logagent completions zsh' from its flag table.

    # Names out of the store that the command line is about.
    _logagent_stored() {
      local -a store names
      local flag line name
      for flag in \(Shell.storeFlags.map { "--" + $0 }.joined(separator: " ")); do
        (( ${+opt_args[$flag]} )) && store+=($flag ${(Q)opt_args[$flag]})
      done
      for line in ${(f)"$(logagent complete-values $1 $store 2>/dev/null)"}; do
        name=${line%%$'\\t'*}
        names+=("${name//:/\\\\:}:${line#*$'\\t'}")
      done
      _describe -t names $1 names
    }

    _logagent() {
      local curcontext=$curcontext state line ret=1
      local -a words_of
      typeset -A opt_args
      _arguments -C -S \\
    \(specifications(Command.commonFlags, indent: 4))\
        '(- *)'{-V,--version}'[Show the version]' \\
        '1: :->command' '*:: :->rest' && ret=0
      case $state in
        command)
          words_of=(
    \(described(Shell.firstWords, indent: 8))\
          )
          _describe -t commands command words_of && ret=0 ;;
        rest)
          local name=$words[1]
          case $name in
    \(secondWordCases)\
          esac
          curcontext=${curcontext%:*:*}:logagent-${name// /-}:
          case $name in
    \(commands)\
          esac ;;
      esac
      return ret
    }

    _logagent "$@"

    """
  }

  /// Takes the second word of a command of two, or offers it.
  private static var secondWordCases: String {
    Shell.secondWords.reduce(into: "") { text, group in
      let isCommand = Command.visible.contains { $0.name == group.first }
      text += """
                \(group.first))
                  if (( CURRENT == 2 )); then
                    words_of=(
        \(described(group.rest, indent: 14))\
                    )
                    _describe -t commands command words_of && ret=0
                    \(isCommand ? ":" : "return ret")
                  elif [[ $words[2] == (\(group.rest.map(\.word).joined(separator: "|"))) ]]; then
                    name+=" $words[2]"
                    shift words
                    (( CURRENT-- ))
                  fi ;;

        """
    }
  }

  private static var commands: String {
    Command.visible.reduce(into: "") { text, command in
      text += """
                '\(command.name)')
                  _arguments -s -S \\
        \(specifications(command.allFlags, indent: 12))\
                    \(operands(command)) && ret=0 ;;

        """
    }
  }

  private static func operands(_ command: Command) -> String {
    guard command.operandCount.upperBound > 0 else { return "'*: : '" }
    return "'*:\(command.operands.lowercased().filter(\.isLetter)):\(action(command.completion))'"
  }

  private static func specifications(_ flags: [Flag], indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return flags.reduce(into: "") { text, flag in
      let summary = escaped(flag.summary)
      guard let value = flag.value else {
        let names =
          flag.short.map { "'(-\($0) --\(flag.name))'{-\($0),--\(flag.name)}" }
          ?? "'--\(flag.name)"
        text += margin + (flag.short == nil ? names : names + "'") + "[\(summary)]' \\\n"
        return
      }
      let tail = "[\(summary)]:\(value.lowercased()):\(action(flag.completion))' \\\n"
      text += margin
      text +=
        flag.short.map { "'*'{-\($0)+,--\(flag.name)=}'" + tail } ?? "'*--\(flag.name)=" + tail
    }
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .commands: "_command_names -e"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .stored(let kind): " _logagent_stored \(kind.rawValue)"
    }
  }

  private static func described(
    _ words: [(word: String, summary: String)], indent: Int
  ) -> String {
    words.reduce(into: "") { text, pair in
      text += String(repeating: " ", count: indent)
      text += Shell.quoted("\(pair.word):\(pair.summary)") + "\n"
    }
  }

  /// For the brackets of a specification, between single quotes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
      .replacing(":", with: "\\:").replacing("'", with: "'\\''")
  }
}
