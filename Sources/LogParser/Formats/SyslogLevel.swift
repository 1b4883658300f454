// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Levels in syslog lines without a priority, where the program or the system writes them itself.
enum SyslogLevel {
  /// Sets the record's severity; false when the line names none.
  static func read(
    _ text: Text, _ header: SyslogFormat.Header, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    if header.levelEnd > 0 { return take(header.levelStart, header.levelEnd, text, &record) }
    if header.tagEnd > 0, line[header.tagStart] == UInt8(ascii: "%") {
      TimestampedBody.mnemonic(line, header.tagStart, text, &record)
      return record.severity != .unspecified
    }
    if line.at(header.bodyStart) == Byte.openBracket { return readBracket(text, header, &record) }
    return false
  }

  private static func take(
    _ start: Int, _ end: Int, _ text: Text, _ record: inout LogRecord
  ) -> Bool {
    guard let found = LevelWords.severity(of: text.bytes.slice(start, end), .syslog) else {
      return false
    }
    record.severity = found
    record.severityText = text.slice(start, end)
    return true
  }

  /// `[level] text`, and `[n-m] prefix LOG:  text` of PostgreSQL.
  private static func readBracket(
    _ text: Text, _ header: SyslogFormat.Header, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    let start = header.bodyStart + 1
    if line.at(start).isLetter {
      var end = start
      while line.at(end).isLetter { end += 1 }
      return line.at(end) == Byte.closeBracket && take(start, end, text, &record)
    }
    guard line.slice(header.tagStart, header.tagEnd).isEqual("postgres") else { return false }
    var found = PostgresFormat.Header()
    let limit = min(text.bytes.firstLineEnd, start + PostgresFormat.maxPrefix)
    if line.firstLineEnd < text.count, SyslogSequence.read(line) != nil {
      SyslogSequence.join(text, &record)
    }
    guard PostgresFormat.findWord(line.slice(0, limit), from: start, &found), found.detail == nil
    else { return false }
    record.severity = found.severity
    record.severityText = text.slice(found.wordStart, found.wordEnd)
    return true
  }
}
