// SPDX-License-Identifier: Apache-2.0

internal import LogParser
internal import LogQuery

/// What the formats are, for people: as a table, and as the reference page.
enum FormatReference {
  /// One line for each format: name, family, what it maps, and an example's beginning.
  static func table(_ own: [FormatInfo]) -> String {
    var rows = [["NAME", "FAMILY", "MAPS", "EXAMPLE"]]
    for format in own + FormatRegistry.all {
      let mapping = FormatRegistry.mapping(of: format.name)
      let maps = mapping.columns.isEmpty ? "-" : mapping.columns.joined(separator: ",")
      let first = format.example.split(separator: "\n").first ?? ""
      rows.append([
        format.name, format.family, format.family == "user" ? "as configured" : maps,
        SafeText.escaped(String(first)),
      ])
    }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).map { $0.0.padded(to: $0.1) }.joined(separator: "  ") + "  " + row[3] + "\n"
    }.joined()
  }

  /// The page `contrib/docs/formats.md`.
  static func page() -> String {
    var text = """
      # Formats

      Made by `logagent formats --list --markdown` from the formats' own samples; a test compares it.

      A line is offered to the formats in the order of this table, your own (`[[format]]`) first; the
      first lines of a file choose its format, and lines of others in it are still recognised. What
      fits none is plain text. `logagent formats PATH` tells what a file is taken for, and why.

      | name | family | what it is | columns |
      |---|---|---|---|

      """
    for format in FormatRegistry.all {
      let columns = FormatRegistry.mapping(of: format.name).columns.joined(separator: ", ")
      text +=
        "| [\(format.name)](#\(format.name)) | \(format.family) | \(cell(format.summary)) | \(columns) |\n"
    }
    for format in FormatRegistry.all {
      text += "\n## \(format.name)\n\n\(sentence(format.summary))\n"
      text += "\n```text\n\(SafeText.escaped(format.example, keepsNewlines: true))\n```\n"
      let mapping = FormatRegistry.mapping(of: format.name)
      if !mapping.attributes.isEmpty {
        let names = mapping.attributes.map { "`\($0)`" }.joined(separator: ", ")
        text += "\nAttributes of its samples: \(names).\n"
      }
    }
    text += "\n## Crash reports\n\nTold by their content, in this order: "
    text += CrashReportParser.formatNames.map { "`\($0)`" }.joined(separator: ", ") + ".\n"
    return text
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }

  private static func sentence(_ text: String) -> String {
    let first = text.prefix(1).uppercased()
    // Names that begin small stay so.
    let word = text.prefix { $0 != " " }
    let keeps = word.contains { $0.isUppercase || $0 == "-" }
    return (keeps ? String(text) : first + text.dropFirst()) + "."
  }
}
