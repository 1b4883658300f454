// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// One logfmt line while it is read: pairs that become columns wait, the others are written to the
/// attributes at once.
struct LogfmtRecord {
  private typealias Pair = LogfmtFormat.Pair

  private let text: Text
  private var writer: JSONWriter
  private var time = Pair()
  private var level = Pair()
  private var message = Pair()
  private var scope = Pair()
  /// `date=` of firewalls, whose `time=` is only one of day, and their `tz=`.
  private var date = Pair()
  private var zone = Pair()
  private var timeRank: Int8 = 0
  private var messageRank: Int8 = 0
  private var pid: Int64 = -1
  private var status: UInt8 = 0

  init(_ text: Text) {
    self.text = text
    writer = JSONWriter(text)
  }

  /// Reads all pairs; false when there is none.
  mutating func read() -> Bool {
    var pair = LogfmtFormat.Pair()
    var index = 0
    var count = 0
    while index < text.count {
      guard LogfmtFormat.read(text.bytes, at: index, &pair) else {
        // Something else among the pairs: it stays in the text.
        index = max(text.bytes.skipToken(text.bytes.skipBlanks(index)), index + 1)
        if text.bytes.at(index) == Byte.newline { break }
        continue
      }
      if pair.valueEnd > pair.keyEnd {
        take(pair)
        count += 1
      }
      index = pair.next
      if text.bytes.at(index) == Byte.newline { break }
    }
    return count > 0
  }

  private mutating func take(_ pair: LogfmtFormat.Pair) {
    if pair.keyEnd - pair.keyStart <= 4, note(pair) { return }
    let key = JSONKey.lookUp(text.bytes, pair.keyStart, pair.keyEnd)
    switch key.role {
    case .time where key.rank > timeRank:
      if timeRank > 0 { write(time) }
      (time, timeRank) = (pair, key.rank)
    case .level where level.valueEnd == 0: level = pair
    case .message where key.rank > messageRank:
      if messageRank > 0 { write(message) }
      (message, messageRank) = (pair, key.rank)
    case .scope where scope.valueEnd == 0: scope = pair
    case .pid where pid < 0:
      pid = text.bytes.decimal(pair.valueStart, pair.valueEnd) ?? -1
      if pid < 0 { write(pair) }
    case .status: takeStatus(pair)
    default: writeKnown(key.role, pair)
    }
  }

  /// Takes what only logfmt has: `date`, `tz`, and `at`, which Heroku and logfmter call the level.
  private mutating func note(_ pair: LogfmtFormat.Pair) -> Bool {
    let key = text.bytes.slice(pair.keyStart, pair.keyEnd)
    if key.isEqual("date") { date = pair } else if key.isEqual("tz") { zone = pair }
    if key.isEqual("when"), timeRank == 0 {
      // logfmter's documentation calls the time so; elsewhere it may be words.
      var stamp = Stamp()
      guard
        StampScanner.scan(text.bytes.slice(0, pair.valueEnd), at: pair.valueStart, into: &stamp),
        stamp.shape == .full
      else { return false }
      (time, timeRank) = (pair, 1)
      return true
    }
    guard key.isEqual("at"), level.valueEnd == 0,
      LevelWords.severity(of: text.bytes.slice(pair.valueStart, pair.valueEnd)) != nil
    else { return false }
    level = pair
    return true
  }

  private mutating func takeStatus(_ pair: LogfmtFormat.Pair) {
    guard status == 0, let number = text.bytes.decimal(pair.valueStart, pair.valueEnd),
      number >= 100, number < 600
    else { return write(pair) }
    status = text.bytes[pair.valueStart]
    writer.member("http.response.status_code", number: number)
  }

  private mutating func writeKnown(_ role: JSONKey.Role, _ pair: LogfmtFormat.Pair) {
    let name: StaticString
    switch role {
    case .error: name = "exception.message"
    case .stack: name = "exception.stacktrace"
    case .caller, .file: name = "code.file.path"
    case .trace: name = "trace_id"
    case .span: name = "span_id"
    case .host: name = "host.name"
    case .service: name = "service.name"
    case .client: name = "client.address"
    case .userAgent: name = "user_agent.original"
    case .method: name = "http.request.method"
    case .path: name = "url.path"
    case .function: name = "code.function.name"
    default: return write(pair)
    }
    if isNil(pair) { return }
    if let raw = quoted(pair) {
      writer.member(name, rawValue: raw)
    } else {
      writer.member(name, text: value(pair))
    }
  }

