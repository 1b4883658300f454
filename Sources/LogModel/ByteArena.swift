// SPDX-License-Identifier: Apache-2.0

/// A growing block of bytes that is filled from front to back and emptied at once.
///
/// The rule that makes its pointers safe: an arena is owned by one batch and a batch by one thread
/// at a time; `base` moves when the arena grows, so code keeps offsets (`ByteSlice`), not pointers,
/// across a call that can append.
///
/// What each record needs is inlinable: a call into another module cost more than its work.
public final class ByteArena: @unchecked Sendable {
  // Exclusivity is kept by the rule above; its checks at run time cost more than the accesses.
  @exclusivity(unchecked)
  @usableFromInline var block: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked)
  @usableFromInline var used = 0
  @exclusivity(unchecked)
  @usableFromInline var room: Int
  private let initialCapacity: Int
  // Where members of attributes lie, beside the bytes: the same rule holds for this block.
  @exclusivity(unchecked)
  @usableFromInline
  var placeBase: UnsafeMutablePointer<MemberPlace>
  @exclusivity(unchecked)
  @usableFromInline
  var placeCount = 0
  @exclusivity(unchecked)
  @usableFromInline
  var placeCapacity = 0
  /// Few arenas hold members; the room for them is made when the first comes.
  private static let leastPlaces = 1024
  /// Room that is kept for the next batch: a full one of access logs has 18,000 members.
  private static let keptPlaces = 32_768

  /// The place of the first byte; it moves when the arena grows.
  @inlinable
  public var base: UnsafeMutablePointer<UInt8> { block }
  /// Bytes that were appended.
  @inlinable
  public var count: Int { used }
  /// Bytes that fit before the arena moves.
  @inlinable
  public var capacity: Int { room }

  /// An empty arena of `capacity` bytes, which grows when a record does not fit.
  public init(capacity: Int) {
    self.room = capacity
    self.initialCapacity = capacity
    self.block = .allocate(capacity: capacity)
    self.placeBase = .allocate(capacity: 0)
  }

  deinit {
    block.deallocate()
    placeBase.deallocate()
  }

  /// Empties it, and gives back what an unusually large record made it grow.
  public func removeAll() {
    used = 0
    if room > initialCapacity * 2 {
      block.deallocate()
      block = .allocate(capacity: initialCapacity)
      room = initialCapacity
    }
    placeCount = 0
    if placeCapacity > Self.keptPlaces {
      placeBase.deallocate()
      placeBase = .allocate(capacity: 0)
      placeCapacity = 0
    }
  }

  /// Room for `extra` more bytes without moving.
  @inlinable
  public func reserve(_ extra: Int) {
    if count + extra > capacity { grow(to: count + extra) }
  }

  /// The space behind the last byte, at least `extra` bytes, and its offset: for a writer that
  /// fills it itself and then calls `commit`. Valid until the next append.
  @inlinable
  public func unusedSpace(
    _ extra: Int
  ) -> (offset: Int, space: UnsafeMutableBufferPointer<UInt8>) {
    reserve(extra)
    return (count, UnsafeMutableBufferPointer(start: block + count, count: capacity - count))
  }

  /// Counts the first `extra` bytes of `unusedSpace` as appended.
  @inlinable
  public func commit(_ extra: Int) {
    precondition(extra >= 0 && count + extra <= capacity, "commit beyond the reserved space")
    used &+= extra
  }

  @inlinable
  public func append(_ byte: UInt8) {
    reserve(1)
    block[count] = byte
    used &+= 1
  }

  /// Appends bytes that do not lie in this arena.
  @inlinable
  public func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    reserve(bytes.count)
    (block + count).update(from: source, count: bytes.count)
    used &+= bytes.count
  }

  /// Appends bytes that do not lie in this arena, and tells where they are now.
  @inlinable
  public func appendSlice(_ bytes: UnsafeBufferPointer<UInt8>) -> ByteSlice {
    let start = count
    append(bytes)
    return ByteSlice(start: start, count: bytes.count)
  }

  /// Appends a copy of bytes of this arena.
  @inlinable
  public func append(copyOf slice: ByteSlice) {
    reserve(Int(slice.count))
    (block + count).update(from: block + Int(slice.start), count: Int(slice.count))
    used &+= Int(slice.count)
  }

  public func append(_ text: StaticString) {
    append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends the UTF-8 of `text`: for cold paths.
  public func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0) }
  }

  /// Appends `value` in decimal.
  public func append(decimal value: Int64) {
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { buffer in
      var rest = value.magnitude
      var index = 24
      repeat {
        index &-= 1
        buffer[index] = UInt8(truncatingIfNeeded: rest % 10) &+ 48
        rest /= 10
      } while rest > 0
      if value < 0 {
        index &-= 1
        buffer[index] = 45
      }
      append(UnsafeBufferPointer(rebasing: buffer.bindMemory(to: UInt8.self)[index..<24]))
    }
  }

  /// Takes back everything after `count` bytes.
  public func truncate(to count: Int) {
    precondition(count <= self.count, "cannot truncate \(self.count) bytes to \(count)")
    used = count
  }

  /// The bytes of `slice`; valid until the next append.
  @inlinable
  public func bytes(_ slice: ByteSlice) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: block + Int(slice.start), count: Int(slice.count))
  }

  /// The text of `slice`, for cold paths and tests.
  public func string(_ slice: ByteSlice) -> String {
    String(decoding: bytes(slice), as: UTF8.self)
  }

  // MARK: Places of members

  /// Room for `extra` places, and the number of the first: for a writer that fills it and then calls
  /// `commitPlaces`. Valid until the next call.
  @inlinable
  public func unusedPlaces(_ extra: Int) -> (first: Int, space: UnsafeMutablePointer<MemberPlace>) {
    if placeCount + extra > placeCapacity { growPlaces(to: placeCount + extra) }
    return (placeCount, placeBase + placeCount)
  }

  /// Counts the first `extra` places of `unusedPlaces` as appended.
  @inlinable
  public func commitPlaces(_ extra: Int) {
    precondition(extra >= 0 && placeCount + extra <= placeCapacity, "places beyond the space")
    placeCount &+= extra
  }

  /// Where the members of `attributes` lie; empty when that is not known. Valid until places are
  /// appended.
  @inlinable
  public func places(_ attributes: AttributeList) -> UnsafeBufferPointer<MemberPlace> {
    UnsafeBufferPointer(
      start: placeBase + Int(attributes.firstPlace), count: Int(attributes.placeCount))
  }

  /// The members of `attributes` as JSON; valid until the next append.
  @inlinable
  public func bytes(_ attributes: AttributeList) -> UnsafeBufferPointer<UInt8> {
    bytes(attributes.text)
  }

  /// The members of `attributes` as JSON, for cold paths and tests.
  public func string(_ attributes: AttributeList) -> String { string(attributes.text) }

  @usableFromInline
  func growPlaces(to needed: Int) {
    placeCapacity = max(needed, placeCapacity * 2, Self.leastPlaces)
    let moved = UnsafeMutablePointer<MemberPlace>.allocate(capacity: placeCapacity)
    moved.update(from: placeBase, count: placeCount)
    placeBase.deallocate()
    placeBase = moved
  }

  @usableFromInline
  func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: base, count: count)
    block.deallocate()
    block = moved
    room = larger
  }
}
