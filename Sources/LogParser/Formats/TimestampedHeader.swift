// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// What stands between a line's time and its message. Fields are indices into the line, an end of 0
/// means that there is none.
struct TimestampedHeader {
  var levelStart = 0
  var levelEnd = 0
  var severity = Severity.unspecified
  var threadStart = 0
  var threadEnd = 0
  var loggerStart = 0
  var loggerEnd = 0
  var processStart = 0
  var processEnd = 0
  var pid: Int64 = -1
  var threadID: Int64 = -1
  var bodyStart = 0
  /// macOS writes thread numbers in decimal since it writes the zone; before, and on Linux, they
  /// are hexadecimal.
  var hasDecimalThreads = false
  /// A plain word may be a level, as it is in most lines of the file.
  var hasRegularLevels = true
  /// A word was left to the message that would be a level there.
  var hasDoubtfulLevel = false
  /// What the mapped diagnostic context says, as attributes: where `key=value` pairs lie.
  var context = 0..<0
  /// `[service,trace,span]` of Spring Cloud Sleuth.
  var traceContext = 0..<0
  /// A request's id in brackets.
  var request = 0..<0
  /// The line behind the logger.
  var codeLine = -1
  var limit = 0

  private static let maxTokens = 6

  /// Looks for a level among the first words after the time, and for what stands around it. Words
  /// of a sentence end the search: they are the message.
  mutating func read(_ line: Line, from end: Int) {
    limit = min(line.firstLineEnd, end + 400)
    let first = Self.skipSeparators(line, end)
    bodyStart = Self.skipSeparators(line, end, single: true)
    if line.at(first + 4) == Byte.colon, readDotNet(line, first) { return }
    if line.at(first).isDigit, readStudio(line, first) { return }
    if line.has("p=", at: first), readAnsible(line, first) { return }
    let saved = self
    var index = first
    for count in 0..<Self.maxTokens {
      guard index < limit, let next = token(line, index, isFirst: count == 0) else { break }
      if levelEnd > 0 {
        readAfterLevel(line, from: next)
        return
      }
      if count == 0, processEnd > 0 {
        // A process with its pid is a header even without a level.
        bodyStart = Self.skipSeparators(line, next, single: true)
      }
      index = Self.skipSeparators(line, next)
    }
    // No level: what was skipped in the search belongs to the message, unless it is a process.
    var result = saved
    result.hasDoubtfulLevel = hasDoubtfulLevel
    if processEnd > 0, bodyStart > saved.bodyStart {
      (result.processStart, result.processEnd) = (processStart, processEnd)
      (result.pid, result.threadID) = (pid, threadID)
      result.bodyStart = bodyStart
    }
    self = result
  }

  /// Reads thread, pid and logger behind the level.
  mutating func readAfterLevel(_ line: Line, from end: Int) {
    if limit == 0 { limit = min(line.firstLineEnd, end + 400) }
    if line.at(end) == 0x7c, readBars(line, from: end) { return }
    var index = Self.skipSeparators(line, end)
    bodyStart = index
    if line.at(index) == Byte.openBracket {
      index = skipTraceContext(line, index)
      if pid < 0, skipPid(line, index) { return }
    } else if processEnd == 0, pid < 0, skipProcess(line, index) {
      return
    }
    let pidEnd = line.skipDigits(index)
    if pidEnd > index, line.has(" --- ", at: pidEnd) {
      pid = line.decimal(index, pidEnd) ?? -1
      index = pidEnd + 5
      bodyStart = index
    }
    // Spring Boot 3 puts the application's name before the thread.
    var next = index
    for _ in 0..<2 {
      guard line.at(next) == Byte.openBracket,
        let close = Self.closingBracket(line, next, limit)
      else { break }
      let start = next + 1
      next = Self.skipSeparators(line, close + 1)
      if logger(line, next, isObvious: true) {
        setThread(line, start, close)
        return
      }
    }
    // A logger before the level is the only one; what follows is the message.
    if loggerEnd == 0, !logger(line, index, isObvious: false) { readVariant(line, from: index) }
  }

  /// Takes the identifier at `start` as the logger when ` - `, ` : ` or `: ` follows.
  mutating func logger(_ line: Line, _ start: Int, isObvious: Bool) -> Bool {
    var end = start
    var hasDot = false
    while end < limit {
      let byte = line[end]
      guard
        byte.isWord || byte == Byte.dot || byte == 0x24 || byte == Byte.dash || byte == Byte.slash
      else { break }
      hasDot = hasDot || byte == Byte.dot
      end += 1
    }
    guard end > start, line[start].isLetter else { return false }
    if line.at(end) == Byte.colon, line.at(end + 1).isDigit {
      // The logger's own line: "a.B:42 - text".
      let digits = line.skipDigits(end + 1)
      if line.has(" - ", at: digits), let number = line.decimal(end + 1, digits) {
        codeLine = Int(number)
        (loggerStart, loggerEnd) = (start, end)
        bodyStart = min(line.skipBlanks(digits + 3), limit)
        return true
      }
    }
    var next = line.skipBlanks(end)
    if next > end, line.at(next) == Byte.openBrace || line.at(next) == Byte.openBracket {
      if loggerBeforeContext(line, start, end, next, hasDot: hasDot) { return true }
    }
    let mark = line.at(next)
    if mark == Byte.colon, next == end ? hasDot || isObvious : true {
      next += 1
    } else if mark == Byte.dash, next > end {
      next += 1
    } else {
      return false
    }
    guard line.at(next).isBlank || next >= limit else { return false }
    loggerStart = start
    loggerEnd = end
    bodyStart = min(line.skipBlanks(next), limit)
    return true
  }

