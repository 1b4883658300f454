// SPDX-License-Identifier: Apache-2.0

/// Everything that is wrong with a configuration, in the order of its places.
package struct ConfigurationError: Error, CustomStringConvertible, Sendable {
  /// One thing that is wrong.
  package struct Problem: Hashable, CustomStringConvertible, Sendable {
    package typealias Origin = ConfigurationOrigin

    /// Where it was said.
    package var origin: Origin
    /// The key in full, as in `limits.max_line_bytes`; empty where no key is meant.
    package var key: String
    /// What was expected, what was got, and what to do.
    package var message: String

    package init(origin: Origin, key: String, message: String) {
      self.origin = origin
      self.key = key
      self.message = message
    }

    /// `file:line:column: key: message`.
    package var description: String {
      let place =
        switch origin {
        case .file(let path, 0, _): path
        case .file(let path, let line, let column): "\(path):\(line):\(column)"
        case .environment(let name): "environment variable \(name)"
        case .flag(let name): name
        }
      return [place, key, message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
  }

  package var problems: [Problem]

  package init(problems: [Problem]) { self.problems = problems }

  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
