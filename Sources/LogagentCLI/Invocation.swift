// SPDX-License-Identifier: Apache-2.0

package import AgentConfig
internal import FileIO
package import LogModel
package import LogQuery
internal import SQLite
internal import SupportBundle

/// What a command has of the world, so that a test can give it another one.
package struct CLIContext {
  package var environment: [String: String]
  package var output: any OutputSink
  package var errors: any OutputSink
  /// All of standard input.
  package var input: () throws -> [UInt8]
  package var now: () -> Timestamp
  package var zone: LocalZone
  /// Whether SIGINT or SIGTERM has come.
  package var shouldStop: () -> Bool
  /// Sleeps so many milliseconds, or until a signal.
  package var pause: (Int) -> Void
  /// The host's name, for the names of bundles.
  package var hostName: String
  /// Sends standard output through the pager from now on.
  package var startPager: () -> Void
  /// A person's lines; `nil` when standard input is no terminal.
  package var lineInput: (any LineInput)?
  /// Where saved queries lie.
  package var queryFolders: [String]

  package init(
    environment: [String: String], output: any OutputSink, errors: any OutputSink,
    now: @escaping () -> Timestamp
  ) {
    self.environment = environment
    self.output = output
    self.errors = errors
    self.now = now
    input = { [] }
    zone = .utc
    shouldStop = { false }
    pause = { _ in }
    hostName = "localhost"
    startPager = {}
    queryFolders = []
  }
}

extension CLIContext {
  /// Where temporary files go.
  var temporaryFolder: String {
    if let folder = environment["TMPDIR"], folder.hasPrefix("/") { return folder }
    return "/tmp"
  }
}

/// One call of a command.
package struct Invocation {
  package let arguments: Arguments
  package let flags: [Flag]
  package let context: CLIContext
  /// Standard output, in large pieces; flushed when the command returns.
  package let output: ByteWriter

  /// The configuration: flags, environment, file, defaults.
  ///
  /// - Throws: `ConfigurationError`.
  package func configuration() throws(ConfigurationError) -> Configuration {
    try loader.load()
  }

  /// The loader with this call's flags.
  package var loader: ConfigurationLoader {
    var loader = ConfigurationLoader(
      file: arguments.value("config"), environment: context.environment)
    for flag in flags {
      guard let key = flag.key, let value = arguments.value(flag.name) else { continue }
      loader.overrides.append(.init(key: key, value: value, flag: "--" + flag.name))
    }
    return loader
  }

  /// The store that is asked: `--bundle`'s or `--database`'s, or the configuration's.
  ///
  /// - Throws: `ConfigurationError`, `QueryError`, `CommandError` for a bundle that is refused.
  package func openStore() throws -> QueryStore {
    if let bundle = arguments.value("bundle") { return try Self.openBundle(bundle, context) }
    guard let path = arguments.value("database") else {
      return try QueryStore(path: configuration().storePath)
    }
    guard (try? FileStatus(path: path)) != nil else {
      throw CommandError(.noInput, "\(SafeText.escaped(path)): no such file")
    }
    return try QueryStore(path: path)
  }

  /// The store that is in a bundle.
  ///
  /// - Throws: `QueryError`, `FileError`, `CommandError` for a bundle that is refused.
  static func openBundle(_ path: String, _ context: CLIContext) throws -> QueryStore {
    do {
      return try BundleExtract.withDatabase(of: path, in: context.temporaryFolder) {
        try QueryStore(path: $0)
      }
    } catch let error as BundleError {
      throw CommandError(.dataError, error.description)
    }
  }

  /// The flag of commands that read a store or the one in a bundle, for `openStore`.
  package static let bundleFlag = Flag(
    "bundle", value: "FILE", "Read the store in this support bundle")

  /// The flag of commands that read a store, for `openStore`.
  package static let databaseFlag = Flag(
    "database", value: "FILE", "Read this store, such as logs.db of a bundle")

  /// When a query ends early.
  package var limits: QueryLimits { QueryLimits(shouldStop: context.shouldStop) }

  /// Whether colours may be used: on a terminal, and not with `NO_COLOR` (no-color.org).
  package var usesColor: Bool {
    context.output.isTerminal && (context.environment["NO_COLOR"] ?? "").isEmpty
      && context.environment["TERM"] != "dumb"
  }

  /// Shows what follows in the pager, on a terminal and without `--no-pager`.
  package func startPager() {
    if context.output.isTerminal, !arguments.has("no-pager") { context.startPager() }
  }

  /// Writes one line to standard error, after the program's name.
  package func warn(_ message: String) { CLI.report(message, to: context.errors) }

  /// Says that there are no records, and which `--source` may be why.
  ///
  /// - Throws: `QueryError`.
  func nothingFound(in store: QueryStore) throws -> ExitStatus {
    var names: [String] = []
    try store.forEach("SELECT source FROM sources") { names.append($0.text(0)) }
    for name in arguments.all("source") where !names.contains(name) {
      warn("no source '\(name)'" + NearestName.hint(name, in: names))
    }
    warn("no records found")
    return .nothingFound
  }

  /// The instant that a time flag names, if it was given.
  ///
  /// - Throws: `CommandError` that quotes the value.
  package func time(_ flag: String) throws(CommandError) -> Timestamp? {
    guard let text = arguments.value(flag) else { return nil }
    let time = TimeArgument.parse(text, now: context.now(), zone: context.zone)
    if let time { return time }
    throw .usage(
      "--\(flag): '\(SafeText.escaped(text))' is no time; write 2h, 3d, today, yesterday, "
        + "2026-11-30, '2026-11-30 16:00', 2026-11-30T16:00:00.5Z or @1796054400")
  }

  /// `--since` and `--until`; both ends are part of the range.
  ///
  /// - Throws: `CommandError`, also when the first is later than the second.
  package func range() throws(CommandError) -> (since: Timestamp?, until: Timestamp?) {
    let since = try time("since")
    let until = try time("until")
    if let since, let until, since > until {
      throw .usage("--since \(since) is later than --until \(until)")
    }
    return (since, until)
  }

  /// The flags for `range()`.
  package static let rangeFlags = [
    Flag("since", short: "S", value: "TIME", "From this time on, which is included"),
    Flag("until", short: "U", value: "TIME", "Up to this time, which is included"),
  ]

  /// The paragraph of the help about times.
  package static let timeNote = """
    TIME is 30m, 2h or 3d (ago), today, yesterday, now, 16:00, 2026-11-30, '2026-11-30 16:00:00', \
    2026-11-30T16:00:00.123456789Z, with +01:00 for another zone, or @SECONDS since 1970. Without \
    a zone it is this host's local time.
    """
}
