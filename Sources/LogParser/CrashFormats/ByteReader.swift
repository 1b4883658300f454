// SPDX-License-Identifier: Apache-2.0

/// Little-endian values at offsets in a binary report. Whatever lies outside reads as `nil`:
/// damaged dumps hold absurd offsets and counts.
struct ByteReader {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// The part from `offset` on, of `count` bytes at most; `nil` when it begins outside.
  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, offset <= bytes.count, count >= 0 else { return nil }
    return bytes[offset..<offset + min(count, bytes.count - offset)]
  }

  func u16(_ offset: Int) -> UInt16? { integer(offset, size: 2).map { UInt16($0) } }
  func u32(_ offset: Int) -> UInt32? { integer(offset, size: 4).map { UInt32($0) } }
  func u64(_ offset: Int) -> UInt64? { integer(offset, size: 8) }

  /// A value of 32 bits that is used as a count or an offset.
  func int32(_ offset: Int) -> Int? { u32(offset).map { Int($0) } }

  /// A value of 64 bits that is used as a count or an offset.
  func int64(_ offset: Int) -> Int? { u64(offset).flatMap { Int(exactly: $0) } }

  private func integer(_ offset: Int, size: Int) -> UInt64? {
    guard offset >= 0, offset <= bytes.count - size else { return nil }
    var value: UInt64 = 0
    for index in (0..<size).reversed() { value = value << 8 | UInt64(bytes[offset + index]) }
    return value
  }

  /// Text up to a NUL, of `count` bytes at most.
  func text(_ offset: Int, _ count: Int) -> String {
    let slice = slice(offset, count) ?? []
    return String(decoding: slice.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// UTF-16 with its length in bytes before it, as minidumps hold names; at most 4 KiB.
  func utf16Text(_ offset: Int) -> String? {
    guard let length = int32(offset), length <= 4096 else { return nil }
    let units = stride(from: offset + 4, to: offset + 4 + length, by: 2).compactMap { u16($0) }
    return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
  }
}
