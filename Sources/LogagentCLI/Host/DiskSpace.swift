// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc

/// What a file system has left for those who are not root.
struct DiskSpace {
  var freeBytes: Int64
  /// New files that it can take; `nil` where it sets no number.
  var freeFiles: Int64?

  /// Of the file system that `folder` lies on, or will when it is made; `nil` when that is unknown.
  init?(of folder: String) {
    var folder = FileSystem.absolutePath(folder)
    while (try? FileStatus(path: folder)) == nil, folder != "/" {
      folder = FileSystem.folder(of: folder)
    }
    var space = statvfs()
    guard statvfs(folder, &space) == 0 else { return nil }
    freeBytes = Int64(clamping: UInt64(space.f_bavail) &* UInt64(space.f_frsize))
    freeFiles = space.f_files > 0 ? Int64(clamping: space.f_favail) : nil
  }
}
