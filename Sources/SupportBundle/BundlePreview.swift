// SPDX-License-Identifier: Apache-2.0

internal import LogModel
internal import LogQuery
package import Redaction
internal import SQLite

/// Tells what a bundle would mask, without making one.
package final class BundlePreview {
  private let redactor: Redactor
  private var lines: [String] = []
  private var seen: Set<String> = []
  private var count: Int64 = 0

  package init(_ rules: RedactionRules) {
    redactor = Redactor(rules)
    redactor.observer = { [unowned self] text, range, rule in note(text, range, rule) }
  }

  /// Looks through the records and crashes of the range.
  ///
  /// - Parameters:
  ///   - request: with the store and the range.
  ///   - show: takes one line for each different place.
  /// - Returns: how many places there are.
  /// - Throws: `QueryError`, `SQLiteError`, `BundleError` when it is stopped, what `show` throws.
  package func run(_ request: BundleRequest, _ show: (String) throws -> Void) throws -> Int64 {
    let store = try QueryStore(path: request.storePath)
    // Not the store's guarded connection: the selection needs temporary tables.
    let connection = try Connection(path: store.resolvedPath, mode: .readOnly)
    try FrameText.install(on: connection)
    let selected = try SelectedRows(request.selection, connection)
    for (what, sql) in [
      (
        "crash",
        """
        SELECT time, reason, frames, report_path FROM crashes
        WHERE id IN (SELECT id FROM crash WHERE \(selected.crashes))
        ORDER BY time_unix_nano, id
        """
      ),
      (
        "record",
        """
        SELECT l.time, l.original, l.attributes FROM record r JOIN logs l ON l.id = r.id
        WHERE r.id IN (SELECT id FROM record WHERE \(selected.records)) ORDER BY r.time, r.id
        """
      ),
    ] {
      let select = try connection.prepare(sql)
      while try select.step() {
        if request.shouldStop() { throw BundleError(.interrupted, "interrupted") }
        for column in 1..<select.columnCount where !select.isNull(column) {
          look(select, column)
        }
        for line in lines { try show("\(select.text(0)) \(what) \(line)") }
        lines.removeAll()
      }
    }
    return count
  }

  private func look(_ row: borrowing Statement, _ column: Int32) {
    let place = RedactionPlace("preview")
    var ignored: [UInt8] = []
    row.withText(column) { text in
      if ReportText.isDocument(text),
        DocumentRedactor.redact(text, with: redactor, at: place, to: &ignored) != nil
      {
        return
      }
      _ = redactor.redact(text, at: place, to: &ignored)
    }
  }

  private func note(_ text: TextBytes, _ range: Range<Int>, _ rule: String) {
    count += 1
    let start = max(0, range.lowerBound - 24)
    let end = min(text.count, range.upperBound + 12)
    let before = cleaned(TextBytes(rebasing: text[start..<range.lowerBound]))
    let after = cleaned(TextBytes(rebasing: text[range.upperBound..<end]))
    let line = "\(rule): …\(before)\(shape(TextBytes(rebasing: text[range])))\(after)…"
    // The same line again and again tells nothing new.
    if seen.count < 10_000, seen.insert("\(rule) \(before.suffix(12))").inserted {
      lines.append(line)
    }
  }

  /// What stands around may be a secret itself.
  private func cleaned(_ text: TextBytes) -> String {
    let quiet = Redactor(redactor.rules)
    return quiet.redacted(String(decoding: text, as: UTF8.self), at: RedactionPlace("preview"))
  }

  /// `Aa9-`, and how long: enough to recognise, nothing to use.
  private func shape(_ value: TextBytes) -> String {
    var shape: [UInt8] = []
    for byte in value.prefix(200) {
      let kind: UInt8
      switch byte {
      case 0x30...0x39: kind = 0x39
      case 0x41...0x5a: kind = 0x41
      case 0x61...0x7a: kind = 0x61
      case 0..<0x20, 0x80...: kind = 0x7e
      default: kind = byte
      }
      if shape.last != kind { shape.append(kind) }
    }
    let text = String(decoding: shape.prefix(16), as: UTF8.self)
    return "[\(text)\(shape.count > 16 ? "…" : ""), \(value.count) bytes]"
  }
}
