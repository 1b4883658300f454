// SPDX-License-Identifier: Apache-2.0

internal import FileIO

/// Finds the names in a spool: folders are gone through, links are not.
struct SpoolWalk {
  /// Folders in folders that are gone through; a deeper tree is no spool.
  static let maxDepth = 16

  /// A file that may be a report, by its path.
  private(set) var files: [(path: String, status: FileStatus)] = []
  /// What can't be a report, with the reason.
  private(set) var refused: [(path: String, status: FileStatus?, reason: String)] = []
  /// Folders that could not be listed: what was in them may still be there.
  private(set) var unlisted: [String] = []
  private let root: String

  init(_ directory: String) {
    root = directory
    list(directory, depth: 0)
  }

  private mutating func list(_ folder: String, depth: Int) {
    do throws(FileError) {
      for name in try FileSystem.names(in: folder) where !Self.isTemporary(name) {
        look(at: folder + "/" + name, depth: depth)
      }
    } catch {
      // A folder that vanished holds nothing; the spool itself may not have been made yet.
      guard !error.isNotFound else { return }
      unlisted.append(folder + "/")
      refused.append((folder, try? FileStatus(path: folder), "cannot list it: \(error.reason)"))
    }
  }

  private mutating func look(at path: String, depth: Int) {
    guard let status = try? FileStatus(path: path, followLinks: false) else {
      if FileSystem.isRepaired(path) {
        refused.append((path, nil, "the name is not UTF-8, and can't be opened; rename it"))
      }
      return
    }
    switch status.kind {
    case .regular: files.append((path, status))
    case .folder where depth < Self.maxDepth: list(path, depth: depth + 1)
    case .folder: refused.append((path, status, "it lies too deep in the spool"))
    case .special: refused.append((path, status, "it is not a regular file"))
    case .link: lookAtLink(path, status)
    }
  }

  /// A link to a file of the spool is that file's other name; others are not followed: they could
  /// make the agent read what its user may not.
  private mutating func lookAtLink(_ path: String, _ status: FileStatus) {
    if let target = FileSystem.realPath(path), let spool = FileSystem.realPath(root),
      target.hasPrefix(spool + "/")
    {
      return
    }
    refused.append((path, status, "it is a link that leads out of the spool"))
  }

  /// Hidden names, and endings that writers give to files that they will rename.
  static func isTemporary(_ name: String) -> Bool {
    let endings = [".tmp", ".temp", ".part", ".partial", ".swp", "~"]
    return name.hasPrefix(".") || endings.contains { name.hasSuffix($0) }
  }
}
