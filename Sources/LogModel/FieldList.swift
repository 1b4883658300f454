// SPDX-License-Identifier: Apache-2.0

/// A text of lines `key value`, for what our own programs tell each other and remember.
///
/// A key may stand in several lines. In a value `\` and newlines are escaped, so any text comes back
/// as it was.
public struct FieldList: Hashable, Sendable {
  private struct Entry: Hashable, Sendable {
    var key: String
    var value: String
  }

  private var entries: [Entry] = []

  public init() {}

  /// Reads what `text` gave. Lines of another form are passed over.
  public init(_ text: String) {
    for line in text.split(separator: "\n") {
      guard let blank = line.firstIndex(of: " ") else { continue }
      append(String(line[..<blank]), Self.unescaped(line[line.index(after: blank)...]))
    }
  }

  /// The lines, in the order in which they were added.
  public var text: String {
    entries.map { "\($0.key) \(Self.escaped($0.value))\n" }.joined()
  }

  /// The value of the last line of this key; setting it replaces all of them, `nil` removes them.
  public subscript(key: String) -> String? {
    get { entries.last { $0.key == key }?.value }
    set {
      entries.removeAll { $0.key == key }
      if let newValue { append(key, newValue) }
    }
  }

  /// The value as a whole number.
  public func integer(_ key: String) -> Int64? { self[key].flatMap { Int64($0) } }

  /// The values of all lines of this key.
  public func all(_ key: String) -> [String] { entries.filter { $0.key == key }.map(\.value) }

  /// Adds a line. A key has no blanks.
  public mutating func append(_ key: String, _ value: String) {
    entries.append(Entry(key: key, value: value))
  }

  /// Adds all lines of another list.
  public mutating func append(contentsOf other: FieldList) { entries += other.entries }

  private static func escaped(_ value: String) -> String {
    var text = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func unescaped(_ value: Substring) -> String {
    var text = String.UnicodeScalarView()
    var isEscape = false
    for scalar in value.unicodeScalars {
      if isEscape {
        isEscape = false
        text.append(scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
      } else if scalar == "\\" {
        isEscape = true
      } else {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
