// SPDX-License-Identifier: Apache-2.0

internal import Redaction
internal import SQLite

/// Masks the texts of rows on their way from the store into a bundle's database.
final class RowRedactor {
  private let redactor: Redactor
  @exclusivity(unchecked) private var masked: [UInt8] = []
  @exclusivity(unchecked) private var whole: [UInt8] = []

  init(_ redactor: Redactor) { self.redactor = redactor }

  // MARK: Records

  /// Changes the values of a record where something must be masked.
  ///
  /// - Parameter isRow: whether it becomes a row of the database, too: only there the text around
  ///   the body stands alone.
  func rewrite(record row: RowValues, _ columns: RecordColumns, isRow: Bool) {
    if !row.isNull(columns.attributes) {
      rewriteDocument(row, columns.attributes, RedactionPlace("logs", "attributes"))
    }
    let hasOriginal = !row.isNull(columns.original)
    if hasOriginal { rewriteOriginal(row, columns.original) }
    whole.removeAll(keepingCapacity: true)
    append(row, columns.head)
    append(row, columns.body)
    append(row, columns.tail)
    let isBodyAlone = row.isNull(columns.head) && row.isNull(columns.tail)
    let isWholeClean = whole.withUnsafeBufferPointer { redactor.firstFinding(in: $0) == nil }
    // A part alone can be more than in its place: a number that a letter follows is no card's.
    if isWholeClean,
      isBodyAlone
        || (isClean(row, columns.body)
          && (!isRow || (isClean(row, columns.head) && isClean(row, columns.tail))))
    {
      return
    }
    // A key may end the head whose value begins the body: each part by what is found in the whole.
    let text = whole
    let first = row.isNull(columns.head) ? 0 : row.withBytes(columns.head) { $0.count }
    let second = first + row.withBytes(columns.body) { $0.count }
    let head = mask(text, 0..<first, "original")
    let body = mask(text, first..<second, "body")
    let tail = mask(text, second..<text.count, "original")
    row.set(columns.body, text: Self.repaired(body))
    if isBodyAlone { return }
    let joined = head + body + tail
    if joined.withUnsafeBufferPointer({ redactor.firstFinding(in: $0) == nil }) {
      row.set(columns.head, text: Self.repaired(head))
      row.set(columns.tail, text: Self.repaired(tail))
      return
    }
    row.setNull(columns.head)
    row.setNull(columns.tail)
    if hasOriginal { return }
    masked.removeAll(keepingCapacity: true)
    _ = text.withUnsafeBufferPointer {
      redactor.redact($0, at: RedactionPlace("logs", "original"), to: &masked)
    }
    row.set(columns.original, blob: masked.isEmpty ? joined : masked)
  }

  private func append(_ row: RowValues, _ column: Int) {
    if !row.isNull(column) { row.withBytes(column) { whole.append(contentsOf: $0) } }
  }

  private static func repaired(_ text: [UInt8]) -> [UInt8] {
    Array(String(decoding: text, as: UTF8.self).utf8)
  }

  private func isClean(_ row: RowValues, _ column: Int) -> Bool {
    row.isNull(column) || row.withBytes(column) { redactor.firstFinding(in: $0) == nil }
  }

  private func mask(_ text: [UInt8], _ part: Range<Int>, _ field: String) -> [UInt8] {
    text.withUnsafeBufferPointer {
      redactor.redacted(part, of: $0, at: RedactionPlace("logs", field))
    }
  }

  private func rewriteOriginal(_ row: RowValues, _ column: Int) {
    masked.removeAll(keepingCapacity: true)
    let place = RedactionPlace("logs", "original")
    let isChanged: Bool
    if row.withBytes(column, { $0.allSatisfy { $0 &- 1 < 0x7f } }) {
      isChanged = row.withBytes(column) { redactor.redact($0, at: place, to: &masked) }
    } else {
      let bytes = row.bytes(column)
      // No rule reads UTF-16 or the like.
      if bytes.contains(0) { return row.setNull(column) }
      isChanged = Self.repaired(bytes).withUnsafeBufferPointer {
        redactor.redact($0, at: place, to: &masked)
      }
    }
    if isChanged { row.set(column, blob: masked) }
  }

  // MARK: Other rows

  /// Changes every text of a row; `frames` and `attributes` are documents.
  func rewrite(_ table: String, _ row: RowValues, _ names: [String]) {
    let file = table == "crash" ? "crashes" : "logs"
    for (column, name) in names.enumerated() {
      // What a file began and ended with could be guessed from these.
      if name == "head_hash" || name == "tail_hash" {
        row.set(column, 0)
        continue
      }
      guard row.type(column) == .text else { continue }
      let place = RedactionPlace(file, table == "word" ? "word" : name)
      if name == "frames" {
        rewriteDocument(row, column, place)
      } else {
        masked.removeAll(keepingCapacity: true)
        if row.withBytes(column, { redactor.redact($0, at: place, to: &masked) }) {
          row.set(column, text: Self.repaired(masked))
        }
      }
    }
  }

  private func rewriteDocument(_ row: RowValues, _ column: Int, _ place: RedactionPlace) {
    masked.removeAll(keepingCapacity: true)
    let isChanged = row.withBytes(column) { text in
      DocumentRedactor.redact(text, with: redactor, at: place, to: &masked)
        ?? redactor.redact(text, at: place, to: &masked)
    }
    if isChanged { row.set(column, text: Self.repaired(masked)) }
  }
}
