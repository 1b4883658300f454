// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import Glibc

/// Operations on names: reading whole files, listing, making and removing.
package enum FileSystem {
  /// The names in a folder, without `.` and `..`, sorted by their bytes.
  ///
  /// - Throws: `FileError`.
  package static func names(in folder: String) throws(FileError) -> [String] {
    guard !FaultInjection.hits(.list, folder), let stream = opendir(folder) else {
      throw FileError.last("list", folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Whether a name that `names(in:)` has given leads nowhere for this reason: bytes that are no UTF-8
  /// have become U+FFFD in it.
  package static func isRepaired(_ name: String) -> Bool {
    name.unicodeScalars.contains("\u{FFFD}")
  }

  /// The content of a file, at most `limit` bytes of it.
  ///
  /// - Throws: `FileError`.
  package static func contents(
    of path: String, limit: Int = Int.max, followLinks: Bool = true
  ) throws(FileError) -> [UInt8] {
    let file = try FileDescriptor.openForReading(path, followLinks: followLinks)
    let size = try Int(file.status().size)
    var bytes = [UInt8]()
    // Files of /proc have no size: read in steps until the end.
    var step = min(limit, max(size + 1, 64 << 10))
    while bytes.count < limit, step > 0 {
      let start = bytes.count
      var failure: FileError?
      let piece = [UInt8](unsafeUninitializedCapacity: step) { buffer, count in
        do throws(FileError) {
          count = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: Int64(start))
        } catch {
          count = 0
          failure = error
        }
      }
      if let failure { throw failure }
      bytes += piece
      if piece.count < step { break }
      step = min(limit - bytes.count, 1 << 20)
    }
    return bytes
  }

  /// Makes a folder and those above it that are missing.
  ///
  /// - Parameters:
  ///   - path: an absolute or relative name.
  ///   - permissions: of the folders that are made; independent of the umask.
  /// - Throws: `FileError`.
  package static func makeFolder(_ path: String, permissions: UInt32) throws(FileError) {
    if let status = try? FileStatus(path: path) {
      guard status.kind == .folder else {
        throw FileError(action: "make the folder", path: path, errno: ENOTDIR)
      }
      return
    }
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try makeFolder(String(path[..<slash]), permissions: permissions)
    }
    guard mkdir(path, permissions & 0o700) == 0 || errno == EEXIST else {
      throw FileError.last("make the folder", path)
    }
    giveToFolderOwner(path)
    if permissions & ~0o700 != 0 { try setPermissions(path, permissions) }
  }

  /// Gives what root has made in a folder that is private to somebody else to that one: a person looks
  /// at the agent's store with sudo, and the agent must be able to go on with what that leaves there.
  static func giveToFolderOwner(_ path: String) {
    guard geteuid() == 0, let folder = try? FileStatus(path: folder(of: path)), folder.owner != 0,
      folder.permissions & 0o077 == 0
    else { return }
    // Where it fails it stays root's, as it would be without this.
    _ = lchown(path, folder.owner, gid_t.max)
  }

  /// Sets the permission bits, whatever the umask is.
  ///
  /// - Throws: `FileError`.
  package static func setPermissions(_ path: String, _ permissions: UInt32) throws(FileError) {
    guard chmod(path, permissions) == 0 else { throw FileError.last("change the mode of", path) }
  }

  /// Gives a file another name on the same file system, in place of what has that name.
  ///
  /// - Throws: `FileError` that names the target.
  package static func rename(_ from: String, to target: String) throws(FileError) {
    guard !FaultInjection.hits(.rename, target), Glibc.rename(from, target) == 0 else {
      throw FileError.last("rename to", target)
    }
  }

  /// Removes a file; a missing one is fine.
  package static func remove(_ path: String) throws(FileError) {
    guard !FaultInjection.hits(.remove, path), unlink(path) == 0 || errno == ENOENT else {
      throw FileError.last("remove", path)
    }
  }

  /// Removes an empty folder; a missing one is fine.
  package static func removeFolder(_ path: String) throws(FileError) {
    guard rmdir(path) == 0 || errno == ENOENT else { throw FileError.last("remove", path) }
  }

  /// The path without links, `.` and `..`; `nil` when it does not exist.
  package static func realPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether the kernel itself sets a folder's time whenever a name in it changes. What a network or
  /// user-space file system does about it is its own affair.
  package static func keepsFolderTimes(_ path: String) -> Bool { la_keeps_folder_times(path) == 1 }

  /// `path` made absolute against the current folder, without touching links.
  package static func absolutePath(_ path: String) -> String {
    let full = path.hasPrefix("/") ? path : currentFolder + "/" + path
    var parts: [Substring] = []
    for part in full.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  private static var currentFolder: String {
    guard let folder = getcwd(nil, 0) else { return "" }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The folder of a path: all before the last slash; `.` when there is none.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Gives memory back to the system that is not needed while the program rests.
  package static func trimMemory() { la_trim() }
}
