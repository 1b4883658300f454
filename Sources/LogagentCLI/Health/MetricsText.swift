// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite

/// The state of a store in Prometheus' text format (version 0.0.4).
struct MetricsText {
  private(set) var text = ""

  /// - Throws: `QueryError`.
  init(_ status: StoreStatus, _ store: QueryStore) throws {
    add("info", "gauge", "The version", [(["version": CLI.version], 1)])
    add("up", "gauge", "Whether an agent uses the store now", [([:], status.agent == nil ? 0 : 1)])
    add("store_bytes", "gauge", "Size of the store's files", [([:], Double(status.size))])
    add("store_quota_bytes", "gauge", "retention.max_bytes", [([:], Double(status.quota))])
    if let free = status.freeBytes {
      add("disk_free_bytes", "gauge", "What the store's disk has left", [([:], Double(free))])
    }
    add("records", "gauge", "Records that are kept", [([:], Double(status.records))])
    add(
      "records_pruned_total", "counter", "Records that the quota took",
      [([:], Double(status.pruned))])
    add("crashes", "gauge", "Crashes that are kept", [([:], Double(status.crashes))])
    if let last = status.lastCrash {
      add(
        "last_crash_timestamp_seconds", "gauge", "When the last crash was",
        [([:], Self.seconds(last))])
    }
    if let last = status.lastObserved {
      add(
        "last_stored_timestamp_seconds", "gauge", "When a record was last stored",
        [([:], Self.seconds(last))])
    }
    add(
      "gap_bytes_total", "counter", "Bytes lost before they could be read",
      [([:], Double(status.gapBytes))])
    add(
      "problems", "gauge", "Paths that something is wrong with",
      [([:], Double(status.problems.count))])
    addSources(status)
    try addSeverities(store)
  }

  private mutating func addSources(_ status: StoreStatus) {
    func samples(_ value: (StoreStatus.Source) -> Int64?) -> [([String: String], Double)] {
      status.sources.compactMap { source in
        value(source).map { (["source": source.name], Double($0)) }
      }
    }
    add(
      "source_stored_bytes_total", "counter", "Bytes of files that are stored",
      samples(\.storedBytes))
    add("source_behind_bytes", "gauge", "Bytes that are not stored yet", samples(\.bytesBehind))
    add("source_files", "gauge", "Files that are followed", samples(\.activeFiles))
    add("source_problems", "gauge", "Files that something is wrong with", samples(\.problems))
    add(
      "source_last_record_timestamp_seconds", "gauge", "The newest record's time",
      status.sources.compactMap { source in
        source.lastTime.map { (["source": source.name], Self.seconds($0)) }
      })
  }

  private mutating func addSeverities(_ store: QueryStore) throws {
    var samples: [([String: String], Double)] = []
    // The roll-ups count pruned records too, so the numbers never fall.
    let sql = """
      SELECT source, COALESCE(severity, 'none'), sum(records) FROM histogram
      GROUP BY 1, 2 ORDER BY 1, 2
      """
    try store.forEach(sql) { row in
      samples.append(
        (["source": row.text(0), "severity": row.text(1)], Double(row.integer(2))))
    }
    add("records_total", "counter", "Records ever stored", samples)
  }

  private static func seconds(_ nanoseconds: Int64) -> Double { Double(nanoseconds) / 1e9 }

  private mutating func add(
    _ name: String, _ kind: String, _ help: String, _ samples: [([String: String], Double)]
  ) {
    if samples.isEmpty { return }
    text += "# HELP logagent_\(name) \(help).\n# TYPE logagent_\(name) \(kind)\n"
    for (labels, value) in samples {
      let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }
      text += "logagent_\(name)" + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}")
      text += " \(Self.number(value))\n"
    }
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? String(value)
  }

  private static func escaped(_ text: String) -> String {
    SafeText.escaped(
      text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))
  }
}
