// SPDX-License-Identifier: Apache-2.0

internal import CShims
internal import Glibc

/// Tells which names in some folders have changed, by inotify.
///
/// Events are hints: they may come late, twice or, after an overflow, not at all. The truth is what
/// the file system says when it is asked.
package struct FolderWatcher: ~Copyable {
  /// A change that was seen.
  package enum Change: Hashable, Sendable {
    /// The file's content or length.
    case content(String)
    /// Names were made, removed or renamed in this folder.
    case names(folder: String)
    /// Events were lost: anything may have changed.
    case overflow
  }

  package let descriptor: FileDescriptor
  private var folders: [Int32: String] = [:]
  private var watches: [String: Int32] = [:]
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)

  /// - Throws: `FileError` when the system gives no more inotify instances.
  package init() throws(FileError) {
    let number = la_inotify_create()
    guard number >= 0 else { throw FileError.last("use", "inotify") }
    descriptor = .adopting(number, path: "inotify")
  }

  /// Watches the names in `folder`; again is fine, also after it was replaced by another one.
  ///
  /// - Throws: `FileError`: the folder is missing, or the system's limit of watches is reached.
  package mutating func watch(_ folder: String) throws(FileError) {
    let watch = la_inotify_watch_folder(descriptor.number, folder)
    guard watch >= 0 else {
      watches[folder] = nil
      throw FileError.last("watch", folder)
    }
    if let old = watches[folder], old != watch { folders[old] = nil }
    folders[watch] = folder
    watches[folder] = watch
  }

  /// All changes since the last call, each once.
  package mutating func changes() -> Set<Change> {
    var changes: Set<Change> = []
    while true {
      let count = buffer.withUnsafeMutableBytes {
        Glibc.read(descriptor.number, $0.baseAddress, $0.count)
      }
      if count <= 0 { return changes }
      note(count, &changes)
    }
  }

  private mutating func note(_ count: Int, _ changes: inout Set<Change>) {
    buffer.withUnsafeBytes { bytes in
      var position = 0
      let header = MemoryLayout<inotify_event>.size
      while position + header <= count {
        let event = bytes.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
        let nameStart = position + header
        position = nameStart + Int(event.len)
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { changes.insert(.overflow) }
        guard let folder = folders[event.wd] else { continue }
        if event.mask & UInt32(IN_IGNORED) != 0 {
          folders[event.wd] = nil
          watches[folder] = nil
        }
        if event.mask & UInt32(IN_MODIFY) == 0 {
          changes.insert(.names(folder: folder))
        } else if event.len > 0 {
          let name = bytes[nameStart..<position].prefix { $0 != 0 }
          changes.insert(.content(folder + "/" + String(decoding: name, as: UTF8.self)))
        }
      }
    }
  }
}