  /// Reads one word or bracket at `start`; its end, or `nil` when it can be no part of a header.
  private mutating func token(_ line: Line, _ start: Int, isFirst: Bool) -> Int? {
    let first = line[start]
    if first == Byte.openBrace, line[start - 1] == Byte.space, let close = queryID(line, start) {
      return close
    }
    if first == Byte.openBracket || first == Byte.less {
      return bracket(line, start, first == Byte.less ? Byte.greater : Byte.closeBracket)
    }
    var end = start
    while end < limit, !line[end].isBlank, line[end] != 0x7c { end += 1 }
    var word = end
    let mark = line[word - 1]
    if mark == Byte.colon || mark == Byte.comma || mark == Byte.greater { word -= 1 }
    if isLevel(line, start, word, isFirst: isFirst) {
      levelStart = start
      levelEnd = word
      return end
    }
    if isFirst || line[start - 1] == Byte.closeBracket,
      let marked = markedLevel(line, start, end)
    {
      return marked
    }
    if line.at(start + 1) == Byte.slash, levelOfModule(line, start, end) { return end }
    if let paired = levelOfPair(line, start, end) { return paired }
    if !isFirst, levelEnclosed(line, behind: end) {
      setThread(line, start, end)
      return end
    }
    if isFirst, line[end - 1] == Byte.colon, let behind = levelBehindCategory(line, start, end) {
      return behind
    }
    if isFirst, let other = levelInColumn(line, start, end) ?? levelBehindAddress(line, start, end)
    {
      return other
    }
    if isFirst, let found = StunnelLevel.read(line, start) {
      severity = found.severity
      (pid, threadID) = (found.pid, found.thread)
      (levelStart, levelEnd) = (start, start + 4)
      return found.end
    }
    if isFirst, process(line, start, word) { return end }
    if isFirst, let behind = levelBehindProcess(line, start, end) { return behind }
    if isFirst, let spaced = processWithSpaces(line, start) { return spaced }
    if isFirst, word == end, let named = processBehindHost(line, start, end) { return named }
    if isFirst, word == end, let after = leadingNumber(line, start, end) { return after }
    return isHeaderWord(line, start, end) ? end : nil
  }

  /// A bracket with a level, a pid, or a name that may be a thread's.
  private mutating func bracket(_ line: Line, _ start: Int, _ close: UInt8) -> Int? {
    let found =
      close == Byte.closeBracket
      ? Self.closingBracket(line, start, limit) : line.index(of: close, from: start)
    guard let end = found, end < limit else { return nil }
    var from = line.skipBlanks(start + 1)
    var to = end
    while to > from, line[to - 1].isBlank { to -= 1 }
    if line.has("pid ", at: from), from + 4 < to { from += 4 }
    if let found = LevelWords.severity(of: line.slice(from, to)) {
      severity = found
    } else if let letter = letterBetweenDashes(line, from, to) {
      severity = letter
    } else if levelBehindSlash(line, from, to) || levelBehindThread(line, from, to)
      || levelBehindHash(line, from, to)
    {
      return end + 1
    } else if line.slice(from, to).isEqual("ENTRY") || line.slice(from, to).isEqual("EXIT") {
      // Kitura's HeliumLogger.
      severity = .trace
    } else {
      if pid < 0, numbers(line, from, to) { return end + 1 }
      if threadEnd == 0 { setThread(line, from, to) }
      return end + 1
    }
    levelStart = from
    levelEnd = to
    return end + 1
  }

  mutating func setThread(_ line: Line, _ start: Int, _ end: Int) {
    var from = line.skipBlanks(start)
    var to = end
    while to > from, line[to - 1].isBlank { to -= 1 }
    if line.skipDigits(from) == to, let number = line.decimal(from, to) {
      if pid < 0 { pid = number } else if threadID < 0 { threadID = number }
      return
    }
    if from > to { from = to }
    threadStart = from
    threadEnd = to
  }

