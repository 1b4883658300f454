// SPDX-License-Identifier: Apache-2.0

internal import CArchive

/// Reads a `.tar.gz` member by member and refuses what no bundle has: links, odd names, bombs.
final class ArchiveReader {
  struct Member {
    var name: String
    var size: Int64
  }

  /// More than any bundle unpacks to, against archives that only want to fill memory or disks.
  static let mostBytes: Int64 = 1 << 40
  static let mostMembers = 100_000
  /// gzip packs nothing that logs hold five hundred times.
  private static let mostRatio: Int64 = 500

  private let archive: OpaquePointer
  private let name: String
  /// Unpacks what is ours; libarchive by itself unpacks what others give us.
  private let unpacker: Unpacker?
  private var entry: OpaquePointer?
  private var read: Int64 = 0
  private var members = 0
  private var names: Set<String> = []

  /// - Parameters:
  ///   - descriptor: of the file, at its beginning.
  ///   - name: of the file, for messages.
  ///   - isOwn: whether this program has just made it. Then ISA-L unpacks it, in a fifth of zlib's
  ///     time.
  /// - Throws: `BundleError` of kind `unreadable`.
  init(descriptor: Int32, name: String, isOwn: Bool = false) throws(BundleError) {
    guard let archive = archive_read_new() else {
      throw BundleError(.inputOutput, "out of memory")
    }
    self.archive = archive
    self.name = name
    unpacker = isOwn ? Unpacker(descriptor: descriptor) : nil
    archive_read_support_format_tar(archive)
    if let unpacker {
      // It lives as long as this, which frees the archive first.
      let context = Unmanaged.passUnretained(unpacker).toOpaque()
      try check(archive_read_open(archive, context, nil, readUnpacked, nil))
    } else {
      archive_read_support_filter_gzip(archive)
      try check(archive_read_open_fd(archive, descriptor, 128 << 10))
    }
  }

  deinit { archive_read_free(archive) }

  /// Goes to the next member; `nil` at the end.
  ///
  /// - Throws: `BundleError` of kind `unreadable`.
  func next() throws(BundleError) -> Member? {
    let status = archive_read_next_header(archive, &entry)
    if status == ARCHIVE_EOF {
      // The checksum stands behind all that libarchive wants to see.
      if unpacker?.finish() == false { try check(ARCHIVE_FATAL) }
      return nil
    }
    try check(status)
    members += 1
    let member = archive_entry_pathname(entry).map { String(cString: $0) } ?? ""
    if members > Self.mostMembers { throw refusal("more than \(Self.mostMembers) members") }
    guard Self.isSafe(member) else { throw refusal("a member with an unsafe name") }
    guard names.insert(member).inserted else { throw refusal("two members of one name") }
    // AE_IFREG is a macro with a cast.
    guard archive_entry_filetype(entry) == 0o100000, archive_entry_hardlink(entry) == nil else {
      throw refusal("a member that is no plain file")
    }
    return Member(name: member, size: archive_entry_size(entry))
  }

  private static func isSafe(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix("/")
      && name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") }
      && !name.split(separator: "/", omittingEmptySubsequences: false).contains {
        $0.isEmpty || $0 == "." || $0 == ".."
      }
  }

  /// Calls `body` with the member's bytes, piece by piece.
  ///
  /// - Throws: `BundleError` of kind `unreadable`, and what `body` throws.
  func content(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var piece: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    var expected: Int64 = 0
    while true {
      let status = archive_read_data_block(archive, &piece, &count, &offset)
      if status == ARCHIVE_EOF { return }
      try check(status)
      guard offset == expected else { throw refusal("a member with holes") }
      expected += Int64(count)
      read += Int64(count)
      let packed = unpacker?.packed ?? archive_filter_bytes(archive, -1)
      if read > Self.mostBytes || (read > 64 << 20 && read / max(1, packed) > Self.mostRatio) {
        throw refusal("it unpacks to far more than it is")
      }
      try body(UnsafeRawBufferPointer(start: piece, count: count))
    }
  }

  private func refusal(_ reason: String) -> BundleError {
    BundleError(.unreadable, "\(name): refused: it has \(reason)")
  }

  private func check(_ status: Int32) throws(BundleError) {
    guard status < ARCHIVE_WARN else { return }
    if let reason = unpacker?.problem {
      throw BundleError(.unreadable, "\(name): damaged: \(reason)")
    }
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "code \(status)"
    throw BundleError(.unreadable, "\(name): no bundle, or damaged: \(reason)")
  }
}
