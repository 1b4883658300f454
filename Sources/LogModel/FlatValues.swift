// SPDX-License-Identifier: Apache-2.0

/// The values of a JSON array, found without reading what is nested in them; of an object, its keys
/// and values in turn.
public struct FlatValues: Sequence, IteratorProtocol {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 1

  /// - Parameter array: valid JSON without blanks between values: `["x",1]`.
  public init(_ array: UnsafeBufferPointer<UInt8>) { bytes = array }

  /// Where the next value stands, with the quotes of a text.
  public mutating func next() -> Range<Int>? {
    guard position < bytes.count - 1 else { return nil }
    let start = position
    let end = bytes[start] == UInt8(ascii: "\"") ? textEnd(start + 1) + 1 : valueEnd(start)
    position = end + 1
    return start..<Swift.min(end, bytes.count)
  }

  /// The closing quote of a text.
  private func textEnd(_ start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return position
  }

  /// The end of a number, a word, an array or an object.
  private func valueEnd(_ start: Int) -> Int {
    var position = start
    var depth = 0
    while position < bytes.count - 1 {
      switch bytes[position] {
      case UInt8(ascii: "\""): position = textEnd(position + 1)
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: ",") where depth == 0: return position
      default: break
      }
      position += 1
    }
    return bytes.count - 1
  }
}
