// SPDX-License-Identifier: Apache-2.0

// For the linker: converting a Double exactly calls libm in debug builds.
internal import Glibc

/// One value in a `JSONTree`. Wrong types and missing keys read as `nil`.
package struct JSONValue: Sendable {
  let tree: JSONTree
  let index: Int

  private var node: JSONTree.Node { tree.nodes[index] }
  private var content: ArraySlice<UInt8> { tree.bytes[Int(node.start)..<Int(node.end)] }

  /// `{…}`
  package var isObject: Bool { node.kind == .object }
  /// `[…]`
  package var isArray: Bool { node.kind == .array }
  /// `null`, or a container that lies too deep.
  package var isNull: Bool { node.kind == .null }
  /// A number in the widest sense; `NaN` too.
  package var isNumber: Bool { node.kind == .number }
  /// `"…"`
  package var isString: Bool { node.kind == .string || node.kind == .escapedString }

  /// The value of a key; of the last one when it stands there twice. Linear in the object's size.
  package subscript(key: String) -> JSONValue? {
    guard isObject else { return nil }
    var found: JSONValue?
    var key = key
    key.withUTF8 { wanted in
      forEachMember { name, value in
        if name.matches(wanted) { found = value }
      }
    }
    return found
  }

  /// The value at the end of a path of keys.
  package subscript(path keys: String...) -> JSONValue? {
    var value: JSONValue? = self
    for key in keys { value = value?[key] }
    return value
  }

  /// The elements of an array, in order; empty for anything else.
  package var elements: Elements { Elements(tree: tree, range: isArray ? children : 0..<0) }

  /// The keys of an object, in order; empty for anything else.
  package var keys: [String] {
    var names: [String] = []
    forEachMember { name, _ in names.append(name.text) }
    return names
  }

  /// Calls `body` with each key and value of an object, in order.
  package func forEachMember(_ body: (_ key: JSONValue, _ value: JSONValue) -> Void) {
    guard isObject else { return }
    var child = index + 1
    while child + 1 < children.upperBound {
      let value = child + 1
      body(JSONValue(tree: tree, index: child), JSONValue(tree: tree, index: value))
      child = Int(tree.nodes[value].next)
    }
  }

  private var children: Range<Int> { index + 1..<Int(node.next) }

  /// The elements of an array, found one after the other.
  package struct Elements: Sequence, IteratorProtocol {
    let tree: JSONTree
    var range: Range<Int>

    /// The next element; each step costs the same however large the element is.
    package mutating func next() -> JSONValue? {
      guard let first = range.first else { return nil }
      range = Swift.min(Int(tree.nodes[first].next), range.upperBound)..<range.upperBound
      return JSONValue(tree: tree, index: first)
    }
  }
}

// MARK: - Scalars

extension JSONValue {
  /// A string's text, with escapes resolved and bytes that are no UTF-8 replaced by U+FFFD.
  package var string: String? { isString ? text : nil }

  /// The text of a string or the digits of a number; `nil` for the rest and for an empty text.
  package var scalarText: String? {
    guard isString || isNumber, node.end > node.start else { return nil }
    return text
  }

  /// `true` or `false`.
  package var bool: Bool? {
    switch node.kind {
    case .yes: true
    case .no: false
    default: nil
    }
  }

  /// A number's value; out of range becomes infinite, as `Double` reads it.
  package var double: Double? {
    isNumber && node.end - node.start <= Self.maxDigits ? Double(text) : nil
  }

  /// No number is longer that is meant as one; to read millions of digits takes long.
  private static let maxDigits: UInt32 = 1000

  /// An integer of 64 bits, exact; also from a string of decimal or `0x` hexadecimal digits, and
  /// from a number with a fraction of zero.
  package var int: Int64? {
    guard let text = scalarText else { return nil }
    if let value = Int64(text) { return value }
    if let value = Self.hexadecimal(text) { return Int64(exactly: value) }
    return double.flatMap { Int64(exactly: $0) }
  }

  /// An address: 64 bits without a sign, from a number or from a string (`0x…`, or decimal).
  package var address: UInt64? {
    guard let text = scalarText else { return nil }
    if let value = UInt64(text) { return value }
    if let value = Self.hexadecimal(text) { return value }
    return Int64(text).map { UInt64(bitPattern: $0) }
  }

  private static func hexadecimal(_ text: String) -> UInt64? {
    text.hasPrefix("0x") || text.hasPrefix("0X") ? UInt64(text.dropFirst(2), radix: 16) : nil
  }

  /// The content as text: a string's, or the bytes of anything else.
  var text: String {
    guard node.kind == .escapedString else { return String(decoding: content, as: UTF8.self) }
    return String(decoding: JSONEscapes.resolve(content), as: UTF8.self)
  }

  fileprivate func matches(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    node.kind == .escapedString
      ? JSONEscapes.resolve(content).elementsEqual(key) : content.elementsEqual(key)
  }
}
