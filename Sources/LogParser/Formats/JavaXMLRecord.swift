// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// A record of java.util.logging's `XMLFormatter`, which its files have by default: `<record>` with an
/// element a line, as `logger.dtd` describes. Its texts keep their `&lt;`.
struct JavaXMLRecord {
  private let text: Text

  init(_ text: Text) { self.text = text }

  static func begins(_ line: Line) -> Bool { line.isEqual("<record>") }

  /// The second line of such a file, which no other has.
  static func isHeading(_ line: Line) -> Bool {
    line.isEqual(#"<!DOCTYPE log SYSTEM "logger.dtd">"#)
  }

  func fill(_ record: inout LogRecord, _ clock: inout Clock) {
    let line = text.bytes
    var stamp = Stamp()
    let date = element("<date>", "</date>")
    if let date, StampScanner.iso(line, at: date.lowerBound, into: &stamp) {
      if !clock.set(&stamp, from: line, of: &record) { clock.inherit(&record) }
    } else {
      clock.inherit(&record)
    }
    if let level = element("<level>", "</level>") {
      record.severity =
        LevelWords.severity(of: line.slice(level.lowerBound, level.upperBound))
        ?? .unspecified
      record.severityText = slice(level)
    }
    if let logger = element("<logger>", "</logger>") { record.scope = slice(logger) }
    if let thread = element("<thread>", "</thread>") {
      record.threadID = line.decimal(thread.lowerBound, thread.upperBound) ?? -1
    }
    let message = element("<message>", "</message>") ?? 0..<text.count
    text.setBody(message.lowerBound, message.upperBound, of: &record)
    writeAttributes(&record)
  }

  private func writeAttributes(_ record: inout LogRecord) {
    var writer = JSONWriter(text)
    if let method = element("<method>", "</method>") {
      writer.member("code.function.name", text: slice(method))
    }
    // The exception has a message of its own, `type: text`.
    if let exception = text.bytes.index(of: "<exception>", from: 0),
      let message = element("<message>", "</message>", from: exception)
    {
      let line = text.bytes
      let end = line.slice(0, message.upperBound).index(of: Byte.colon, from: message.lowerBound)
      writer.member(
        "exception.type", text: text.slice(message.lowerBound, end ?? message.upperBound))
      if let end {
        writer.member("exception.message", text: text.slice(end + 2, message.upperBound))
      }
    }
    record.attributes = writer.finish(text)
  }

  /// The content of the first element that `open` begins.
  private func element(
    _ open: StaticString, _ close: StaticString, from start: Int = 0
  ) -> Range<Int>? {
    guard let found = text.bytes.index(of: open, from: start) else { return nil }
    let content = found + open.utf8CodeUnitCount
    return text.bytes.index(of: close, from: content).map { content..<$0 }
  }

  private func slice(_ range: Range<Int>) -> ByteSlice {
    text.slice(range.lowerBound, range.upperBound)
  }
}
