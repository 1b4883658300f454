// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

/// The host's file system, or a copy of parts of it in a folder.
///
/// What looks at `/proc`, `/etc` and `/var` asks through it, so that tests can show it a host that
/// is broken in any way.
struct HostRoot: Sendable {
  /// Stands before each absolute path; empty for the host itself.
  let prefix: String

  /// - Parameter folder: where the root lies; `nil` or `/` for the host itself.
  init(_ folder: String?) {
    let absolute = folder.map(FileSystem.absolutePath) ?? "/"
    prefix = absolute == "/" ? "" : absolute
  }

  /// Where `path` of the host really is.
  func real(_ path: String) -> String { prefix + path }

  /// The first 64 KiB of a file as text; `nil` when it cannot be read.
  func text(_ path: String) -> String? {
    guard let bytes = try? FileSystem.contents(of: real(path), limit: 64 << 10) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number in a file of `/proc/sys`.
  func number(_ path: String) -> Int64? {
    text(path).flatMap { Int64($0.filter { !$0.isWhitespace }) }
  }

  /// The names in a folder; none when it cannot be listed.
  func names(_ folder: String) -> [String] { (try? FileSystem.names(in: real(folder))) ?? [] }

  func status(_ path: String) -> FileStatus? { try? FileStatus(path: real(path)) }

  func isFolder(_ path: String) -> Bool { status(path)?.kind == .folder }

  /// Where a link points to, as it says it.
  func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(real(path), &buffer, buffer.count - 1)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Processes

  /// The numbers of the running processes, in order.
  var processes: [Int32] { names("/proc").compactMap { Int32($0) }.sorted() }

  /// A process's short name.
  func processName(_ pid: Int32) -> String? {
    text("/proc/\(pid)/comm")?.split(separator: "\n").first.map(String.init)
  }

  /// The value of a variable in a process's environment, where we may look.
  func variable(_ name: String, of pid: Int32) -> String? {
    guard let text = text("/proc/\(pid)/environ") else { return nil }
    for entry in text.split(separator: "\0") where entry.hasPrefix(name + "=") {
      return String(entry.dropFirst(name.count + 1))
    }
    return nil
  }
}
