// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// One row of a W3C extended log while it is read.
struct W3CRow {
  private let text: Text
  private var writer: JSONWriter
  private var date = 0..<0
  private var time = 0..<0
  private var isLocal = false
  private var status: UInt8 = 0

  init(_ text: Text) {
    self.text = text
    writer = JSONWriter(text)
  }

  /// Reads the values from `start` on: words, or texts in quotes, or what stands between tabs.
  mutating func read(from start: Int, _ columns: W3CColumns) {
    let end = text.bytes.lineEnd(from: start)
    let isTabbed = text.bytes.slice(0, end).index(of: Byte.tab, from: start) != nil
    var index = start
    for role in columns.roles {
      guard index < end else { break }
      var from = index
      var to: Int
      if isTabbed {
        to = min(text.bytes.index(of: Byte.tab, from: index) ?? end, end)
        index = to + 1
      } else if text.bytes[index] == Byte.quote {
        from = index + 1
        to = min(AccessLogFormat.quotedEnd(text.bytes, index), end)
        index = text.bytes.skipBlanks(to + 1)
      } else {
        to = min(text.bytes.skipToken(index), end)
        index = text.bytes.skipBlanks(to)
      }
      let isNil = to - from == 1 && text.bytes[from] == Byte.dash
      if to > from, !isNil { take(role, from, to) }
    }
  }

  private mutating func take(_ role: W3CColumns.Role, _ start: Int, _ end: Int) {
    let value = text.slice(start, end)
    switch role {
    case .date: date = start..<end
    case .time: time = start..<end
    case .localDate: (date, isLocal) = (start..<end, true)
    case .localTime: (time, isLocal) = (start..<end, true)
    case .method: writer.member("http.request.method", text: value)
    case .stem: writer.member("url.path", text: value)
    case .query: writer.member("url.query", text: value)
    case .client: writer.member("client.address", text: value)
    case .user: writer.member("user.name", text: value)
    case .agent: writer.member("user_agent.original", text: value)
    case .referer: writer.member("http.request.header.referer", text: value)
    case .host: writer.member("http.request.header.host", text: value)
    case .size:
      if let number = text.bytes.decimal(start, end) {
        writer.member("http.response.body.size", number: number)
      }
    case .status:
      if end - start == 3, let number = text.bytes.decimal(start, end) {
        writer.member("http.response.status_code", number: number)
        status = text.bytes[start]
      }
    case .other: break
    }
  }

  /// Moves what was read to `record`.
  mutating func fill(
    _ record: inout LogRecord, _ columns: inout W3CColumns, _ clock: inout Clock
  ) {
    record.attributes = writer.finish(text)
    if status > 0 {
      record.severity = HTTPStatus.severity(status)
      record.flags.add(.severityDerived)
    }
    var stamp = Stamp()
    if !readTime(&stamp, &columns) || !clock.set(stamp, from: text.bytes, of: &record) {
      clock.inherit(&record)
    }
  }

  private func readTime(_ stamp: inout Stamp, _ columns: inout W3CColumns) -> Bool {
    let line = text.bytes
    guard !time.isEmpty, StampScanner.timeOfDay(line, at: time.lowerBound, into: &stamp) else {
      return false
    }
    stamp.zone = isLocal || columns.isLocal ? .absent : .offset
    if date.count == 10, line[date.lowerBound + 4] == Byte.dash {
      let start = date.lowerBound
      stamp.year = StampScanner.fourDigits(line, at: start) ?? 0
      stamp.month = line.two(start + 5)
      stamp.day = line.two(start + 8)
      stamp.close()
      return true
    }
    guard let day = columns.day else { return false }
    (stamp.year, stamp.month, stamp.day) = day
    // Without a date the clock that falls back has passed midnight.
    if columns.lastSecond - stamp.secondOfDay > 43_200 {
      let next = CivilTime.date(
        daysSince1970: CivilTime.daysSince1970(year: day.year, month: day.month, day: day.day) + 1)
      columns.day = next
      (stamp.year, stamp.month, stamp.day) = next
    }
    columns.lastSecond = stamp.secondOfDay
    stamp.close()
    return true
  }
}
