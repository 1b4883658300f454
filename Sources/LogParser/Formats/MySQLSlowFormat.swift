// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// The slow query log of MySQL and MariaDB: `# Time`, `# User@Host`, `# Query_time` and further lines,
/// then the statement. `# Time` is printed only when the second changes, so the time of a record is
/// that of its `SET timestamp`. The general log, which has the same heading, is read as well.
enum MySQLSlowFormat: JoiningFormat {
  static let info = FormatInfo(
    name: "mysql-slow", family: "database",
    summary: "slow query log and general log of MySQL and MariaDB",
    example: "# User@Host: shop[shop] @ localhost []")

  static func begins(_ line: Line) -> Bool {
    line.has("# User@Host: ", at: 0) || line.has("# Time: ", at: 0)
      || MySQLGeneralLine.read(line) != nil
  }

  /// The lines that a server writes when it opens the file count too.
  static func fits(_ line: Line) -> Bool {
    if line.at(0) == UInt8(ascii: "#") { return begins(line) }
    return isHeading(line) || MySQLGeneralLine.read(line) != nil
  }

  /// `/usr/sbin/mysqld, Version: 8.0.36 (MySQL Community Server - GPL). started with:`; the program is
  /// named as it was started, and the general log has the same heading.
  static func isHeading(_ line: Line) -> Bool {
    guard let version = line.slice(0, min(line.count, 200)).index(of: ", Version: ", from: 1)
    else { return false }
    return line.index(of: "started with:", from: version) != nil
  }

  static func joins(_ line: Line, _ state: inout JoinState) -> JoinState.Answer? {
    if line.has("# Time: ", at: 0) {
      let answer = state.header()
      state.isOpen = true
      return answer
    }
    if line.has("# User@Host: ", at: 0) {
      if state.isOpen {
        state.isOpen = false
        return .continues
      }
      return state.header()
    }
    if MySQLGeneralLine.read(line) != nil { return state.header() }
    // What a server prints when it opens the file stands before the first query, or behind one.
    if state.isFirst { return state.begin(isHeading: true) }
    return .continues
  }

  static func parse(_ text: Text, _ clock: inout Clock, _ record: inout LogRecord) -> Bool {
    let line = text.bytes
    guard let start = begins(line) ? 0 : firstHeader(line) else { return false }
    if let general = MySQLGeneralLine.read(line.slice(start, line.count)) {
      general.fill(&record, text, start, &clock)
      return true
    }
    var writer = JSONWriter(text)
    var stamp = Stamp()
    var hasTime = false
    var index = start
    var query = line.count
    while index < line.count {
      let end = line.index(of: Byte.newline, from: index) ?? line.count
      if line.at(index) == UInt8(ascii: "#") {
        readHeader(text, index, end, &writer, &stamp, &hasTime)
      } else if line.has("SET timestamp=", at: index) {
        let digits = index + 14
        var epoch = Stamp()
        // A replica runs statements at the time of their source, which may be long ago.
        if EpochTime.field(line, digits, numberEnd(line, digits), into: &epoch),
          !hasTime || !stamp.isValid || abs(epoch.seconds - stamp.seconds) < 26 * 3600
        {
          (stamp, hasTime) = (epoch, true)
        }
      } else if line.has("use ", at: index) {
        writeDatabase(text, index + 4, end, &writer)
      } else {
        query = index
        break
      }
      index = end + 1
    }
    record.attributes = writer.finish(text)
    if !hasTime || !clock.set(stamp, from: line, of: &record) { clock.inherit(&record) }
    text.setBody(query < line.count ? query : start, line.count, of: &record)
    return true
  }

  private static func firstHeader(_ line: Line) -> Int? {
    var from = 0
    while let newline = line.index(of: Byte.newline, from: from) {
      if begins(line.slice(newline + 1, line.count)) { return newline + 1 }
      from = newline + 1
    }
    return nil
  }

  private static func numberEnd(_ line: Line, _ start: Int) -> Int {
    let end = line.skipDigits(start)
    return line.at(end) == Byte.dot ? line.skipDigits(end + 1) : end
  }

  private static func writeDatabase(
    _ text: Text, _ start: Int, _ end: Int, _ writer: inout JSONWriter
  ) {
    var from = start
    var to = end
    if to > from, text.bytes[to - 1] == 0x3b { to -= 1 }
    if to > from + 1, text.bytes[from] == 0x60, text.bytes[to - 1] == 0x60 {
      from += 1
      to -= 1
    }
    writer.member("db.namespace", text: text.slice(from, to))
  }

  /// `# Time: …` and `# Name: value  Name: value`.
  private static func readHeader(
    _ text: Text, _ start: Int, _ end: Int, _ writer: inout JSONWriter, _ stamp: inout Stamp,
    _ hasTime: inout Bool
  ) {
    let line = text.bytes
    if line.has("# Time: ", at: start) {
      hasTime =
        StampScanner.iso(line.slice(0, end), at: start + 8, into: &stamp)
        || StampScanner.compactDate(line.slice(0, end), at: start + 8, into: &stamp)
      return
    }
    if line.has("# User@Host: ", at: start) {
      let user = start + 13
      if let open = line.index(of: Byte.openBracket, from: user), open < end, open > user {
        writer.member("user.name", text: text.slice(user, open))
      }
      return
    }
    for (name, attribute): (StaticString, StaticString) in Self.numbers {
      guard let found = line.slice(0, end).index(of: name, from: start) else { continue }
      let value = found + name.utf8CodeUnitCount
      let stop = numberEnd(line, value)
      guard JSONScanner.valueEnd(line, value) == stop else { continue }
      writer.member(attribute, rawValue: text.slice(value, stop))
    }
  }

  private static let numbers: [(StaticString, StaticString)] = [
    ("Query_time: ", "mysql.query_time"), ("Lock_time: ", "mysql.lock_time"),
    ("Rows_sent: ", "mysql.rows_sent"), ("Rows_examined: ", "mysql.rows_examined"),
    ("Thread_id: ", "mysql.thread_id"),
  ]

  static let samples = [
    FormatSample(
      "# Time: 2021-01-26T23:45:57.678222Z\n# User@Host: shop[shop] @ localhost []  Id:     2\n"
        + "# Query_time: 0.5  Lock_time: 0.1  Rows_sent: 2  Rows_examined: 268\nuse `shop`;\n"
        + "SET timestamp=1611704757;\nSELECT 1;",
      time: "2021-01-26T23:45:57Z", body: "SELECT 1;",
      attributes: #"{"user.name":"shop","mysql.query_time":0.5,"mysql.lock_time":0.1,"#
        + #""mysql.rows_sent":2,"mysql.rows_examined":268,"db.namespace":"shop"}"#),
    FormatSample(
      "# User@Host: root[root] @ localhost []\n# Query_time: 3  Lock_time: 0\nSELECT 2;",
      body: "SELECT 2;",
      attributes: #"{"user.name":"root","mysql.query_time":3,"mysql.lock_time":0}"#),
    FormatSample(
      "260301 10:00:00\t     3 Connect\tshop@localhost on orders", time: "2026-03-01T10:00:00Z",
      body: "Connect\tshop@localhost on orders", attributes: #"{"mysql.thread_id":3}"#),
    FormatSample(
      "\t\t     3 Query\tselect 1", body: "Query\tselect 1",
      attributes: #"{"mysql.thread_id":3}"#),
  ]
}
