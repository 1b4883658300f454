// SPDX-License-Identifier: Apache-2.0

internal import Redaction
internal import SQLite

/// Masks the texts of rows on their way from the store into a bundle's database.
final class RowRedactor {
  private let redactor: Redactor
  private var masked: [UInt8] = []
  private var whole: [UInt8] = []

  init(_ redactor: Redactor) { self.redactor = redactor }

  /// The columns of `record` that hold text.
  struct RecordColumns {
    var head: Int32 = -1
    var body: Int32 = -1
    var tail: Int32 = -1
    var attributes: Int32 = -1
    var original: Int32 = -1

    init(_ row: borrowing Statement) {
      for index in 0..<row.columnCount {
        switch row.columnName(index) {
        case "head": head = index
        case "body": body = index
        case "tail": tail = index
        case "attributes": attributes = index
        case "original": original = index
        default: break
        }
      }
    }
  }

  // MARK: Records

  /// Overrides what `insert` has bound from `row` where something must be masked.
  func rewrite(
    record row: borrowing Statement, _ columns: RecordColumns, _ insert: borrowing Statement
  ) {
    if !row.isNull(columns.attributes) {
      rewriteDocument(row, columns.attributes, insert, RedactionPlace("logs", "attributes"))
    }
    let hasOriginal = !row.isNull(columns.original)
    if hasOriginal { rewriteOriginal(row, columns.original, insert) }
    whole.removeAll(keepingCapacity: true)
    for column in [columns.head, columns.body, columns.tail] {
      row.withText(column) { whole.append(contentsOf: $0) }
    }
    let isBodyAlone = row.isNull(columns.head) && row.isNull(columns.tail)
    let isWholeClean = whole.withUnsafeBufferPointer { redactor.firstFinding(in: $0) == nil }
    // A part alone can be more than in its place: a number that a letter follows is no card's.
    if isWholeClean,
      isBodyAlone
        || (isClean(row, columns.body) && isClean(row, columns.head) && isClean(row, columns.tail))
    {
      return
    }
    // A key may end the head whose value begins the body: each part by what is found in the whole.
    let text = whole
    let first = row.withText(columns.head) { $0.count }
    let second = first + row.withText(columns.body) { $0.count }
    let head = mask(text, 0..<first, "original")
    let body = mask(text, first..<second, "body")
    let tail = mask(text, second..<text.count, "original")
    insert.bind(columns.body + 1, String(decoding: body, as: UTF8.self))
    if isBodyAlone { return }
    let joined = head + body + tail
    if joined.withUnsafeBufferPointer({ redactor.firstFinding(in: $0) == nil }) {
      insert.bind(columns.head + 1, String(decoding: head, as: UTF8.self))
      insert.bind(columns.tail + 1, String(decoding: tail, as: UTF8.self))
      return
    }
    insert.bindNull(columns.head + 1)
    insert.bindNull(columns.tail + 1)
    if hasOriginal { return }
    masked.removeAll(keepingCapacity: true)
    _ = text.withUnsafeBufferPointer {
      redactor.redact($0, at: RedactionPlace("logs", "original"), to: &masked)
    }
    insert.bind(columns.original + 1, blob: masked.isEmpty ? joined : masked)
  }

  private func isClean(_ row: borrowing Statement, _ column: Int32) -> Bool {
    row.withText(column) { redactor.firstFinding(in: $0) == nil }
  }

  private func mask(_ text: [UInt8], _ part: Range<Int>, _ field: String) -> [UInt8] {
    text.withUnsafeBufferPointer {
      redactor.redacted(part, of: $0, at: RedactionPlace("logs", field))
    }
  }

  private func rewriteOriginal(
    _ row: borrowing Statement, _ column: Int32, _ insert: borrowing Statement
  ) {
    let bytes = row.blob(column)
    // No rule reads UTF-16 or the like.
    if bytes.contains(0) { return insert.bindNull(column + 1) }
    let text = Array(String(decoding: bytes, as: UTF8.self).utf8)
    masked.removeAll(keepingCapacity: true)
    let isChanged = text.withUnsafeBufferPointer {
      redactor.redact($0, at: RedactionPlace("logs", "original"), to: &masked)
    }
    if isChanged { insert.bind(column + 1, blob: masked) }
  }

  // MARK: Other rows

  /// Overrides every text of a row; `frames` and `attributes` are documents.
  func rewrite(_ table: String, _ row: borrowing Statement, _ insert: borrowing Statement) {
    let file = table == "crash" ? "crashes" : "logs"
    for column in 0..<row.columnCount {
      let name = row.columnName(column)
      // What a file began and ended with could be guessed from these.
      if name == "head_hash" || name == "tail_hash" {
        insert.bind(column + 1, 0)
        continue
      }
      guard row.type(column) == .text else { continue }
      let place = RedactionPlace(file, table == "word" ? "word" : name)
      if name == "frames" {
        rewriteDocument(row, column, insert, place)
      } else {
        masked.removeAll(keepingCapacity: true)
        if row.withText(column, { redactor.redact($0, at: place, to: &masked) }) {
          insert.bind(column + 1, String(decoding: masked, as: UTF8.self))
        }
      }
    }
  }

  private func rewriteDocument(
    _ row: borrowing Statement, _ column: Int32, _ insert: borrowing Statement,
    _ place: RedactionPlace
  ) {
    masked.removeAll(keepingCapacity: true)
    let isChanged = row.withText(column) { text in
      DocumentRedactor.redact(text, with: redactor, at: place, to: &masked)
        ?? redactor.redact(text, at: place, to: &masked)
    }
    if isChanged { insert.bind(column + 1, String(decoding: masked, as: UTF8.self)) }
  }
}
