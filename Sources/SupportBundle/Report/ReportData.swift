// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import Redaction
internal import SQLite

/// The document that `report.html` shows.
struct ReportData {
  private let redactor: Redactor?
  private var bytes: [UInt8] = []
  private var words: [String: Int] = [:]
  private var wordList: [String] = []

  init(redactor: Redactor?) { self.redactor = redactor }

  /// - Throws: `SQLiteError`.
  mutating func json(
    _ manifest: BundleManifest, _ database: Connection,
    _ problems: [(path: String, reason: String)], rows: Int64, bytes most: Int, bodyBytes: Int
  ) throws -> [UInt8] {
    bytes = [UInt8(ascii: "{")]
    let request = manifest.request
    member("tool", "logagent " + request.toolVersion)
    member("redacted", number: request.redaction == nil ? 0 : 1)
    member("host", manifest.host)
    member("since", request.selection.since?.description ?? "")
    member("until", request.selection.until?.description ?? "")
    member("first", time(manifest.covered?.lowerBound))
    member("last", time(manifest.covered?.upperBound))
    member("records", number: manifest.records)
    list("redactions", RedactionSummary.byRule(manifest.redactions).map { ($0.rule, $0.hits) })
    list("leftOut", leftOut(manifest))
    list("problems", problems.map { ("\($0.path): \($0.reason)", 1) })
    try addCrashes(database)
    try addRows(database, rows, most, bodyBytes)
    member("words") { data in
      data.bytes.append(UInt8(ascii: "["))
      for (index, word) in data.wordList.enumerated() {
        if index > 0 { data.bytes.append(UInt8(ascii: ",")) }
        SafeText.appendJSON(word, to: &data.bytes)
      }
      data.bytes.append(UInt8(ascii: "]"))
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private func time(_ nanoseconds: Int64?) -> String {
    nanoseconds.map { Timestamp(nanoseconds: $0).description } ?? ""
  }

  private func leftOut(_ manifest: BundleManifest) -> [(String, Int64)] {
    var list: [(String, Int64)] = []
    let missing = manifest.plan.recordsInRange - manifest.records
    if missing > 0 { list.append(("older records: no room", missing)) }
    if let reason = manifest.plan.databaseLeftOut { list.append(("logs.db: " + reason, 1)) }
    for report in manifest.plan.reports where report.isMissing {
      if let reason = report.leftOut { list.append(("report \(report.path): \(reason)", 1)) }
    }
    return list
  }

  // MARK: Rows

  private mutating func addCrashes(_ database: Connection) throws {
    let select = try database.prepare("SELECT * FROM crashes ORDER BY time_unix_nano, id")
    let encoder = RecordJSON(select)
    var rows: [UInt8] = []
    while try select.step() {
      if !rows.isEmpty { rows.append(UInt8(ascii: ",")) }
      encoder.append(select, to: &rows)
    }
    member("crashes") { data in
      data.bytes.append(UInt8(ascii: "["))
      data.bytes += rows
      data.bytes.append(UInt8(ascii: "]"))
    }
  }

  /// The newest rows, by time: milliseconds since `base`, severity, source, process, text.
  private mutating func addRows(
    _ database: Connection, _ limit: Int64, _ most: Int, _ bodyBytes: Int
  ) throws {
    let oldest =
      try database.integer(
        "SELECT time FROM record ORDER BY time DESC LIMIT 1 OFFSET \(max(0, limit - 1))")
      ?? Int64.min
    let select = try database.prepare(
      """
      SELECT time_unix_nano, severity_number, source, process, body FROM logs
      WHERE crash_id IS NULL AND time_unix_nano >= \(oldest) ORDER BY time_unix_nano DESC,
      source DESC, file_generation DESC, byte_offset DESC, id DESC LIMIT \(limit)
      """)
    // From the newest on, so that the oldest have no room; written the other way round.
    var text: [UInt8] = []
    var ends: [Int] = []
    let base = (try database.integer("SELECT max(time) FROM record") ?? 0) / 1_000_000
    while text.count < most, try select.step() {
      text.append(UInt8(ascii: "["))
      SafeText.append(select.integer(0) / 1_000_000 - base, to: &text)
      for number in [
        select.integer(1), Int64(word(select.text(2))), Int64(word(select.text(3))),
      ] {
        text.append(UInt8(ascii: ","))
        SafeText.append(number, to: &text)
      }
      text.append(UInt8(ascii: ","))
      let isLong = select.withText(4) { body in
        if body.count > bodyBytes { return true }
        SafeText.appendJSON(body, to: &text)
        return false
      }
      if isLong { SafeText.appendJSON(cut(select.text(4), bodyBytes), to: &text) }
      text.append(UInt8(ascii: "]"))
      ends.append(text.count)
    }
    member("base", number: base)
    member("shown", number: Int64(ends.count))
    member("rows") { data in
      // At once: megabytes that grow are moved again and again, and for a moment there twice.
      data.bytes.reserveCapacity(data.bytes.count + text.count + 2 * ends.count + 64 << 10)
      data.bytes.append(UInt8(ascii: "["))
      for index in ends.indices.reversed() {
        data.bytes += text[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
        if index > 0 { data.bytes += ",\n".utf8 }
      }
      data.bytes.append(UInt8(ascii: "]"))
    }
  }

  /// A beginning of `text`. Where a mark was cut through, what is left looks like a secret again.
  private func cut(_ text: String, _ count: Int) -> String {
    let short = String(decoding: Array(text.utf8.prefix(count)), as: UTF8.self)
    return (redactor?.redacted(short, at: RedactionPlace("report.html", "cut")) ?? short) + " …"
  }

  private mutating func word(_ text: String) -> Int {
    if let known = words[text] { return known }
    words[text] = wordList.count
    wordList.append(text)
    return wordList.count - 1
  }

  // MARK: Members

  private mutating func member(_ key: String, _ body: (inout ReportData) -> Void) {
    if bytes.count > 1 { bytes += ",\n".utf8 }
    SafeText.appendJSON(key, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    body(&self)
  }

  private mutating func member(_ key: String, _ value: String) {
    member(key) { SafeText.appendJSON(value, to: &$0.bytes) }
  }

  private mutating func member(_ key: String, number: Int64) {
    member(key) { SafeText.append(number, to: &$0.bytes) }
  }

  /// Pairs of a text and a count.
  private mutating func list(_ key: String, _ pairs: [(String, Int64)]) {
    member(key) { data in
      data.bytes.append(UInt8(ascii: "["))
      for (index, (text, count)) in pairs.enumerated() {
        if index > 0 { data.bytes.append(UInt8(ascii: ",")) }
        data.bytes.append(UInt8(ascii: "["))
        SafeText.appendJSON(text, to: &data.bytes)
        data.bytes.append(UInt8(ascii: ","))
        SafeText.append(count, to: &data.bytes)
        data.bytes.append(UInt8(ascii: "]"))
      }
      data.bytes.append(UInt8(ascii: "]"))
    }
  }
}
