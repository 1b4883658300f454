// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
internal import FileIO
internal import LogParser
internal import LogStore
internal import SQLite

/// The resident agent as a program: a command line in, an exit status out.
package enum Daemon {
  /// For a person who calls it; the manual has one page for both programs.
  package static let usage =
    "usage: logagentd [--config FILE] [--state-dir DIR] [PATH…]; 'logagent run --help' tells more"

  /// What `logagentd` takes: `[--config FILE] [--state-dir DIR] [PATH…]`.
  package struct Arguments: Hashable, Sendable {
    package var configFile: String?
    package var stateDirectory: String?
    package var paths: [String] = []

    /// - Throws: `DaemonError.usage` that names the word.
    package init(_ words: [String]) throws(DaemonError) {
      var words = words[...]
      var flagsAreOver = false
      while let word = words.popFirst() {
        if flagsAreOver || word == "-" || !word.hasPrefix("-") {
          paths.append(word)
        } else if word == "--" {
          flagsAreOver = true
        } else {
          let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
          guard ["--config", "--state-dir"].contains(parts[0]) else {
            throw .usage("unknown flag '\(parts[0])'; \(Daemon.usage)")
          }
          guard let value = parts.count == 2 ? String(parts[1]) : words.popFirst() else {
            throw .usage("\(word) needs a value")
          }
          if parts[0] == "--config" { configFile = value } else { stateDirectory = value }
        }
      }
    }
  }

  /// Runs until SIGINT or SIGTERM; returns the exit status (the table of `logagent --help`).
  ///
  /// SIGHUP reads the configuration again. One that is wrong is told, and the old one stays.
  package static func main(_ words: [String]) -> Int32 {
    let log = AgentLog(environment: ProcessEnvironment.variables())
    do throws(DaemonError) {
      let arguments = try Arguments(words)
      var configuration = try load(arguments)
      log.open(configuration.agentLog)
      while try run(configuration, log) {
        do throws(DaemonError) {
          configuration = try load(arguments)
          log.open(configuration.agentLog)
        } catch {
          log.failed(error.description)
          log.failed("the configuration stays as it was")
        }
      }
      return 0
    } catch {
      log.failed(error.description)
      return error.status
    }
  }

  private static func load(_ arguments: Arguments) throws(DaemonError) -> Configuration {
    var loader = ConfigurationLoader(
      file: arguments.configFile, environment: ProcessEnvironment.variables())
    if let folder = arguments.stateDirectory {
      loader.overrides.append(.init(key: "state_dir", value: folder, flag: "--state-dir"))
    }
    var configuration: Configuration
    do throws(ConfigurationError) {
      configuration = try loader.load()
    } catch { throw .configuration(error) }
    // Before the old configuration is given up.
    do throws(UserFormatError) {
      _ = try UserFormats(configuration.formats)
    } catch { throw .agent(.format(error)) }
    configuration.paths += arguments.paths
    configuration.addAgentLog()
    if configuration.paths.contains("-") {
      throw .usage("standard input ends some time: use 'logagent import -'")
    }
    if configuration.paths.isEmpty && configuration.sources.isEmpty && configuration.spools.isEmpty
      && configuration.journals.isEmpty
    {
      throw .usage("nothing to watch: name files or folders, or configure a [[source]]")
    }
    return configuration
  }

  /// Returns whether it is to be started again.
  private static func run(
    _ configuration: Configuration, _ log: AgentLog
  ) throws(DaemonError) -> Bool {
    // A store that proves damaged while it is used is set aside by the next start, which is made
    // here; but not for ever.
    for attempt in 1...3 {
      var wasStopped = false
      do throws(AgentError) {
        let agent = try Agent(configuration, findsRotated: true, events: log)
        defer { wasStopped = agent.wasStopped }
        return try agent.run()
      } catch {
        guard case .store(.sqlite(_, let cause)) = error, cause.isCorrupt, attempt < 3, !wasStopped
        else { throw .agent(error) }
        log.failed(error.description)
        do throws(FileError) {
          try DamagedStore.setAside(configuration.storePath)
        } catch { throw .agent(.file(error)) }
      }
    }
    return false
  }
}

extension Configuration {
  /// Makes the agent's own log one of the sources, unless one of them has it already.
  fileprivate mutating func addAgentLog() {
    guard let agentLog, !AgentSources(self, findsRotated: false).covers(agentLog),
      !sources.contains(where: { $0.name == "logagent" })
    else { return }
    sources.append(SourceConfiguration(name: "logagent", include: [agentLog, agentLog + ".1"]))
  }
}

/// Why the agent ended.
package enum DaemonError: Error, CustomStringConvertible, Sendable {
  case usage(String)
  case configuration(ConfigurationError)
  case agent(AgentError)

  package var description: String {
    switch self {
    case .usage(let text): text
    case .configuration(let error): error.description
    case .agent(let error): error.description
    }
  }

  /// The exit status, after sysexits.h.
  package var status: Int32 {
    switch self {
    case .usage: 64
    case .configuration: 78
    case .agent(let error): error.exitStatus
    }
  }
}

extension AgentError {
  /// The exit status for a program that ends with this error, after sysexits.h.
  package var exitStatus: Int32 {
    switch self {
    case .format: 78
    case .start(.locked): 75
    case .start(.file(let error)), .file(let error): error.isPermission ? 77 : 73
    case .start(.storePath): 73
    case .store(.newerSchema), .store(.foreign): 65
    case .store(.sqlite(_, let error)): error.isCorrupt ? 65 : error.isBusy ? 75 : 74
    }
  }
}
