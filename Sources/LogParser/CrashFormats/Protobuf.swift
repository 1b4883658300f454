// SPDX-License-Identifier: Apache-2.0

/// The fields of one message of Protocol Buffers, one after the other, without copies. It ends where
/// the bytes break off or make no sense.
struct ProtobufFields {
  enum Value {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
  }

  private let bytes: ArraySlice<UInt8>
  private var index: Int
  /// The message was read to its end.
  private(set) var isComplete = false

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    index = bytes.startIndex
  }

  /// The next field's number and value; `nil` at the end.
  mutating func next() -> (field: Int, value: Value)? {
    guard index < bytes.endIndex else {
      isComplete = true
      return nil
    }
    guard let tag = varint(), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return nil }
    let field = Int(tag >> 3)
    switch tag & 7 {
    case 0: return varint().map { (field, .number($0)) }
    case 1: return fixed(8).map { (field, .number($0)) }
    case 5: return fixed(4).map { (field, .number($0)) }
    case 2:
      guard let length = varint(), length <= UInt64(bytes.endIndex - index) else { return nil }
      let start = index
      index += Int(length)
      return (field, .bytes(bytes[start..<index]))
    default: return nil
    }
  }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard index < bytes.endIndex else { return nil }
      let byte = bytes[index]
      index += 1
      if shift < 64 { value |= UInt64(byte & 0x7f) << shift }
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  private mutating func fixed(_ count: Int) -> UInt64? {
    guard bytes.endIndex - index >= count else { return nil }
    var value: UInt64 = 0
    for place in (0..<count).reversed() { value = value << 8 | UInt64(bytes[index + place]) }
    index += count
    return value
  }
}

extension ProtobufFields.Value {
  var number: UInt64 { if case .number(let value) = self { value } else { 0 } }

  var bytes: ArraySlice<UInt8> { if case .bytes(let value) = self { value } else { [] } }

  /// Text without what says nothing; `nil` for none.
  var text: String? { CrashText.meaningful(String(decoding: bytes.prefix(65_536), as: UTF8.self)) }
}
