// SPDX-License-Identifier: Apache-2.0

internal import CArchive
internal import LogQuery

/// Writes a `.tar.gz` whose bytes depend on nothing but the members and their order.
///
/// Owner and group are 0, the mode is 0600, the time is one for all, gzip's own time is 0.
final class ArchiveWriter {
  typealias Sink = (UnsafeRawBufferPointer) throws -> Void

  private let archive: OpaquePointer
  private let sink: Sink
  private let time: Int64
  /// The error of the sink, which libarchive can't carry.
  private var failure: (any Error)?

  /// - Parameters:
  ///   - time: of all members, in seconds since 1970.
  ///   - sink: takes the archive's bytes.
  /// - Throws: `BundleError`.
  init(time: Int64, sink: @escaping Sink) throws {
    guard let archive = archive_write_new() else {
      throw BundleError(.inputOutput, "out of memory")
    }
    self.archive = archive
    self.sink = sink
    self.time = max(0, time)
    archive_write_set_format_pax_restricted(archive)
    archive_write_add_filter_gzip(archive)
    archive_write_set_filter_option(archive, "gzip", "timestamp", nil)
    archive_write_set_filter_option(archive, "gzip", "compression-level", "6")
    // No padding behind the compressed stream.
    archive_write_set_bytes_in_last_block(archive, 1)
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(archive_write_open2(archive, context, nil, writeArchive, nil, nil))
  }

  deinit { archive_write_free(archive) }

  fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    // After an error libarchive still tries to end the stream; that must not reach the sink.
    if failure != nil { return -1 }
    do {
      try sink(bytes)
      return bytes.count
    } catch {
      failure = error
      return -1
    }
  }

  /// Adds a member whose content comes in pieces.
  ///
  /// - Parameters:
  ///   - name: relative, with `/`.
  ///   - size: bytes; exactly so many must come.
  ///   - content: calls its argument with each piece.
  /// - Throws: what the sink throws, `BundleError`.
  func add(_ name: String, size: Int64, content: (Sink) throws -> Void) throws {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_size(entry, size)
    // AE_IFREG is a macro with a cast.
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o600)
    archive_entry_set_mtime(entry, time_t(time), 0)
    archive_entry_set_uid(entry, 0)
    archive_entry_set_gid(entry, 0)
    try check(archive_write_header(archive, entry))
    var rest = size
    try content { piece in
      rest -= Int64(piece.count)
      guard rest >= 0 else { throw BundleError(.inputOutput, "\(name): it grew while it was read") }
      let written = archive_write_data(self.archive, piece.baseAddress, piece.count)
      try self.check(written < 0 ? ARCHIVE_FATAL : ARCHIVE_OK)
    }
    guard rest == 0 else { throw BundleError(.inputOutput, "\(name): it shrank while it was read") }
  }

  /// Adds a member from memory.
  func add(_ name: String, _ bytes: [UInt8]) throws {
    try add(name, size: Int64(bytes.count)) { write in
      try bytes.withUnsafeBytes { try write($0) }
    }
  }

  /// Ends the archive; nothing can be added any more.
  func finish() throws { try check(archive_write_close(archive)) }

  private func check(_ status: Int32) throws {
    if let failure { throw failure }
    // Warnings are about names that need pax headers, and fine.
    guard status < ARCHIVE_WARN else { return }
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "code \(status)"
    throw BundleError(.inputOutput, "cannot write the archive: \(reason)")
  }
}

private func writeArchive(
  _ archive: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  guard let context else { return -1 }
  let writer = Unmanaged<ArchiveWriter>.fromOpaque(context).takeUnretainedValue()
  return writer.take(UnsafeRawBufferPointer(start: bytes, count: count))
}
