// SPDX-License-Identifier: Apache-2.0

/// Goes through JSON values from front to back; the caller goes down into those it wants, and skips
/// the others. So nothing is scanned once for each level that it lies below.
struct JSONWalker {
  private let line: Line
  /// Where the value begins that comes next, or where the last one ended.
  private(set) var index: Int

  init(_ line: Line, at start: Int) {
    self.line = line
    index = JSONScanner.skipSpace(line, start)
  }

  /// Passes over the value at `index`; false when there is none.
  mutating func skip() -> Bool {
    guard let end = JSONScanner.valueEnd(line, index) else { return false }
    index = end
    return true
  }

  /// Calls `body` with the key of each member of the object at `index`; `body` goes over the value,
  /// and ends the walk with false. A value of another kind is passed over.
  @discardableResult
  mutating func members(_ body: (inout JSONWalker, Line) -> Bool) -> Bool {
    guard line.at(index) == Byte.openBrace else { return skip() }
    index = JSONScanner.skipSpace(line, index + 1)
    while line.at(index) == Byte.quote {
      let start = index + 1
      guard let end = JSONScanner.stringEnd(line, index) else { return false }
      index = JSONScanner.skipSpace(line, end)
      guard line.at(index) == Byte.colon else { return false }
      index = JSONScanner.skipSpace(line, index + 1)
      guard body(&self, line.slice(start, end - 1)), separator() else { return false }
    }
    return close(Byte.closeBrace)
  }

  /// Calls `body` for each element of the array at `index`; `body` goes over it, and ends the walk
  /// with false. A value of another kind is passed over.
  mutating func elements(_ body: (inout JSONWalker) -> Bool) -> Bool {
    guard line.at(index) == Byte.openBracket else { return skip() }
    index = JSONScanner.skipSpace(line, index + 1)
    while index < line.count, line[index] != Byte.closeBracket {
      guard body(&self), separator() else { return false }
    }
    return close(Byte.closeBracket)
  }

  /// Passes over a comma; false when something else than a comma or an end follows.
  private mutating func separator() -> Bool {
    index = JSONScanner.skipSpace(line, index)
    if line.at(index) == Byte.comma {
      index = JSONScanner.skipSpace(line, index + 1)
      return true
    }
    return line.at(index) == Byte.closeBrace || line.at(index) == Byte.closeBracket
  }

  private mutating func close(_ byte: UInt8) -> Bool {
    guard line.at(index) == byte else { return false }
    index += 1
    return true
  }
}
