// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Which column of a W3C extended log is what. One for each file: `#Fields` lines set it.
struct W3CColumns {
  enum Role: UInt8 {
    case other, date, time, localDate, localTime, method, stem, query, status, client, user
    case agent, referer, host, size
  }

  /// Empty before a `#Fields` line was read.
  private(set) var roles: [Role] = []
  /// The times are those of the machine's zone (Windows Firewall).
  var isLocal = false
  /// Day number of `#Date`, for files without a date column.
  var day: (year: Int, month: Int, day: Int)?
  /// The second of the day of the last record of such a file.
  var lastSecond = 0

  /// Reads the first `#Fields` line of a file's beginning: reading may go on in its middle.
  mutating func read(sample: Line) {
    isLocal = sample.index(of: Self.localTimes, from: 0) != nil
    guard let start = sample.index(of: "#Fields:", from: 0) else { return }
    read(sample, from: start + 8)
  }

  static let localTimes: StaticString = "#Time Format: Local"

  mutating func read(_ line: Line, from start: Int) {
    roles.removeAll(keepingCapacity: true)
    let end = line.lineEnd(from: start)
    var index = line.skipBlanks(start)
    while index < end {
      let stop = min(line.skipToken(index), end)
      roles.append(Self.role(line.slice(index, stop)))
      index = line.skipBlanks(stop)
    }
  }

  private static func role(_ name: Line) -> Role {
    if name.isEqual("date") { return .date }
    if name.isEqual("time") { return .time }
    if name.isEqual("date-local") { return .localDate }
    if name.isEqual("time-local") { return .localTime }
    if name.isEqual("cs-method") { return .method }
    if name.isEqual("cs-uri-stem") { return .stem }
    if name.isEqual("cs-uri-query") { return .query }
    if name.isEqual("sc-status") { return .status }
    if name.isEqual("c-ip") { return .client }
    if name.isEqual("cs-username") { return .user }
    if name.isEqual("cs(User-Agent)") { return .agent }
    if name.isEqual("cs(Referer)") { return .referer }
    if name.isEqual("cs(Host)") || name.isEqual("cs-host") { return .host }
    return name.isEqual("sc-bytes") ? .size : .other
  }
}

/// W3C extended logs: IIS, CloudFront and others. `#Fields` names the columns; directives belong to
/// the record behind them. Dates and times are UTC unless their columns say "local".
enum W3CFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "w3c", family: "web-server", summary: "W3C extended logs: IIS, CloudFront",
    example: "#Fields: date time c-ip cs-method cs-uri-stem sc-status")

  /// Rows are read as such only in a file with directives, which begin it.
  static func begins(_ line: Line) -> Bool {
    line.has("#Fields:", at: 0) || line.has("#Software: ", at: 0) || line.has("#Version: ", at: 0)
  }

  private static func isDirective(_ line: Line) -> Bool {
    line.at(0) == UInt8(ascii: "#") && line.at(1).isLetter
  }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if isDirective(line) { return state.heading() }
    // Every line is a row; values hold no newlines.
    return state.header()
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    var columns = W3CColumns()
    return parse(text, &columns, &clock, &record)
  }

  static func parse(
    _ text: Text, _ columns: inout W3CColumns, _ clock: inout Clock, _ record: inout LogRecord
  ) -> Bool {
    var start = 0
    while isDirective(text.bytes.slice(start, text.count)) {
      readDirective(text.bytes, start, &columns)
      start = min(text.bytes.skipLines(from: text.bytes.lineEnd(from: start)), text.count)
    }
    guard start > 0 || !columns.roles.isEmpty else { return false }
    var row = W3CRow(text)
    row.read(from: start, columns)
    row.fill(&record, &columns, &clock)
    text.setBody(start, text.count, of: &record)
    return true
  }

  private static func readDirective(_ line: Line, _ start: Int, _ columns: inout W3CColumns) {
    if line.has("#Fields:", at: start) {
      columns.read(line, from: start + 8)
    } else if line.has(W3CColumns.localTimes, at: start) {
      columns.isLocal = true
    } else if line.has("#Date: ", at: start) {
      var stamp = Stamp()
      if StampScanner.iso(line, at: start + 7, into: &stamp), stamp.isValid {
        columns.day = (stamp.year, stamp.month, stamp.day)
        columns.lastSecond = 0
      }
    }
  }

  static let samples = [
    FormatSample(
      "#Version: 1.0\n#Fields: date time cs-method cs-uri-stem cs-uri-query cs-username c-ip "
        + "cs(User-Agent) sc-status\n2022-01-01 00:01:24 GET /a b=1 - ::1 Odd+Agent/1 503",
      time: "2022-01-01T00:01:24Z", offset: 0, severity: 17,
      body: "2022-01-01 00:01:24 GET /a b=1 - ::1 Odd+Agent/1 503",
      attributes: #"{"http.request.method":"GET","url.path":"/a","url.query":"b=1","#
        + #""client.address":"::1","user_agent.original":"Odd+Agent/1","#
        + #""http.response.status_code":503}"#),
    FormatSample(
      "#Version: 1.0\n#Date: 2013-07-30 00:00:00\n#Fields: time cs-method sc-status\n"
        + "00:00:03 GET 200",
      time: "2013-07-30T00:00:03Z", offset: 0, severity: 9, body: "00:00:03 GET 200",
      attributes: #"{"http.request.method":"GET","http.response.status_code":200}"#),
  ]
}
