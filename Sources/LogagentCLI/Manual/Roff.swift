// SPDX-License-Identifier: Apache-2.0

/// Text in the macros of man(7), which `man` and `mandoc` set.
struct Roff {
  private(set) var text: String
  private var isAfterHeading = false

  /// Begins a page.
  ///
  /// - Parameters:
  ///   - title: `logagent-show`.
  ///   - section: of the manual: 1 for commands, 5 for files, 8 for services.
  ///   - source: where the table comes from, for the comment on top.
  init(title: String, section: Int, source: String) {
    // Without a date: the same tables make the same page.
    text = """
      .\\" Made from \(source); do not edit.
      .TH \(Self.escaped(title.uppercased())) \(section) "" "logagent \(CLI.version)" "logagent"

      """
  }

  mutating func section(_ title: String) {
    text += ".SH \(title)\n"
    isAfterHeading = true
  }

  /// Begins a paragraph; a heading has begun one.
  private mutating func separate() {
    if !isAfterHeading { text += ".PP\n" }
    isAfterHeading = false
  }

  /// Filled lines.
  mutating func paragraph(_ words: String) {
    separate()
    text += Self.line(words)
  }

  /// Lines as they are, indented.
  mutating func literal(_ lines: String) {
    separate()
    text += ".RS 4\n.nf\n"
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      text += Self.line(String(line))
    }
    text += ".fi\n.RE\n"
  }

  /// A bold term with what it means.
  mutating func term(_ term: String, argument: String? = nil, _ meaning: String) {
    isAfterHeading = false
    text += ".TP\n\\fB\(Self.escaped(term))\\fR"
    if let argument { text += " \\fI\(Self.escaped(argument))\\fR" }
    text += "\n" + Self.line(meaning)
  }

  /// References such as `logagent-show(1)`.
  mutating func references(_ pages: [(name: String, section: Int)]) {
    let list = pages.map { "\\fB\(Self.escaped($0.name))\\fR(\($0.section))" }
    separate()
    text += list.joined(separator: ",\n") + "\n"
  }

  /// Markup of one's own, for the synopsis.
  mutating func raw(_ markup: String) { text += markup + "\n" }

  /// `words` as one input line, whatever they begin with.
  static func line(_ words: String) -> String {
    let escaped = escaped(words)
    return (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
  }

  /// `text` with the characters that roff would take for its own. A plain dash would become a
  /// hyphen, which nobody can paste into a shell.
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "…": result += "..."
      default: result.append(character)
      }
    }
    return result
  }
}
