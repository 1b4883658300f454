// SPDX-License-Identifier: Apache-2.0

internal import LogQuery
internal import SQLite

/// The rows of a small table that records point to, `word` or `file`: read and masked once each.
final class MaskedNames {
  private let table: String
  private let select: Statement
  private let rows: RowRedactor?
  let columns: [String]
  /// By id: the row as `RowValues` passes it on.
  private(set) var used: [Int64: [UInt8]] = [:]
  /// By id and column: the text as JSON.
  @exclusivity(unchecked) private var texts: [Int64: [[UInt8]?]] = [:]
  /// Those of small ids, which are asked for with each record.
  @exclusivity(unchecked) private var few = [[[UInt8]?]?](repeating: nil, count: 1024)

  /// - Throws: `SQLiteError`.
  init(_ table: String, of store: Connection, _ rows: RowRedactor?) throws(SQLiteError) {
    self.table = table
    self.rows = rows
    select = try store.prepare("SELECT * FROM \(table) WHERE id = ?")
    var columns: [String] = []
    for column in 0..<select.columnCount { columns.append(select.columnName(column)) }
    self.columns = columns
  }

  /// The text of a column as a JSON string, `nil` for NULL, an empty text or an unknown row.
  ///
  /// - Throws: `SQLiteError`.
  func json(_ id: Int64, _ column: Int) throws(SQLiteError) -> [UInt8]? {
    if !isKnown(id) { try use(id) }
    if few.indices.contains(Int(id)), let known = few[Int(id)] {
      return column < known.count ? known[column] : nil
    }
    return texts[id].flatMap { column < $0.count ? $0[column] : nil }
  }

  private func isKnown(_ id: Int64) -> Bool {
    few.indices.contains(Int(id)) ? few[Int(id)] != nil : texts[id] != nil
  }

  private func note(_ id: Int64, _ columns: [[UInt8]?]) {
    if few.indices.contains(Int(id)) { few[Int(id)] = columns } else { texts[id] = columns }
  }

  /// Reads and masks a row.
  ///
  /// - Throws: `SQLiteError`.
  func use(_ id: Int64) throws(SQLiteError) {
    if isKnown(id) { return }
    select.bind(1, id)
    defer { select.reset() }
    guard try select.step() else {
      return note(id, [])
    }
    let values = RowValues()
    values.load(select)
    rows?.rewrite(table, values, columns)
    var row: [UInt8] = []
    values.append(to: &row)
    used[id] = row
    note(
      id,
      (0..<values.count).map { column in
        guard values.type(column) == .text else { return nil }
        var text: [UInt8] = []
        values.withBytes(column) { if !$0.isEmpty { SafeText.appendJSON($0, to: &text) } }
        return text.isEmpty ? nil : text
      })
  }
}
