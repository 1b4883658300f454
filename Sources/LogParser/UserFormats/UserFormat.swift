// SPDX-License-Identifier: Apache-2.0

package import LogModel
internal import Patterns

/// Why a format of the configuration can't be used.
package struct UserFormatError: Error, CustomStringConvertible, Sendable {
  /// Where the format, or its sample, stands.
  package var place: String
  /// The format's name.
  package var name: String
  package var reason: String

  package init(place: String, name: String, reason: String) {
    self.place = place
    self.name = name
    self.reason = reason
  }

  /// `logagent.toml:12:1: format 'shop': pattern 'a(': missing closing parenthesis, at character 3`.
  package var description: String { "\(place): format '\(name)': \(reason)" }
}

/// A format of the configuration, compiled. Many files may share it; what reads one is a
/// `UserFormatReader`.
package final class UserFormat: Sendable {
  package let definition: UserFormatDefinition
  let patterns: [Compiled]
  /// Whether a line begins a record; `nil` when the patterns say it.
  let recordStart: Pattern?
  let layouts: [TimeLayout]
  let severities: [(pattern: Pattern, severity: Severity)]
  private let filePattern: Pattern?

  /// A pattern with where its groups go.
  struct Compiled: Sendable {
    let pattern: Pattern
    let fields: [(group: Int, field: UserFormatField)]
    let hasBody: Bool
  }

  package var name: String { definition.name }

  package var info: FormatInfo {
    let first = definition.samples.first?.text ?? ""
    return FormatInfo(
      name: definition.name, family: "user",
      summary: definition.summary.isEmpty ? "by \(definition.place)" : definition.summary,
      example: first)
  }

  /// Compiles what `definition` says; its samples are not tried yet.
  ///
  /// - Throws: `UserFormatError`.
  package init(_ definition: UserFormatDefinition) throws(UserFormatError) {
    func failure(_ reason: String) -> UserFormatError {
      UserFormatError(place: definition.place, name: definition.name, reason: reason)
    }
    guard !definition.patterns.isEmpty else { throw failure("it has no pattern") }
    do throws(PatternError) {
      patterns = try definition.patterns.map { text throws(PatternError) in
        try Self.compile(text, definition.fields)
      }
      recordStart = try definition.recordStart.map { text throws(PatternError) in
        try Pattern(text, isAnchored: true)
      }
      severities = try definition.severities.map { rule throws(PatternError) in
        (try Pattern("(?:" + rule.pattern + ")\\z", isAnchored: true), rule.severity)
      }
      filePattern = try definition.filePattern.map { text throws(PatternError) in
        try Pattern(text)
      }
    } catch { throw failure(error.description) }
    do throws(TimeLayoutError) {
      layouts = try definition.timeLayouts.map { text throws(TimeLayoutError) in
        try TimeLayout(text)
      }
    } catch { throw failure(error.description) }
    let groups = Set(patterns.flatMap { $0.pattern.names.map(\.name) })
    for name in definition.fields.keys.sorted() where !groups.contains(name) {
      throw failure(
        "fields names a group '\(name)' that no pattern has"
          + NearestName.hint(name, in: groups.sorted()))
    }
    self.definition = definition
  }

  private static func compile(
    _ text: String, _ names: [String: String]
  ) throws(PatternError) -> Compiled {
    let pattern = try Pattern(text, isAnchored: true)
    var fields: [(group: Int, field: UserFormatField)] = []
    var hasBody = false
    for (name, group) in pattern.names {
      let field: UserFormatField =
        names[name] == "" ? .none : UserFormatField(name: names[name] ?? name)
      if case .body = field { hasBody = true }
      fields.append((group, field))
    }
    return Compiled(pattern: pattern, fields: fields, hasBody: hasBody)
  }

  /// Whether `path` is one that the format's expression for paths allows; the globs are the caller's.
  package func allows(path: String) -> Bool { filePattern?.matches(path) ?? true }
}
