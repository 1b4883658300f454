// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Headers of particular loggers: what the common rules do not find.
extension TimestampedHeader {
  /// `{id}` of a query before the level, as ClickHouse has it.
  func queryID(_ line: Line, _ start: Int) -> Int? {
    var end = start + 1
    while end < limit, line[end].isName { end += 1 }
    return line.has("} <", at: end) ? end + 1 : nil
  }

  /// `29A6FB90 info 'logger' opID=…` in brackets, as VMware wrote it to 6.0.
  mutating func levelBehindThread(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    var word = start
    while word < end, line[word].isHexDigit { word += 1 }
    guard word >= start + 5, line.at(word) == Byte.space else { return false }
    var wordEnd = word + 1
    while wordEnd < end, line[wordEnd].isLetter { wordEnd += 1 }
    guard line.has(" '", at: wordEnd),
      let found = LevelWords.severity(of: line.slice(word + 1, wordEnd))
    else { return false }
    severity = found
    (levelStart, levelEnd) = (word + 1, wordEnd)
    (threadStart, threadEnd) = (start, word)
    return true
  }

  /// `fail: Category[n]` of .NET's console where it has a time.
  mutating func readDotNet(_ line: Line, _ start: Int) -> Bool {
    guard let header = DotNetFormat.header(line.slice(start, line.count)) else { return false }
    severity = header.severity
    (levelStart, levelEnd) = (start, start + 4)
    (loggerStart, loggerEnd) = (start + 6, start + header.category)
    var body = start + header.end
    while body < line.count, line[body].isBlank || line[body] == Byte.newline { body += 1 }
    bodyStart = body
    return true
  }

  /// `pid-tid  tag  package  L  text` of Android Studio, whose columns are padded.
  mutating func readStudio(_ line: Line, _ start: Int) -> Bool {
    let dash = line.skipDigits(start)
    let threadEnd = line.skipDigits(dash + 1)
    guard line.at(dash) == Byte.dash, threadEnd > dash + 1, line.at(threadEnd) == Byte.space,
      let process = line.decimal(start, dash), let thread = line.decimal(dash + 1, threadEnd)
    else { return false }
    let tag = line.skipBlanks(threadEnd)
    var letter = tag
    // The package has no blank, the tag seldom one: the letter stands between blanks behind both.
    while letter < limit {
      letter = line.skipBlanks(line.slice(0, limit).skipToken(letter))
      guard line.has("  ", at: letter + 1), line.at(letter - 1) == Byte.space,
        let found = LevelWords.severity(
          ofLetter: line.at(letter) == UInt8(ascii: "A") ? UInt8(ascii: "F") : line.at(letter))
      else { continue }
      (pid, threadID, severity) = (process, thread, found)
      (loggerStart, loggerEnd) = (tag, line.skipToken(tag))
      (levelStart, levelEnd) = (letter, letter + 1)
      bodyStart = letter + 3
      return true
    }
    return false
  }

  /// `time: LEVEL/process]` inside the bracket around the time (Celery).
  mutating func readInsideBracket(_ line: Line, from end: Int) -> Bool {
    guard line.at(end) == Byte.colon, line.at(end + 1) == Byte.space else {
      return readLevelAndTarget(line, from: end)
    }
    let start = end + 2
    var stop = start
    while line.at(stop).isUpper { stop += 1 }
    guard line.at(stop) == Byte.slash,
      let found = LevelWords.severity(of: line.slice(start, stop)),
      let close = line.index(of: Byte.closeBracket, from: stop), close - stop < 100
    else { return false }
    limit = min(line.firstLineEnd, end + 400)
    severity = found
    (levelStart, levelEnd) = (start, stop)
    (processStart, processEnd) = (stop + 1, close)
    bodyStart = min(line.skipBlanks(close + 1), line.count)
    return true
  }

  /// The id of a request (AWS Lambda).
  func isUUID(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    end - start == 36 && line[start + 8] == Byte.dash && line[start + 23] == Byte.dash
  }

