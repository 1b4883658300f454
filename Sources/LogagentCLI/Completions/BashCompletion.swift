// SPDX-License-Identifier: Apache-2.0

/// The script for bash: one function, which needs no other package.
enum BashCompletion {
  static var script: String {
    """
    # Completion of logagent for bash, made by 'logagent completions bash' from its flag table.

    # Names out of the store that the command line is about. Not by compgen, which would run what
    # stands in a name between $( and ).
    _logagent_stored() {
      local name rest
      while IFS=$'\\t' read -r name rest; do
        [[ $name == "$cur"* ]] && COMPREPLY+=("$(printf %q "$name")")
      done < <(logagent complete-values "$1" "${store[@]}" 2>/dev/null)
    }

    _logagent_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }

    _logagent_files() {
      local IFS=$'\\n'
      compopt -o filenames 2>/dev/null
      COMPREPLY=($(compgen "$1" -- "$cur"))
    }

    _logagent() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev='' first='' command='' word i
      local -a store=()
      COMPREPLY=()
      for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case $word in
          \(Shell.storeFlags.map { "--" + $0 }.joined(separator: "|")))
            # Bash takes '=' for a word of its own.
            [[ ${COMP_WORDS[i + 1]} == '=' ]] && ((i++))
            ((++i < COMP_CWORD)) && store+=("$word" "${COMP_WORDS[i]}") ;;
          -* | =) ;;
          *)
            if [[ -z $first ]]; then
              first=$word command=$word
            elif [[ $command == "$first" ]]; then
              case "$first $word" in
                \(twoWords)) command="$first $word" ;;
              esac
            fi ;;
        esac
      done
      prev=${COMP_WORDS[COMP_CWORD - 1]}
      [[ $cur == '=' ]] && cur=''
      [[ $prev == '=' ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
      case $command in
        '')
          case $prev in
    \(valueCases(Command.commonFlags, indent: 8))
          esac
          _logagent_words '\(programWords)' ;;
    \(commands)\(groups)  esac
    }

    complete -F _logagent logagent

    """
  }

  private static var twoWords: String {
    Command.visible.map(\.name).filter { $0.contains(" ") }.map { "'\($0)'" }
      .joined(separator: " | ")
  }

  private static var programWords: String {
    (Shell.firstWords.map(\.word) + ["help", "--version"] + names(Command.commonFlags))
      .joined(separator: " ")
  }

  private static func names(_ flags: [Flag]) -> [String] { flags.map { "--" + $0.name } }

  private static var commands: String {
    Command.visible.reduce(into: "") { text, command in
      text += """
            '\(command.name)')
              case $prev in
        \(valueCases(command.allFlags, indent: 8))
              esac
              if [[ $cur == -* ]]; then
                _logagent_words '\(names(command.allFlags).joined(separator: " "))'
              else
                \(operands(command))
              fi ;;

        """
    }
  }

  /// What stands after a first word that is no command by itself.
  private static var groups: String {
    Shell.secondWords.filter { group in !Command.visible.contains { $0.name == group.first } }
      .reduce(into: "") { text, group in
        text += """
              '\(group.first)') _logagent_words '\(group.rest.map(\.word).joined(separator: " "))' ;;

          """
      }
  }

  private static func operands(_ command: Command) -> String {
    let own = action(command.completion)
    guard let group = Shell.secondWords.first(where: { $0.first == command.name }) else {
      return own
    }
    // 'bundle' and 'bundle diff': the second word is an operand of the first, too.
    let words = "_logagent_words '\(group.rest.map(\.word).joined(separator: " "))'"
    return own == ":" ? words : own
  }

  private static func valueCases(_ flags: [Flag], indent: Int) -> String {
    flags.filter { $0.value != nil }.map { flag in
      let short = flag.short.map { "-\($0) | " } ?? ""
      return String(repeating: " ", count: indent)
        + "\(short)--\(flag.name)) \(action(flag.completion)); return ;;"
    }.joined(separator: "\n")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .none: ":"
    case .files: "_logagent_files -f"
    case .folders: "_logagent_files -d"
    case .commands: "_logagent_files -c"
    case .words(let words): "_logagent_words '\(words.joined(separator: " "))'"
    case .stored(let kind): "_logagent_stored \(kind.rawValue)"
    }
  }
}
