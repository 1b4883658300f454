// SPDX-License-Identifier: Apache-2.0

/// What a shell may offer for a value.
package enum Completion: Sendable, Equatable {
  /// Nothing that is known beforehand.
  case none
  case files
  case folders
  /// Programs.
  case commands
  /// These words.
  case words([String])
  /// Names out of the store, asked for through `logagent complete-values`.
  case stored(StoredValue)

  /// The words of a type that names them all.
  package static func words<Choice: RawRepresentable & CaseIterable>(of _: Choice.Type)
    -> Completion
  where Choice.RawValue == String { .words(Choice.allCases.map(\.rawValue)) }
}

/// Kinds of names that `logagent complete-values` lists.
package enum StoredValue: String, CaseIterable, Sendable {
  case sources
  case processes
  case crashes
  case queries
}

/// A flag, as a switch or with one value.
package struct Flag: Sendable {
  /// Without dashes: `state-dir`.
  package var name: String
  package var short: Character?
  /// What stands for the value in the help; `nil` for a switch.
  package var value: String?
  package var summary: String
  /// The configuration's key that it sets, if it is about one.
  package var key: String?
  /// What shells offer for the value.
  package var completion: Completion
  /// Other names, which work and are not shown.
  package var aliases: [String] = []

  /// A flag.
  ///
  /// - Parameters:
  ///   - name: without dashes.
  ///   - short: its letter.
  ///   - value: what stands for the value in the help; `nil` for a switch.
  ///   - key: the configuration's key that it sets.
  ///   - completion: what shells offer; `nil` for files after `FILE`, folders after `DIR`.
  ///   - summary: a sentence without a full stop.
  package init(
    _ name: String, short: Character? = nil, value: String? = nil, key: String? = nil,
    completion: Completion? = nil, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.summary = summary
    self.key = key
    self.completion = completion ?? Self.usualCompletion(value)
  }

  private static func usualCompletion(_ value: String?) -> Completion {
    switch value {
    case "FILE": .files
    case "DIR": .folders
    default: .none
    }
  }
}
