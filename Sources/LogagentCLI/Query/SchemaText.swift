// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The views and columns as text for a terminal, and as documentation.
package enum SchemaText {
  /// One view, or all of them.
  ///
  /// - Parameters:
  ///   - name: of a view; `nil` for all.
  ///   - columns: of the terminal.
  static func plain(of name: String?, columns: Int) -> String {
    let views = ViewReference.all.filter { name == nil || $0.name == name }
    if views.isEmpty, let name {
      return "no view '\(name)'" + NearestName.hint(name, in: ViewReference.all.map(\.name)) + "\n"
    }
    var text = ""
    for view in views {
      text += (text.isEmpty ? "" : "\n") + "\(view.name): \(view.summary)\n"
      let width = view.columns.map(\.name.count).max() ?? 0
      for column in view.columns {
        let lines = TextWrap.lines(column.meaning, width: max(20, columns - width - 4))
        let margin = "\n" + String(repeating: " ", count: width + 4)
        text += "  \(column.name.padded(to: width))  \(lines.joined(separator: margin))\n"
      }
    }
    return text
  }

  /// `contrib/docs/schema.md`.
  package static var markdown: String {
    var text = """
      <!-- Made from the table of views of logagent; do not edit. -->
      # Schema

      A store is one SQLite file, `logs.db` in the state directory. Its views are the contract;
      tables are not: they change between versions. Times are signed 64-bit nanoseconds since
      1970-01-01T00:00:00Z, or text in UTC. Columns without a value are NULL. The order of records
      is total: `ORDER BY time_unix_nano, source, file_generation, byte_offset`.

      `logagent query --help-schema` prints this; `PRAGMA user_version` is the version of the schema.

      """
    for view in ViewReference.all {
      text += "\n## `\(view.name)`\n\n\(view.summary).\n\n| column | meaning |\n|---|---|\n"
      for column in view.columns {
        text += "| `\(column.name)` | \(column.meaning.replacing("|", with: "\\|")) |\n"
      }
    }
    return text
  }
}
