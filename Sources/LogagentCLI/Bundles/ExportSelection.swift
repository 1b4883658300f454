// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import FileIO
internal import LogModel
internal import LogQuery
internal import SQLite
internal import SupportBundle

/// What `logagent export` takes, by its flags.
struct ExportSelection {
  /// For the request.
  private(set) var selection: BundleSelection
  /// More than a range was asked for: that nothing is found is worth a status.
  private(set) var isNarrowed = false

  static let flags: [Flag] =
    RecordFilter.flags + [
      Flag("sql", value: "SQL", "Only the records whose ids a statement gives"),
      Flag("last-crash", "The newest crash and what was logged around it"),
      Flag(
        "crash", value: "ID", completion: .stored(.crashes),
        "This crash and what was logged around it; may be repeated"),
      Flag("context", value: "TIME", "So long before and after each crash, whatever was logged"),
      Flag("since-last-upload", "What was stored after the last bundle that a server took"),
    ]

  private static let narrowing = ["severity", "source", "process", "grep", "sql"]

  /// - Parameters:
  ///   - call: with the flags.
  ///   - configuration: for the outbox.
  ///   - path: the store's file.
  /// - Throws: `CommandError`, `QueryError`.
  init(_ call: Invocation, _ configuration: Configuration, store path: String) throws {
    let arguments = call.arguments
    let range = try call.range()
    selection = BundleSelection(since: range.since)
    selection.until = range.until
    let filters = Self.narrowing.filter(arguments.has)
    let isOfCrash = arguments.has("last-crash") || arguments.has("crash")
    isNarrowed = !filters.isEmpty || isOfCrash
    for name in filters + ["last-crash", "crash", "context", "since-last-upload"]
    where arguments.has(name) {
      let values = arguments.all(name).map { $0.isEmpty ? "--\(name)" : "--\(name) \($0)" }
      selection.asked += values
    }
    if arguments.has("since-last-upload") {
      if isNarrowed || range.since != nil {
        throw CommandError.usage(
          "export: --since-last-upload takes all that is new; leave the other choices away")
      }
      selection.afterRecord = Outgoing(configuration).acknowledged
    } else if range.since == nil, !isOfCrash, !arguments.has("sql") {
      throw CommandError.usage("export: --since is missing, such as --since 2h")
    }
    if let text = arguments.value("context") {
      guard let time = Quantity.nanoseconds(text) else {
        throw CommandError.usage("--context: expected a time such as 60s or 5m, got '\(text)'")
      }
      (selection.contextBefore, selection.contextAfter) = (time, time)
      selection.addsContext = true
    }
    let store = try QueryStore(path: path)
    try choose(call, store, isOfCrash, filters)
  }

  private mutating func choose(
    _ call: Invocation, _ store: QueryStore, _ isOfCrash: Bool, _ filters: [String]
  ) throws {
    let filter = try RecordFilter(call)
    let limits = call.limits
    if let sql = call.arguments.value("sql") {
      // As the others: of what the statement gives, what the filters take.
      let condition = filter.condition
      selection.records = { take in
        try store.forEach(
          "SELECT id FROM logs WHERE \(condition) AND id IN (\(sql))", limits: limits,
          bind: filter.bind
        ) { try take($0.integer(0)) }
      }
    } else if !filters.isEmpty {
      let condition = filter.condition
      selection.records = { take in
        try store.forEach(
          "SELECT id FROM logs WHERE \(condition)", limits: limits, bind: filter.bind
        ) { try take($0.integer(0)) }
      }
    }
    if isOfCrash {
      selection.crashes = try crashes(call, store)
      selection.isContextOnly = selection.since == nil
    } else if filters.contains("source") || filters.contains("process") {
      // Crashes of others are not what was asked for.
      selection.crashes = try crashes(call, store)
    }
  }

  private func crashes(_ call: Invocation, _ store: QueryStore) throws -> [Int64] {
    var wanted: [Int64] = []
    for text in call.arguments.all("crash") {
      guard let id = Int64(text), id > 0 else {
        throw CommandError.usage("--crash: expected the number of a crash, got '\(text)'")
      }
      wanted.append(id)
    }
    var condition = CrashFilter(call.arguments).condition
    let range = try call.range()
    if let since = range.since { condition += " AND time_unix_nano >= \(since.nanoseconds)" }
    if let until = range.until { condition += " AND time_unix_nano <= \(until.nanoseconds)" }
    if !wanted.isEmpty {
      condition = "id IN (\(wanted.map { String($0) }.joined(separator: ", ")))"
    }
    if call.arguments.has("last-crash") {
      condition += " ORDER BY time_unix_nano DESC, id DESC LIMIT 1"
    }
    var found: [Int64] = []
    try store.forEach("SELECT id FROM crashes WHERE \(condition)", limits: call.limits) {
      found.append($0.integer(0))
    }
    if let missing = wanted.first(where: { !found.contains($0) }) {
      throw CommandError(
        .nothingFound, "there is no crash \(missing); 'logagent crashes' lists them")
    }
    return found
  }
}

/// Which crashes `--source` and `--process` leave.
struct CrashFilter {
  private(set) var condition = "1"

  init(_ arguments: Arguments) {
    let sources = arguments.all("source")
    if !sources.isEmpty { condition += " AND source IN (\(Self.list(sources)))" }
    let processes = arguments.all("process")
    if !processes.isEmpty {
      let pids = processes.compactMap { Int64($0) }.map { " OR pid = \($0)" }.joined()
      condition += " AND (process IN (\(Self.list(processes)))\(pids))"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")
  }
}
