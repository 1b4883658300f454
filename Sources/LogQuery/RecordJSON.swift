// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// Records and crashes as JSON objects, in the words of OpenTelemetry's Logs Data Model.
///
/// The form is that of `logs.jsonl` in a bundle and of `logagent show -o json`: readers may rely on
/// the members, and must skip those that they do not know. Members without a value are left out.
/// `original` is the text of the record as in its file, where that is more than the body.
/// Nanoseconds are strings, as in OTLP's JSON, since many readers keep numbers as doubles.
package enum RecordJSON {
  /// What to select from `logs` for `append`.
  package static let columns = """
    time, time_unix_nano, observed_time_unix_nano, time_quality, utc_offset_minutes, \
    severity_number, severity_text, body, source, process, pid, thread_id, scope_name, \
    log_file_path, file_generation, byte_offset, byte_length, line_break, crash_id, \
    CASE WHEN json_valid(attributes) THEN json(attributes) END AS attributes, id, \
    CASE WHEN original <> body THEN original END AS original
    """

  private static let nanoseconds: Set<String> = ["time_unix_nano", "observed_time_unix_nano"]
  private static let embedded: Set<String> = ["attributes", "frames"]

  /// The order of records in every view: lines of one file never change places.
  package static let order = "time_unix_nano, source, file_generation, byte_offset, id"

  /// Appends the row as an object, without a line end.
  ///
  /// - Parameters:
  ///   - row: of a statement that selects `columns`, or everything of `crashes`.
  ///   - target: where it is appended.
  package static func append(_ row: borrowing Statement, to target: inout [UInt8]) {
    target.append(UInt8(ascii: "{"))
    var isFirst = true
    for index in 0..<row.columnCount where !row.isNull(index) {
      if !isFirst { target.append(UInt8(ascii: ",")) }
      isFirst = false
      let name = row.columnName(index)
      SafeText.appendJSON(name, to: &target)
      target.append(UInt8(ascii: ":"))
      append(row, index, name, to: &target)
    }
    target.append(UInt8(ascii: "}"))
  }

  private static func append(
    _ row: borrowing Statement, _ index: Int32, _ name: String, to target: inout [UInt8]
  ) {
    switch row.type(index) {
    case .integer:
      let text = String(row.integer(index))
      target.append(contentsOf: (nanoseconds.contains(name) ? "\"\(text)\"" : text).utf8)
    case .float, .null: target.append(contentsOf: row.numberText(index).utf8)
    case .text where embedded.contains(name):
      row.withText(index) { SafeText.appendJSON(document: $0, to: &target) }
    case .text: row.withText(index) { SafeText.appendJSON($0, to: &target) }
    case .blob:
      target.append(UInt8(ascii: "\""))
      row.withBlob(index) { SafeText.appendHex($0, to: &target) }
      target.append(UInt8(ascii: "\""))
    }
  }
}
