// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Headers of particular servers.
extension TimestampedHeader {
  /// `dd-MMM-yyyy HH:mm:ss.SSS category: level: text` of BIND, its debug levels with their number;
  /// with an ISO time where the category is one of BIND's: behind other times it is prose.
  mutating func levelBehindCategory(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    let word = end + 1
    var wordEnd = word
    while wordEnd < limit, line[wordEnd].isLetter { wordEnd += 1 }
    var colon = wordEnd
    if line.has("debug ", at: word) { colon = line.skipDigits(word + 6) }
    let isNamed = line.at(2) == Byte.dash && line.at(6) == Byte.dash
    guard isNamed || line.at(10) == 0x54 && line.at(19) == Byte.dot,
      line.at(end) == Byte.space, wordEnd > word + 1, line.has(": ", at: colon),
      isNamed || Self.isCategory(line.slice(start, end - 1)),
      isLevel(line, word, wordEnd, isFirst: true)
    else { return nil }
    (levelStart, levelEnd) = (word, wordEnd)
    (loggerStart, loggerEnd) = (start, end - 1)
    return colon + 1
  }

  /// Whether `word` is a category of BIND's, other than "config" and "default".
  private static func isCategory(_ word: Line) -> Bool {
    let names: [StaticString] = [
      "general", "queries", "query-errors", "resolver", "security", "zoneload", "notify", "dnssec",
      "xfer-in", "xfer-out", "update-security", "lame-servers", "edns-disabled", "rate-limit",
      "rpz",
      "delegation-only", "unmatched", "trust-anchor-telemetry", "serve-stale", "dnstap", "spill",
      "network", "client", "update", "database", "dispatch", "cname", "nsid",
    ]
    return names.contains { word.isEqual($0) }
  }

  /// `name⇥level⇥text` (Prosody), `NAME [level] text` (Horde), `name   [pid]: LEVEL text` (fail2ban),
  /// and without a level (SOGo).
  mutating func levelInColumn(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    var word = end + 1
    var number: Int64 = -1
    if line.at(end) != 0x09 {
      let open = line.skipBlanks(end)
      guard open > end, line.at(open) == Byte.openBracket else { return nil }
      let digits = line.skipDigits(open + 1)
      if digits == open + 1, line[start..<end].allSatisfy(\.isUpper) {
        return levelInBracket(line, start, end, open)
      }
      guard digits > open + 1, line.has("]: ", at: digits) else { return nil }
      word = digits + 3
      number = line.decimal(open + 1, digits) ?? -1
    }
    var wordEnd = word
    while wordEnd < limit, line[wordEnd].isLetter { wordEnd += 1 }
    pid = number
    guard number < 0 ? line.at(wordEnd) == 0x09 : line[word].isUpper && line.at(wordEnd).isBlank,
      let found = LevelWords.severity(of: line.slice(word, wordEnd))
    else {
      guard number >= 0 else { return nil }
      (processStart, processEnd) = (start, end)
      return word - 1
    }
    severity = found
    (levelStart, levelEnd) = (word, wordEnd)
    (loggerStart, loggerEnd) = (start, end)
    return wordEnd
  }

  private mutating func levelInBracket(
    _ line: Line, _ start: Int, _ end: Int, _ open: Int
  ) -> Int? {
    guard let close = line.index(of: Byte.closeBracket, from: open), close < limit,
      let found = LevelWords.severity(of: line.slice(open + 1, close))
    else { return nil }
    severity = found
    (levelStart, levelEnd) = (open + 1, close)
    (loggerStart, loggerEnd) = (start, end)
    return close + 1
  }

  /// `7f1c00ff Level: text` behind a thread in eight hexadecimal digits or more (Privoxy).
  mutating func levelBehindAddress(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    guard end - start >= 8, line.skipHexDigits(start) == end, line.at(end) == Byte.space else {
      return nil
    }
    let word = end + 1
    var wordEnd = word
    while wordEnd < limit, line[wordEnd].isLetter { wordEnd += 1 }
    let found =
      line.has("Fatal error: ", at: word)
      ? .fatal : LevelWords.severity(of: line.slice(word, wordEnd))
    if found == .fatal { wordEnd = line.index(of: Byte.colon, from: wordEnd) ?? wordEnd }
    guard let found, line[word].isUpper, line.has(": ", at: wordEnd) else { return nil }
    severity = found
    setThread(line, start, end)
    (levelStart, levelEnd) = (word, wordEnd)
    return wordEnd + 1
  }

  /// `name[pid].LVL text` and `name[pid].LVL-file/line text` of ZoneMinder.
  mutating func levelBehindProcess(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    guard let mark = line.slice(0, end).index(of: "].", from: start), end - mark >= 5,
      let open = line.slice(0, mark).index(of: Byte.openBracket, from: start), open > start,
      mark + 5 == end || line[mark + 5] == Byte.dash, let number = line.decimal(open + 1, mark)
    else { return nil }
    let code = line.slice(mark + 2, mark + 5)
    if code.isEqual("INF") {
      severity = .info
    } else if code.isEqual("WAR") {
      severity = .warn
    } else if code.isEqual("ERR") {
      severity = .error
    } else if code.isEqual("FAT") || code.isEqual("PNC") {
      severity = .fatal
    } else if code.has("DB", at: 0), code[2].isDigit {
      severity = .debug
    } else {
      return nil
    }
    pid = number
    (processStart, processEnd) = (start, open)
    (levelStart, levelEnd) = (mark + 2, mark + 5)
    return end
  }

  /// `[pid]: text` (Tinyproxy).
  mutating func skipPid(_ line: Line, _ start: Int) -> Bool {
    let digits = line.skipDigits(start + 1)
    guard digits > start + 1, line.has("]: ", at: digits),
      let number = line.decimal(start + 1, digits)
    else { return false }
    pid = number
    bodyStart = digits + 3
    return true
  }

  /// `name[pid]: text`; a number of one or two digits may be an index.
  mutating func skipProcess(_ line: Line, _ start: Int) -> Bool {
    var end = start
    while line.at(end).isName { end += 1 }
    guard end > start, line.at(end) == Byte.openBracket, line.skipDigits(end + 1) >= end + 4,
      skipPid(line, end)
    else { return false }
    (processStart, processEnd) = (start, end)
    return true
  }

  /// `p=pid u=user n=logger LEVEL| text` of Ansible, whose older versions leave the level out.
  mutating func readAnsible(_ line: Line, _ start: Int) -> Bool {
    let head = line.slice(0, limit)
    let digits = line.skipDigits(start + 2)
    let userEnd = head.skipToken(digits + 3)
    guard line.has(" u=", at: digits), line.has(" n=", at: userEnd),
      let number = line.decimal(start + 2, digits),
      let bar = head.index(of: 0x7c, from: userEnd)
    else { return false }
    pid = number
    (loggerStart, loggerEnd) = (userEnd + 3, head.skipToken(userEnd + 3))
    let level = loggerEnd + 1
    if let found = LevelWords.severity(of: line.slice(level, bar)) {
      severity = found
      (levelStart, levelEnd) = (level, bar)
    }
    bodyStart = min(head.skipBlanks(bar + 1), limit)
    return true
  }
}
