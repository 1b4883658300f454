// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file that appears under its name whole, or not at all.
///
/// It is written beside its place under a hidden name, then synchronised and renamed by
/// `commit()`. A value that goes without `commit()` removes what it wrote.
package struct AtomicFile: ~Copyable {
  /// The name that it gets.
  package let target: String
  /// The hidden name that it has until then.
  package let temporaryPath: String
  /// For writing.
  package let descriptor: FileDescriptor

  /// Begins a file of mode 0600.
  ///
  /// - Throws: `FileError` when the folder does not take a new file.
  package init(target: String) throws(FileError) {
    let folder = FileSystem.folder(of: target)
    let name = FileSystem.name(of: target)
    temporaryPath = "\(folder)/.\(name).\(getpid()).tmp"
    do throws(FileError) {
      // One of the same name can only be left over from a process that died.
      try FileSystem.remove(temporaryPath)
      descriptor = try FileDescriptor.create(temporaryPath)
    } catch {
      // The hidden name says nothing to the person who asked for the other one.
      throw FileError(action: error.action, path: target, errno: error.errno)
    }
    self.target = target
  }

  /// Puts the file in its place, replacing what was there.
  package consuming func commit() throws(FileError) {
    try descriptor.synchronize()
    try FileSystem.rename(temporaryPath, to: target)
  }

  // After a rename the hidden name is gone, and removing it does nothing.
  deinit { unlink(temporaryPath) }
}
