// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogStore
internal import SQLite

/// What is done with a store that is no sound database any more: it is kept under another name, and
/// the log files are read again into a new one.
enum DamagedStore {
  /// The name beside the store under which its last damaged predecessor lies.
  static func keptPath(of store: String) -> String { store + ".damaged" }

  /// Stores up to this size are looked through at every start; larger ones show their damage when
  /// the damaged part is used.
  static let checkedBytes: Int64 = 64 << 20

  /// Whether opening the store failed, or a look through it shows damage. A file that is missing or
  /// empty is no damage: there is nothing to keep.
  static func reason(toSetAside store: String) -> String? {
    guard let status = try? FileStatus(path: store), status.size > 0 else { return nil }
    do throws(SQLiteError) {
      let connection = try Connection(path: store, mode: .readWrite)
      // Another process that reads or repairs is no damage.
      connection.setBusyTimeout(milliseconds: 5_000)
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
      if let version = try connection.integer("PRAGMA user_version"), version < 0 {
        return "its header says version \(version)"
      }
      guard status.size <= checkedBytes else { return nil }
      let finding = try connection.text("PRAGMA quick_check(1)") ?? "ok"
      return finding == "ok" ? nil : finding.split(separator: "\n").joined(separator: "; ")
    } catch {
      return error.isCorrupt ? error.message : nil
    }
  }

  /// Moves the store and its side files aside; what was kept before makes room.
  ///
  /// - Throws: `FileError`.
  static func setAside(_ store: String) throws(FileError) {
    let kept = keptPath(of: store)
    for end in ["", "-wal", "-shm"] {
      try FileSystem.remove(kept + end)
      if (try? FileStatus(path: store + end, followLinks: false)) != nil {
        try FileSystem.rename(store + end, to: kept + end)
      }
    }
  }
}
