// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import Glibc
package import LogModel

/// What the file system says of a name or an open file.
package struct FileStatus: Hashable, Sendable {
  /// The kinds that matter to us.
  package enum Kind: Sendable {
    case regular
    case folder
    case link
    /// A FIFO, socket or device: never opened.
    case special
  }

  package var device: UInt64
  package var inode: UInt64
  /// Bytes.
  package var size: Int64
  /// When the content, or a folder's list of names, was last changed.
  package var modified: Timestamp
  package var kind: Kind
  /// Permission bits.
  package var permissions: UInt32
  /// The user's number.
  package var owner: UInt32
  /// Names that the file has; 0 once it is removed and only held open.
  package var links: UInt64

  /// The status of `path`.
  ///
  /// - Parameters:
  ///   - path: a name.
  ///   - followLinks: whether to look at the target of a last link.
  /// - Throws: `FileError`.
  package init(path: String, followLinks: Bool = true) throws(FileError) {
    var status = la_status()
    // Given as it is, the text would be copied for each call.
    let result = path.withCString { la_stat($0, followLinks ? 1 : 0, &status) }
    guard !FaultInjection.hits(.status, path), result == 0 else {
      throw FileError.last("look at", path)
    }
    self.init(status)
  }

  init(_ status: la_status) {
    device = status.device
    inode = status.inode
    size = status.size
    modified = Timestamp(nanoseconds: status.modified_ns)
    permissions = status.mode & 0o7777
    owner = status.owner
    links = status.links
    switch status.mode & 0o170000 {
    case 0o100000: kind = .regular
    case 0o040000: kind = .folder
    case 0o120000: kind = .link
    default: kind = .special
    }
  }
}
