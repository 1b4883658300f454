// SPDX-License-Identifier: Apache-2.0

/// Reads a `.tar.gz` member by member and refuses what no bundle has: links, odd names, bombs.
///
/// It reads what `ArchiveWriter` writes, and nothing of what else tar archives can hold.
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

  private let name: String
  private let unpacker: Unpacker
  private var piece = [UInt8](repeating: 0, count: 256 << 10)
  /// What of it was not yet read.
  private var unread = 0..<0
  /// Of the member: its bytes that are to come, and the zeros behind them.
  private var rest: Int64 = 0
  private var padding: Int64 = 0
  private var read: Int64 = 0
  private var names: Set<String> = []

  /// - Parameters:
  ///   - descriptor: of the file, at its beginning.
  ///   - name: of the file, for messages.
  ///   - isOwn: whether this program has just made it.
  init(descriptor: Int32, name: String, isOwn: Bool = false) {
    self.name = name
    unpacker = Unpacker(descriptor: descriptor, name: name, isOwn: isOwn)
  }

  /// Goes to the next member; `nil` at the end.
  ///
  /// - Throws: `BundleError` of kind `unreadable`.
  func next() throws -> Member? {
    try content { _ in }
    try take(padding) { _ in }
    padding = 0
    var header: [UInt8] = []
    try take(Int64(TarHeader.blockBytes)) { header.append(contentsOf: $0) }
    if header.allSatisfy({ $0 == 0 }) {
      // The checksum stands behind all that a tar reader wants to see.
      while try load() {}
      return nil
    }
    guard let member = TarHeader.member(header) else {
      throw damage("its members are not as they were written")
    }
    if names.count >= Self.mostMembers { throw refusal("more than \(Self.mostMembers) members") }
    guard Self.isSafe(member.name) else { throw refusal("a member with an unsafe name") }
    guard names.insert(member.name).inserted else { throw refusal("two members of one name") }
    guard member.isPlainFile else { throw refusal("a member that is no plain file") }
    rest = member.size
    padding = Int64(TarHeader.padding(member.size).count)
    return Member(name: member.name, size: member.size)
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
    let size = rest
    rest = 0
    try take(size, body)
  }

  /// Takes so many of the archive's bytes.
  private func take(_ count: Int64, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var wanted = count
    while wanted > 0 {
      if unread.isEmpty, !(try load()) { throw damage("it breaks off") }
      let end = unread.lowerBound + Int(min(wanted, Int64(unread.count)))
      wanted -= Int64(end - unread.lowerBound)
      try piece[unread.lowerBound..<end].withUnsafeBytes { try body($0) }
      unread = end..<unread.upperBound
    }
  }

  /// Unpacks more; false at the end.
  private func load() throws(BundleError) -> Bool {
    unread = 0..<(try unpacker.next(into: &piece))
    read += Int64(unread.count)
    if read > Self.mostBytes
      || (read > 64 << 20 && read / max(1, unpacker.packed) > Self.mostRatio)
    {
      throw refusal("it unpacks to far more than it is")
    }
    return !unread.isEmpty
  }

  private func refusal(_ reason: String) -> BundleError {
    BundleError(.unreadable, "\(name): refused: it has \(reason)")
  }

  private func damage(_ reason: String) -> BundleError {
    BundleError(.unreadable, "\(name): no bundle, or damaged: \(reason)")
  }
}
