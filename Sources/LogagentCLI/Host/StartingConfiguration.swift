// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO

/// A first configuration for a host, with the reason for each block in it.
struct StartingConfiguration {
  struct Source: Equatable {
    var name: String
    var include: [String]
    var reason: String
  }

  private(set) var sources: [Source] = []
  private(set) var spools: [CrashFolders.Folder] = []
  /// Whether systemd's journal can be read here.
  private(set) var hasJournal = false

  /// Files of /var/log without an ending that are texts; others there, such as wtmp, are not.
  private static let plainNames = ["cron", "maillog", "messages", "secure", "syslog"]

  /// From what lies and runs on `host`.
  init(_ host: HostRoot, logs: OpenLogs, crashes: CrashFolders) {
    addSystem(host)
    for folder in logs.folders where folder.path != "/var/log" {
      let files = folder.files.prefix(3).joined(separator: ", ")
      let more = folder.files.count > 3 ? "…" : ""
      add(
        folder.process, folder.path, Self.patterns(folder),
        "written now by '\(folder.process)': \(files)\(more)")
    }
    for name in host.names("/var/log") where host.isFolder("/var/log/" + name) {
      let path = "/var/log/" + name
      // The journal is binary, and others have found theirs above.
      if name == "journal"
        || sources.contains(where: { $0.include.contains { $0.hasPrefix(path + "/") } })
      {
        continue
      }
      let files = host.names(path).filter { OpenLogs.looksLikeLog(path + "/" + $0) }
      if files.isEmpty { continue }
      let folder = OpenLogs.Folder(path: path, process: name, files: files)
      add(
        name, path, Self.patterns(folder),
        "\(files.count) \(files.count == 1 ? "log lies" : "logs lie") there")
    }
    spools = crashes.found
    hasJournal =
      host.status("/usr/bin/journalctl") != nil
      && (host.isFolder("/run/log/journal") || host.isFolder("/var/log/journal"))
  }

  private mutating func addSystem(_ host: HostRoot) {
    let names = host.names("/var/log")
    var include: [String] = []
    if names.contains(where: { $0.hasSuffix(".log") }) { include.append("/var/log/*.log") }
    include += Self.plainNames.filter(names.contains).map { "/var/log/" + $0 }
    if !include.isEmpty { add("system", "/var/log", include, "the system's own logs") }
  }

  private mutating func add(
    _ name: String, _ folder: String, _ include: [String], _ reason: String
  ) {
    if include.isEmpty { return }
    var own = name
    var number = 2
    while sources.contains(where: { $0.name == own }) {
      own = "\(name)-\(number)"
      number += 1
    }
    sources.append(Source(name: own, include: include, reason: reason))
  }

  /// Patterns for the files of a folder: `*` before each ending, other names as they are.
  private static func patterns(_ folder: OpenLogs.Folder) -> [String] {
    var patterns: [String] = []
    for name in folder.files {
      let ending = name.lastIndex(of: ".").map { "*" + name[$0...] }
      let pattern = plain(folder.path) + "/" + (ending ?? plain(name))
      if !patterns.contains(pattern) { patterns.append(pattern) }
    }
    return patterns
  }

  /// Without what a pattern would take for its own.
  private static func plain(_ path: String) -> String {
    String(path.map { "*?[]".contains($0) ? "?" : $0 })
  }

  // MARK: Text

  /// The file; `hostName` and reasons stand in comments only.
  func text(hostName: String) -> String {
    var text = """
      # The configuration of logagent, made by 'logagent init' for the host \(comment(hostName)).
      # A key that is commented out shows its default. All keys: logagent.toml(5).

      """
    text += defaults(of: nil)
    for source in sources {
      text += """

        # \(comment(source.reason.prefix(1).uppercased() + source.reason.dropFirst())).
        [[source]]
        name = \(TOMLText.quoted(source.name))
        include = \(TOMLText.list(source.include))

        """
    }
    if sources.isEmpty { text += example(of: "source") }
    if hasJournal {
      text += """

        # What systemd's services and the kernel say.
        [[journal]]
        name = "journal"
        # Where reading begins at first: "all", "boot" or "now".
        # begin = "boot"

        """
    }
    for spool in spools {
      text += """

        # \(comment(spool.reason.prefix(1).uppercased() + spool.reason.dropFirst())).
        [[spool]]
        name = \(TOMLText.quoted(spool.name))
        path = \(TOMLText.quoted(spool.path))

        """
    }
    if spools.isEmpty { text += example(of: "spool") }
    for table in ConfigurationText.tables.compactMap({ $0 }) {
      text += "\n[\(table)]\n" + defaults(of: table)
    }
    return text
  }

  private func defaults(of table: String?) -> String {
    var text = ""
    for key in ConfigurationReference.keys where key.table == table {
      let isTOML = key.usual.hasPrefix("\"") || key.usual.hasPrefix("[") || Int(key.usual) != nil
      text += "# \(key.summary).\n"
      text += isTOML ? "# \(key.name) = \(key.usual)\n" : "# \(key.name): \(key.usual)\n"
    }
    return text
  }

  private func example(of name: String) -> String {
    guard let table = ListTable.all.first(where: { $0.name == name }) else { return "" }
    let keys = table.keys.filter { $0.usual == nil }.map { "# \($0.name) = \($0.example)\n" }
    return "\n# \(table.summary); none was found here.\n# [[\(name)]]\n" + keys.joined()
  }

  /// In one line, whatever a process is called.
  private func comment(_ text: String) -> String {
    String(text.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 32 } ? "?" : $0 })
  }
}
