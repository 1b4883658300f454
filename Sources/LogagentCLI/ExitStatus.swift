// SPDX-License-Identifier: Apache-2.0

/// What a command leaves behind for a script; the numbers from 64 are those of sysexits.h.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  /// It did what was asked. A reader that went away (`… | head`) is fine too.
  case ok = 0
  /// It worked, and what was asked for is not there.
  case nothingFound = 1
  /// Some of the input could not be read; the rest was done.
  case someInputFailed = 2
  /// `crashes --last-run`: it crashed, and nobody has acknowledged that.
  case crashed = 3
  /// The command line is wrong.
  case usage = 64
  /// The data is wrong: SQL text, a file that is no store, a damaged store.
  case dataError = 65
  /// What should be read is not there: no store, no such file.
  case noInput = 66
  /// Something that is needed is not available.
  case unavailable = 69
  /// The output cannot be created.
  case cannotCreate = 73
  /// Reading or writing failed, such as for lack of space.
  case inputOutput = 74
  /// It may work later: the store is in use, or a time limit was reached.
  case tryAgain = 75
  /// The file system, or the rule that a query only reads, does not allow it.
  case notAllowed = 77
  /// The configuration is wrong.
  case configuration = 78
  /// SIGINT came.
  case interrupted = 130

  /// The line of `logagent --help` about it.
  var summary: String {
    switch self {
    case .ok: "success"
    case .nothingFound: "nothing found"
    case .someInputFailed: "some of the input could not be read"
    case .crashed: "the last run crashed (crashes --last-run)"
    case .usage: "wrong command line"
    case .dataError: "wrong SQL, a damaged store, or refused by a server"
    case .noInput: "no store, or no such file"
    case .unavailable: "something needed is not available"
    case .cannotCreate: "the output cannot be created"
    case .inputOutput: "reading or writing failed"
    case .tryAgain: "in use or out of time; try again"
    case .notAllowed: "not allowed"
    case .configuration: "wrong configuration"
    case .interrupted: "interrupted"
    }
  }
}
