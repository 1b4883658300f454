// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// RFC 4180: CRLF, quotes where needed. NULL is empty, an empty text is `""`.
struct CSVFormatter: RowFormatter {
  /// Formulas stay formulas.
  let isRaw: Bool
  let escapesControls: Bool

  func begin(_ statement: borrowing Statement, to writer: ByteWriter) {
    for index in 0..<statement.columnCount {
      if index > 0 { writer.append(UInt8(ascii: ",")) }
      append(statement.columnName(index), to: writer)
    }
    writer.append("\r\n")
  }

  func row(_ statement: borrowing Statement, to writer: ByteWriter) {
    for index in 0..<statement.columnCount {
      if index > 0 { writer.append(UInt8(ascii: ",")) }
      switch statement.type(index) {
      case .null: break
      case .integer, .float: writer.append(statement.numberText(index))
      case .text, .blob: append(statement.plainText(index), to: writer)
      }
    }
    writer.append("\r\n")
  }

  func end(to writer: ByteWriter) {}

  private func append(_ text: String, to writer: ByteWriter) {
    var text = escapesControls ? SafeText.escaped(text, keepsNewlines: true) : text
    // A spreadsheet runs a cell that begins like this; the quote makes it text (OWASP).
    if !isRaw, let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) { text = "'" + text }
    let needsQuotes =
      text.isEmpty || text.utf8.contains { "\",\r\n".utf8.contains($0) } || text.utf8.first == 0x20
    guard needsQuotes else { return writer.append(text) }
    writer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { writer.append(byte) }
      writer.append(byte)
    }
    writer.append(UInt8(ascii: "\""))
  }
}

/// One row a line, whatever the values hold.
struct TSVFormatter: RowFormatter {
  let escapesControls: Bool

  func begin(_ statement: borrowing Statement, to writer: ByteWriter) {
    for index in 0..<statement.columnCount {
      if index > 0 { writer.append(UInt8(ascii: "\t")) }
      append(statement.columnName(index), to: writer)
    }
    writer.append(UInt8(ascii: "\n"))
  }

  func row(_ statement: borrowing Statement, to writer: ByteWriter) {
    for index in 0..<statement.columnCount {
      if index > 0 { writer.append(UInt8(ascii: "\t")) }
      append(statement.plainText(index), to: writer)
    }
    writer.append(UInt8(ascii: "\n"))
  }

  func end(to writer: ByteWriter) {}

  private func append(_ text: String, to writer: ByteWriter) {
    var text = text
    let isPlain = text.withUTF8 { SafeText.isPlain($0) && !$0.contains(UInt8(ascii: "\\")) }
    if isPlain { return writer.append(text) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\t": writer.append("\\t")
      case "\n": writer.append("\\n")
      case "\r": writer.append("\\r")
      case "\\": writer.append("\\\\")
      default:
        let one = String(Character(scalar))
        writer.append(escapesControls ? SafeText.escaped(one) : one)
      }
    }
  }
}
