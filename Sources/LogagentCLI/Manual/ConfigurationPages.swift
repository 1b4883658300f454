// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig

extension ManualPage {
  /// `logagent.toml(5)`.
  static var configurationFile: ManualPage {
    var roff = Roff(title: "logagent.toml", section: 5, source: "the table of settings of logagent")
    roff.section("NAME")
    roff.raw("logagent.toml \\- configuration of logagent")
    roff.section("DESCRIPTION")
    for paragraph in ConfigurationText.introduction { roff.paragraph(paragraph) }
    for table in ConfigurationText.tables {
      roff.section(table.map { "[\($0)]" } ?? "TOP OF THE FILE")
      for key in ConfigurationReference.keys where key.table == table {
        roff.term(key.name, argument: key.type, sentence(key.summary))
        let range = key.range.map { "From \($0). ".replacing("or more", with: "on") } ?? ""
        roff.raw(".br\n" + Roff.line("\(range)Default: \(key.usual).").dropLast())
        roff.raw(".br\n" + Roff.line("Variable: \(key.environmentName).").dropLast())
      }
    }
    for table in ListTable.all {
      roff.section("[[\(table.name)]]")
      roff.paragraph(sentence(table.summary))
      for key in table.keys {
        roff.term(key.name, argument: key.type, sentence(key.summary))
        roff.raw(".br\n" + Roff.line(ConfigurationText.usual(key)).dropLast())
      }
    }
    roff.section("EXAMPLE")
    roff.literal(ConfigurationText.example)
    appendExitStatus(to: &roff)
    roff.section("FILES")
    roff.term("/etc/logagent/logagent.toml", "Read by root's agent and by root's commands.")
    roff.term("~/.config/logagent/logagent.toml", "Read by everybody else's.")
    roff.section("SEE ALSO")
    roff.references([
      ("logagent", 1), ("logagent-check-config", 1), ("logagent-init", 1), ("logagentd", 8),
    ])
    return ManualPage(name: "logagent.toml", section: 5, text: roff.text)
  }
}

/// The reference of the configuration, as the manual and the documentation have it.
package enum ConfigurationText {
  static let introduction = [
    """
    The file is TOML. It is optional, and so is each key in it. Flags come before environment \
    variables, those before the file, and the file before the defaults; logagent check-config \
    shows what it comes to, and from where.
    """,
    """
    A size is a number of bytes or a text such as "20MB" or "512KiB". A duration is a text such as \
    "30s", "12h" or "7d". Relative paths start in the folder of the file. An unknown key is an \
    error.
    """,
  ]

  static let example = """
    [[source]]
    name = "shop"
    include = ["/srv/shop/logs/*.log"]

    [[spool]]
    name = "crashes"
    path = "/var/crash"

    [retention]
    max_bytes = "2GiB"
    """

  /// The tables that stand once, in the order of the file; `nil` for its top.
  static var tables: [String?] {
    var tables: [String?] = []
    for key in ConfigurationReference.keys where !tables.contains(key.table) {
      tables.append(key.table)
    }
    return tables
  }

  static func usual(_ key: ListTable.Key) -> String {
    key.usual.map { "Default: \($0)." } ?? "It must be there, as in \(key.name) = \(key.example)."
  }

  /// `contrib/docs/configuration.md`.
  package static var markdown: String {
    var text = """
      <!-- Made from the table of settings of logagent; do not edit. -->
      # Configuration

      \(introduction.joined(separator: "\n\n"))

      Root's agent reads `/etc/logagent/logagent.toml`, everybody else's \
      `~/.config/logagent/logagent.toml`; `--config FILE` and `LOGAGENT_CONFIG` name another one.
      `logagent init` writes a first one for this host.

      ```toml
      \(example)
      ```

      """
    for table in tables {
      text += "\n## \(table.map { "`[\($0)]`" } ?? "Top of the file")\n"
      for key in ConfigurationReference.keys where key.table == table {
        text += "\n### `\(key.key)`\n\n\(ManualPage.sentence(key.summary))\n\n"
        text += "- value: \(key.type)\(key.range.map { ", \($0)" } ?? "")\n"
        text += "- default: \(code(key.usual))\n- variable: `\(key.environmentName)`\n"
      }
    }
    for table in ListTable.all {
      text += "\n## `[[\(table.name)]]`\n\n\(ManualPage.sentence(table.summary))\n"
      text += "Repeat the block for further ones.\n\n| key | value | what it does | default |\n"
      text += "|---|---|---|---|\n"
      for key in table.keys {
        let usual = key.usual.map(code) ?? "must be there"
        text += "| `\(key.name)` | \(cell(key.type)) | \(cell(ManualPage.sentence(key.summary)))"
        text += " | \(usual) |\n"
      }
    }
    return text
  }

  private static func cell(_ text: String) -> String {
    text.replacing("*", with: "\\*").replacing("<", with: "&lt;").replacing("|", with: "\\|")
  }

  /// Between backquotes, where it is TOML.
  private static func code(_ text: String) -> String {
    TOMLText.isValue(text) ? "`\(text)`" : text
  }
}
