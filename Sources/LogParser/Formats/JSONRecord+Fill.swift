// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension JSONRecord {
  /// Moves what was read to `record`.
  mutating func fill(_ record: inout LogRecord, _ clock: inout Clock) {
    var stamp = Stamp()
    let hasTime = readTime(&stamp, &clock)
    fillLevel(&record)
    let arena = text.arena
    record.attributes = writer.finish(text)
    if !hasTime || !clock.set(&stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    if level.valueEnd > 0 { record.severityText = levelText(arena) }
    if scope.valueEnd > 0 { record.scope = string(scope, arena) }
    if process.valueEnd > 0 {
      record.process = string(process, arena)
    } else if !executable.isEmpty {
      record.process = text.slice(executable.lowerBound, executable.upperBound)
    }
    record.pid = pid
    record.threadID = threadID
    if message.valueEnd > 0 {
      record.body = string(message, arena)
      record.original = text.slice(0, text.count)
    } else {
      record.body = text.slice(0, text.count)
    }
  }

  private func levelText(_ arena: ByteArena) -> ByteSlice {
    text.bytes[level.valueEnd - 1] == Byte.backslash
      ? text.slice(level.valueStart + 1, level.valueEnd - 1) : string(level, arena)
  }

  /// The text of a string value; of others the JSON as it stands.
  private func string(_ slot: Slot, _ arena: ByteArena) -> ByteSlice {
    // Not through `text.bytes`: unescaping the value before may have moved the arena.
    let value = text.slice(slot.valueStart, slot.valueEnd)
    guard arena.bytes(value)[0] == Byte.quote else { return value }
    return JSONText.unescaped(text.slice(slot.valueStart + 1, slot.valueEnd - 1), in: arena)
  }

  private mutating func readTime(_ stamp: inout Stamp, _ clock: inout Clock) -> Bool {
    guard time.valueEnd > 0 else { return false }
    let line = text.bytes
    let isRead =
      switch line[time.valueStart] {
      case Byte.quote: readText(line, time.valueStart + 1, time.valueEnd - 1, &stamp, &clock)
      case Byte.openBrace: readObject(line, &stamp, &clock)
      default:
        EpochTime.field(line, time.valueStart, time.valueEnd, into: &stamp)
          && isLikely(stamp)
      }
    if !isRead { plain(time) }
    return isRead
  }

  /// A small number that is called "time" says how long something took.
  private func isLikely(_ stamp: Stamp) -> Bool {
    EpochTime.isLikely(stamp) || !text.bytes.has("time\"", at: time.keyStart)
  }

  private func readText(
    _ line: Line, _ start: Int, _ end: Int, _ stamp: inout Stamp, _ clock: inout Clock
  ) -> Bool {
    let value = line.slice(0, end)
    if clock.minute.iso(value, at: start, into: &stamp) { return true }
    if EpochTime.field(value, start, end, into: &stamp) { return isLikely(stamp) }
    return StampScanner.scan(value, at: start, into: &stamp) && stamp.shape != .withoutDate
  }

  /// `{"$date":"…"}` of MongoDB and `{"epochSecond":…,"nanoOfSecond":…}` of log4j2.
  private func readObject(_ line: Line, _ stamp: inout Stamp, _ clock: inout Clock) -> Bool {
    var members = JSONMembers(line, from: time.valueStart)
    var isRead = false
    while members.next() {
      let key = line.slice(members.keyStart, members.keyEnd)
      if key.isEqual("$date"), line[members.valueStart] == Byte.quote {
        isRead = readText(line, members.valueStart + 1, members.valueEnd - 1, &stamp, &clock)
      } else if key.isEqual("epochSecond") {
        isRead = EpochTime.field(line, members.valueStart, members.valueEnd, into: &stamp)
      } else if key.isEqual("nanoOfSecond"), isRead {
        let nanosecond = line.decimal(members.valueStart, members.valueEnd) ?? 0
        stamp.nanosecond = nanosecond < 1_000_000_000 ? Int(nanosecond) : 0
      }
    }
    return isRead
  }

  private mutating func fillLevel(_ record: inout LogRecord) {
    let line = text.bytes
    guard level.valueEnd > 0 else { return deriveLevel(&record) }
    switch line[level.valueStart] {
    case Byte.quote:
      trimColour(line)
      record.severity = severity(line, level.valueStart + 1, level.valueEnd - 1)
    case Byte.openBrace, Byte.openBracket, UInt8(ascii: "n"):
      plain(level)
      // Twisted's level is an object with a name.
      level = inner("name", of: level) ?? Slot()
      guard level.valueEnd > 0, line[level.valueStart] == Byte.quote else {
        level = Slot()
        return deriveLevel(&record)
      }
      record.severity = severity(line, level.valueStart + 1, level.valueEnd - 1)
    default: record.severity = severity(line, level.valueStart, level.valueEnd)
    }
  }

  /// Leaves the word of `\u001b[32minfo\u001b[39m`, which winston writes where it is told to colour.
  private mutating func trimColour(_ line: Line) {
    guard
      line.has("\\u001b[", at: level.valueStart + 1)
        || line.has("\\u001B[", at: level.valueStart + 1),
      let mark = line.slice(0, level.valueEnd).index(of: UInt8(ascii: "m"), from: level.valueStart),
      let end = line.slice(0, level.valueEnd).index(of: Byte.backslash, from: mark)
    else { return }
    // What stands before and behind the value is no quote any more, but is left out all the same.
    (level.valueStart, level.valueEnd) = (mark, end + 1)
  }

  /// Whether the message may be the line of another program: what the journal and GELF say of the
  /// level is the relay's.
  var isEnvelope: Bool {
    guard message.valueEnd > 0 else { return false }
    return level.valueEnd == 0 && status.valueEnd == 0 || hasSyslogLevels
      || text.bytes.has("PRIORITY\"", at: level.keyStart)
  }

  /// Serilog's compact format leaves out the level of information.
  private var isCompactSerilog: Bool {
    time.keyStart > 0 && text.bytes.has("@t\"", at: time.keyStart)
      && message.keyStart > 0 && text.bytes.has("@m", at: message.keyStart)
  }

  private func severity(_ line: Line, _ start: Int, _ end: Int) -> Severity {
    if let number = line.decimal(start, end) { return severity(ofNumber: number, line) }
    let first = line.at(start)
    if end - start == 1 || (end - start == 2 && first == 0x44 && line[start + 1].isDigit) {
      return LevelWords.severity(ofLetter: first) ?? .unspecified
    }
    let word = line.slice(start, end)
    // In Google's entries nobody stated a severity; the word is Apple's otherwise.
    if word.isEqual("DEFAULT") { return .unspecified }
    // Monolog's levels are syslog's.
    let isSyslog = hasSyslogLevels || line.has("level_name\"", at: level.keyStart)
    return LevelWords.severity(of: word, isSyslog ? .syslog : .criticalIsHighest)
      ?? LevelWords.severity(ofShifted: word) ?? .unspecified
  }

  private func severity(ofNumber number: Int64, _ line: Line) -> Severity {
    if nextcloudKeys == 3, number <= 4 {
      return [.debug, .info, .warn, .error, .fatal][Int(number)]
    }
    if number >= 10, !hasSyslogLevels { return LevelWords.severity(ofTens: number) }
    return number <= 7 ? LevelWords.severity(ofSyslog: Int(number)) : .unspecified
  }

  /// Takes the severity from the HTTP status of a line that states none.
  private func deriveLevel(_ record: inout LogRecord) {
    guard status.valueEnd > 0 else {
      if let found = kibanaLevel {
        (record.severity, record.severityText) = found
      } else if isCompactSerilog {
        record.severity = .info
        record.flags.add(.severityDerived)
      }
      return
    }
    record.severity = HTTPStatus.severity(text.bytes[status.valueStart])
    record.flags.add(.severityDerived)
  }
}

extension JSONRecord {
  /// Kibana before 8 has its level among the tags.
  private var kibanaLevel: (Severity, ByteSlice)? {
    let line = text.bytes
    guard line.has(#"{"type":"log","#, at: 0), let tags = line.index(of: #""tags":["#, from: 0)
    else { return nil }
    var list = JSONElements(line, from: tags + 7)
    while let start = list.next() {
      guard line[start] == Byte.quote, let end = JSONScanner.stringEnd(line, start) else {
        continue
      }
      if let severity = LevelWords.severity(of: line.slice(start + 1, end - 1)) {
        return (severity, text.slice(start + 1, end - 1))
      }
    }
    return nil
  }
}

/// What an HTTP status says about severity.
enum HTTPStatus {
  /// The severity for the first digit of a status.
  @inline(__always)
  static func severity(_ firstDigit: UInt8) -> Severity {
    switch firstDigit {
    case UInt8(ascii: "5"): .error
    case UInt8(ascii: "4"): .warn
    default: .info
    }
  }
}
