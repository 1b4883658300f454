// SPDX-License-Identifier: Apache-2.0

/// A pattern that can't be compiled.
package struct PatternError: Error, CustomStringConvertible, Sendable {
  package var pattern: String
  /// Why, in PCRE2's words.
  package var reason: String
  /// Byte offset in `pattern` at which it was noticed.
  package var offset: Int

  /// `pattern 'a(': missing closing parenthesis, at character 3`.
  package var description: String {
    let before = String(decoding: Array(pattern.utf8).prefix(offset), as: UTF8.self)
    return "pattern '\(pattern)': \(reason), at character \(before.count + 1)"
  }
}
