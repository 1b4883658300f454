// SPDX-License-Identifier: Apache-2.0

/// Turns bytes into the nodes of a `JSONTree`, with a stack of its own instead of recursion.
struct JSONReader {
  private let bytes: [UInt8]
  private(set) var nodes = ContiguousArray<JSONTree.Node>()
  private(set) var offset = 0
  private(set) var breakOffset: Int?
  private(set) var breakReason: String?
  /// The containers that are open.
  private var open: [Container] = []
  /// The last node is a key whose value has not come yet.
  private var pendingKey = false
  /// How often a string without a fitting end may still be looked for: each costs a scan.
  private var repairsLeft = 64
  /// The next string is a key of the innermost object.
  private var expectsKey = false

  private struct Container {
    /// Its index in `nodes`.
    var node: Int
    /// How many values of it are complete.
    var count = 0
  }

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    offset = start
  }

  mutating func read() {
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    guard bytes.count < Int(UInt32.max) else { return fail("the text is longer than 4 GiB") }
    repeat {
      readToken()
    } while breakOffset == nil && !open.isEmpty
    closeAll()
    if breakOffset == nil { skipBlanks() }
  }

  private mutating func readToken() {
    skipBlanks()
    guard offset < bytes.count else { return fail(atEnd) }
    guard nodes.count < JSONTree.maxNodes else {
      return fail("there are more than \(JSONTree.maxNodes) values")
    }
    let byte = bytes[offset]
    switch byte {
    case UInt8(ascii: ","):
      guard !open.isEmpty else { return fail("a value was expected") }
      expectsKey = isInObject
      dropKeyWithoutValue()
      offset += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      close(byte)
    case UInt8(ascii: "\""):
      readString()
    case _ where expectsKey:
      fail("a key was expected")
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      openContainer(byte)
    default:
      readWord()
    }
  }

  private var atEnd: String {
    switch open.last.map({ nodes[$0.node].kind }) {
    case nil: nodes.isEmpty ? "there is nothing" : "the text ends early"
    case .object?: "the text ends inside an object"
    default: "the text ends inside an array"
    }
  }

  private mutating func fail(_ reason: String, at position: Int? = nil) {
    breakOffset = position ?? offset
    breakReason = reason
  }

  private mutating func skipBlanks() {
    while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }
}

// MARK: - Containers

extension JSONReader {
  private mutating func openContainer(_ byte: UInt8) {
    if open.count >= JSONTree.maxDepth { return skipDeepContainer() }
    open.append(Container(node: nodes.count))
    append(byte == UInt8(ascii: "{") ? .object : .array, from: offset, to: offset)
    offset += 1
    expectsKey = byte == UInt8(ascii: "{")
  }

  private mutating func close(_ byte: UInt8) {
    guard let container = open.last?.node else { return fail("a value was expected") }
    let isObject = nodes[container].kind == .object
    guard isObject == (byte == UInt8(ascii: "}")) else {
      return fail("a bracket closes what it did not open")
    }
    dropKeyWithoutValue()
    offset += 1
    seal(container)
    open.removeLast()
    finishValue(container)
  }

  private var isInObject: Bool { open.last.map { nodes[$0.node].kind == .object } ?? false }

  /// Counts a complete value of the innermost container, and forgets it when an array has more
  /// than anyone reads: a runaway recursion gives frames by the hundred thousand.
  private mutating func finishValue(_ node: Int) {
    // A missing comma is forgiven: after a value, an object goes on with a key.
    expectsKey = isInObject
    guard !open.isEmpty else { return }
    open[open.count - 1].count += 1
    if !expectsKey, open[open.count - 1].count > JSONTree.maxElements {
      nodes.removeLast(nodes.count - node)
    }
  }

  private mutating func closeAll() {
    dropKeyWithoutValue()
    while let container = open.popLast() { seal(container.node) }
  }

  private mutating func seal(_ container: Int) {
    nodes[container].end = UInt32(truncatingIfNeeded: offset)
    nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
  }

