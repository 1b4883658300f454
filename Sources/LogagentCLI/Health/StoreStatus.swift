// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel
internal import LogQuery
internal import SQLite

/// What `status` tells of a store.
struct StoreStatus {
  struct Source {
    var name: String
    var activeFiles: Int64
    var storedBytes: Int64
    var bytesBehind: Int64
    var lastTime: Int64?
    var problems: Int64
    var generations: Int64
    var records: Int64
    var keptBytes: Int64
  }

  let path: String
  let quota: Int64
  private(set) var size: Int64 = 0
  private(set) var records: Int64 = 0
  private(set) var crashes: Int64 = 0
  private(set) var pruned: Int64 = 0
  private(set) var firstTime: Int64?
  private(set) var lastTime: Int64?
  private(set) var files: Int64 = 0
  private(set) var lastCrash: Int64?
  private(set) var gaps: Int64 = 0
  private(set) var gapBytes: Int64 = 0
  private(set) var schemaVersion: Int64 = 0
  /// When the agent last stored something.
  private(set) var lastObserved: Int64?
  /// The agent that uses the store now.
  var agent: Int32?
  /// Bytes that the store's disk has left.
  var freeBytes: Int64?
  private(set) var sources: [Source] = []
  /// What is wrong now, by path.
  private(set) var problems: [(path: String, reason: String)] = []

  /// Asks the store.
  ///
  /// - Throws: `QueryError`.
  init(_ store: QueryStore, quota: Int64) throws {
    path = store.path
    self.quota = quota
    for suffix in ["", "-wal", "-shm"] {
      size += (try? FileStatus(path: store.path + suffix).size) ?? 0
    }
    try readTotals(store)
    try readSources(store)
    try readProblems(store)
  }

  private mutating func readTotals(_ store: QueryStore) throws {
    let sql = """
      SELECT (SELECT count(*) FROM record), (SELECT count(*) FROM crash),
        (SELECT min(time) FROM record), (SELECT max(time) FROM record),
        (SELECT count(*) FROM file), (SELECT value FROM meta WHERE key = 'pruned_records'),
        (SELECT max(time) FROM crash), (SELECT count(*) FROM gap),
        (SELECT sum(to_offset - from_offset) FROM gap), (SELECT user_version FROM pragma_user_version),
        (SELECT time FROM observation ORDER BY record DESC LIMIT 1)
      """
    var row: [Int64?] = []
    try store.forEach(sql) { statement in
      row = (0..<statement.columnCount).map { statement.optionalInteger($0) }
    }
    records = row[0] ?? 0
    crashes = row[1] ?? 0
    (firstTime, lastTime) = (row[2], row[3])
    files = row[4] ?? 0
    pruned = row[5] ?? 0
    lastCrash = row[6]
    (gaps, gapBytes) = (row[7] ?? 0, row[8] ?? 0)
    schemaVersion = row[9] ?? 0
    lastObserved = row[10]
  }

  private mutating func readSources(_ store: QueryStore) throws {
    let sql = """
      SELECT source, active, stored_bytes, bytes_behind, last_time_unix_nano, problems,
        generations, records, kept_bytes
      FROM sources ORDER BY source
      """
    var found: [Source] = []
    try store.forEach(sql) { row in
      found.append(
        Source(
          name: row.text(0), activeFiles: row.integer(1), storedBytes: row.integer(2),
          bytesBehind: row.integer(3), lastTime: row.optionalInteger(4),
          problems: row.integer(5), generations: row.integer(6), records: row.integer(7),
          keptBytes: row.integer(8)))
    }
    sources = found
  }

  private mutating func readProblems(_ store: QueryStore) throws {
    // The agent keeps what is wrong with names under 'problems'; a file's own state adds to it.
    let sql = """
      SELECT key, value FROM json_each(COALESCE(
        (SELECT value FROM meta WHERE key = 'problems' AND json_valid(value)), '{}'))
      UNION
      SELECT path, problem FROM files WHERE problem IS NOT NULL AND state IN ('active', 'refused')
      ORDER BY 1, 2
      """
    var found: [(path: String, reason: String)] = []
    try store.forEach(sql) { row in
      let path = row.text(0)
      if found.last?.path != path { found.append((path, row.text(1))) }
    }
    problems = found
  }

  // MARK: Text

