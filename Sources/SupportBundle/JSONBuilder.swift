// SPDX-License-Identifier: Apache-2.0

internal import LogQuery

/// Writes JSON with two blanks of indentation, members in the order of the calls.
struct JSONBuilder {
  private var bytes: [UInt8] = []
  private var depth = 0
  private var isFirst = true

  /// The outermost object; it stays open until `finish()`.
  mutating func object(_ body: (inout JSONBuilder) -> Void) {
    open("{")
    body(&self)
  }

  mutating func object(_ key: String, _ body: (inout JSONBuilder) -> Void) {
    begin(key)
    open("{")
    body(&self)
    close("}")
  }

  mutating func member(_ key: String, _ value: Int64) {
    begin(key)
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func member(_ key: String, _ value: Bool) {
    begin(key)
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func member(_ key: String, _ value: String?) {
    begin(key)
    if let value {
      SafeText.appendJSON(value, to: &bytes)
    } else {
      bytes.append(contentsOf: "null".utf8)
    }
  }

  mutating func array(_ key: String, texts: [String]) {
    begin(key)
    open("[")
    for text in texts {
      separate()
      SafeText.appendJSON(text, to: &bytes)
    }
    close("]")
  }

  /// An array of objects; `isOpen` leaves it to `continueArray`.
  mutating func array<Element>(
    _ key: String, _ elements: [Element], isOpen: Bool = false,
    _ body: (inout JSONBuilder, Element) -> Void
  ) {
    begin(key)
    open("[")
    addElements(elements, body)
    if !isOpen { close("]") }
  }

  /// Adds objects to the array that was left open.
  mutating func continueArray<Element>(
    _ elements: [Element], isOpen: Bool = false, _ body: (inout JSONBuilder, Element) -> Void
  ) {
    addElements(elements, body)
    if !isOpen { close("]") }
  }

  private mutating func addElements<Element>(
    _ elements: [Element], _ body: (inout JSONBuilder, Element) -> Void
  ) {
    for element in elements {
      separate()
      open("{")
      body(&self, element)
      close("}")
    }
  }

  mutating func finish() -> [UInt8] {
    close("}")
    return bytes + [UInt8(ascii: "\n")]
  }

  private mutating func begin(_ key: String) {
    separate()
    SafeText.appendJSON(key, to: &bytes)
    bytes.append(contentsOf: ": ".utf8)
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    newLine()
  }

  private mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    depth += 1
    isFirst = true
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    depth -= 1
    if !isFirst { newLine() }
    bytes.append(UInt8(ascii: bracket))
    isFirst = false
  }
}
