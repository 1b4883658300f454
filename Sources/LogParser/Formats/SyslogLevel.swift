// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Levels in syslog lines without a priority, where the program or the system writes them itself.
enum SyslogLevel {
  /// Sets the record's severity; false when the line names none.
  static func read(
    _ text: Text, _ header: SyslogFormat.Header, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    if header.levelEnd > 0 { return take(header.levelStart, header.levelEnd, text, &record) }
    if header.tagEnd > 0, line[header.tagStart] == UInt8(ascii: "%") {
      TimestampedBody.mnemonic(line, header.tagStart, text, &record)
      return record.severity != .unspecified
    }
    if readHostLevel(text, header, &record) { return true }
    if line.at(header.bodyStart) == Byte.openBracket, readBracket(text, header, &clock, &record) {
      return true
    }
    if line.has("(", at: header.bodyStart), readBehindUser(text, header, &record) { return true }
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

  /// `In(182)` where the host belongs, as ESXi writes priorities from 8 on.
  private static func readHostLevel(
    _ text: Text, _ header: SyslogFormat.Header, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    let end = header.hostEnd - 1
    guard end - header.hostStart >= 4, line[end] == UInt8(ascii: ")"),
      line.at(header.hostStart + 2) == UInt8(ascii: "("),
      let priority = line.decimal(header.hostStart + 3, end), priority < 192
    else { return false }
    record.severity = LevelWords.severity(ofSyslog: Int(priority))
    record.severityText = text.slice(header.hostStart, header.hostStart + 2)
    return true
  }

  /// `(user@host) [LEVEL] text` of Pure-FTPd.
  private static func readBehindUser(
    _ text: Text, _ header: SyslogFormat.Header, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    guard line.slice(header.tagStart, header.tagEnd).isEqual("pure-ftpd"),
      let mark = line.index(of: ") [", from: header.bodyStart),
      let close = line.index(of: Byte.closeBracket, from: mark)
    else { return false }
    return take(mark + 3, close, text, &record)
  }

  /// `error: text` of sshd, Postfix and others: words that say of what level the message is, in
  /// small letters or in capitals ("Error: no such file" is a sentence). A pid or a part of the
  /// program may stand before: `cib: [5655]: info: text`, `corosync[7]:  [pcmk  ] ERROR: text`.
  private static func readWord(
    _ text: Text, _ header: SyslogFormat.Header, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    var start = line.skipBlanks(header.bodyStart)
    if line.at(start) == Byte.openBracket {
      guard let close = line.slice(0, min(text.count, start + 24)).index(of: "]", from: start)
      else { return false }
      let pidEnd = line.skipDigits(start + 1)
      if pidEnd == close, line.at(close + 1) == Byte.colon, record.pid < 0 {
        record.pid = line.decimal(start + 1, pidEnd) ?? -1
      }
      start = line.skipBlanks(line.at(close + 1) == Byte.colon ? close + 2 : close + 1)
    }
    let tag = line.slice(header.tagStart, header.tagEnd)
    if line.at(start) == UInt8(ascii: "("), tag.has("pacemaker", at: 0),
      let close = line.index(of: ") ", from: start)
    {
      // The function, in Pacemaker's own files.
      start = line.skipBlanks(close + 1)
    }
    if let found = StunnelLevel.read(line, start) {
      record.severity = found.severity
      record.severityText = text.slice(start, start + 4)
      return true
    }
    if tag.isEqual("dovecot") || tag.isEqual("named") {
      return readLabelled(text, start, isUpper: tag.count == 7, &record)
    }
    if line.at(start) == Byte.less || line.has(": [", at: start + 1) {
      return readMark(text, start, &record)
    }
    var end = start
    let isUpper = line.at(start).isUpper
    while line.at(end).isLetter, line[end].isUpper == isUpper { end += 1 }
    let isMarked =
      line.has(": ", at: end)
      || isUpper && (tag.has("fail2ban", at: 0) || isThread(line, end))
    guard end - start >= 4, isMarked, isStated(line, start) else { return false }
    return take(start, end, text, &record)
  }

  /// `[thread]` right behind a level, as Asterisk has it.
  private static func isThread(_ line: Line, _ start: Int) -> Bool {
    let digits = line.skipDigits(start + 1)
    return line.at(start) == Byte.openBracket && digits > start + 1
      && line.at(digits) == Byte.closeBracket
  }

  /// `Error: text` and `imap(user): Error: text` of Dovecot, `category: error: text` of BIND: neither
  /// writes anything else so.
  private static func readLabelled(
    _ text: Text, _ start: Int, isUpper: Bool, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    var word = start
    for _ in 0..<2 {
      var end = word
      while line.at(end).isLetter { end += 1 }
      if line.has(": ", at: end), line.at(word).isUpper == isUpper,
        take(word, end, text, &record)
      {
        return true
      }
      let next = line.skipToken(word)
      guard next > word, line[next - 1] == Byte.colon else { return false }
      word = next + 1
    }
    return false
  }

  private static func moduleLevel(_ line: Line, _ start: Int) -> Range<Int>? {
    var colon = start
    while line.at(colon).isWord { colon += 1 }
    var end = colon + 1
    while line.at(end).isLetter { end += 1 }
    return line.at(colon) == Byte.colon && line.has("] [pid ", at: end) ? colon + 1..<end : nil
  }

  /// `<info>  text` of NetworkManager and its kin, `E: [part] text` of PulseAudio.
  private static func readMark(
    _ text: Text, _ start: Int, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    if line[start] == Byte.less {
      var end = start + 1
      while line.at(end).isLetter { end += 1 }
      return line.has("> ", at: end) && take(start + 1, end, text, &record)
    }
    guard let severity = LevelWords.severity(ofLetter: line[start]) else { return false }
    record.severity = severity
    record.severityText = text.slice(start, start + 1)
    return true
  }

  /// Whether the word is one of those that programs put before messages; "note:", "default:" and
  /// "success:" are words of the message.
  private static func isStated(_ line: Line, _ start: Int) -> Bool {
    let second = line[start + 1] | 0x20
    return switch line[start] | 0x20 {
    case UInt8(ascii: "e"), UInt8(ascii: "w"), UInt8(ascii: "i"): true
    case UInt8(ascii: "c"), UInt8(ascii: "t"): second == UInt8(ascii: "r")
    case UInt8(ascii: "a"): second == UInt8(ascii: "l")
    case UInt8(ascii: "d"):
      second == UInt8(ascii: "b") || line[start + 2] | 0x20 == UInt8(ascii: "b")
    case UInt8(ascii: "f"):
      second == UInt8(ascii: "t") || line[start + 2] | 0x20 == UInt8(ascii: "t")
    case UInt8(ascii: "n"): line[start + 3] | 0x20 == UInt8(ascii: "i")
    case UInt8(ascii: "p"): second == UInt8(ascii: "a")
    default: false
    }
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

  /// `[level] text`, `[module:level] [pid` of Apache, and `[n-m] prefix LOG:  text` of PostgreSQL.
  private static func readBracket(
    _ text: Text, _ header: SyslogFormat.Header, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    let line = text.bytes
    let start = header.bodyStart + 1
    if line.at(start).isLetter {
      var end = start
      while line.at(end).isLetter { end += 1 }
      if let module = moduleLevel(line, start) {
        return take(module.lowerBound, module.upperBound, text, &record)
      }
      // "[system]" and "[session]" are buses.
      return line.at(end) == Byte.closeBracket && end - start >= 3 && isStated(line, start)
        && take(start, end, text, &record)
    }
    guard line.slice(header.tagStart, header.tagEnd).isEqual("postgres") else { return false }
    var found = PostgresFormat.Header()
    let limit = min(text.bytes.firstLineEnd, start + PostgresFormat.maxPrefix)
    let place = SyslogSequence.read(line)
    if line.firstLineEnd < text.count, place != nil { SyslogSequence.join(text, &record) }
    let hasWord = PostgresFormat.findWord(line.slice(0, limit), from: start, &found)
    if hasWord { record.severityText = text.slice(found.wordStart, found.wordEnd) }
    if hasWord, found.detail == nil, place?.line ?? 1 == 1 {
      record.severity = found.severity
      clock.postgres.note(
        record.pid, found.severity, at: record.byteOffset, number: place?.message ?? -1)
      return true
    }
    // A further line of a message, behind lines of other processes.
    guard let place, place.line > 1, let message = clock.postgres.message(of: record.pid),
      message.number == place.message
    else { return false }
    record.severity = message.severity
    record.flags.add(.severityDerived)
    var writer = JSONWriter(text, after: record.attributes)
    writer.member("postgresql.message_offset", number: message.offset)
    record.attributes = writer.finish(text)
    return true
  }
}
