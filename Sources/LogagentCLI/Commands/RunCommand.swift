// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

extension Command {
  /// `logagent run PATH…`: becomes `logagentd`, which holds nothing that it does not need.
  static let run: Command = {
    var command = Command("run", "follow log files and crash spools", run: becomeDaemon)
    command.operands = "[PATH…]"
    command.operandCount = 0...Int.max
    command.examples = [
      Example("logagent run /var/log/myapp", "Follow all logs and crash reports in a folder"),
      Example("logagent run", "Follow what the configuration names"),
    ]
    command.notes = [
      """
      A folder is searched with all folders in it. Rotated and truncated files are recognised; what \
      was stored is not stored again, also after a crash. SIGINT and SIGTERM store what was read \
      and end.
      """
    ]
    return command
  }()

  private static func becomeDaemon(_ call: Invocation) throws -> ExitStatus {
    guard let own = FileSystem.realPath("/proc/self/exe") else {
      throw CommandError(.unavailable, "cannot find out where this program lies")
    }
    let program = FileSystem.folder(of: own) + "/logagentd"
    var words = [program]
    for flag in ["config", "state-dir"] {
      if let value = call.arguments.value(flag) { words += ["--\(flag)", value] }
    }
    words += ["--"] + call.arguments.operands
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    execv(program, &pointers)
    throw CommandError(.unavailable, FileError.last("start", program).description)
  }
}
