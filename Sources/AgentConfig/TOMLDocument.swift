// SPDX-License-Identifier: Apache-2.0

internal import CTOML

/// A place in a configuration file; lines and columns count from 1.
struct TOMLPosition: Hashable, Sendable {
  var line: Int
  var column: Int
}

/// A value of a TOML file, with its place.
struct TOMLNode: Sendable {
  indirect enum Value: Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case date(String)
    case array([TOMLNode])
    case table([TOMLEntry])
  }

  var value: Value
  var position: TOMLPosition

  /// The value as an error message names it: `"text"`, `30`, `a table`.
  var asGot: String {
    switch value {
    case .string(let text): "\"\(text)\""
    case .integer(let number): String(number)
    case .float(let number): String(number)
    case .boolean(let flag): String(flag)
    case .date(let text): "the date \(text)"
    case .array: "a list"
    case .table: "a table"
    }
  }
}

/// A key with its value.
struct TOMLEntry: Sendable {
  var key: String
  /// Where the key itself stands.
  var position: TOMLPosition
  var node: TOMLNode
}

/// A text that is no TOML.
struct TOMLSyntaxError: Error {
  var message: String
  var position: TOMLPosition
}

/// Parses TOML into a tree.
enum TOMLDocument {
  /// The entries of the root table.
  ///
  /// - Throws: `TOMLSyntaxError`.
  static func parse(_ text: [UInt8]) throws(TOMLSyntaxError) -> [TOMLEntry] {
    let builder = TOMLTreeBuilder()
    text.withUnsafeBytes { bytes in
      // An empty array has no address; toml++ wants one, never read.
      var none: CChar = 0
      withUnsafePointer(to: &none) { empty in
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? empty
        la_toml_walk(
          start, bytes.count, visitTOML, Unmanaged.passUnretained(builder).toOpaque())
      }
    }
    if let failure = builder.failure { throw failure }
    return builder.root
  }
}

private func visitTOML(
  _ context: UnsafeMutableRawPointer?, _ event: UnsafePointer<la_toml_event>?
) {
  guard let context, let event else { return }
  Unmanaged<TOMLTreeBuilder>.fromOpaque(context).takeUnretainedValue().take(event.pointee)
}

/// Puts the events of a walk together.
private final class TOMLTreeBuilder {
  /// A table or an array that has begun.
  struct Open {
    var event: la_toml_event
    var key: String?
    var entries: [TOMLEntry] = []
    var elements: [TOMLNode] = []
  }

  var open: [Open] = []
  var root: [TOMLEntry] = []
  var failure: TOMLSyntaxError?

  func take(_ event: la_toml_event) {
    let key = event.key.map { Self.text($0, event.key_length) }
    switch event.kind {
    case LA_TOML_TABLE, LA_TOML_ARRAY: open.append(Open(event: event, key: key))
    case LA_TOML_END: close()
    case LA_TOML_ERROR:
      failure = TOMLSyntaxError(
        message: Self.text(event.text, event.text_length), position: Self.position(event))
    default: add(Self.scalar(event), key: key, of: event)
    }
  }

  private func close() {
    guard let done = open.popLast() else { return }
    if open.isEmpty {
      root = done.entries
    } else {
      let isTable = done.event.kind == LA_TOML_TABLE
      add(isTable ? .table(done.entries) : .array(done.elements), key: done.key, of: done.event)
    }
  }

  private func add(_ value: TOMLNode.Value, key: String?, of event: la_toml_event) {
    guard !open.isEmpty else { return }
    let node = TOMLNode(value: value, position: Self.position(event))
    if let key {
      let place = TOMLPosition(line: Int(event.key_line), column: Int(event.key_column))
      open[open.count - 1].entries.append(TOMLEntry(key: key, position: place, node: node))
    } else {
      open[open.count - 1].elements.append(node)
    }
  }

  private static func scalar(_ event: la_toml_event) -> TOMLNode.Value {
    switch event.kind {
    case LA_TOML_STRING: .string(text(event.text, event.text_length))
    case LA_TOML_INTEGER: .integer(event.integer)
    case LA_TOML_FLOAT: .float(event.number)
    case LA_TOML_BOOLEAN: .boolean(event.integer != 0)
    default: .date(text(event.text, event.text_length))
    }
  }

  private static func position(_ event: la_toml_event) -> TOMLPosition {
    TOMLPosition(line: Int(event.line), column: Int(event.column))
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    return String(decoding: bytes, as: UTF8.self)
  }
}
