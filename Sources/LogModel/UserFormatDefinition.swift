// SPDX-License-Identifier: Apache-2.0

/// A log format as a user describes it: values only, compiled by the parser.
package struct UserFormatDefinition: Hashable, Sendable {
  /// Which words of a source mean a severity.
  package struct SeverityRule: Hashable, Sendable {
    package var severity: Severity
    /// In Perl's syntax; it must match the whole word.
    package var pattern: String

    package init(severity: Severity, pattern: String) {
      self.severity = severity
      self.pattern = pattern
    }
  }

  /// A record as the source writes it, and what is to be read from it.
  package struct Sample: Hashable, Sendable {
    /// The record: its lines joined by newlines.
    package var text: String
    /// Field and value, in the order of the fields' names.
    package var expected: [Expectation]
    /// Where it stands, for messages; empty for the format's own place.
    package var place: String

    package init(text: String, expected: [Expectation] = [], place: String = "") {
      self.text = text
      self.expected = expected
      self.place = place
    }
  }

  /// What a sample says of one field: its OpenTelemetry name, and its value as text.
  package struct Expectation: Hashable, Sendable {
    package var field: String
    package var value: String

    package init(field: String, value: String) {
      self.field = field
      self.value = value
    }
  }

  /// Lower case letters, digits and dashes; it is stored with each file.
  package var name: String
  package var summary = ""
  /// In Perl's syntax, from the first byte of a record on; the first that matches counts.
  package var patterns: [String] = []
  /// Whether a line begins a record; `nil` when one of `patterns` says it.
  package var recordStart: String?
  /// In the manner of strptime; empty for any time that the built-in formats know.
  package var timeLayouts: [String] = []
  /// Looked at in this order, before the usual words.
  package var severities: [SeverityRule] = []
  /// OpenTelemetry names of groups, by the group's name.
  package var fields: [String: String] = [:]
  /// Absolute glob patterns of the files in which it may stand; empty for all files.
  package var files: [String] = []
  /// The same as a regular expression that occurs in the file's path, as lnav has it.
  package var filePattern: String?
  package var samples: [Sample] = []
  /// An lnav format file to take instead of all this.
  package var lnavFile: String?
  /// Where it stands, for messages: `logagent.toml:12:1`.
  package var place: String

  package init(name: String, place: String) {
    self.name = name
    self.place = place
  }
}
