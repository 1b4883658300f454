// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogParser
internal import LogQuery
internal import SQLite

/// Why a command ends, with the status that says it to a script.
package struct CommandError: Error, Sendable {
  package var status: ExitStatus
  /// One line without the program's name; further lines are shown below it as they are.
  package var message: String

  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  /// A command line that is wrong.
  package static func usage(_ message: String) -> CommandError { CommandError(.usage, message) }

  /// What any error of the libraries means on the command line; `nil` for a reader that went away.
  init?(_ error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as OutputError:
      if error.isClosed { return nil }
      self.init(.inputOutput, error.description)
    case let error as QueryError: self.init(Self.status(error.kind), error.description)
    case let error as ConfigurationError:
      self.init(error.isOfFlagsAlone ? .usage : .configuration, error.description)
    case let error as UserFormatError:
      self.init(.configuration, SafeText.escaped(error.description))
    case let error as FileError: self.init(Self.status(error), error.description)
    case let error as SQLiteError:
      let known = QueryError(error, path: error.path ?? "the store")
      self.init(Self.status(known.kind), known.description)
    default: self.init(.inputOutput, "\(error)")
    }
  }

  /// What a flag names as the output cannot be made.
  static func cannotCreate(_ error: FileError) -> CommandError {
    CommandError(.cannotCreate, SafeText.escaped(error.description))
  }

  static func status(_ kind: QueryError.Kind) -> ExitStatus {
    switch kind {
    case .missing: .noInput
    case .pattern: .usage
    case .notAStore, .sql: .dataError
    case .notAllowed, .refused: .notAllowed
    case .busy, .timedOut: .tryAgain
    case .interrupted: .interrupted
    case .storage: .inputOutput
    }
  }

  static func status(_ error: FileError) -> ExitStatus {
    if error.isNotFound { return .noInput }
    return error.isPermission ? .notAllowed : .inputOutput
  }
}

extension ConfigurationError {
  /// Whether nothing but the command line is wrong.
  fileprivate var isOfFlagsAlone: Bool {
    problems.allSatisfy { if case .flag = $0.origin { true } else { false } }
  }
}
