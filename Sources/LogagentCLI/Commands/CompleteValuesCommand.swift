// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite

extension Command {
  /// `logagent complete-values KIND`: names out of the store, for the completions of shells.
  ///
  /// A line is a name, a tab and what it is. A person who only pressed the tabulator wants no
  /// messages: without a store there are simply no names.
  static let completeValues: Command = {
    var command = Command(
      "complete-values", "list names of the store for a shell's completion", run: listValues)
    command.operands = "KIND"
    command.operandCount = 1...1
    command.isHidden = true
    command.flags = [Invocation.databaseFlag]
    return command
  }()

  private static func listValues(_ call: Invocation) throws -> ExitStatus {
    guard let kind = StoredValue(rawValue: call.arguments.operands[0]) else {
      throw CommandError.usage(
        "complete-values: expected "
          + StoredValue.allCases.map(\.rawValue).joined(separator: ", "))
    }
    if kind == .queries {
      for query in SavedQuery.all(in: call.context.queryFolders) {
        call.output.append("\(SafeText.escaped(query.name))\t\(SafeText.escaped(query.summary))\n")
      }
    }
    guard let sql = kind.sql, let store = try? call.openStore() else { return .ok }
    // Longer than this nobody waits for a completion.
    let limits = QueryLimits(timeout: .seconds(2), shouldStop: call.context.shouldStop)
    try? store.forEach(sql, limits: limits) { row in
      let note = row.text(1).split(separator: "\n").first ?? ""
      call.output.append(
        SafeText.escaped(row.text(0)) + "\t" + SafeText.escaped(String(note)) + "\n")
    }
    return .ok
  }
}

extension StoredValue {
  /// Selects the names and a word about each; `nil` for names that no store holds.
  fileprivate var sql: String? {
    switch self {
    case .sources:
      "SELECT source, active || iif(active = 1, ' file', ' files') FROM sources ORDER BY source LIMIT 1000"
    case .processes:
      // Names of the newest records: a look at all would take a moment on a large store.
      """
      SELECT process, 'process' FROM (SELECT process FROM logs ORDER BY time_unix_nano DESC
        LIMIT 20000) WHERE process IS NOT NULL
      UNION SELECT process, 'process' FROM crashes WHERE process IS NOT NULL
      ORDER BY 1 LIMIT 1000
      """
    case .crashes:
      """
      SELECT id, substr(time, 1, 19) || ' ' || COALESCE(process, '') || ': '
        || COALESCE(reason, signal, kind) FROM crashes ORDER BY time_unix_nano DESC LIMIT 100
      """
    case .queries: nil
    }
  }
}
