// SPDX-License-Identifier: Apache-2.0

/// The list of built-in formats, for people and for the tests.
package enum FormatRegistry {
  /// One entry for each format, the most specific first.
  package static let all = FormatKind.allCases.map(\.info)

  /// The samples of the format with that name; empty for a name that does not exist.
  package static func samples(of name: String) -> [FormatSample] {
    FormatKind.allCases.first { $0.info.name == name }?.format.samples ?? []
  }
}