  private func isNil(_ pair: LogfmtFormat.Pair) -> Bool {
    pair.valueEnd - pair.valueStart == 1 && text.bytes[pair.valueStart] == Byte.dash
  }

  private func value(_ pair: LogfmtFormat.Pair) -> ByteSlice {
    text.slice(pair.valueStart, pair.valueEnd)
  }

  /// The value with its quotes when it is a JSON string as it stands: Go's escapes mostly are.
  private func quoted(_ pair: LogfmtFormat.Pair) -> ByteSlice? {
    guard pair.isQuoted,
      JSONScanner.stringEnd(text.bytes, pair.valueStart - 1) == pair.valueEnd + 1
    else { return nil }
    return text.slice(pair.valueStart - 1, pair.valueEnd + 1)
  }

  private mutating func write(_ pair: LogfmtFormat.Pair) {
    let key = text.slice(pair.keyStart, pair.keyEnd)
    guard quoted(pair) != nil else { return writer.member(key: key, text: value(pair)) }
    // The key is made of letters, digits and a few marks: it is JSON in quotes of ours.
    writer.member(plainKey: key, rawValue: text.slice(pair.valueStart - 1, pair.valueEnd + 1))
  }

  /// Moves what was read to `record`.
  mutating func fill(_ record: inout LogRecord, _ clock: inout Clock) {
    var stamp = Stamp()
    let hasTime = readTime(&stamp)
    if timeRank > 0, !hasTime { write(time) }
    let arena = text.arena
    record.attributes = writer.finish(text)
    if !hasTime || !clock.set(&stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    record.pid = pid
    if level.valueEnd > 0 {
      record.severityText = value(level)
      record.severity = Self.severity(text.bytes.slice(level.valueStart, level.valueEnd))
    } else if status > 0 {
      record.severity = HTTPStatus.severity(status)
      record.flags.add(.severityDerived)
    }
    if scope.valueEnd > 0 { record.scope = JSONText.unescaped(value(scope), in: arena) }
    guard messageRank > 0 else { return record.body = text.slice(0, text.count) }
    let isPlain =
      !message.isQuoted || quoted(message) == nil
      || text.bytes.slice(message.valueStart, message.valueEnd)
        .index(of: Byte.backslash, from: 0) == nil
    if isPlain {
      text.setBody(message.valueStart, message.valueEnd, of: &record)
    } else {
      record.body = JSONText.unescaped(value(message), in: arena)
      record.original = text.slice(0, text.count)
    }
  }

  private func readTime(_ stamp: inout Stamp) -> Bool {
    guard timeRank > 0 else { return false }
    let line = text.bytes.slice(0, time.valueEnd)
    if EpochTime.field(line, time.valueStart, time.valueEnd, into: &stamp) {
      return EpochTime.isLikely(stamp) || !line.has("time=", at: time.keyStart)
    }
    guard StampScanner.scan(line, at: time.valueStart, into: &stamp) else { return false }
    return stamp.shape != .withoutDate || addDate(&stamp)
  }

  /// Without a date the value may as well be how long something took.
  private func addDate(_ stamp: inout Stamp) -> Bool {
    let line = text.bytes
    let start = date.valueStart
    guard date.valueEnd - start == 10, line[start + 4] == Byte.dash,
      let year = StampScanner.fourDigits(line, at: start)
    else { return false }
    (stamp.year, stamp.month, stamp.day) = (year, line.two(start + 5), line.two(start + 8))
    stamp.shape = .full
    if zone.valueEnd > 0 {
      stamp.end = zone.valueStart
      StampZone.scan(line.slice(0, zone.valueEnd), into: &stamp)
    }
    stamp.close()
    return true
  }

  private static func severity(_ word: Line) -> Severity {
    if word.count == 1 { return LevelWords.severity(ofLetter: word[0] & 0xdf) ?? .unspecified }
    if let number = word.decimal(0, word.count) {
      return number >= 10 ? LevelWords.severity(ofTens: number) : .unspecified
    }
    return LevelWords.severity(of: word) ?? LevelWords.severity(ofShifted: word) ?? .unspecified
  }
}
