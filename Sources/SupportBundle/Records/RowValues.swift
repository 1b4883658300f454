// SPDX-License-Identifier: Apache-2.0

internal import SQLite

/// A copy of a row's values, to be changed and passed on.
final class RowValues {
  private struct Value {
    var type = ValueType.null
    var integer: Int64 = 0
    var double = 0.0
    /// Of a text or a blob, in `arena`.
    var range = 0..<0
  }

  // One thread has it, and these are touched dozens of times a row: the checks at run time cost a
  // twentieth of an export.
  @exclusivity(unchecked) private var values: [Value] = []
  @exclusivity(unchecked) private var arena: [UInt8] = []

  var count: Int { values.count }

  /// Takes over the row that a statement stands at.
  ///
  /// - Parameter columns: only so many; `nil` for all.
  func load(_ row: borrowing Statement, columns: Int? = nil) {
    let count = columns ?? Int(row.columnCount)
    if values.count != count { values = [Value](repeating: Value(), count: count) }
    arena.removeAll(keepingCapacity: true)
    values.withUnsafeMutableBufferPointer { values in
      for column in 0..<count {
        let source = row.value(Int32(column))
        let type = source.type
        values[column].type = type
        switch type {
        case .null: values[column].range = 0..<0
        case .integer: values[column].integer = source.integer
        case .float: values[column].double = source.double
        case .text, .blob:
          let start = arena.count
          arena.append(contentsOf: source.bytes)
          values[column].range = start..<arena.count
        }
      }
    }
  }

  func type(_ column: Int) -> ValueType { values[column].type }

  func isNull(_ column: Int) -> Bool { values[column].type == .null }

  func integer(_ column: Int) -> Int64 { values[column].integer }

  /// Calls `body` with the bytes of a text or a blob, valid during the call.
  func withBytes<Result>(
    _ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    let range = values[column].range
    return try arena.withUnsafeBufferPointer { try body(.init(rebasing: $0[range])) }
  }

  func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

  func setNull(_ column: Int) { values[column].type = .null }

  func set(_ column: Int, _ number: Int64) {
    values[column].type = .integer
    values[column].integer = number
  }

  func set(_ column: Int, text: [UInt8]) { set(column, .text, text) }

  func set(_ column: Int, blob: [UInt8]) { set(column, .blob, blob) }

  /// Sets a value to what `body` appends, or to NULL when that is nothing.
  func set(_ column: Int, _ type: ValueType, by body: (inout [UInt8]) -> Void) {
    let start = arena.count
    body(&arena)
    values[column].type = arena.count > start ? type : .null
    values[column].range = start..<arena.count
  }

  private func set(_ column: Int, _ type: ValueType, _ bytes: [UInt8]) {
    let start = arena.count
    arena.append(contentsOf: bytes)
    values[column].type = type
    values[column].range = start..<arena.count
  }

  // MARK: Passing on

  /// Appends the values in a form that `bind` reads.
  func append(to target: inout [UInt8]) {
    for value in values {
      target.append(UInt8(truncatingIfNeeded: value.type.rawValue))
      switch value.type {
      case .null: break
      case .integer: Self.append(UInt64(bitPattern: value.integer), to: &target)
      case .float: Self.append(value.double.bitPattern, to: &target)
      case .text, .blob:
        Self.append(UInt64(value.range.count), to: &target)
        target.append(contentsOf: arena[value.range])
      }
    }
  }

  private static func append(_ number: UInt64, to target: inout [UInt8]) {
    withUnsafeBytes(of: number) { target.append(contentsOf: $0) }
  }

  /// Binds one row that `append` has written, from `offset` on; returns where the next one begins.
  /// The bytes must live until the statement has run.
  static func bind(
    _ bytes: UnsafeRawBufferPointer, from offset: Int, columns: Int,
    to statement: borrowing Statement
  ) -> Int {
    var index = offset
    for column in 1...Int32(columns) {
      let type = ValueType(rawValue: Int32(bytes[index])) ?? .null
      index += 1
      if type == .null {
        statement.bindNull(column)
        continue
      }
      let number = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      index += 8
      switch type {
      case .null: break
      case .integer: statement.bind(column, Int64(bitPattern: number))
      case .float: statement.bind(column, double: Double(bitPattern: number))
      case .text, .blob:
        let slice = UnsafeRawBufferPointer(rebasing: bytes[index..<index + Int(number)])
        let content = slice.bindMemory(to: UInt8.self)
        if type == .text {
          statement.bindStatic(column, text: content)
        } else {
          statement.bindStatic(column, blob: content)
        }
        index += Int(number)
      }
    }
    return index
  }
}
