// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A system call on a file that failed, with the path and the errno.
package struct FileError: Error, CustomStringConvertible, Sendable {
  /// What was being done, as a verb: `open`, `read`, `write`.
  package var action: String
  package var path: String
  package var errno: Int32

  package init(action: String, path: String, errno: Int32) {
    self.action = action
    self.path = path
    self.errno = errno
  }

  /// The error of the system call that has just failed.
  package static func last(_ action: String, _ path: String) -> FileError {
    FileError(action: action, path: path, errno: Glibc.errno)
  }

  package var isNotFound: Bool { errno == ENOENT || errno == ENOTDIR }
  package var isPermission: Bool { errno == EACCES || errno == EPERM }
  package var isNoSpace: Bool { errno == ENOSPC || errno == EDQUOT }
  package var isBrokenPipe: Bool { errno == EPIPE }
  package var isTooManyFiles: Bool { errno == EMFILE || errno == ENFILE }

  /// What the system says of it: `Permission denied`.
  package var reason: String { String(cString: strerror(errno)) }

  /// What is wrong, where the path stands beside it: `cannot open: Permission denied`.
  package var problem: String { "cannot \(action): \(reason)" }

  package var description: String { "\(path): \(problem)" }
}
