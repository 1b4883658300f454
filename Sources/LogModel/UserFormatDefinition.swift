// SPDX-License-Identifier: Apache-2.0

/// A log format as a user describes it: values only, compiled by the parser.
public struct UserFormatDefinition: Hashable, Sendable {
  /// Which words of a source mean a severity.
  public struct SeverityRule: Hashable, Sendable {
    public var severity: Severity
    /// In Perl's syntax; it must match the whole word.
    public var pattern: String

    public init(severity: Severity, pattern: String) {
      self.severity = severity
      self.pattern = pattern
    }
  }

  /// A record as the source writes it, and what is to be read from it.
  public struct Sample: Hashable, Sendable {
    /// The record: its lines joined by newlines.
    public var text: String
    /// Field and value, in the order of the fields' names.
    public var expected: [Expectation]
    /// Where it stands, for messages; empty for the format's own place.
    public var place: String

    public init(text: String, expected: [Expectation] = [], place: String = "") {
      self.text = text
      self.expected = expected
      self.place = place
    }
  }

  /// What a sample says of one field: its OpenTelemetry name, and its value as text.
  public struct Expectation: Hashable, Sendable {
    public var field: String
    public var value: String

    public init(field: String, value: String) {
      self.field = field
      self.value = value
    }
  }

  /// Lower case letters, digits and dashes; it is stored with each file.
  public var name: String
  public var summary = ""
  /// In Perl's syntax, from the first byte of a record on; the first that matches counts.
  public var patterns: [String] = []
  /// Whether a line begins a record; `nil` when one of `patterns` says it.
  public var recordStart: String?
  /// In the manner of strptime; empty for any time that the built-in formats know.
  public var timeLayouts: [String] = []
  /// Looked at in this order, before the usual words.
  public var severities: [SeverityRule] = []
  /// OpenTelemetry names of groups, by the group's name.
  public var fields: [String: String] = [:]
  /// Absolute glob patterns of the files in which it may stand; empty for all files.
  public var files: [String] = []
  /// The same as a regular expression that occurs in the file's path, as lnav has it.
  public var filePattern: String?
  public var samples: [Sample] = []
  /// An lnav format file to take instead of all this.
  public var lnavFile: String?
  /// Where it stands, for messages: `logagent.toml:12:1`.
  public var place: String

  public init(name: String, place: String) {
    self.name = name
    self.place = place
  }
}
