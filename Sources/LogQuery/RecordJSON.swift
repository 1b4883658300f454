// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// Records and crashes as JSON objects, in the words of OpenTelemetry's Logs Data Model.
///
/// The form is that of `logs.jsonl` in a bundle and of `logagent show -o json`: readers may rely on
/// the members, and must skip those that they do not know. Members without a value are left out.
/// `original` is the text of the record as in its file, where that is more than the body.
/// Nanoseconds are strings, as in OTLP's JSON, since many readers keep numbers as doubles.
package struct RecordJSON {
  /// What to select from `logs` for `append`.
  package static let columns = """
    time, time_unix_nano, observed_time_unix_nano, time_quality, utc_offset_minutes, \
    severity_number, severity_text, body, source, process, pid, thread_id, scope_name, \
    log_file_path, file_generation, byte_offset, byte_length, line_break, crash_id, \
    CASE WHEN json_valid(attributes) THEN json(attributes) END AS attributes, id, \
    CASE WHEN original <> body THEN original END AS original
    """

  private enum Kind {
    case plain
    case nanoseconds
    /// JSON already.
    case document
  }

  /// The members' names as JSON, with the colon, by column.
  private let keys: [[UInt8]]
  private let kinds: [Kind]

  /// An encoder for the rows of a statement that selects `columns`, or everything of `crashes`.
  package init(_ statement: borrowing Statement) {
    var keys: [[UInt8]] = []
    var kinds: [Kind] = []
    for index in 0..<statement.columnCount {
      let name = statement.columnName(index)
      var key: [UInt8] = []
      SafeText.appendJSON(name, to: &key)
      keys.append(key + [UInt8(ascii: ":")])
      switch name {
      case "time_unix_nano", "observed_time_unix_nano": kinds.append(.nanoseconds)
      case "attributes", "frames": kinds.append(.document)
      default: kinds.append(.plain)
      }
    }
    self.keys = keys
    self.kinds = kinds
  }

  /// The order of records in every view: lines of one file never change places.
  package static let order = "time_unix_nano, source, file_generation, byte_offset, id"

  /// Appends the row as an object, without a line end.
  package func append(_ row: borrowing Statement, to target: inout [UInt8]) {
    target.append(UInt8(ascii: "{"))
    var isFirst = true
    for index in 0..<keys.count {
      let column = Int32(index)
      let type = row.type(column)
      if type == .null { continue }
      if !isFirst { target.append(UInt8(ascii: ",")) }
      isFirst = false
      target.append(contentsOf: keys[index])
      append(row, column, type, kinds[index], to: &target)
    }
    target.append(UInt8(ascii: "}"))
  }

  private func append(
    _ row: borrowing Statement, _ index: Int32, _ type: ValueType, _ kind: Kind,
    to target: inout [UInt8]
  ) {
    switch type {
    case .null: break
    case .integer:
      if kind == .nanoseconds { target.append(UInt8(ascii: "\"")) }
      SafeText.append(row.integer(index), to: &target)
      if kind == .nanoseconds { target.append(UInt8(ascii: "\"")) }
    case .float: target.append(contentsOf: row.numberText(index).utf8)
    case .text:
      row.withText(index) { text in
        if kind == .document {
          SafeText.appendJSON(document: text, to: &target)
        } else {
          SafeText.appendJSON(text, to: &target)
        }
      }
    case .blob:
      target.append(UInt8(ascii: "\""))
      row.withBlob(index) { SafeText.appendHex($0, to: &target) }
      target.append(UInt8(ascii: "\""))
    }
  }
}
