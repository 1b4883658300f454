// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig

extension ManualPage {
  /// `logagent(1)`.
  static var program: ManualPage {
    var roff = Roff(title: "logagent", section: 1, source: flagTable)
    roff.section("NAME")
    roff.raw("logagent \\- logs and crash reports in one SQLite store, to be asked and exported")
    roff.section("SYNOPSIS")
    roff.raw("\\fBlogagent\\fR \\fICOMMAND\\fR [\\fIFLAG\\fR...]")
    roff.section("DESCRIPTION")
    roff.paragraph(
      """
      logagent follows log files and crash spools, makes one kind of record of all that they hold, \
      and keeps the records in one SQLite file, which any SQLite client can read. Nothing is lost \
      or stored twice when files are rotated or the agent is killed.
      """)
    roff.section("COMMANDS")
    for command in Command.visible {
      roff.term(command.name, sentence(command.summary) + " See \(name(of: command))(1).")
    }
    roff.section("OPTIONS")
    appendFlags(Command.commonFlags, to: &roff)
    roff.term("-V, --version", "Show the version.")
    appendExamples(Help.examples, to: &roff)
    appendExitStatus(to: &roff)
    roff.section("ENVIRONMENT")
    roff.term("LOGAGENT_CONFIG", "The configuration file, where --config names none.")
    roff.term(
      "LOGAGENT_KEY",
      "A key of the configuration file: see logagent.toml(5).")
    roff.term("LOGAGENT_PAGER, PAGER", "What shows long output on a terminal (less).")
    roff.term("NO_COLOR", "When it is not empty, nothing is coloured.")
    roff.term("TMPDIR", "Where export puts what it does not need for long.")
    roff.section("FILES")
    roff.term("/etc/logagent/logagent.toml", "The configuration of root's agent.")
    roff.term("~/.config/logagent/logagent.toml", "The configuration of everybody else's.")
    roff.term("/var/lib/logagent/logs.db", "The store of root's agent.")
    roff.term("~/.local/state/logagent/logs.db", "The store of everybody else's.")
    roff.section("SEE ALSO")
    roff.references(
      Command.visible.map { (name(of: $0), 1) } + [("logagent.toml", 5), ("logagentd", 8)])
    return ManualPage(name: "logagent", section: 1, text: roff.text)
  }

  /// The page of one command.
  static func page(of command: Command) -> ManualPage {
    let name = name(of: command)
    var roff = Roff(title: name, section: 1, source: flagTable)
    roff.section("NAME")
    roff.raw("\(Roff.escaped(name)) \\- \(Roff.escaped(command.summary))")
    roff.section("SYNOPSIS")
    let operands = command.operands.isEmpty ? "" : " \\fI\(Roff.escaped(command.operands))\\fR"
    roff.raw("\\fBlogagent \(Roff.escaped(command.name))\\fR [\\fIFLAG\\fR...]" + operands)
    if !command.notes.isEmpty { roff.section("DESCRIPTION") }
    for note in command.notes { roff.paragraph(note) }
    roff.section("OPTIONS")
    appendFlags(command.allFlags, to: &roff)
    appendExamples(command.examples, to: &roff)
    appendExitStatus(to: &roff)
    roff.section("SEE ALSO")
    roff.references([("logagent", 1), ("logagent.toml", 5), ("logagentd", 8)])
    return ManualPage(name: name, section: 1, text: roff.text)
  }

  /// `logagentd(8)`.
  static var service: ManualPage {
    var roff = Roff(title: "logagentd", section: 8, source: flagTable)
    roff.section("NAME")
    roff.raw("logagentd \\- the resident agent of logagent")
    roff.section("SYNOPSIS")
    roff.raw(
      "\\fBlogagentd\\fR [\\fB\\-\\-config\\fR \\fIFILE\\fR]"
        + " [\\fB\\-\\-state\\-dir\\fR \\fIDIR\\fR] [\\fIPATH\\fR...]")
    roff.section("DESCRIPTION")
    roff.paragraph(
      """
      Follows the log files and crash spools that the configuration and the command line name, and \
      stores what they hold, until SIGINT or SIGTERM. 'logagent run' becomes this program. It \
      writes one line to standard error for each event that somebody should know of, and nothing \
      while all is well.
      """)
    roff.paragraph(
      """
      Records and the offsets that count them are committed together: after a crash or a loss of \
      power it goes on where it was. A full disk is waited for; a damaged store is set aside and \
      made again from the files.
      """)
    roff.section("OPTIONS")
    roff.term("--config", argument: "FILE", "Read the configuration from FILE.")
    roff.term("--state-dir", argument: "DIR", "Where the store lies.")
    roff.section("SIGNALS")
    roff.term("SIGHUP", "Read the configuration again; a wrong one is told and not taken.")
    roff.term("SIGINT, SIGTERM", "Store what was read, and end.")
    roff.section("ENVIRONMENT")
    roff.term("NOTIFY_SOCKET, WATCHDOG_USEC", "Set by systemd: it is told the state.")
    appendExitStatus(to: &roff)
    roff.section("SEE ALSO")
    roff.references([("logagent", 1), ("logagent-run", 1), ("logagent.toml", 5)])
    return ManualPage(name: "logagentd", section: 8, text: roff.text)
  }
}
