// SPDX-License-Identifier: Apache-2.0

/// Where a credential comes from when it is needed. The credential itself is never configured.
public enum SecretSource: Hashable, Sendable {
  /// A variable of the environment.
  case environment(String)
  /// A file that holds nothing else; a last newline is not part of it.
  case file(String)
  /// The standard output of a program, with its arguments; run without a shell.
  case command([String])

  /// As one text, for `init(text:)`.
  public var text: String {
    switch self {
    case .environment(let name): "env:" + name
    case .file(let path): "file:" + path
    case .command(let words): "command:" + words.joined(separator: "\u{1f}")
    }
  }

  /// What `text` gave, as a person may write it too: `env:NAME`, `file:PATH`; `nil` otherwise.
  public init?(text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = String(text[text.index(after: colon)...])
    if rest.isEmpty { return nil }
    switch text[..<colon] {
    case "env": self = .environment(rest)
    case "file": self = .file(rest)
    case "command": self = .command(rest.split(separator: "\u{1f}").map(String.init))
    default: return nil
    }
  }

  /// What it is called in a message: `the variable NAME`.
  public var name: String {
    switch self {
    case .environment(let name): "the variable \(name)"
    case .file(let path): "the file \(path)"
    case .command(let words): "the command \(words.first ?? "")"
    }
  }
}
