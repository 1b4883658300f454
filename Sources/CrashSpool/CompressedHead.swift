// SPDX-License-Identifier: Apache-2.0

// Pointers are what posix_spawn takes; none outlives the call.

internal import Glibc

/// The beginning of what a compressed file holds: systemd-coredump stores cores so, and what a core
/// tells stands in front. The system's own tools unpack it, so that the agent links no library for
/// it; of gigabytes only the head is waited for.
enum CompressedHead {
  enum Outcome {
    case bytes([UInt8])
    /// Why not, for people.
    case problem(String)
  }

  /// How a file is compressed.
  enum Method: String, CaseIterable {
    case zstd, xz, lz4

    /// The form that begins with these bytes, if it is one.
    init?(_ bytes: [UInt8]) {
      switch bytes.prefix(6) {
      case let head where head.starts(with: [0x28, 0xb5, 0x2f, 0xfd]): self = .zstd
      case let head where head.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]): self = .xz
      case let head where head.starts(with: [0x04, 0x22, 0x4d, 0x18]): self = .lz4
      default: return nil
      }
    }
  }

  /// Bytes that are unpacked at most: a core's notes stand within them.
  static let maxBytes = 16 << 20
  /// Milliseconds after which a tool is given up.
  private static let patience: Int32 = 5_000
  private static let folders = ["/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"]

  /// Whether a problem is the file's own, and stays while the file does: a tool may be installed
  /// later, but damage does not mend.
  static func isDamage(_ problem: String) -> Bool { problem.contains(" can't unpack it: ") }

  /// Unpacks the head of the file at `path`.
  static func read(_ path: String, _ method: Method, tools: [String] = folders) -> Outcome {
    guard let tool = tools.map({ $0 + method.rawValue }).first(where: { access($0, X_OK) == 0 })
    else {
      return .problem(
        "compressed with \(method.rawValue), and the tool \(method.rawValue) is not installed")
    }
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return .problem("cannot open it: \(message())") }
    defer { close(file) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return .problem("cannot make a pipe: \(message())") }
    defer { close(ends[0]) }
    let process = start(tool, from: file, to: ends[1], other: ends[0])
    close(ends[1])
    guard let process else { return .problem("cannot start \(tool): \(message())") }
    let bytes = collect(ends[0])
    // It would go on for gigabytes.
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return bytes.isEmpty
      ? .problem("\(tool) can't unpack it: it is damaged, or no \(method.rawValue) file")
      : .bytes(bytes)
  }

  private static func start(
    _ tool: String, from file: Int32, to output: Int32, other: Int32
  ) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, file, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addclose(&actions, output)
    posix_spawn_file_actions_addclose(&actions, other)
    // The agent holds back its signals; the tool shall have its own.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words: [UnsafeMutablePointer<CChar>?] = []
    for word in [tool, "-dcq"] { words.append(strdup(word)) }
    words.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = []
    variables.append(strdup("LC_ALL=C"))
    variables.append(nil)
    defer { for pointer in words + variables { free(pointer) } }
    var process = pid_t()
    return posix_spawn(&process, tool, &actions, &attributes, &words, &variables) == 0
      ? process : nil
  }

  private static func collect(_ pipe: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var waited: Int32 = 0
    while bytes.count < maxBytes, waited < patience {
      var entry = pollfd(fd: pipe, events: Int16(POLLIN), revents: 0)
      let ready = poll(&entry, 1, 100)
      if ready == 0 { waited += 100 }
      guard ready > 0 else { continue }
      let count = Glibc.read(pipe, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private static func message() -> String { String(cString: strerror(errno)) }
}