  /// A key whose value is missing (`{"a",`, or the text broke off there) says nothing.
  private mutating func dropKeyWithoutValue() {
    guard pendingKey, !nodes.isEmpty else { return }
    nodes.removeLast()
    pendingKey = false
  }

  /// Passes over a container that lies too deep, minding strings.
  private mutating func skipDeepContainer() {
    let start = offset
    var depth = 0
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        var end = offset + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
          end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        offset = min(end, bytes.count - 1)
      default: break
      }
      offset += 1
      if depth == 0 { return appendValue(.null, from: start, to: offset) }
    }
    fail("the text ends inside a value nested deeper than \(JSONTree.maxDepth)", at: start)
  }
}

// MARK: - Values

extension JSONReader {
  private mutating func append(_ kind: JSONTree.Kind, from start: Int, to end: Int) {
    pendingKey = false
    nodes.append(
      JSONTree.Node(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
        next: UInt32(truncatingIfNeeded: nodes.count + 1), kind: kind))
  }

  private mutating func appendValue(_ kind: JSONTree.Kind, from start: Int, to end: Int) {
    append(kind, from: start, to: end)
    finishValue(nodes.count - 1)
  }

  private mutating func readString() {
    let start = offset + 1
    guard let (end, hasEscapes) = endOfString(from: start) else {
      return fail("the text ends inside a string", at: offset)
    }
    offset = end + 1
    let kind: JSONTree.Kind = hasEscapes ? .escapedString : .string
    guard expectsKey else { return appendValue(kind, from: start, to: end) }
    append(kind, from: start, to: end)
    pendingKey = true
    expectsKey = false
    skipBlanks()
    if offset < bytes.count, bytes[offset] == UInt8(ascii: ":") { offset += 1 }
  }

  /// The closing quote. A quote that nothing fitting follows was meant as part of the text: the
  /// Swift backtracer writes paths without escaping.
  private mutating func endOfString(from start: Int) -> (end: Int, hasEscapes: Bool)? {
    var index = start
    var hasEscapes = false
    var firstQuote: Int?
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"):
        hasEscapes = true
        index += 1
      case UInt8(ascii: "\""):
        if repairsLeft <= 0 || isFollowed(index) { return (index, hasEscapes) }
        firstQuote = firstQuote ?? index
      case 0x0A where firstQuote != nil:
        index = bytes.count
      default: break
      }
      index += 1
    }
    repairsLeft -= 1
    return firstQuote.map { ($0, hasEscapes) }
  }

  private func isFollowed(_ quote: Int) -> Bool {
    var index = quote + 1
    while index < bytes.count, Self.isBlank(bytes[index]) { index += 1 }
    guard index < bytes.count else { return true }
    switch bytes[index] {
    case UInt8(ascii: ":"): return expectsKey
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return !expectsKey
    default: return false
    }
  }

  /// A number, `true`, `NaN`, …: everything up to the next separator.
  private mutating func readWord() {
    let start = offset
    while offset < bytes.count, Self.isWord(bytes[offset]) { offset += 1 }
    guard offset > start else { return fail("a value was expected") }
    if offset == bytes.count, !open.isEmpty {
      return fail("the text ends inside a value", at: start)
    }
    guard let kind = Self.kind(ofWord: bytes[start..<offset]) else {
      offset = start
      return fail("there is an unknown word")
    }
    appendValue(kind, from: start, to: offset)
  }

  private static func kind(ofWord word: ArraySlice<UInt8>) -> JSONTree.Kind? {
    if word.elementsEqual("true".utf8) { return .yes }
    if word.elementsEqual("false".utf8) { return .no }
    if word.elementsEqual("null".utf8) { return .null }
    return looksNumeric(word) ? .number : nil
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func looksNumeric(_ word: ArraySlice<UInt8>) -> Bool {
    if word.contains(where: { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) { return true }
    let name = String(decoding: word, as: UTF8.self).lowercased()
    return ["nan", "-nan", "inf", "-inf", "+inf", "infinity", "-infinity"].contains(name)
  }
}
