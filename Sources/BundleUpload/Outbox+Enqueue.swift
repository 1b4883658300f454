// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import Glibc
internal import LogModel

extension Outbox {
  /// What became of a file that was offered.
  enum Queued {
    /// It is pending under this key.
    case pending(String)
    /// The same bytes were taken by the same server before.
    case alreadySent(key: String, state: ItemState)
    /// Another process is sending it.
    case busy(String)
  }

  /// Takes a copy of a file, under a key that its bytes and the server make.
  ///
  /// - Throws: `OutboxError`.
  func enqueue(
    _ file: UploadJob.File, _ target: UploadTarget, isConfigured: Bool
  ) throws(OutboxError) -> Queued {
    do throws(FileError) {
      let source = try FileDescriptor.openForReading(file.path)
      let status = try source.status()
      guard status.kind == .regular else {
        throw FileError(action: "upload", path: file.path, errno: EINVAL)
      }
      let turn = try FileLock.take(folder + "/lock", waits: true)
      let room = try makeRoom(for: status.size)
      if status.size > room {
        throw FileError(action: "put into the outbox", path: file.path, errno: EDQUOT)
      }
      let fresh = "\(folder)/pending/.new-\(getpid())"
      try remove(fresh)
      try FileSystem.makeFolder(fresh, permissions: 0o700)
      do throws(FileError) {
        let queued = try take(source, file, target, isConfigured, fresh)
        if file.isMoved { try FileSystem.remove(file.path) }
        _ = consume turn
        return queued
      } catch {
        try? remove(fresh)
        throw error
      }
    } catch {
      throw OutboxError(error, file: file.path, quota: quota)
    }
  }

  private func take(
    _ source: borrowing FileDescriptor, _ file: UploadJob.File, _ target: UploadTarget,
    _ isConfigured: Bool, _ fresh: String
  ) throws(FileError) -> Queued {
    let (size, sum) = try copy(source, to: fresh + "/bundle")
    let key = String(
      SHA256.hex(Array("\(sum) \(target.method.rawValue) \(target.url)".utf8)).prefix(32))
    if let state = state(.completed, key) {
      try remove(fresh)
      return .alreadySent(key: key, state: state)
    }
    if (try? FileStatus(path: path(.uploading, key))) != nil {
      try remove(fresh)
      return .busy(key)
    }
    if (try? FileStatus(path: path(.pending, key) + "/state")) != nil {
      try remove(fresh)
      return try renew(key, target, isConfigured) ? .pending(key) : .busy(key)
    }
    // Whoever asks for it again has mended something.
    try remove(path(.failed, key))
    var file = file
    file.watermark = file.watermark ?? madeWatermark(sum)
    let state = ItemState(
      file, size: size, sha256: sum, target: target, isConfigured: isConfigured)
    try state.write(folder: fresh)
    try FileSystem.rename(fresh, to: path(.pending, key))
    return .pending(key)
  }

  /// Of a bundle that was exported here to be the next after the last upload: its last row.
  private func madeWatermark(_ sha256: String) -> Int64? {
    guard let bytes = try? FileSystem.contents(of: "\(folder)/made/\(sha256)", limit: 64) else {
      return nil
    }
    return Int64(String(decoding: bytes.prefix { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self))
  }

  /// Gives a pending item the settings of today; what the server has of it stays known.
  private func renew(
    _ key: String, _ target: UploadTarget, _ isConfigured: Bool
  ) throws(FileError) -> Bool {
    let item = path(.pending, key)
    guard let lock = try FileLock.take(item + "/lock") else { return false }
    var state = try ItemState(folder: item)
    state.set(target, isConfigured: isConfigured)
    try state.write(folder: item)
    _ = consume lock
    return true
  }

  private func copy(
    _ source: borrowing FileDescriptor, to path: String
  ) throws(FileError) -> (size: Int64, sha256: String) {
    let copy = try FileDescriptor.create(path)
    var hash = SHA256()
    var offset: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      var failure: FileError?
      let count = buffer.withUnsafeMutableBytes { bytes -> Int in
        do throws(FileError) {
          let count = try source.read(into: bytes, at: offset)
          let piece = UnsafeRawBufferPointer(rebasing: bytes[..<count])
          hash.update(piece)
          try copy.write(piece)
          return count
        } catch {
          failure = error
          return 0
        }
      }
      if let failure { throw failure }
      if count == 0 { break }
      offset += Int64(count)
    }
    try copy.synchronize()
    return (offset, hash.finish())
  }

  /// The bytes that the quota leaves, after the oldest failed items made room if that helps.
  private func makeRoom(for size: Int64) throws(FileError) -> Int64 {
    var used: Int64 = 0
    var failed: [(key: String, state: ItemState)] = []
    for place in [Place.pending, .uploading, .failed] {
      for key in try keys(in: place) {
        guard let state = state(place, key) else { continue }
        used += state.size
        if place == .failed { failed.append((key, state)) }
      }
    }
    for item in failed.sorted(by: { $0.state.queued < $1.state.queued })
    where quota - used < size && size <= quota {
      try remove(path(.failed, item.key))
      used -= item.state.size
    }
    return quota - used
  }
}

/// A file that the outbox can't take.
struct OutboxError: Error, CustomStringConvertible, Sendable {
  var error: FileError
  var description: String

  init(_ error: FileError, file: String, quota: Int64) {
    self.error = error
    description =
      error.errno == EDQUOT && error.path == file
      ? "\(file): the outbox is full: upload.outbox_quota is \(quota) bytes" : error.description
  }
}