  /// `host name[pid]:` of syslog's relatives, whose host is not kept, and `host name[pid] LEVEL` of
  /// coloredlogs.
  mutating func processBehindHost(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    let name = end + 1
    var nameEnd = name
    while line.at(nameEnd).isName || line.at(nameEnd) == Byte.slash { nameEnd += 1 }
    guard nameEnd > name, line.at(nameEnd) == Byte.openBracket, line[start].isLetter else {
      return nil
    }
    let digits = line.skipDigits(nameEnd + 1)
    guard digits > nameEnd + 1, digits < limit,
      line.has("]: ", at: digits)
        || line.has("] ", at: digits) && isCapitalLevel(line, digits + 2)
    else { return nil }
    pid = line.decimal(nameEnd + 1, digits) ?? -1
    (processStart, processEnd) = (name, nameEnd)
    return digits + (line[digits + 1] == Byte.colon ? 2 : 1)
  }

  private func isCapitalLevel(_ line: Line, _ start: Int) -> Bool {
    var end = start
    while line.at(end).isUpper { end += 1 }
    return end >= start + 4 && LevelWords.severity(of: line.slice(start, end)) != nil
  }

  /// A number before the level: a process's, or before a level in brackets a thread's (MySQL).
  mutating func leadingNumber(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    let next = line.skipBlanks(end)
    // MariaDB to 10.1 writes the address of the thread.
    guard end - start <= (line.at(next) == Byte.openBracket ? 15 : 10),
      let number = line.decimal(start, end)
    else { return nil }
    if line.at(next) == Byte.openBracket {
      if threadID < 0 { threadID = number }
    } else if pid < 0 {
      pid = number
    }
    return end
  }

  /// `C | ` and `N | ` of etcd: critical and notice, which no other vocabulary of letters has.
  func barLevel(_ line: Line, _ letter: Int) -> Severity? {
    guard line.has(" | ", at: letter + 1) else { return nil }
    switch line[letter] {
    case UInt8(ascii: "C"): return .fatal
    case UInt8(ascii: "N"): return .notice
    default: return nil
    }
  }

  /// `|logger|text` and `|thread|logger|text` right behind the level (NLog, log4j).
  mutating func readBars(_ line: Line, from end: Int) -> Bool {
    guard let bar = line.index(of: 0x7c, from: end + 1), bar < limit, bar > end + 1,
      isPlainName(line, end + 1, bar)
    else { return false }
    if let next = line.index(of: 0x7c, from: bar + 1), next < limit, isLogger(line, bar + 1, next) {
      setThread(line, end + 1, bar)
      (loggerStart, loggerEnd) = (bar + 1, next)
      bodyStart = line.skipBlanks(next + 1)
      return true
    }
    guard isLogger(line, end + 1, bar) else { return false }
    (loggerStart, loggerEnd) = (end + 1, bar)
    bodyStart = line.skipBlanks(bar + 1)
    return true
  }

  /// Passes over `[service,trace,span]` before `pid ---`.
  mutating func skipTraceContext(_ line: Line, _ start: Int) -> Int {
    guard let close = Self.closingBracket(line, start, limit) else { return start }
    let next = line.skipBlanks(close + 1)
    let digits = line.skipDigits(next)
    guard digits > next, line.has(" --- ", at: digits) else { return start }
    traceContext = start + 1..<close
    bodyStart = next
    return next
  }

