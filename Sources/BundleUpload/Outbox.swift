// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel

/// The files that wait for a server, and what became of those that don't.
///
/// An item is a folder with `bundle` (the bytes), `state` and `lock`. It lies in `pending`,
/// `uploading`, `completed` or `failed`, and moves by rename, so a kill at any moment leaves it whole
/// in one of them. Who uploads holds its lock; an item in `uploading` that nobody has locked belongs
/// to a process that died, and becomes pending again.
struct Outbox {
  enum Place: String, CaseIterable {
    case pending, uploading, completed, failed
  }

  let folder: String
  /// The most bytes of all items together.
  let quota: Int64

  /// How many uploads are remembered after they were completed.
  private static let mostCompleted = 500

  /// Makes the folders where they are missing, and takes back what dead processes had.
  ///
  /// - Throws: `FileError`.
  init(folder: String, quota: Int64) throws(FileError) {
    self.folder = folder
    self.quota = quota
    for place in Place.allCases {
      try FileSystem.makeFolder(folder + "/" + place.rawValue, permissions: 0o700)
    }
    try recover()
  }

  func path(_ place: Place, _ key: String) -> String { "\(folder)/\(place.rawValue)/\(key)" }

  /// The keys of the items in a place.
  ///
  /// - Throws: `FileError`.
  func keys(in place: Place) throws(FileError) -> [String] {
    try FileSystem.names(in: folder + "/" + place.rawValue).filter { !$0.hasPrefix(".") }
  }

  /// The state of an item; `nil` when it is not there (any more).
  func state(_ place: Place, _ key: String) -> ItemState? {
    try? ItemState(folder: path(place, key))
  }

  private func recover() throws(FileError) {
    for key in try keys(in: .uploading) {
      let item = path(.uploading, key)
      guard (try? FileStatus(path: item + "/state")) != nil,
        let lock = try FileLock.take(item + "/lock")
      else { continue }
      try FileSystem.rename(item, to: path(.pending, key))
      _ = consume lock
    }
    for name in try FileSystem.names(in: folder + "/pending") where name.hasPrefix(".new-") {
      // The lock of a file that is being taken is held by who takes it.
      let item = folder + "/pending/" + name
      if let lock = try FileLock.take(item + "/lock") {
        try remove(item)
        _ = consume lock
      }
    }
  }

  // MARK: Uploading

  /// Takes a pending item to upload it; `nil` when another process has it.
  ///
  /// - Throws: `FileError`.
  func claim(_ key: String) throws(FileError) -> OutboxItem? {
    let item = path(.pending, key)
    guard (try? FileStatus(path: item + "/state")) != nil,
      let lock = try FileLock.take(item + "/lock")
    else { return nil }
    let target = path(.uploading, key)
    try FileSystem.rename(item, to: target)
    return OutboxItem(
      key: key, folder: target, state: try ItemState(folder: target), lock: lock)
  }

  /// Puts an item where it belongs after an attempt.
  ///
  /// - Throws: `FileError`.
  func put(_ item: borrowing OutboxItem, in place: Place) throws(FileError) {
    try item.state.write(folder: item.folder)
    let target = path(place, item.key)
    // Of an upload that was done before there may be a memory.
    if place != .pending { try remove(target) }
    try FileSystem.rename(item.folder, to: target)
    if place == .completed {
      for name in ["bundle", "body.gz"] { try FileSystem.remove(target + "/" + name) }
      try forgetOldest()
    }
  }

  private func forgetOldest() throws(FileError) {
    let keys = try keys(in: .completed)
    guard keys.count > Self.mostCompleted else { return }
    let byAge = keys.sorted { sentTime($0) < sentTime($1) }
    for key in byAge.prefix(keys.count - Self.mostCompleted) {
      try remove(path(.completed, key))
    }
  }

  private func sentTime(_ key: String) -> Int64 { state(.completed, key)?.sent ?? 0 }

  /// Removes an item; a missing one is fine.
  ///
  /// - Throws: `FileError`.
  func remove(_ item: String) throws(FileError) {
    guard (try? FileStatus(path: item)) != nil else { return }
    for name in try FileSystem.names(in: item) { try FileSystem.remove(item + "/" + name) }
    guard rmdir(item) == 0 || errno == ENOENT else { throw FileError.last("remove", item) }
  }
}

/// An item that this process uploads.
struct OutboxItem: ~Copyable {
  let key: String
  let folder: String
  var state: ItemState
  private let lock: FileLock

  init(key: String, folder: String, state: ItemState, lock: consuming FileLock) {
    self.key = key
    self.folder = folder
    self.state = state
    self.lock = lock
  }

  /// Keeps the state, on the disk when this returns.
  ///
  /// - Throws: `FileError`.
  func save() throws(FileError) { try state.write(folder: folder) }
}
