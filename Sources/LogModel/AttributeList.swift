// SPDX-License-Identifier: Apache-2.0

/// The attributes of a record: the inside of a JSON object, `"k":"v","n":1`, and where its members
/// lie.
public struct AttributeList: Sendable {
  /// The members without the object's braces.
  public var text: ByteSlice
  /// The first of `placeCount` places in the arena, one for each member in turn.
  public var firstPlace: UInt32
  /// 0 when it is not known where the members lie.
  public var placeCount: UInt32

  @inlinable @inline(__always)
  public init(text: ByteSlice, firstPlace: Int = 0, placeCount: Int = 0) {
    self.text = text
    self.firstPlace = UInt32(truncatingIfNeeded: firstPlace)
    self.placeCount = UInt32(truncatingIfNeeded: placeCount)
  }

  @inlinable @inline(__always)
  public static var empty: AttributeList { AttributeList(text: ByteSlice(start: 0, count: 0)) }

  /// There is no attribute.
  @inlinable
  public var isEmpty: Bool { text.isEmpty }
  /// Bytes of the members.
  @inlinable
  public var count: UInt32 { text.count }
}

/// Where the value of an attribute lies in an arena: as JSON, and in the text that it was taken
/// from. The key stands before it, behind the value before.
public struct MemberPlace: Sendable {
  /// Offset of the value's first byte, which is the quote of a text.
  public var start: UInt32
  /// Offset behind its last byte.
  public var end: UInt32
  /// Offset of the same bytes, without quotes, in the record's text; else `unknown` or `nowhere`.
  public var source: UInt32

  /// It is to be looked for.
  @inlinable
  public static var unknown: UInt32 { .max }
  /// It is not in the text as it stands here, or not worth looking for.
  @inlinable
  public static var nowhere: UInt32 { .max - 1 }

  @inlinable @inline(__always)
  public init(start: Int, end: Int, source: UInt32) {
    self.start = UInt32(truncatingIfNeeded: start)
    self.end = UInt32(truncatingIfNeeded: end)
    self.source = source
  }
}
