// SPDX-License-Identifier: Apache-2.0

/// Where the lines of an interactive session come from.
package protocol LineInput: AnyObject {
  /// Words that the tabulator completes.
  var completions: [String] { get set }
  /// The next line without its newline; `nil` at the end of input.
  func read(prompt: String) -> String?
  /// Around each question: SIGINT ends the question then, not the session.
  func begin()
  /// See `begin`.
  func end()
}
