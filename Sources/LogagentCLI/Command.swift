// SPDX-License-Identifier: Apache-2.0

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
  /// Other names, which work and are not shown.
  package var aliases: [String] = []

  /// A flag.
  ///
  /// - Parameters:
  ///   - name: without dashes.
  ///   - short: its letter.
  ///   - value: what stands for the value in the help; `nil` for a switch.
  ///   - summary: a sentence without a full stop.
  ///   - key: the configuration's key that it sets.
  package init(
    _ name: String, short: Character? = nil, value: String? = nil, key: String? = nil,
    _ summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.key = key
    self.summary = summary
  }
}

/// One command: what the parser, the help and the completions are made from, and what it does.
package struct Command: Sendable {
  /// A command line with what it is for.
  package struct Example: Sendable {
    package var line: String
    package var purpose: String

    package init(_ line: String, _ purpose: String) {
      self.line = line
      self.purpose = purpose
    }
  }

  /// One word, or two as in `crash show`.
  package var name: String
  /// A sentence without a full stop.
  package var summary: String
  /// What follows the flags: `SQL`, `[PATH…]`; empty for nothing.
  package var operands = ""
  /// How many operands there may be.
  package var operandCount: ClosedRange<Int> = 0...0
  package var examples: [Example] = []
  /// Those of every command are not among them.
  package var flags: [Flag] = []
  /// Paragraphs of the help, after the flags.
  package var notes: [String] = []
  package var run: @Sendable (Invocation) throws -> ExitStatus

  package init(
    _ name: String, _ summary: String, run: @escaping @Sendable (Invocation) throws -> ExitStatus
  ) {
    self.name = name
    self.summary = summary
    self.run = run
  }

  /// All commands, in the order of the help.
  package static let all: [Command] = [
    .run, .import, .exec, .show, .query, .crashes, .crashShow, .status,
    .export, .verify, .upload, .formats,
    .audit,
    .checkConfig,
  ]

  /// The flags that every command takes.
  static let commonFlags: [Flag] = [
    Flag("config", value: "FILE", "Read the configuration from FILE"),
    Flag("state-dir", value: "DIR", key: "state_dir", "Where the store lies"),
    Flag("help", short: "h", "Show this help"),
  ]

  var allFlags: [Flag] { flags + Self.commonFlags }
}
