// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

/// The program that shows long output on a terminal, as git has it: `LOGAGENT_PAGER`, else `PAGER`,
/// else `less`, told to end by itself when all fits on the screen.
final class Pager {
  private var process: pid_t?
  private var terminal: Int32 = -1

  /// The command line for the shell; `nil` when output goes straight to the terminal.
  static func command(_ environment: [String: String]) -> String? {
    let command = environment["LOGAGENT_PAGER"] ?? environment["PAGER"] ?? "less"
    return command.isEmpty || command == "cat" ? nil : command
  }

  /// From here on standard output is what the pager reads. When it cannot be started nothing
  /// changes.
  func start(_ environment: [String: String]) {
    guard process == nil, let command = Self.command(environment) else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    posix_spawn_file_actions_addclose(&actions, ends[1])
    // The pager shall have its keys: the signals that we note are its own again.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var variables = environment
    // F: end when all fits; R: colours; X: leave the text on the screen.
    if variables["LESS"] == nil { variables["LESS"] = "FRX" }
    if variables["LV"] == nil { variables["LV"] = "-c" }
    var words = Self.pointers(["sh", "-c", command])
    var entries = Self.pointers(variables.map { "\($0.key)=\($0.value)" })
    defer { for pointer in words + entries { free(pointer) } }
    var pid = pid_t()
    let failure = posix_spawn(&pid, "/bin/sh", &actions, &attributes, &words, &entries)
    close(ends[0])
    guard failure == 0 else {
      close(ends[1])
      return
    }
    terminal = dup(1)
    dup2(ends[1], 1)
    close(ends[1])
    process = pid
  }

  /// Copies for C, ended by a null pointer; to be freed.
  private static func pointers(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    var pointers: [UnsafeMutablePointer<CChar>?] = []
    for text in texts { pointers.append(strdup(text)) }
    pointers.append(nil)
    return pointers
  }

  /// Tells the pager that nothing more comes, and waits for the person to leave it.
  func finish() {
    guard let process else { return }
    // A pager takes Ctrl-C for itself; without us it would fight with the shell for the terminal.
    signal(SIGINT, SIG_IGN)
    // Its standard input ends when the last copy of our end does.
    dup2(terminal, 1)
    close(terminal)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    self.process = nil
  }
}
