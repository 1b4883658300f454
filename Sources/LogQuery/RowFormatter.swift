// SPDX-License-Identifier: Apache-2.0

package import SQLite

/// Turns the rows of a statement into text, one after the other.
package protocol RowFormatter {
  /// Called once before the first row, or at the end when there is none.
  mutating func begin(_ statement: borrowing Statement, to writer: ByteWriter) throws
  mutating func row(_ statement: borrowing Statement, to writer: ByteWriter) throws
  mutating func end(to writer: ByteWriter) throws
}

/// The forms of a result.
package enum ResultFormat: String, CaseIterable, Sendable {
  /// Columns for people, cut to the width of a terminal.
  case table
  /// RFC 4180, with a header; text that a spreadsheet would run begins with `'`.
  case csv
  /// JSON Lines: an object a row.
  case json
  /// Tab-separated, with a header; tabs and line ends as `\t` and `\n`, so one row is one line.
  case tsv

  /// A formatter of this form.
  ///
  /// - Parameters:
  ///   - sink: where the text will go.
  ///   - raw: leaves formulas in CSV as they are.
  package func formatter(for sink: any OutputSink, raw: Bool = false) -> any RowFormatter {
    switch self {
    case .table: TableFormatter(width: sink.isTerminal ? sink.columns : nil)
    case .csv: CSVFormatter(isRaw: raw, escapesControls: sink.isTerminal)
    case .json: JSONFormatter()
    case .tsv: TSVFormatter(escapesControls: sink.isTerminal)
    }
  }
}

extension Statement {
  /// A number as text that reads back as the same number.
  borrowing func numberText(_ index: Int32) -> String {
    if type(index) == .integer { return String(integer(index)) }
    let value = double(index)
    return value.isFinite ? String(value) : text(index)
  }

  /// The column as text: numbers, repaired UTF-8, blobs in hexadecimal; empty for NULL.
  borrowing func plainText(_ index: Int32) -> String {
    switch type(index) {
    case .null: return ""
    case .integer, .float: return numberText(index)
    case .text: return text(index)
    case .blob:
      return withBlob(index) { bytes in
        var hex: [UInt8] = []
        SafeText.appendHex(bytes, to: &hex)
        return String(decoding: hex, as: UTF8.self)
      }
    }
  }
}
