// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// PostgreSQL's csvlog: 23 to 26 columns, in quotes of which newlines may stand. Greenplum's has five
/// more before the severity.
enum PostgresCSVFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "postgresql-csv", family: "database", summary: "PostgreSQL csvlog",
    example: #"2026-11-30 07:18:03.294 CET,,,22900,,6b0d151b.5974,1,,2026-11-30 07:18:03 CET,,0,"#
      + #"LOG,00000,"starting",,,,,,,,,"","postmaster",,0"#)

  /// The columns that are read, by number.
  private enum Column {
    static let user = 1
    static let database = 2
    static let pid = 3
    static let client = 4
    static let session = 5
    static let severity = 11
    static let state = 12
    static let message = 13
    static let detail = 14
    static let hint = 15
    static let context = 18
    static let query = 19
    static let application = 22
    static let backend = 23
  }

  private static let greenplumColumns = 5

  /// Whether the process is one of Greenplum's: `p1234,th5678`.
  private static func isGreenplum(_ line: Line) -> Bool {
    var index = 0
    for _ in 0..<Column.pid { index = field(line, index).1 }
    let (pid, next) = field(line, index)
    return line.at(pid.lowerBound) == UInt8(ascii: "p") && line.has("th", at: next)
      && line.skipDigits(pid.lowerBound + 1) == pid.upperBound && pid.count > 1
  }

  static func begins(_ line: Line) -> Bool {
    var stamp = Stamp()
    guard line.at(0).isDigit, StampScanner.iso(line, at: 0, into: &stamp),
      line.at(stamp.end) == Byte.comma
    else { return false }
    var index = stamp.end + 1
    for column in Column.user...Column.session {
      let (value, next) = field(line, index)
      if column == Column.pid, !isNumber(line.slice(value.lowerBound, value.upperBound)) {
        return isGreenplum(line)
      }
      if column == Column.session {
        return isSession(line.slice(value.lowerBound, value.upperBound))
      }
      index = next
    }
    return false
  }

  /// Two hexadecimal numbers with a dot between.
  private static func isSession(_ value: Line) -> Bool {
    guard let dot = value.index(of: Byte.dot, from: 1) else { return false }
    for index in 0..<value.count where index != dot && !value[index].isHexDigit { return false }
    return dot + 1 < value.count
  }

  private static func isNumber(_ value: Line) -> Bool {
    !value.isEmpty && value.skipDigits(0) == value.count
  }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    let isOpen = !state.isFirst && state.isOpen
    guard isOpen || begins(line) else { return nil }
    // A doubled quote does not change the parity.
    var isQuoted = isOpen
    for byte in line where byte == Byte.quote { isQuoted.toggle() }
    let answer = isOpen ? .continues : state.begin()
    state.isOpen = isQuoted
    return answer
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    guard begins(text.bytes) else { return false }
    var stamp = Stamp()
    _ = StampScanner.iso(text.bytes, at: 0, into: &stamp)
    if !clock.set(stamp, from: text.bytes, of: &record) { clock.inherit(&record) }
    var writer = JSONWriter(text)
    var message = 0..<0
    var index = 0
    var column = 0
    let isGreenplum = isGreenplum(text.bytes)
    while index <= text.count, column < (isGreenplum ? Column.query + 1 : 30) {
      var (value, next) = field(text.bytes, index)
      if isGreenplum, column == Column.client {
        // What stands from here to the severity is of Greenplum's own.
        for _ in 0..<(Column.severity + greenplumColumns - column) {
          (value, next) = field(text.bytes, next)
        }
        column = Column.severity
      }
      if column == Column.message {
        message = value
      } else if !value.isEmpty {
        take(column, value, text, &record, &writer)
      }
      column += 1
      index = next
    }
    record.attributes = writer.finish(text)
    guard column > Column.message else { return false }
    setBody(message, text, &record)
    return true
  }

  /// The content of the field at `start`, and the start of the next.
  private static func field(_ line: Line, _ start: Int) -> (Range<Int>, Int) {
    guard line.at(start) == Byte.quote else {
      let end = line.index(of: Byte.comma, from: start) ?? line.count
      return (start..<max(start, end), end + 1)
    }
    var from = start + 1
    while let quote = line.index(of: Byte.quote, from: from) {
      guard line.at(quote + 1) == Byte.quote else {
        // What stands between the quote and the comma belongs to no field.
        let comma = line.index(of: Byte.comma, from: quote + 1) ?? line.count
        return (start + 1..<quote, comma + 1)
      }
      from = quote + 2
    }
    return (start + 1..<max(start + 1, line.count), line.count + 1)
  }

  private static func take(
    _ column: Int, _ value: Range<Int>, _ text: Text, _ record: inout LogRecord,
    _ writer: inout JSONWriter
  ) {
    let slice = text.slice(value.lowerBound, value.upperBound)
    switch column {
    case Column.user: writer.member("user.name", text: slice)
    case Column.database: writer.member("db.namespace", text: slice)
    case Column.pid:
      let digits = value.lowerBound + (text.bytes.at(value.lowerBound).isDigit ? 0 : 1)
      record.pid = text.bytes.decimal(digits, value.upperBound) ?? -1
    case Column.client: writer.member("client.address", text: slice)
    case Column.session: writer.member("postgresql.session_id", text: slice)
    case Column.severity:
      record.severityText = slice
      let word = text.bytes.slice(value.lowerBound, value.upperBound)
      let severity = LevelWords.severity(of: word) ?? .unspecified
      record.severity = word.isEqual("PANIC") ? .fatal : severity
    case Column.state: writer.member("db.response.status_code", text: slice)
    case Column.detail: writer.member("postgresql.detail", csv: slice)
    case Column.hint: writer.member("postgresql.hint", csv: slice)
    case Column.context: writer.member("postgresql.context", csv: slice)
    case Column.query: writer.member("db.query.text", csv: slice)
    case Column.application: writer.member("postgresql.application_name", csv: slice)
    case Column.backend: writer.member("postgresql.backend_type", text: slice)
    default: break
    }
  }

  /// The message, its doubled quotes made single.
  private static func setBody(_ value: Range<Int>, _ text: Text, _ record: inout LogRecord) {
    let line = text.bytes.slice(0, value.upperBound)
    guard line.index(of: #""""#, from: value.lowerBound) != nil else {
      return text.setBody(value.lowerBound, value.upperBound, of: &record)
    }
    let arena = text.arena
    let start = arena.count
    arena.reserve(value.count)
    var index = value.lowerBound
    while index < value.upperBound {
      arena.append(arena.bytes(text.slice(index, index + 1))[0])
      let isDoubled = arena.bytes(text.slice(index, value.upperBound)).has(#""""#, at: 0)
      index += isDoubled ? 2 : 1
    }
    record.body = ByteSlice(start: start, count: arena.count - start)
    record.original = text.slice(0, text.count)
  }

  static let samples = [
    FormatSample(
      "2026-03-01 10:00:00.112749 UTC,\"app\",\"shop\",p232,th-65,\"192.0.2.1\",\"50094\","
        + "2026-03-01 09:00:00 UTC,0,con7,cmd2,seg-1,slice1,dx1,x1,sx1,\"LOG\",\"00000\",\"done\",,,,,,"
        + "\"select 1\",0,,\"postgres.c\",1400,",
      time: "2026-03-01T10:00:00.112749Z", offset: 0, severity: 9, severityText: "LOG", pid: 232,
      body: "done",
      attributes: #"{"user.name":"app","db.namespace":"shop","db.response.status_code":"00000","#
        + #""db.query.text":"select 1"}"#),
    FormatSample(
      #"2026-11-30 07:18:03.402 CET,"bob","shop",22911,"[local]",6b0d.59,3,"SELECT",2026-11-30 07:18:03 "#
        + #"CET,3/5,0,ERROR,22012,"division ""by"" zero",,,,,,"select"# + "\n"
        + #"  1 / 0",,,"psql","client backend",,0"#,
      time: "2026-11-30T06:18:03.402Z", offset: 60, severity: 17, severityText: "ERROR",
      pid: 22911, body: #"division "by" zero"#,
      attributes: #"{"user.name":"bob","db.namespace":"shop","client.address":"[local]","#
        + #""postgresql.session_id":"6b0d.59","db.response.status_code":"22012","#
        + #""db.query.text":"select\n  1 / 0","postgresql.application_name":"psql","#
        + #""postgresql.backend_type":"client backend"}"#),
  ]
}
