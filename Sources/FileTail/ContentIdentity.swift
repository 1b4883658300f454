// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Compares files by their content: the beginning, and the bytes before an offset.
package enum ContentIdentity {
  /// The hash of up to `length` first bytes, and how many there were.
  ///
  /// - Throws: `ContentError`.
  package static func head(
    of reader: ContentReader, length: Int = FileIdentity.maxHeadLength
  ) throws(ContentError) -> (length: Int, hash: UInt64) {
    try hash(of: reader, at: 0, length: length)
  }

  /// The hash of the up to 64 bytes before `offset`.
  ///
  /// - Throws: `ContentError`.
  package static func tail(
    of reader: ContentReader, before offset: Int64
  ) throws(ContentError) -> (length: Int, hash: UInt64) {
    let length = Int(min(Int64(FileIdentity.maxTailLength), offset))
    return try hash(of: reader, at: offset - Int64(length), length: length)
  }

  /// Whether the content begins as the generation's did.
  ///
  /// - Throws: `ContentError`.
  package static func headMatches(
    _ reader: ContentReader, _ identity: FileIdentity
  ) throws(ContentError) -> Bool {
    guard identity.headLength > 0 else { return true }
    let head = try head(of: reader, length: identity.headLength)
    return head == (identity.headLength, identity.headHash)
  }

  /// Whether the bytes before the checkpoint are those that were stored.
  ///
  /// - Throws: `ContentError`.
  package static func tailMatches(
    _ reader: ContentReader, _ checkpoint: Checkpoint
  ) throws(ContentError) -> Bool {
    guard checkpoint.tailLength > 0 else { return true }
    let start = checkpoint.offset - Int64(checkpoint.tailLength)
    let tail = try hash(of: reader, at: start, length: checkpoint.tailLength)
    return tail == (checkpoint.tailLength, checkpoint.tailHash)
  }

  private static func hash(
    of reader: ContentReader, at offset: Int64, length: Int
  ) throws(ContentError) -> (length: Int, hash: UInt64) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, length), alignment: 1)
    defer { buffer.deallocate() }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
    let count = try reader.read(into: wanted, at: offset)
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    return (count, fingerprint(bytes.assumingMemoryBound(to: UInt8.self)))
  }
}
