// SPDX-License-Identifier: Apache-2.0

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
  /// What shells offer for the operands; files where they are called `FILE` or `PATH`.
  package var operandCompletion: Completion?
  package var examples: [Example] = []
  /// Those of every command are not among them.
  package var flags: [Flag] = []
  /// Paragraphs of the help, after the flags.
  package var notes: [String] = []
  /// For scripts of ours alone: neither help nor manual names it.
  package var isHidden = false
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
    .`init`,
    .run,
    .import,
    .exec,
    .show,
    .stats,
    .query,
    .crashes,
    .crashShow,
    .status,
    .doctor,
    .metrics,
    .export,
    .verify,
    .upload,
    .bundleDiff,
    .redactions,
    .formats,
    .explain,
    .cat,
    .audit,
    .prune,
    .checkConfig,
    .retime,
    .completions,
    .completeValues,
  ]

  /// Those that people type: all but the hidden ones.
  package static var visible: [Command] { all.filter { !$0.isHidden } }

  /// The flags that every command takes.
  static let commonFlags: [Flag] = [
    Flag("config", value: "FILE", "Read the configuration from FILE"),
    Flag("state-dir", value: "DIR", key: "state_dir", "Where the store lies"),
    Flag("help", short: "h", "Show this help; -h without the explanations"),
  ]

  /// Its own flags, then those of every command.
  package var allFlags: [Flag] { flags + Self.commonFlags }

  /// What shells offer for its operands.
  package var completion: Completion {
    if let operandCompletion { return operandCompletion }
    return operands.contains("PATH") || operands.contains("FILE") ? .files : .none
  }
}
