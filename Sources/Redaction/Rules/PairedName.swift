// SPDX-License-Identifier: Apache-2.0

/// A secret whose name is itself a value: `"name": "DB_PASSWORD", "value": "x"`,
/// `<add key="password" value="x"/>`, `<key>password</key><string>x</string>`.
enum PairedName {
  /// What the value behind the key `value` is, by the name that stands before it.
  static func kind(
    _ text: TextBytes, ofValueAt key: Key, _ names: SecretNames
  ) -> SecretNames.Kind? {
    let isSome = key.range.count == 4 && text.matches("some", at: key.range.lowerBound)
    guard
      isSome
        || (key.range.count == 5
          && text.matches("value", at: key.range.lowerBound, ignoresCase: true))
    else { return nil }
    let end = skipBack(text, key.outer.lowerBound)
    if isSome { return kindOfOptional(text, endingAt: end, names) }
    let start = text.start(of: ByteClass.key, before: end, limit: 64)
    guard start < end else { return nil }
    if text.byte(start - 1) == UInt8(ascii: "<") { return names.kind(text.slice(start..<end)) }
    var separator = start
    while separator > 0, isQuoteOrBlank(text[separator - 1]) { separator -= 1 }
    guard ":=".utf8.contains(text.byte(separator - 1)),
      let label = Key(text, before: separator - 1),
      labels.contains(where: { isLabel($0, text.slice(label.range)) })
    else { return nil }
    return names.kind(text.slice(start..<end))
  }

  /// Swift's `dump` has the value of an optional once more, in the line below.
  private static func kindOfOptional(
    _ text: TextBytes, endingAt end: Int, _ names: SecretNames
  ) -> SecretNames.Kind? {
    guard text.byte(end - 1) == UInt8(ascii: ")") else { return nil }
    var start = end - 1
    while start > 0, end - start < 400, !text.matches("Optional(", at: start) { start -= 1 }
    let colon = text.start(of: ByteClass.blank, before: start, limit: 4) - 1
    guard text.byte(colon) == UInt8(ascii: ":"), let key = Key(text, before: colon) else {
      return nil
    }
    return names.kind(text.slice(key.range))
  }

  /// Whether the element before the one whose `<` is at `index` names a secret.
  static func isSecret(
    _ text: TextBytes, beforeElement index: Int, _ names: SecretNames
  ) -> Bool {
    let end = text.start(of: ByteClass.blank, before: index, limit: 80)
    for close: StaticString in ["</key>", "</name>"] where text.matches(close, before: end) {
      let nameEnd = end - close.utf8CodeUnitCount
      let start = text.start(of: ByteClass.key, before: nameEnd, limit: 64)
      return start < nameEnd && names.kind(text.slice(start..<nameEnd)) != nil
    }
    return false
  }

  private static let labels: [StaticString] = ["name", "key", "header", "variable", "field"]

  private static func isLabel(_ label: StaticString, _ name: TextBytes) -> Bool {
    name.count == label.utf8CodeUnitCount && name.matches(label, at: 0, ignoresCase: true)
  }

  private static func isQuoteOrBlank(_ byte: UInt8) -> Bool {
    "\"'\\ ".utf8.contains(byte)
  }

  /// Before what parts two members: commas, quotes, line ends, also escaped ones.
  private static func skipBack(_ text: TextBytes, _ start: Int) -> Int {
    var index = start
    while index > 0, start - index < 40 {
      if isQuoteOrBlank(text[index - 1]) || ",;\n\r\t-".utf8.contains(text[index - 1]) {
        index -= 1
      } else if text.isEscape(index - 1) {
        index -= 2
      } else {
        break
      }
    }
    return index
  }
}
