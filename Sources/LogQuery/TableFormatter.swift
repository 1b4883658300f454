// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// Columns for people.
///
/// The widths come from the first rows, which wait until there are `sampleRows` of them or
/// `sampleBytes`; later rows go straight out. On a terminal a cell that is too wide is cut and ends
/// in an ellipsis; elsewhere it pushes the rest of its line to the right.
struct TableFormatter: RowFormatter {
  /// Columns of the terminal; `nil` when nothing is cut.
  let width: Int?

  private var names: [String] = []
  private var isNumeric: [Bool] = []
  private var widths: [Int] = []
  private var sample: [[String]] = []
  private var sampleSize = 0
  private var isStreaming = false

  private static let sampleRows = 200
  private static let sampleBytes = 1 << 20
  // Elsewhere than on a terminal, one long text must not push all rows apart.
  private static let widestPadding = 60

  init(width: Int?) { self.width = width }

  mutating func begin(_ statement: borrowing Statement, to writer: ByteWriter) {
    for index in 0..<statement.columnCount {
      names.append(SafeText.escaped(statement.columnName(index)))
      isNumeric.append(true)
    }
  }

  mutating func row(_ statement: borrowing Statement, to writer: ByteWriter) {
    var cells: [String] = []
    cells.reserveCapacity(names.count)
    for index in 0..<statement.columnCount {
      cells.append(SafeText.escaped(statement.plainText(index)))
      if !isStreaming, [.text, .blob].contains(statement.type(index)) {
        isNumeric[Int(index)] = false
      }
    }
    if isStreaming { return write(cells, to: writer) }
    sampleSize += cells.reduce(0) { $0 + $1.utf8.count }
    sample.append(cells)
    if sample.count >= Self.sampleRows || sampleSize >= Self.sampleBytes { release(to: writer) }
  }

  mutating func end(to writer: ByteWriter) {
    if !isStreaming { release(to: writer) }
  }

  private mutating func release(to writer: ByteWriter) {
    isStreaming = true
    let cap = width ?? Int.max
    let needed = names.indices.map { column in
      sample.reduce(SafeText.width(names[column])) {
        min(cap, max($0, SafeText.width($1[column])))
      }
    }
    widths = Self.fit(needed, into: width)
    write(names, to: writer)
    write(widths.map { String(repeating: "-", count: $0) }, to: writer)
    for cells in sample { write(cells, to: writer) }
    sample = []
  }

  /// The widths to use: as needed, but none wider than what makes all fit.
  private static func fit(_ needed: [Int], into width: Int?) -> [Int] {
    guard let width else { return needed.map { min($0, widestPadding) } }
    let available = width - 2 * (needed.count - 1)
    var cap = needed.max() ?? 0
    while cap > 4, needed.reduce(0, { $0 + min($1, cap) }) > available { cap -= 1 }
    return needed.map { min($0, cap) }
  }

  private func write(_ cells: [String], to writer: ByteWriter) {
    for (column, text) in cells.enumerated() {
      if column > 0 { writer.append("  ") }
      let cell = width == nil ? text : SafeText.cut(text, to: widths[column])
      let isLast = column == cells.count - 1
      let missing = max(0, widths[column] - SafeText.width(cell))
      if isNumeric[column] { pad(missing, writer) }
      writer.append(cell)
      if !isNumeric[column], !isLast { pad(missing, writer) }
    }
    writer.append(UInt8(ascii: "\n"))
  }

  private func pad(_ count: Int, _ writer: ByteWriter) {
    for _ in 0..<count { writer.append(UInt8(ascii: " ")) }
  }
}