  /// `name[pid]` or `name[pid:thread]`, the thread in hexadecimal.
  private mutating func process(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    guard line[end - 1] == Byte.closeBracket,
      let open = line.index(of: Byte.openBracket, from: start), open > start, open < end,
      let close = line.index(of: Byte.closeBracket, from: open),
      close == end - 1 || line[close + 1] == Byte.openBracket, numbers(line, open + 1, close)
    else { return false }
    if let level = LevelWords.severity(of: line.slice(start, open)), line[start + 1].isUpper {
      // Asterisk: a level with its thread.
      threadID = pid
      pid = -1
      severity = level
      (levelStart, levelEnd) = (start, open)
      return true
    }
    if close < end - 1 || line.slice(start, open).isEqual("SECURITY") {
      // Asterisk's events of security have its thread and no level.
      threadID = close < end - 1 ? -1 : pid
      pid = -1
      return false
    }
    processStart = start
    processEnd = open
    return true
  }

  /// `some name (with parentheses)[pid:thread]` as NSLog writes it; only with both numbers.
  private mutating func processWithSpaces(_ line: Line, _ start: Int) -> Int? {
    guard let open = line.index(of: Byte.openBracket, from: start), open < min(limit, start + 64),
      let close = line.index(of: Byte.closeBracket, from: open), close - open < 32,
      line.at(close + 1) == Byte.space, line.at(line.skipDigits(open + 1)) == Byte.colon,
      numbers(line, open + 1, close)
    else { return nil }
    processStart = start
    processEnd = open
    return close + 1
  }

  /// `pid` or `pid:thread`.
  private mutating func numbers(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    let digits = line.skipDigits(start)
    guard digits > start, digits - start <= 10, let number = line.decimal(start, digits) else {
      return false
    }
    if digits == end {
      pid = number
      return true
    }
    guard line[digits] == Byte.colon,
      let thread = (hasDecimalThreads ? line.decimal(digits + 1, end) : nil)
        ?? line.hexadecimal(digits + 1, end)
    else { return false }
    pid = number
    threadID = thread
    return true
  }

  /// A number, dashes, or something that prose does not hold; or what a separator follows.
  private mutating func isHeaderWord(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    let next = line.skipBlanks(end)
    if next > end, line.at(next) == Byte.dash, line.at(next + 1).isBlank {
      loggerStart = start
      loggerEnd = end
      return true
    }
    if line.at(next) == 0x7c || line.has("TID-", at: start) || isUUID(line, start, end) {
      return true
    }
    if line.has("pid=", at: start), let number = line.decimal(start + 4, end) { pid = number }
    var hasMark = false
    var hasLetter = false
    for index in start..<end {
      let byte = line[index]
      if byte.isLetter { hasLetter = true }
      if byte == Byte.dot && index + 1 < end || byte == 0x5f
        || byte == Byte.colon && index + 1 < end
        || byte == Byte.closeBracket || byte == Byte.equals && pid >= 0
      {
        hasMark = true
      }
    }
    return hasMark || !hasLetter
  }

  static func closingBracket(_ line: Line, _ start: Int, _ limit: Int) -> Int? {
    var depth = 0
    var index = start
    while index < min(limit, start + 200) {
      if line[index] == Byte.openBracket { depth += 1 }
      if line[index] == Byte.closeBracket {
        depth -= 1
        if depth == 0 { return index }
      }
      index += 1
    }
    return nil
  }

  /// Blanks, bars, colons, commas, closing brackets, and dashes with a blank behind them.
  static func skipSeparators(_ line: Line, _ start: Int, single: Bool = false) -> Int {
    var index = start
    while index < line.count {
      let byte = line[index]
      if byte.isBlank || byte == 0x7c {
        index += 1
      } else if byte == Byte.colon || byte == Byte.comma || byte == Byte.dash,
        line.at(index + 1).isBlank, !single || index <= start + 1
      {
        index += 1
      } else if byte == 0xe2, line.has("▶ ", at: index) {
        index += 4
      } else {
        break
      }
    }
    return index
  }

  /// Whether the record has more than the header's line.
  @inline(__always)
  func isMultiline(_ text: Text) -> Bool {
    limit < text.count && text.bytes.index(of: Byte.newline, from: limit) != nil
  }

  /// Writes what was found to `record`.
  func fill(_ record: inout LogRecord, _ text: Text) {
    record.severity = severity
    if levelEnd > 0 { record.severityText = text.slice(levelStart, levelEnd) }
    if loggerEnd > 0, levelEnd > 0 { record.scope = text.slice(loggerStart, loggerEnd) }
    if processEnd > 0 { record.process = text.slice(processStart, processEnd) }
    record.pid = pid
    record.threadID = threadID
    let start = min(bodyStart, text.count)
    text.setBody(start, text.count, of: &record)
    guard levelEnd > 0 else { return }
    let hasContext = codeLine >= 0 || !context.isEmpty || !traceContext.isEmpty || !request.isEmpty
    guard threadEnd > threadStart || hasContext else { return }
    var writer = JSONWriter(text)
    if threadEnd > threadStart {
      writer.member("thread.name", text: text.slice(threadStart, threadEnd))
    }
    if hasContext { writeContext(text, &writer) }
    record.attributes = writer.finish(text)
  }
}
