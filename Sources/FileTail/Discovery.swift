// SPDX-License-Identifier: Apache-2.0

package import FileIO
internal import LogModel

/// Device and inode: one file, whatever its names are.
package struct FileKey: Hashable, Sendable {
  package var device: UInt64
  package var inode: UInt64

  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  package init(_ status: FileStatus) { self.init(device: status.device, inode: status.inode) }
}

/// A file that a source's patterns lead to.
package struct Candidate: Sendable {
  package var key: FileKey
  package var path: String
  /// Every name that leads to it, links too.
  package var aliases: [String]
  package var status: FileStatus
  package var sourceIndex: Int
}

/// What is there now, by all sources' patterns.
package struct Discovery: Sendable {
  /// One for each file, oldest first, so that generations are stored in the order they were written.
  package private(set) var candidates: [Candidate] = []
  /// The folders to watch.
  package private(set) var folders: Set<String> = []
  /// Names that lead to no file, with what they lead to: a folder, or nowhere.
  package private(set) var passedBy: [(path: String, status: FileStatus?)] = []
  /// What can't be read: by path, why.
  package private(set) var problems: [String: String] = [:]

  /// Looks.
  ///
  /// - Parameters:
  ///   - sources: in order: a file belongs to the first that names it.
  ///   - excludedFolders: absolute; what lies below is never read (our own store).
  package init(sources: [TailSource], excludedFolders: [String]) {
    var positions: [FileKey: Int] = [:]
    for (index, source) in sources.enumerated() {
      for pattern in source.include {
        let expansion = pattern.expand()
        folders.formUnion(expansion.folders)
        passedBy += expansion.passedBy
        for error in expansion.errors { problems[error.path] = error.problem }
        for path in expansion.paths {
          let isOurs = excludedFolders.contains { path.hasPrefix($0 + "/") }
          if isOurs || source.exclude.contains(where: { $0.matches(path) }) { continue }
          note(path, sourceIndex: index, &positions)
        }
      }
    }
    candidates.sort(by: Self.isOlder)
  }

  private mutating func note(
    _ path: String, sourceIndex: Int, _ positions: inout [FileKey: Int]
  ) {
    // A link that leads nowhere for a moment, or a file just removed, is no problem.
    let found = try? FileStatus(path: path)
    guard let status = found, status.kind != .folder else {
      if found == nil, FileSystem.isRepaired(path) {
        problems[path] = "the name is not UTF-8, and can't be opened; rename it"
      }
      passedBy.append((path, found))
      return
    }
    guard status.kind == .regular else {
      problems[path] = "not a regular file: FIFOs, sockets and devices are not read"
      return
    }
    let key = FileKey(status)
    let real = FileSystem.realPath(path) ?? path
    folders.insert(FileSystem.folder(of: real))
    if let position = positions[key] {
      candidates[position].aliases += [path, real]
      if path == real { candidates[position].path = path }
      return
    }
    positions[key] = candidates.count
    candidates.append(
      Candidate(
        key: key, path: path, aliases: [path, real], status: status, sourceIndex: sourceIndex))
  }

  /// By time of writing, then `app.log.2` before `app.log.1` before `app.log`.
  private static func isOlder(_ a: Candidate, _ b: Candidate) -> Bool {
    if a.status.modified != b.status.modified { return a.status.modified < b.status.modified }
    if a.path.utf8.count != b.path.utf8.count { return a.path.utf8.count > b.path.utf8.count }
    return a.path > b.path
  }
}