  var text: String {
    let percent = quota > 0 ? Int(Double(size) / Double(quota) * 100) : 0
    var text = "agent    " + (agent.map { "runs, process \($0)" } ?? "does not run") + "\n"
    text += "store    \(SafeText.escaped(path))\n"
    text += "size     \(ByteCount.text(size)) of \(ByteCount.text(quota)) (\(percent) %)\n"
    text += "records  \(records)" + Self.range(firstTime, lastTime) + "\n"
    if pruned > 0 { text += "pruned   \(pruned) records so far, the oldest first\n" }
    text += "crashes  \(crashes)"
    text += (lastCrash.map { ", the last \(Timestamp(nanoseconds: $0))" } ?? "") + "\n"
    if gaps > 0 { text += "gaps     \(gaps), \(ByteCount.text(gapBytes)) lost (view gaps)\n" }
    if !sources.isEmpty { text += "\n" + sourceTable() }
    if problems.isEmpty { return text }
    text += "\nproblems:\n"
    for problem in problems {
      text += "  \(SafeText.escaped(problem.path)): \(SafeText.escaped(problem.reason))\n"
    }
    return text
  }

  private static func range(_ first: Int64?, _ last: Int64?) -> String {
    guard let first, let last else { return "" }
    return ", \(Timestamp(nanoseconds: first)) to \(Timestamp(nanoseconds: last))"
  }

  private func sourceTable() -> String {
    var rows = [["source", "files", "stored", "behind", "last record"]]
    for source in sources {
      // To the second: the line shall fit a terminal.
      let last = source.lastTime.map {
        Timestamp(nanoseconds: $0).description.prefix(19) + "Z"
      }
      rows.append([
        SafeText.cut(SafeText.escaped(source.name), to: 30), String(source.activeFiles),
        ByteCount.text(source.storedBytes), ByteCount.text(source.bytesBehind),
        last.map(String.init) ?? "-",
      ])
    }
    let widths = rows[0].indices.map { column in
      rows.reduce(0) { max($0, SafeText.width($1[column])) }
    }
    return rows.reduce("") { text, row in
      let numbers = (1...3).map { row[$0].leftPadded(to: widths[$0]) }.joined(separator: "  ")
      return text + "\(row[0].padded(to: widths[0]))  \(numbers)  \(row[4])\n"
    }
  }

  // MARK: JSON

  var json: String {
    var members = [
      "\"store\":\(JSONText.quoted(path))", "\"size_bytes\":\(size)", "\"quota_bytes\":\(quota)",
      "\"records\":\(records)", "\"crashes\":\(crashes)", "\"pruned\":\(pruned)",
      "\"checkpoints\":\(files)", "\"version\":\(JSONText.quoted(CLI.version))",
      "\"schema_version\":\(schemaVersion)", "\"agent_pid\":\(agent.map(String.init) ?? "null")",
      "\"gaps\":\(gaps)", "\"gap_bytes\":\(gapBytes)",
    ]
    if let freeBytes { members.append("\"free_bytes\":\(freeBytes)") }
    if let lastCrash { members.append("\"last_crash_unix_nano\":\"\(lastCrash)\"") }
    if let lastObserved { members.append("\"last_stored_unix_nano\":\"\(lastObserved)\"") }
    if let firstTime { members.append("\"first_time_unix_nano\":\"\(firstTime)\"") }
    if let lastTime { members.append("\"last_time_unix_nano\":\"\(lastTime)\"") }
    let sources = sources.map { source in
      "{\"source\":\(JSONText.quoted(source.name)),\"active_files\":\(source.activeFiles),"
        + "\"stored_bytes\":\(source.storedBytes),\"bytes_behind\":\(source.bytesBehind),"
        + "\"last_time_unix_nano\":\(source.lastTime.map { "\"\($0)\"" } ?? "null"),"
        + "\"generations\":\(source.generations),\"records\":\(source.records),"
        + "\"kept_bytes\":\(source.keptBytes),\"problems\":\(source.problems)}"
    }
    members.append("\"sources\":[\(sources.joined(separator: ","))]")
    let errors = problems.map { "\(JSONText.quoted($0.path)):\(JSONText.quoted($0.reason))" }
    members.append("\"errors\":{\(errors.joined(separator: ","))}")
    return "{\(members.joined(separator: ","))}\n"
  }
}
