// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import Glibc
internal import LogModel
internal import LogQuery
internal import Pipeline
internal import SQLite

/// What is read: log files, and folders of crash reports.
extension Examination {
  mutating func checkSources() {
    if configuration.sources.isEmpty, configuration.spools.isEmpty,
      configuration.journals.isEmpty
    {
      if AgentPresence.processID(stateDirectory: configuration.stateDirectory) != nil {
        return add(.ok("sources", "the agent that runs was told on its command line what to read"))
      }
      return add(
        .problem(
          "sources", "the configuration names nothing to read",
          remedy: "logagent init writes a first configuration"))
    }
    for source in survey.sources {
      let problems = source.unreadable + source.problems
      for problem in problems.prefix(5) {
        add(
          .problem(
            "source \(source.name)", "\(problem.path): \(problem.reason)",
            remedy: problem.reason.contains("ermission")
              ? "let the agent's user read it: usermod -aG adm logagent, or setfacl -m u:logagent:r"
              : "leave it out with exclude"))
      }
      if problems.count > 5 {
        add(
          .problem(
            "source \(source.name)", "\(problems.count - 5) more files cannot be read",
            remedy: "logagent check-config lists them"))
      }
      if source.files.isEmpty {
        add(
          .warning(
            "source \(source.name)", "its patterns match no file",
            remedy: "logagent check-config shows the patterns"))
      } else if problems.isEmpty {
        add(.ok("source \(source.name)", "\(counted(source.files.count, "file")) can be read"))
      }
    }
  }

  mutating func checkSpools() {
    for spool in configuration.spools {
      do throws(FileError) {
        let names = try FileSystem.names(in: spool.path)
        var unreadable: [String] = []
        for name in names {
          let path = spool.path + "/" + name
          guard (try? FileStatus(path: path))?.kind == .regular else { continue }
          do throws(FileError) {
            _ = try FileDescriptor.openForReading(path)
          } catch { unreadable.append(name) }
        }
        if let first = unreadable.first {
          add(
            .problem(
              "spool \(spool.name)",
              "\(unreadable.count) reports cannot be read, such as \(spool.path)/\(first)",
              remedy: "let the agent's user read them: setfacl -m u:logagent:r"))
        } else {
          add(.ok("spool \(spool.name)", "\(names.count) entries"))
        }
      } catch {
        let subject = "spool \(spool.name)"
        let text = "\(spool.path): \(error.reason)"
        // Handlers that make their folder do so at the first crash.
        add(
          error.errno == ENOENT
            ? .warning(
              subject, text,
              remedy: "make the folder: most handlers drop reports where there is none")
            : .problem(subject, text, remedy: "let the agent's user list it, or correct the path"))
      }
    }
  }

  /// Seconds that a source is behind its files; `nil` when all is stored.
  func lagSeconds(of source: String) -> Int64? {
    var lag: Int64?
    let sql = """
      SELECT last_time_unix_nano FROM sources
      WHERE bytes_behind > 0 AND source = '\(source.replacing("'", with: "''"))'
      """
    try? store?.forEach(sql) { row in
      lag = row.optionalInteger(0).map { max(0, (now.nanoseconds &- $0) / 1_000_000_000) }
    }
    return lag
  }

  mutating func checkLag() {
    guard let store else { return }
    var behind: [(String, Int64)] = []
    try? store.forEach("SELECT source, bytes_behind FROM sources WHERE bytes_behind > 0") { row in
      behind.append((row.text(0), row.integer(1)))
    }
    for (source, bytes) in behind where bytes > 1 << 20 {
      add(
        .warning(
          "lag", "\(source) is \(ByteCount.text(bytes)) behind its files",
          remedy: "see whether the agent runs (systemctl status logagent) and has CPU time"))
    }
    var problems: [(String, String)] = []
    let sql = """
      SELECT key, value FROM json_each(COALESCE(
        (SELECT value FROM meta WHERE key = 'problems' AND json_valid(value)), '{}'))
      """
    try? store.forEach(sql) { problems.append(($0.text(0), $0.text(1))) }
    for (path, reason) in problems.prefix(5) {
      add(
        .problem(
          "agent", "\(path): \(reason)",
          remedy: "the agent said so; logagent status lists all"))
    }
  }
}
