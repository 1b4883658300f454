// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// What was sent today (UTC), kept in the outbox for the limits of a day.
struct DailyUsage {
  private let folder: String
  private let limits: UploadLimits

  init(folder: String, limits: UploadLimits) {
    self.folder = folder
    self.limits = limits
  }

  private var path: String { folder + "/usage" }

  private func today(_ now: Int64) -> (uploads: Int64, bytes: Int64) {
    let bytes = (try? FileSystem.contents(of: path, limit: 4096)) ?? []
    let fields = FieldList(String(decoding: bytes, as: UTF8.self))
    guard fields.integer("day") == UploadClock.day(now) else { return (0, 0) }
    return (fields.integer("uploads") ?? 0, fields.integer("bytes") ?? 0)
  }

  /// Why an upload of so many bytes must wait until tomorrow; `nil` when it need not.
  func reasonToWait(for size: Int64, now: Int64) -> String? {
    let used = today(now)
    if limits.uploadsPerDay > 0, used.uploads >= limits.uploadsPerDay {
      return "upload.max_uploads_per_day: \(used.uploads) were begun today"
    }
    if limits.bytesPerDay > 0, used.bytes + size > limits.bytesPerDay {
      return "upload.max_bytes_per_day: \(used.bytes) of \(limits.bytesPerDay) bytes are sent today"
    }
    return nil
  }

  /// Counts what was sent.
  ///
  /// - Throws: `FileError`.
  func add(uploads: Int64, bytes: Int64, now: Int64) throws(FileError) {
    let turn = try FileLock.take(folder + "/lock", waits: true)
    let used = today(now)
    var fields = FieldList()
    fields["day"] = String(UploadClock.day(now))
    fields["uploads"] = String(used.uploads + uploads)
    fields["bytes"] = String(used.bytes + bytes)
    let file = try AtomicFile(target: path)
    try file.descriptor.write(fields.text)
    try file.commit()
    _ = consume turn
  }
}
