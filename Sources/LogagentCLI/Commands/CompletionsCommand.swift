// SPDX-License-Identifier: Apache-2.0

internal import LogQuery

extension Command {
  /// `logagent completions SHELL`: the script that makes a shell complete our command lines.
  static let completions: Command = {
    var command = Command(
      "completions", "print what makes a shell complete command lines", run: printCompletions)
    command.operands = "SHELL"
    command.operandCount = 1...1
    command.operandCompletion = .words(of: Shell.self)
    command.examples = [
      Example("source <(logagent completions bash)", "In this shell only"),
      Example(
        "logagent completions zsh > ~/.zfunc/_logagent", "For zsh, in a folder of its fpath"),
      Example(
        "logagent completions fish > ~/.config/fish/completions/logagent.fish", "For fish"),
    ]
    command.notes = [
      """
      SHELL is bash, zsh or fish. Commands, flags and their values are completed, and names of \
      sources and processes and numbers of crashes out of the store. The Debian package has \
      installed the scripts already.
      """
    ]
    return command
  }()

  private static func printCompletions(_ call: Invocation) throws -> ExitStatus {
    let name = call.arguments.operands[0]
    guard let shell = Shell(rawValue: name) else {
      throw CommandError.usage(
        "completions: expected bash, zsh or fish, got '\(SafeText.escaped(name))'")
    }
    call.output.append(shell.script)
    return .ok
  }
}
