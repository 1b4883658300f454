// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// Which records `show` shows, as the condition of a statement on `logs`.
struct RecordFilter {
  private enum Value {
    case integer(Int64)
    case text(String)
  }

  // Every time is later than this; without a bound on time SQLite sorts all records instead of
  // taking them from the index, which a few of the newest would wait for.
  private(set) var condition = "time_unix_nano > -9223372036854775808"
  private var values: [Value] = []
  private var pattern: String?

  /// The filter that the flags of `call` ask for.
  ///
  /// - Throws: `CommandError`, `QueryError` for a wrong pattern.
  init(_ call: Invocation) throws {
    let range = try call.range()
    if let since = range.since { add("time_unix_nano >= ?", .integer(since.nanoseconds)) }
    if let until = range.until { add("time_unix_nano <= ?", .integer(until.nanoseconds)) }
    if let text = call.arguments.value("severity") {
      guard let severity = Severity(name: text) else {
        throw CommandError.usage(
          "--severity: expected trace, debug, info, warn, error, fatal or 1 to 24, got '\(text)'")
      }
      // A number in the text: SQLite takes the index of severe rows only for a constant.
      condition += " AND severity_number >= \(severity.number)"
    }
    addList("source", call.arguments.all("source"))
    addProcesses(call.arguments.all("process"))
    if let pattern = call.arguments.value("grep") {
      try QueryStore.check(pattern: pattern)
      // As journalctl: a pattern without capitals finds both cases.
      let pattern = pattern.contains(where: \.isUppercase) ? pattern : "(?i)" + pattern
      add("original REGEXP ?", .text(pattern))
      self.pattern = pattern
    }
  }

  /// Leaves only records whose blocks may hold the pattern, where the store can tell.
  mutating func useGrams(of store: QueryStore) {
    guard let pattern, let search = GramSearch(pattern, in: store) else { return }
    // Few records are left: they are taken by their ids, and put in order then.
    condition = condition.replacing("time_unix_nano >", with: "+time_unix_nano >")
    condition += " AND \(search.condition)"
  }

  /// Leaves only records stored after the one with this id.
  mutating func add(after id: Int64) { condition += " AND id > \(id)" }

  /// Leaves only records stored up to the one with this id.
  mutating func add(upTo id: Int64) { condition += " AND id <= \(id)" }

  /// Leaves only records of a time; both ends, in nanoseconds since 1970, are part of it.
  mutating func add(from since: Int64, to until: Int64) {
    condition += " AND time_unix_nano BETWEEN \(since) AND \(until)"
  }

  private mutating func addList(_ column: String, _ names: [String]) {
    if names.isEmpty { return }
    condition += " AND \(column) IN (" + names.map { _ in "?" }.joined(separator: ", ") + ")"
    values += names.map { .text($0) }
  }

  private mutating func addProcesses(_ names: [String]) {
    if names.isEmpty { return }
    var terms: [String] = []
    for name in names {
      terms.append("process = ?")
      values.append(.text(name))
      if let pid = Int64(name) {
        terms.append("pid = ?")
        values.append(.integer(pid))
      }
    }
    condition += " AND (" + terms.joined(separator: " OR ") + ")"
  }

  private mutating func add(_ term: String, _ value: Value) {
    condition += " AND " + term
    values.append(value)
  }

  /// Sets the parameters of a statement that holds the condition once.
  func bind(_ statement: borrowing Statement) {
    for (index, value) in values.enumerated() {
      switch value {
      case .integer(let number): statement.bind(Int32(index + 1), number)
      case .text(let text): statement.bind(Int32(index + 1), text)
      }
    }
  }

  static let flags =
    Invocation.rangeFlags + [
      Flag(
        "severity", short: "p", value: "NAME",
        completion: .words(["trace", "debug", "info", "warn", "error", "fatal"]),
        "Of at least this severity: debug, info, warn…"),
      Flag(
        "source", short: "s", value: "NAME", completion: .stored(.sources),
        "Of this source; may be repeated"),
      Flag(
        "process", value: "NAME", completion: .stored(.processes),
        "Of this process, by name or id; may be repeated"),
      Flag("grep", short: "g", value: "PATTERN", "Whose text matches, in Perl's syntax"),
    ]
}
