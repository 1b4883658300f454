// SPDX-License-Identifier: Apache-2.0

/// The script for fish: one line for each flag and command.
enum FishCompletion {
  static var script: String {
    """
    # Completion of logagent for fish, made by 'logagent completions fish' from its flag table.

    # The words of the command line that are neither flags nor their values.
    function __logagent_plain_words
        set -l skip 0
        for word in (commandline -opc)[2..-1]
            if test $skip = 1
                set skip 0
                continue
            end
            switch $word
                case \(valueFlags)
                    set skip 1
                case '-*'
                case '*'
                    echo -- $word
            end
        end
    end

    # Whether the command is the one named, of one word or two.
    function __logagent_is
        set -l plain (__logagent_plain_words)
        if test (count $argv) = 2
            test "$plain[1] $plain[2]" = "$argv"
        else
            test "$plain[1]" = "$argv[1]"; and not contains -- "$plain[1..2]" \(twoWords)
        end
    end

    function __logagent_has_no_command
        test (count (__logagent_plain_words)) = 0
    end

    function __logagent_has_only
        test "$(__logagent_plain_words)" = "$argv[1]"
    end

    # Names out of the store that the command line is about.
    function __logagent_stored
        set -l store
        set -l take 0
        for word in (commandline -opc)
            if test $take = 1; or string match -qr '^--(\(Shell.storeFlags.joined(separator: "|")))=' -- $word
                set -a store $word
                set take 0
            else if contains -- $word \(Shell.storeFlags.map { "--" + $0 }.joined(separator: " "))
                set -a store $word
                set take 1
            end
        end
        logagent complete-values $argv[1] $store 2>/dev/null
    end

    complete -c logagent -f
    \(flags(Command.commonFlags, condition: "__logagent_has_no_command"))\
    complete -c logagent -n __logagent_has_no_command -s V -l version -d 'Show the version'
    \(firstWords)\(secondWords)\(commands)
    """
  }

  private static var twoWords: String {
    Command.visible.map(\.name).filter { $0.contains(" ") }.map(quoted).joined(separator: " ")
  }

  /// Flags that take a value of their own word.
  private static var valueFlags: String {
    var names: [String] = []
    for flag in Command.visible.flatMap(\.allFlags) where flag.value != nil {
      for name in ["--" + flag.name] + (flag.short.map { ["-\($0)"] } ?? [])
      where !names.contains(name) && !switches.contains(name) { names.append(name) }
    }
    return names.joined(separator: " ")
  }

  /// A letter that is a switch of one command may take a value in another: no word is skipped then.
  private static var switches: Set<String> {
    Set(
      Command.visible.flatMap(\.allFlags).filter { $0.value == nil }.flatMap { flag in
        ["--" + flag.name] + (flag.short.map { ["-\($0)"] } ?? [])
      })
  }

  private static var firstWords: String {
    Shell.firstWords.reduce(into: "") { text, pair in
      text += "complete -c logagent -n __logagent_has_no_command -a \(pair.word)"
      text += " -d \(quoted(pair.summary))\n"
    }
  }

  private static var secondWords: String {
    Shell.secondWords.reduce(into: "") { text, group in
      for pair in group.rest {
        text += "complete -c logagent -n '__logagent_has_only \(group.first)' -a \(pair.word)"
        text += " -d \(quoted(pair.summary))\n"
      }
    }
  }

  private static var commands: String {
    Command.visible.reduce(into: "") { text, command in
      let condition = "'__logagent_is \(command.name)'"
      text += "\n# \(command.name)\n" + flags(command.allFlags, condition: condition)
      if command.operandCount.upperBound > 0, command.completion != .none {
        text += "complete -c logagent -n \(condition)" + argument(command.completion) + "\n"
      }
    }
  }

  private static func flags(_ flags: [Flag], condition: String) -> String {
    flags.reduce(into: "") { text, flag in
      text += "complete -c logagent -n \(condition)"
      if let short = flag.short { text += " -s \(short)" }
      text += " -l \(flag.name)"
      // Files are offered where they are meant only.
      if flag.value != nil {
        text += (flag.completion == .files ? " -r" : " -x") + argument(flag.completion)
      }
      text += " -d \(quoted(flag.summary))\n"
    }
  }

  private static func argument(_ completion: Completion) -> String {
    switch completion {
    case .none: ""
    case .files: " -F"
    case .folders: " -a '(__fish_complete_directories)'"
    case .commands: " -a '(__fish_complete_command)'"
    case .words(let words): " -a \(quoted(words.joined(separator: " ")))"
    case .stored(let kind): " -a '(__logagent_stored \(kind.rawValue))'"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }
}
