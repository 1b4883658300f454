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
    let kernel = line.has("cpu", at: header.bodyStart) ? header.bodyStart : header.tagStart
    if line.has("cpu", at: kernel) {
      TimestampedBody.esx(line, kernel, text, &record)
      if record.severity != .unspecified { return true }
    }
    return header.tagEnd > 0 && readWord(text, header, &record)
      || readMnemonic(text, header, &record)
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

  /// `error: text` of sshd, Postfix and others: words that say of what level the message is.
  private static func readWord(
    _ text: Text, _ header: SyslogFormat.Header, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    switch line.at(header.bodyStart) {
    case UInt8(ascii: "e"), UInt8(ascii: "f"), UInt8(ascii: "w"), UInt8(ascii: "p"): break
    default: return false
    }
    for word: StaticString in ["error: ", "fatal: ", "warning: ", "panic: "]
    where line.has(word, at: header.bodyStart) {
      return take(
        header.bodyStart, header.bodyStart + word.utf8CodeUnitCount - 2, text, &record)
    }
    return false
  }

  /// ` %FACILITY-n-NAME:` of Cisco, behind a number and a time.
  private static func readMnemonic(
    _ text: Text, _ header: SyslogFormat.Header, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes.slice(0, min(text.count, header.bodyStart + 64))
    guard let mark = line.index(of: UInt8(ascii: "%"), from: header.bodyStart), mark > 0,
      line[mark - 1] == Byte.space
    else { return false }
    TimestampedBody.mnemonic(text.bytes, mark, text, &record)
    return record.severity != .unspecified
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
