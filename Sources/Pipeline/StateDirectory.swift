// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
package import FileIO
internal import Glibc

/// Why an agent can't start.
package enum StartError: Error, CustomStringConvertible, Sendable {
  case file(FileError)
  /// Another agent uses the state directory.
  case locked(path: String, owner: String)
  case storePath(path: String, reason: String)

  package var description: String {
    switch self {
    case .file(let error): error.description
    case .locked(let path, let owner):
      "\(path): another logagent\(owner.isEmpty ? "" : " (pid \(owner))") uses this state "
        + "directory; stop it, or name another one with --state-dir"
    case .storePath(let path, let reason): "\(path): \(reason)"
    }
  }
}

/// The folder of the store: private, and used by one agent at a time.
package struct StateDirectory: ~Copyable {
  private let lock: FileDescriptor

  /// Makes the folder (mode 0700) and the store's file (mode 0600) where they are missing, and
  /// takes the lock, which the kernel gives back when the process ends in whatever way.
  ///
  /// - Throws: `StartError`.
  package init(_ configuration: Configuration) throws(StartError) {
    lock = try Self.takeLock(of: configuration)
  }

  private static func takeLock(
    of configuration: Configuration
  ) throws(StartError) -> FileDescriptor {
    // SQLite gives its side files the mode of the database; the umask closes what is left.
    umask(0o077)
    let path = configuration.stateDirectory + "/lock"
    let lock: FileDescriptor
    do throws(FileError) {
      try makeFolder(configuration.stateDirectory)
      try prepareStore(configuration.storePath)
      lock = try FileDescriptor.openOrCreate(path)
    } catch { throw .file(error) }
    guard takes(lock) else {
      let owner = (try? FileSystem.contents(of: path, limit: 32)) ?? []
      let pid = String(decoding: owner.prefix { $0 >= 48 && $0 <= 57 }, as: UTF8.self)
      throw .locked(path: configuration.stateDirectory, owner: pid)
    }
    ftruncate(lock.number, 0)
    _ = try? lock.write("\(getpid())\n")
    return lock
  }

  /// An agent that is just ending, or a child that it has forked a moment ago, lets go soon.
  private static func takes(_ lock: borrowing FileDescriptor) -> Bool {
    for _ in 0..<20 {
      if flock(lock.number, LOCK_EX | LOCK_NB) == 0 { return true }
      usleep(50_000)
    }
    return false
  }

  private static func makeFolder(_ path: String) throws(FileError) {
    try FileSystem.makeFolder(path, permissions: 0o700)
    let status = try FileStatus(path: path)
    if status.permissions & 0o077 != 0 { try FileSystem.setPermissions(path, 0o700) }
  }

  private static func prepareStore(_ path: String) throws(FileError) {
    if let status = try? FileStatus(path: path, followLinks: false) {
      guard status.kind == .regular else {
        throw FileError(action: "use as a database", path: path, errno: EISDIR)
      }
      if status.permissions & 0o077 != 0 { try FileSystem.setPermissions(path, 0o600) }
    } else {
      _ = try FileDescriptor.openOrCreate(path)
    }
  }
}
