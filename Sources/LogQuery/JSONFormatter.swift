// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// JSON Lines: an object a row, its members in the order of the columns.
///
/// A blob is a string of hexadecimal digits, an infinite number is null. A second column of the
/// same name gets `_2` behind it, as an object has each name once.
struct JSONFormatter: RowFormatter {
  private var keys: [[UInt8]] = []

  mutating func begin(_ statement: borrowing Statement, to writer: ByteWriter) {
    var used: Set<String> = []
    for index in 0..<statement.columnCount {
      let name = statement.columnName(index)
      var unique = name
      var number = 2
      while !used.insert(unique).inserted {
        unique = "\(name)_\(number)"
        number += 1
      }
      var key: [UInt8] = [index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")]
      SafeText.appendJSON(unique, to: &key)
      keys.append(key + [UInt8(ascii: ":")])
    }
  }

  func row(_ statement: borrowing Statement, to writer: ByteWriter) {
    for index in 0..<statement.columnCount {
      writer.append(contentsOf: keys[Int(index)])
      Self.append(statement, index, to: writer)
    }
    writer.append("}\n")
  }

  func end(to writer: ByteWriter) {}

  private static func append(
    _ statement: borrowing Statement, _ index: Int32, to writer: ByteWriter
  ) {
    switch statement.type(index) {
    case .null: writer.append("null")
    case .integer: writer.append(statement.numberText(index))
    case .float:
      let isFinite = statement.double(index).isFinite
      writer.append(isFinite ? statement.numberText(index) : "null")
    case .text:
      statement.withText(index) { text in
        writer.edit { SafeText.appendJSON(text, to: &$0) }
      }
    case .blob:
      writer.append(UInt8(ascii: "\""))
      statement.withBlob(index) { bytes in writer.edit { SafeText.appendHex(bytes, to: &$0) } }
      writer.append(UInt8(ascii: "\""))
    }
  }
}
