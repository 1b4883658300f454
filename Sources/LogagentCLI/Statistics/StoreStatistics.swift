// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// How many records there are, by source, severity and time, and which messages are the most.
struct StoreStatistics {
  /// What is counted.
  struct Range {
    /// Nanoseconds since 1970; both ends are part of it.
    var since: Int64
    var until: Int64
    var sources: [String]

    /// A condition on a view with `source`.
    func condition(time: String) -> String {
      var text = "\(time) BETWEEN \(since) AND \(until)"
      if !sources.isEmpty {
        let names = sources.map { "'\($0.replacing("'", with: "''"))'" }
        text += " AND source IN (\(names.joined(separator: ", ")))"
      }
      return text
    }
  }

  struct Source {
    var name: String
    /// By severity: unknown, trace, debug, info, warn, error, fatal.
    var counts = [Int64](repeating: 0, count: 7)
    /// Records in each column of the histogram.
    var activity: [Int64]
    /// The highest severity in each column, as in `counts`.
    var worst: [Int]

    var total: Int64 { counts.reduce(0, +) }
  }

  struct Message {
    var template: String
    var source: String
    var count: Int
    /// The highest severity number.
    var severity: Int64
  }

  let range: Range
  /// Nanoseconds that a column of the histogram stands for.
  private(set) var columnLength: Int64
  private(set) var sources: [Source] = []
  /// The counts are those of whole minutes, pruned records included.
  private(set) var usesRollups = false
  private(set) var messages: [Message] = []
  /// Records that were looked at for `messages`: the newest.
  private(set) var sampled = 0

  /// Stores that have had more records are counted by their roll-ups: a look at all rows would take
  /// a while.
  static let rollupRecords: Int64 = 500_000

  /// No more messages are told apart: the rest is only counted where it fits.
  private static let mostTemplates = 50_000
  static let sampleRecords = 200_000
  static let severities = ["?", "trace", "debug", "info", "warn", "error", "fatal"]

  /// Counts.
  ///
  /// - Parameters:
  ///   - store: what is asked.
  ///   - range: what of it.
  ///   - columns: how many columns the histogram may have.
  ///   - top: how many messages are wanted.
  ///   - limits: when to end early.
  /// - Throws: `QueryError`.
  init(_ store: QueryStore, _ range: Range, columns: Int, top: Int, limits: QueryLimits) throws {
    self.range = range
    var minutes = max(1, (range.until &- range.since) / Self.minute / Int64(columns))
    repeat {
      columnLength = Self.roundMinutes(minutes) * Self.minute
      minutes = columnLength / Self.minute + 1
    } while Self.column(range.until, range.since, columnLength) >= columns
    try count(store, limits)
    if top > 0 { try findMessages(store, top, limits) }
  }

  private static let minute: Int64 = 60_000_000_000

  /// The next length that a person would choose.
  private static func roundMinutes(_ minutes: Int64) -> Int64 {
    for length: Int64 in [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440] where length >= minutes
    {
      return length
    }
    return (minutes + 1439) / 1440 * 1440
  }

  /// The column of `time` in a histogram that begins on the whole before `since`.
  private static func column(_ time: Int64, _ since: Int64, _ length: Int64) -> Int {
    Int((time &- start(since, length)) / length)
  }

  private static func start(_ since: Int64, _ length: Int64) -> Int64 {
    since - ((since % length) + length) % length
  }

  private mutating func count(_ store: QueryStore, _ limits: QueryLimits) throws {
    let start = Self.start(range.since, columnLength)
    let columns = Self.column(range.until, range.since, columnLength) + 1
    var newest: Int64 = 0
    try store.forEach("SELECT max(id) FROM record") { newest = $0.integer(0) }
    usesRollups = newest > Self.rollupRecords
    // Of a minute that the range begins in, the roll-ups know the whole.
    var counted = range
    if usesRollups { counted.since = Self.start(range.since, Self.minute) }
    let sql = """
      SELECT source, (severity_number + 3) / 4, (time_unix_nano - \(start)) / \(columnLength),
        \(usesRollups ? "sum(records)" : "count(*)")
      FROM \(usesRollups ? "histogram" : "logs")
      WHERE \(counted.condition(time: "time_unix_nano")) GROUP BY 1, 2, 3
      """
    var byName: [String: Source] = [:]
    try store.forEach(sql, limits: limits) { row in
      let name = row.text(0)
      let severity = min(6, max(0, Int(row.integer(1))))
      let column = min(columns - 1, max(0, Int(row.integer(2))))
      var source =
        byName[name]
        ?? Source(
          name: name, activity: Array(repeating: 0, count: columns),
          worst: Array(repeating: 0, count: columns))
      source.counts[severity] += row.integer(3)
      source.activity[column] += row.integer(3)
      source.worst[column] = max(source.worst[column], severity)
      byName[name] = source
    }
    sources = byName.values.sorted { ($1.total, $0.name) < ($0.total, $1.name) }
  }

  private mutating func findMessages(
    _ store: QueryStore, _ top: Int, _ limits: QueryLimits
  ) throws {
    struct Key: Hashable {
      var source: String
      var template: String
    }
    let sql = """
      SELECT source, body, severity_number FROM logs
      WHERE \(range.condition(time: "time_unix_nano"))
      ORDER BY time_unix_nano DESC LIMIT \(Self.sampleRecords)
      """
    var found: [Key: (count: Int, severity: Int64)] = [:]
    var count = 0
    try store.forEach(sql, limits: limits) { row in
      count += 1
      let key = Key(source: row.text(0), template: MessageTemplate.of(row.text(1)))
      if found[key] == nil, found.count >= Self.mostTemplates { return }
      let old = found[key] ?? (0, 0)
      found[key] = (old.count + 1, max(old.severity, row.integer(2)))
    }
    sampled = count
    messages = found.map { key, value in
      Message(
        template: key.template, source: key.source, count: value.count, severity: value.severity)
    }.sorted { ($1.count, $0.source, $0.template) < ($0.count, $1.source, $1.template) }
    messages = Array(messages.prefix(top))
  }
}
