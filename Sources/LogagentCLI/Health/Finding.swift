// SPDX-License-Identifier: Apache-2.0

/// What an examination found at one place.
struct Finding {
  enum Level: String {
    /// As it should be.
    case ok
    /// It works, and may not one day.
    case warning
    /// Something is lost or does not work.
    case problem
  }

  var level: Level
  /// What was looked at, in one or two words.
  var subject: String
  /// What was found, in one sentence without a full stop.
  var text: String
  /// What to do; empty when all is well.
  var remedy: String

  static func ok(_ subject: String, _ text: String) -> Finding {
    Finding(level: .ok, subject: subject, text: text, remedy: "")
  }

  static func warning(_ subject: String, _ text: String, remedy: String) -> Finding {
    Finding(level: .warning, subject: subject, text: text, remedy: remedy)
  }

  static func problem(_ subject: String, _ text: String, remedy: String) -> Finding {
    Finding(level: .problem, subject: subject, text: text, remedy: remedy)
  }
}
