// SPDX-License-Identifier: Apache-2.0

/// Values that stand where a secret could and are none: words of state, and what others masked.
enum TrivialValues {
  private static let words: Set<String> = [
    "true", "false", "null", "nil", "none", "undefined", "empty", "yes", "no", "required",
    "missing", "invalid", "valid", "expired", "denied", "granted", "unset", "ok", "enabled",
    "disabled", "changed", "rejected", "accepted", "redacted", "filtered", "masked", "hidden",
    "removed", "omitted", "bearer", "basic", "failed", "string", "nan", "incorrect", "wrong",
    "mismatch", "done", "set", "unknown", "unchanged", "updated", "revoked", "refreshed", "absent",
    "optionalstring",
  ]

  /// What programs and templates put a value into, and calls that give one: `%s`, `{}`, `${NAME}`,
  /// `{{ name }}`, `next(`.
  private static func isPlaceholder(_ value: TextBytes) -> Bool {
    if value.count == 2, value[0] == UInt8(ascii: "%") {
      return value.has(1, ByteClass.letter) || value[1] == UInt8(ascii: "@")
    }
    if value[0] == UInt8(ascii: "?"), value.count == 1 { return true }
    if value.matches("${", at: 0) || value.matches("{{", at: 0) || value.matches("{}", at: 0)
      || (value[0] == UInt8(ascii: "{") && value.count == 1)
    {
      return true
    }
    guard value[value.count - 1] == UInt8(ascii: "(") else { return false }
    return value.dropLast().allSatisfy { $0 | 0x20 &- 0x61 < 26 || "._".utf8.contains($0) }
  }

  static func contains(_ value: TextBytes) -> Bool {
    if value.isEmpty || value.isMark(0..<value.count) { return true }
    // ***, xxxx, ....
    if let first = value.first, "*x.-".utf8.contains(first), value.allSatisfy({ $0 == first }) {
      return first == UInt8(ascii: "*") || value.count > 2
    }
    if isPlaceholder(value) { return true }
    guard value.count <= 16 else { return false }
    var letters = value
    // [REDACTED], <hidden>, (null), ${…}
    if let first = value.first, let last = value.last, "[<({".utf8.contains(first) {
      letters = value.slice(1..<value.count - ("]>)}".utf8.contains(last) ? 1 : 0))
    }
    guard letters.allSatisfy({ $0 | 0x20 &- 0x61 < 26 || ".,?<>".utf8.contains($0) }) else {
      return false
    }
    return words.contains(
      String(decoding: letters.filter { $0 | 0x20 &- 0x61 < 26 }.map { $0 | 0x20 }, as: UTF8.self))
  }
}
