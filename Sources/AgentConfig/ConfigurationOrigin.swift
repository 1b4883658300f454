// SPDX-License-Identifier: Apache-2.0

/// Where a value was said.
package enum ConfigurationOrigin: Hashable, Sendable, CustomStringConvertible {
  /// `line` and `column` count from 1; both are 0 when the file as a whole is meant.
  case file(path: String, line: Int, column: Int)
  /// The name of an environment variable.
  case environment(String)
  /// A flag, with its dashes.
  case flag(String)

  /// `file:line`, the variable, or the flag.
  package var description: String {
    switch self {
    case .file(let path, 0, _): path
    case .file(let path, let line, _): "\(path):\(line)"
    case .environment(let name): name
    case .flag(let name): name
    }
  }
}
