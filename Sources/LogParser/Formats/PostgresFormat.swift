// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// PostgreSQL's stderr log: `log_line_prefix` that begins with a time, then `SEVERITY:  text` with
/// two blanks. DETAIL, HINT, CONTEXT and STATEMENT lines of the same process belong to the message
/// before them, also where other processes log at the same moment: all lines of one message have
/// one time.
enum PostgresFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "postgresql", family: "database", summary: "PostgreSQL stderr log with its details",
    example: "2026-11-30 07:18:03.402 CET [22911] ERROR:  division by zero")

  /// Where the parts of a line lie.
  struct Header {
    var stamp = Stamp()
    var pid: Int64 = -1
    var wordStart = 0
    var wordEnd = 0
    var severity = Severity.unspecified
    /// A line that adds to a message.
    var detail: StaticString?
  }

  /// The farthest a severity is looked for.
  static let maxPrefix = 300

  static func read(_ line: Line, at start: Int, _ header: inout Header) -> Bool {
    let limit = min(line.index(of: Byte.newline, from: start) ?? line.count, start + maxPrefix)
    let head = line.slice(0, limit)
    guard let time = timeStart(head, start),
      StampScanner.iso(head, at: time, into: &header.stamp)
    else { return readEpoch(head, start, &header) }
    StampZone.abbreviation(head, from: time + 19, into: &header.stamp)
    guard findWord(head, from: header.stamp.end, &header) else { return false }
    header.pid = pid(head, header.stamp.end, header.wordStart)
    return true
  }

  /// A prefix whose time is `%n`, seconds and milliseconds since 1970: first, or behind one word.
  @inline(never)
  private static func readEpoch(_ line: Line, _ start: Int, _ header: inout Header) -> Bool {
    var time = start
    if line.skipDigits(start) != start + 10 { time = line.skipToken(start) + 1 }
    let end = time + 14
    guard line.skipDigits(time) == time + 10, line.at(time + 10) == Byte.dot,
      line.skipDigits(time + 11) == end, !line.at(end).isWord,
      EpochTime.scan(line, time, end, into: &header.stamp)
    else { return false }
    header.stamp.end = end
    guard findWord(line, from: end, &header) else { return false }
    header.pid = pid(line, start, header.wordStart)
    return true
  }

  /// Finds the severity, or the name of a detail, before a colon and two blanks.
  static func findWord(_ line: Line, from start: Int, _ header: inout Header) -> Bool {
    var from = start
    while let colon = line.index(of: Byte.colon, from: from) {
      from = colon + 1
      guard line.has("  ", at: colon + 1) else { continue }
      var word = colon
      while word > start, line[word - 1].isUpper || line[word - 1].isDigit { word -= 1 }
      guard !line[word - 1].isWord, classify(line.slice(word, colon), &header) else { continue }
      header.wordStart = word
      header.wordEnd = colon
      return true
    }
    return false
  }

  /// Where the prefix has its time: first, in `<…>` or `[…]`, or behind one word (a pid, user@db).
  @inline(__always)
  private static func timeStart(_ line: Line, _ start: Int) -> Int? {
    if line.at(start).isDigit, line.at(start + 4) == Byte.dash { return start }
    var time = start
    if line.at(start) == Byte.less || line.at(start) == Byte.openBracket {
      time = line.skipBlanks(start + 1)
    }
    if line.at(time + 4) != Byte.dash { time = line.skipBlanks(line.skipToken(time)) }
    return line.at(time + 4) == Byte.dash && line.at(time).isDigit ? time : nil
  }

  private static func classify(_ word: Line, _ header: inout Header) -> Bool {
    header.detail = detailName(word) ?? PostgresWords.detail(word)
    if header.detail != nil { return true }
    switch word.at(0) {
    case UInt8(ascii: "L") where word.isEqual("LOG"): header.severity = .info
    case UInt8(ascii: "P") where word.isEqual("PANIC"): header.severity = .fatal
    case UInt8(ascii: "D"), UInt8(ascii: "I"), UInt8(ascii: "N"), UInt8(ascii: "W"),
      UInt8(ascii: "E"), UInt8(ascii: "F"):
      guard let severity = LevelWords.severity(of: word) ?? PostgresWords.severity(word) else {
        return false
      }
      header.severity = severity
    default:
      guard let severity = PostgresWords.severity(word) else { return false }
      header.severity = severity
    }
    return true
  }

  private static func detailName(_ word: Line) -> StaticString? {
    switch word.at(0) {
    case UInt8(ascii: "D") where word.isEqual("DETAIL"): "postgresql.detail"
    case UInt8(ascii: "H") where word.isEqual("HINT"): "postgresql.hint"
    case UInt8(ascii: "C") where word.isEqual("CONTEXT"): "postgresql.context"
    case UInt8(ascii: "S") where word.isEqual("STATEMENT"): "db.query.text"
    case UInt8(ascii: "Q") where word.isEqual("QUERY"): "postgresql.internal_query"
    case UInt8(ascii: "L") where word.isEqual("LOCATION"): "postgresql.location"
    case UInt8(ascii: "B") where word.isEqual("BACKTRACE"): "exception.stacktrace"
    default: nil
    }
  }

  /// The number in the first bracket of the prefix.
  private static func pid(_ line: Line, _ start: Int, _ end: Int) -> Int64 {
    var from = start
    while let open = line.index(of: Byte.openBracket, from: from), open < end {
      let digits = line.skipDigits(open + 1)
      if digits > open + 1, line.at(digits) == Byte.closeBracket || line.at(digits) == Byte.dash {
        return line.decimal(open + 1, digits) ?? -1
      }
      from = open + 1
    }
    return -1
  }

  static func begins(_ line: Line) -> Bool {
    var header = Header()
    return read(line, at: 0, &header)
  }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    var header = Header()
    guard read(line, at: 0, &header) else { return nil }
    if !state.isFirst {
      if header.detail != nil, state.key == header.pid { return .continues }
      // A message that may have details: other processes come between them, at the same moment.
      if state.isOpen, state.openSince == moment(line, header) { return .continues }
    }
    let answer = state.begin(key: header.pid)
    state.isOpen = header.detail == nil && header.severity >= .warn
    if state.isOpen { state.openSince = moment(line, header) }
    return answer
  }

  /// A hash of the time as it is written.
  private static func moment(_ line: Line, _ header: Header) -> Int64 {
    var value: UInt64 = 14_695_981_039_346_656_037
    for byte in line.slice(0, header.stamp.end) {
      value = (value ^ UInt64(byte)) &* 1_099_511_628_211
    }
    return Int64(bitPattern: value)
  }

  /// Reads one message with its details.
  static func parseMessage(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var header = Header()
    guard read(text.bytes, at: 0, &header) else { return false }
    if !clock.set(header.stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    record.severity = header.severity
    record.severityText = text.slice(header.wordStart, header.wordEnd)
    record.pid = header.pid
    let body = min(header.wordEnd + 3, text.count)
    var writer = JSONWriter(text)
    writePrefix(text, header.stamp.end, header.wordStart, &writer)
    var end = nextHeader(text.bytes, body)
    text.setBody(body, end, of: &record)
    if header.detail == nil {
      clock.postgres.note(header.pid, header.severity, at: record.byteOffset)
    } else if let parent = clock.postgres.message(of: header.pid) {
      record.severity = parent.severity
      record.flags.add(.severityDerived)
      writer.member("postgresql.message_offset", number: parent.offset)
    }
    while end < text.count {
      var detail = Header()
      let start = end + 1
      guard read(text.bytes, at: start, &detail), let name = detail.detail else { break }
      end = nextHeader(text.bytes, detail.wordEnd)
      writer.member(name, text: text.slice(min(detail.wordEnd + 3, end), end))
    }
    record.attributes = writer.finish(text)
    return true
  }

  /// The index of the newline before the next line that adds to the message, or the end.
  private static func nextHeader(_ line: Line, _ start: Int) -> Int {
    var from = start
    while let newline = line.index(of: Byte.newline, from: from) {
      var header = Header()
      if !line.at(newline + 1).isBlank, read(line, at: newline + 1, &header) { return newline }
      from = newline + 1
    }
    return line.count
  }

  /// `user=…`, `db=…`, `app=…` and `client=…` of a prefix, or `user@db`.
  private static func writePrefix(
    _ text: Text, _ start: Int, _ end: Int, _ writer: inout JSONWriter
  ) {
    var index = start
    while let equals = text.bytes.index(of: Byte.equals, from: index), equals < end {
      var name = equals
      while name > index, text.bytes[name - 1].isLetter { name -= 1 }
      var stop = equals + 1
      while stop < end, !text.bytes[stop].isBlank, text.bytes[stop] != Byte.comma { stop += 1 }
      let key = text.bytes.slice(name, equals)
      if stop > equals + 1 {
        let value = text.slice(equals + 1, stop)
        if key.isEqual("user") { writer.member("user.name", text: value) }
        if key.isEqual("db") { writer.member("db.namespace", text: value) }
        if key.isEqual("app") { writer.member("postgresql.application_name", text: value) }
        if key.isEqual("client") || key.isEqual("host") {
          writer.member("client.address", text: value)
        }
      }
      index = stop
    }
  }

  static let samples = [
    FormatSample(
      "[22911] 1796019483.402 22012 7 ERROR:  division by zero", time: "2026-11-30T06:18:03.402Z",
      severity: 17, severityText: "ERROR", pid: 22911, body: "division by zero"),
    FormatSample(
      "2026-11-30 07:18:03.402 CET [22911] ERROR:  division by zero\n"
        + "2026-11-30 07:18:03.402 CET [22911] STATEMENT:  select\n\t  total / 0",
      time: "2026-11-30T06:18:03.402Z", offset: 60, severity: 17, severityText: "ERROR",
      pid: 22911, body: "division by zero",
      attributes: #"{"db.query.text":"select\n\t  total / 0"}"#),
    FormatSample(
      "< 2026-03-01 10:00:01.123 CET >ERROR:  no", time: "2026-03-01T09:00:01.123Z", offset: 60,
      severity: 17, severityText: "ERROR", body: "no"),
    FormatSample(
      "app@shop 2026-03-01 10:00:02 UTC [7] FATAL:  no", time: "2026-03-01T10:00:02Z", offset: 0,
      severity: 21, severityText: "FATAL", pid: 7, body: "no"),
    FormatSample(
      "2026-11-30 06:18:03 UTC [7]: [3-1] user=bob,db=shop,app=psql,client=::1 LOG:  a\n\tb",
      time: "2026-11-30T06:18:03Z", offset: 0, severity: 9, severityText: "LOG", pid: 7,
      body: "a\n\tb",
      attributes: #"{"user.name":"bob","db.namespace":"shop","client.address":"::1","#
        + #""postgresql.application_name":"psql"}"#),
  ]
}
