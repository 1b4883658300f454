// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import CShims
internal import FileIO
internal import Glibc

/// A running `journalctl -o export`, whose output is read without waiting.
final class JournalProcess {
  /// Becomes readable when there are entries, or when it has ended.
  let output: Int32
  private let errors: Int32
  private let pid: pid_t
  private var hasEnded = false
  private var errorText: [UInt8] = []

  /// Starts one.
  ///
  /// - Parameters:
  ///   - journal: which entries.
  ///   - cursor: the entry after which to begin; `nil` at the first start.
  ///   - follows: whether it goes on with new entries for ever.
  /// - Throws: `FileError` where there is no journalctl.
  init(_ journal: JournalConfiguration, after cursor: String?, follows: Bool) throws(FileError) {
    var out: [Int32] = [-1, -1]
    var err: [Int32] = [-1, -1]
    guard la_pipe(&out) == 0 else { throw FileError.last("make a pipe for", "journalctl") }
    guard la_pipe(&err) == 0 else {
      out.forEach { close($0) }
      throw FileError.last("make a pipe for", "journalctl")
    }
    defer {
      close(out[1])
      close(err[1])
    }
    let words = Self.arguments(journal, after: cursor, follows: follows)
    var pointers: [UnsafeMutablePointer<CChar>?] = []
    for word in words { pointers.append(strdup(word)) }
    pointers.append(nil)
    var variables: [UnsafeMutablePointer<CChar>?] = []
    for (name, value) in ProcessEnvironment.variables() {
      variables.append(strdup("\(name)=\(value)"))
    }
    variables.append(nil)
    defer { for pointer in pointers + variables { free(pointer) } }
    Self.keepDescriptors()
    var child: pid_t = 0
    let error = la_spawn("journalctl", pointers, variables, 0, out[1], err[1], &child)
    guard error == 0 else {
      close(out[0])
      close(err[0])
      throw FileError(action: "start", path: "journalctl", errno: error)
    }
    pid = child
    output = out[0]
    errors = err[0]
  }

  /// What this process was started with, such as a service manager's or a test's, is not for
  /// journalctl: whoever waits for it to be closed would wait for journalctl, too.
  private static func keepDescriptors() {
    for name in (try? FileSystem.names(in: "/proc/self/fd")) ?? [] {
      if let number = Int32(name), number > 2 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
  }

  deinit { end() }

  /// The command line.
  ///
  /// With --follow journalctl shows this boot's entries alone, unless --merge says that all are
  /// wanted: what was said before a reboot and not read would be passed over.
  static func arguments(
    _ journal: JournalConfiguration, after cursor: String?, follows: Bool
  ) -> [String] {
    var words = ["journalctl", "--output=export", "--all", "--no-pager", "--quiet"]
    let isBoot = cursor == nil && !follows && journal.begin == .boot
    words.append(isBoot ? "--boot" : "--merge")
    if follows { words.append("--follow") }
    if let cursor {
      words.append("--after-cursor=" + cursor)
    }
    // Of a boot all that there is was asked for before.
    let isAll = cursor != nil || journal.begin == .all || isBoot
    if !isAll { words.append("--lines=0") } else if follows { words.append("--no-tail") }
    if let directory = journal.directory { words.append("--directory=" + directory) }
    words += journal.units.map { "--unit=" + $0 }
    return words + journal.matches
  }

  /// Reads what is there, at most as much as fits.
  ///
  /// - Returns: the number of bytes; 0 when it has ended, `nil` when there is nothing now.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    drainErrors()
    while true {
      let count = Glibc.read(output, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EAGAIN { return nil }
      if errno != EINTR { return 0 }
    }
  }

  private func drainErrors() {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while case let count = Glibc.read(errors, &buffer, buffer.count), count > 0 {
      // The beginning says what is wrong.
      if errorText.count < 1024 { errorText += buffer[..<count] }
    }
  }

  /// What is said of one that has said nothing itself.
  static let silentEnd = "journalctl has ended"

  /// Why it has ended, by its own words.
  func reason() -> String {
    drainErrors()
    let lines = String(decoding: errorText, as: UTF8.self).split(separator: "\n")
    return lines.first.map(String.init) ?? Self.silentEnd
  }

  /// Ends it, and waits until it has.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(pid, SIGTERM)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    close(output)
    close(errors)
  }
}
