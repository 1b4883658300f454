// SPDX-License-Identifier: Apache-2.0

/// A JSON text read as a flat list of nodes over its own bytes.
///
/// It takes what damaged reports hold: a text that breaks off (what was complete is kept), trailing
/// and missing commas, `NaN`, numbers beyond every range, invalid UTF-8, a quote in a string that
/// the writer forgot to escape. Reading is iterative and linear; nothing in the text can make it
/// recurse. 16 bytes are kept for each value, and at most `maxNodes` values.
package final class JSONTree: Sendable {
  /// Deeper containers are skipped, and read as `null`.
  package static let maxDepth = 512
  /// Further elements of an array are passed over.
  package static let maxElements = 10_000
  /// Values (and keys) after which the rest is left unread, as if the text broke off there.
  package static let maxNodes = 4_000_000

  enum Kind: UInt8 {
    case object, array, string, escapedString, number, yes, no, null
  }

  struct Node {
    /// The content: without quotes for a string, from the brace on for a container.
    var start: UInt32
    var end: UInt32
    /// The index of the node after this one and its children.
    var next: UInt32
    var kind: Kind
  }

  let bytes: [UInt8]
  let nodes: ContiguousArray<Node>
  /// Where the text stops being JSON, in bytes; `nil` when it is whole.
  package let breakOffset: Int?
  /// What is wrong there, as a clause: `the text ends inside an object`.
  package let breakReason: String?
  /// The first byte after the value (and the blanks behind it).
  package let endOffset: Int

  /// Reads the first value at or after `start`; never fails, but may have no `root`.
  package init(_ bytes: [UInt8], from start: Int = 0) {
    var reader = JSONReader(bytes, from: start)
    reader.read()
    self.bytes = bytes
    self.nodes = reader.nodes
    self.breakOffset = reader.breakOffset
    self.breakReason = reader.breakReason
    self.endOffset = reader.offset
  }

  /// The outermost value; `nil` when there is none.
  package var root: JSONValue? { nodes.isEmpty ? nil : JSONValue(tree: self, index: 0) }

  /// Whether the text is one whole JSON value and nothing else.
  package var isWhole: Bool { breakOffset == nil && !nodes.isEmpty && endOffset == bytes.count }
}
