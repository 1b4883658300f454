// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
internal import SQLite

/// The crashes as a person reads them: one entry for those of one program with one cause, the
/// latest last. It says which process, why, where in the code, and how often.
enum CrashList {
  /// Writes an entry for each group.
  ///
  /// - Parameter condition: on the view `crashes`.
  /// - Returns: how many entries there are.
  static func write(
    where condition: String, from store: QueryStore, _ call: Invocation
  ) throws -> Int {
    var count = 0
    try store.forEach(sql(condition) + " GROUP BY fingerprint, process, reason ORDER BY last, id") {
      row in
      if count > 0 { call.output.append("\n") }
      call.output.append(entry(row))
      count += 1
      try call.output.endOfRow()
    }
    return count
  }

  /// The entry of one crash.
  static func entry(of id: Int64, from store: QueryStore) throws -> String {
    var text = ""
    try store.forEach(sql("id = \(id)")) { text = entry($0) }
    return text
  }

  // With max() SQLite takes the other columns from the row that has it.
  private static func sql(_ condition: String) -> String {
    """
    SELECT id, time, process, pid, kind, signal, exception_type, reason, top_frame, occurrences,
      first_seen, max(time_unix_nano) AS last, signal_code, fault_address FROM crashes WHERE \(condition)
    """
  }

  private static func entry(_ row: borrowing Statement) -> String {
    var line = "\(row.integer(0))  \(shortened(row.text(1)))  "
    line += row.optionalText(2).map { SafeText.escaped($0) } ?? "?"
    if let pid = row.optionalInteger(3) { line += "[\(pid)]" }
    line += "  " + SafeText.escaped(row.optionalText(5) ?? row.text(4))
    let times = row.integer(9)
    if times > 1 { line += "  \(times) times since \(shortened(row.text(10)))" }
    let indent = String(repeating: " ", count: 4)
    var lines = [line]
    let words = row.optionalText(7) ?? row.optionalText(6) ?? fault(row)
    if let words {
      lines += words.split(separator: "\n").prefix(3).map { indent + SafeText.escaped(String($0)) }
    }
    if let place = row.optionalText(8) { lines.append(indent + "at " + SafeText.escaped(place)) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What was wrong with which address, as in `SEGV_MAPERR at 0xc`.
  private static func fault(_ row: borrowing Statement) -> String? {
    guard let code = row.optionalText(12) else { return nil }
    return code + (row.optionalInteger(13).map { " at " + hexadecimal($0) } ?? "")
  }

  /// An address as it is read, and compared with the stack.
  static func hexadecimal(_ address: Int64) -> String {
    "0x" + String(UInt64(bitPattern: address), radix: 16)
  }

  /// A time to the second.
  private static func shortened(_ time: String) -> String { time.prefix(19) + "Z" }
}