  /// `a.B {key=value} - text`, `a.B [req-… …] text` (OpenStack), `a.B [thread] text`.
  mutating func loggerBeforeContext(
    _ line: Line, _ start: Int, _ end: Int, _ open: Int, hasDot: Bool
  ) -> Bool {
    if line[open] == Byte.openBrace {
      guard let close = line.index(of: Byte.closeBrace, from: open), close < limit,
        line.has(" - ", at: close + 1)
      else { return false }
      context = open + 1..<close
      bodyStart = min(line.skipBlanks(close + 4), limit)
    } else {
      guard hasDot, let close = Self.closingBracket(line, open, limit) else { return false }
      let isRequest = line.has("req-", at: open + 1)
      if isRequest {
        request = open + 1..<line.slice(0, close).skipToken(open + 1)
      } else if line.slice(open + 1, close).isEqual("-") {
        // OpenStack without a request.
      } else if threadEnd == 0 {
        setThread(line, open + 1, close)
      } else {
        return false
      }
      let next = line.has(" - ", at: close + 1) ? close + 4 : close + 1
      bodyStart = min(line.skipBlanks(next), limit)
    }
    (loggerStart, loggerEnd) = (start, end)
    return true
  }

  /// `[logger] (thread) text` (JBoss), `[logger ] text` (Elasticsearch), `[thread] logger text`
  /// (Tomcat), where the level stands before.
  mutating func readVariant(_ line: Line, from start: Int) {
    guard line.at(start) == Byte.openBracket, let close = Self.closingBracket(line, start, limit)
    else { return }
    var end = close
    while end > start + 1, line[end - 1].isBlank { end -= 1 }
    var next = line.skipBlanks(close + 1)
    if isLogger(line, start + 1, end) {
      (loggerStart, loggerEnd) = (start + 1, end)
      if line.at(next) == 0x28, let stop = line.index(of: 0x29, from: next), stop < limit {
        setThread(line, next + 1, stop)
        next = line.skipBlanks(stop + 1)
      }
      bodyStart = min(next, limit)
      return
    }
    let stop = line.slice(0, limit).skipToken(next)
    guard threadEnd == 0, line.at(stop).isBlank, isLogger(line, next, stop),
      dots(line, next, stop) >= 2
    else { return }
    setThread(line, start + 1, close)
    (loggerStart, loggerEnd) = (next, stop)
    bodyStart = min(line.skipBlanks(stop), limit)
  }

  private func isPlainName(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    for index in start..<end where !(line[index].isName || line[index] == 0x24) { return false }
    return end > start
  }

  /// A name with a dot inside.
  private func isLogger(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    guard end > start, isPlainName(line, start, end), line[start].isLetter else { return false }
    return dots(line, start, end - 1) > 0
  }

  private func dots(_ line: Line, _ start: Int, _ end: Int) -> Int {
    line.slice(start, end).reduce(0) { $0 + ($1 == Byte.dot ? 1 : 0) }
  }

  /// Writes what was found beside level, thread and logger.
  func writeContext(_ text: Text, _ writer: inout JSONWriter) {
    if codeLine >= 0 { writer.member("code.line.number", number: Int64(codeLine)) }
    if !request.isEmpty {
      writer.member("request_id", text: text.slice(request.lowerBound, request.upperBound))
    }
    if !traceContext.isEmpty { writeTrace(text, &writer) }
    if !context.isEmpty { writePairs(text, &writer) }
  }

  private func writeTrace(_ text: Text, _ writer: inout JSONWriter) {
    let names: [StaticString] = ["service.name", "trace_id", "span_id"]
    var start = traceContext.lowerBound
    for name in names {
      guard start < traceContext.upperBound else { return }
      let comma = text.bytes.index(of: Byte.comma, from: start) ?? traceContext.upperBound
      let end = min(comma, traceContext.upperBound)
      if end > start { writer.member(name, text: text.slice(start, end)) }
      start = end + 1
    }
  }

  /// `key=value, key=value`.
  private func writePairs(_ text: Text, _ writer: inout JSONWriter) {
    var start = context.lowerBound
    while start < context.upperBound {
      let comma = text.bytes.index(of: Byte.comma, from: start) ?? context.upperBound
      let end = min(comma, context.upperBound)
      let key = text.bytes.skipBlanks(start)
      if let equals = text.bytes.index(of: Byte.equals, from: key), equals < end, equals > key {
        writer.member(key: text.slice(key, equals), text: text.slice(equals + 1, end))
      }
      start = end + 1
    }
  }
}
