// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Levels that stand in a place of their own.
extension TimestampedHeader {
  /// Takes the word in `start..<end` as the level where it is one.
  mutating func isLevel(_ line: Line, _ start: Int, _ end: Int, isFirst: Bool) -> Bool {
    if end - start == 1 {
      guard let letter = LevelWords.severity(ofLetter: line[start]) ?? barLevel(line, start) else {
        return false
      }
      severity = letter
      return true
    }
    guard end - start <= 13, let found = LevelWords.severity(of: line.slice(start, end)) else {
      return false
    }
    let isUpper = line[start].isUpper && line[start + 1].isUpper
    let isLabelled =
      line.at(end) == Byte.colon && line[start - 1] == Byte.space
      && (line[start - 2] == Byte.closeBracket
        || line[start - 2] == Byte.colon && line[start - 3] == Byte.closeBracket)
    guard isUpper || ((isFirst || isLabelled) && !Self.isCommonWord(line, start, end)) else {
      return false
    }
    // `ntpd[7]: CONFIG: text` is about the configuration.
    if processEnd > 0, line.has("CONFIG: ", at: start) { return false }
    if !isUpper, !hasRegularLevels, isPlainWord(line, end) {
      hasDoubtfulLevel = true
      return false
    }
    severity = found
    return true
  }

  /// Whether one blank and a small letter follow, as in a sentence.
  private func isPlainWord(_ line: Line, _ end: Int) -> Bool {
    let next = line.at(end + 1)
    return line.at(end) == Byte.space && next.isLetter && !next.isUpper
  }

  /// Level words that also begin sentences: as levels only in capitals or in brackets.
  private static func isCommonWord(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    let key = UInt32(line[start] | 0x20) << 8 | UInt32(line[start + 1] | 0x20)
    switch key {
    case 0x6c6f: return true  // log
    case 0x6874, 0x6175, 0x7379, 0x6e6f, 0x7375, 0x6465, 0x6d61, 0x636f, 0x6661, 0x6669, 0x7370:
      // http audit system note/normal success default mark config fail… fine spam; but not debug.
      let word = line.slice(start, end)
      return !(word.count >= 5 && (word[2] | 0x20) == 0x62)  // "debug"
        && !(word.count == 6 && (word[2] | 0x20) == 0x74)  // "notice"
        && !(word.count == 5 && (word[2] | 0x20) == 0x74)  // "fatal"
    default: return false
    }
  }

  /// `time:LEVEL:logger:text` (Python, Jetty).
  mutating func readColons(_ line: Line, from end: Int) -> Bool {
    guard line.at(end) == Byte.colon, line.at(end + 1).isUpper else { return false }
    var stop = end + 1
    while line.at(stop).isLetter { stop += 1 }
    let colon = line.skipBlanks(stop)
    guard line.at(colon) == Byte.colon,
      let found = LevelWords.severity(of: line.slice(end + 1, stop))
    else { return false }
    limit = min(line.firstLineEnd, end + 400)
    severity = found
    (levelStart, levelEnd) = (end + 1, stop)
    var name = colon + 1
    while line.at(name).isName { name += 1 }
    if name > colon + 1, line.at(name) == Byte.colon {
      (loggerStart, loggerEnd) = (colon + 1, name)
      bodyStart = line.skipBlanks(name + 1)
    } else {
      bodyStart = line.skipBlanks(colon + 1)
    }
    bodyStart = min(bodyStart, line.count)
    return true
  }

  /// ` logger] text`, where level and time stand before in the same bracket (Tornado, Jupyter).
  mutating func readRestOfBracket(_ line: Line, from end: Int) -> Bool {
    guard let close = line.index(of: Byte.closeBracket, from: end), close - end < 100 else {
      return false
    }
    limit = min(line.firstLineEnd, end + 400)
    (loggerStart, loggerEnd) = (line.skipBlanks(end), close)
    bodyStart = min(line.skipBlanks(close + 1), line.count)
    return true
  }

  /// ` LEVEL target]` and ` target LEVEL]`, where the time stands before in the same bracket (Rust).
  mutating func readLevelAndTarget(_ line: Line, from end: Int) -> Bool {
    let first = line.skipBlanks(end)
    guard first > end, let close = line.index(of: Byte.closeBracket, from: first),
      close - end < 160
    else { return false }
    let inside = line.slice(0, close)
    let firstEnd = inside.skipToken(first)
    let second = inside.skipBlanks(firstEnd)
    if let found = LevelWords.severity(of: line.slice(first, firstEnd)) {
      severity = found
      (levelStart, levelEnd) = (first, firstEnd)
      (loggerStart, loggerEnd) = (second, second < close ? close : 0)
    } else if second < close, let found = LevelWords.severity(of: line.slice(second, close)) {
      severity = found
      (levelStart, levelEnd) = (second, close)
      (loggerStart, loggerEnd) = (first, firstEnd)
    } else if firstEnd == close, close == first + 1,
      let found = line[first] == UInt8(ascii: "C")
        ? .fatal : LevelWords.severity(ofLetter: line[first])
    {
      severity = found
      (levelStart, levelEnd) = (first, close)
    } else {
      return false
    }
    limit = min(line.firstLineEnd, end + 400)
    bodyStart = min(line.skipBlanks(close + 1), line.count)
    return true
  }

  /// A level that a mark tells from a word of the message: `I!` (Telegraf), `D1` (MongoDB),
  /// `level/Facility:` (Icinga), `Puppet (err):`, `file.py[LEVEL]:` (cloud-init), and
  /// `name: Level:` (Dovecot, OSSEC, libvirt).
  ///
  /// - Returns: the end of what was read.
  mutating func markedLevel(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    switch line.at(end - 1) {
    case UInt8(ascii: "!") where end - start == 2:
      return takeLetter(line, start, end)
    case Byte.colon:
      return facilityLevel(line, start, end) ?? bracketedLevel(line, start, end)
        ?? labelledLevel(line, start, end) ?? dottedLevel(line, start, end)
    case 0x31...0x35 where end - start == 2 && line[start] == UInt8(ascii: "D"):
      guard line.at(end) == Byte.space, line.at(end + 1).isUpper else { return nil }
      severity = Severity(number: UInt8(6 - Int(line[end - 1] - Byte.zero)))
      (levelStart, levelEnd) = (start, end)
      return end
    default:
      return line.has(" (", at: end)
        ? parenthesisedLevel(line, start, end) : levelBehindName(line, start, end)
    }
  }

  /// `level=LEVEL` behind `pid=number`.
  mutating func levelOfPair(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    guard pid >= 0, line.has("level=", at: start),
      let found = LevelWords.severity(of: line.slice(start + 6, end))
    else { return nil }
    severity = found
    (levelStart, levelEnd) = (start + 6, end)
    return end
  }

  /// `L/module` behind `]: ` (Mozilla's MOZ_LOG).
  mutating func levelOfModule(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    guard line[start - 2] == Byte.colon, line[start - 3] == Byte.closeBracket, end > start + 2,
      let found = LevelWords.severity(ofLetter: line[start])
    else { return false }
    severity = found
    (levelStart, levelEnd) = (start, start + 1)
    (loggerStart, loggerEnd) = (start + 2, end)
    return true
  }

  /// Whether ` [LEVEL]` or ` <Level>` comes next: a thread's or a logger's name stands before it
  /// (Storm, Poco).
  func levelEnclosed(_ line: Line, behind end: Int) -> Bool {
    let open = line.at(end + 1)
    guard line.at(end) == Byte.space, open == Byte.openBracket || open == Byte.less else {
      return false
    }
    var stop = end + 2
    while line.at(stop).isLetter { stop += 1 }
    return stop > end + 4 && line[end + 2].isUpper
      && (open == Byte.less || line[end + 3].isUpper)
      && line.at(stop) == (open == Byte.less ? Byte.greater : Byte.closeBracket)
      && LevelWords.severity(of: line.slice(end + 2, stop)) != nil
  }

  /// `L`, also in the middle of dashes: `---L---` (spdlog).
  func letterBetweenDashes(_ line: Line, _ start: Int, _ end: Int) -> Severity? {
    let letter = (start + end) / 2
    for index in start..<end where index != letter {
      guard line[index] == Byte.dash else { return nil }
    }
    guard end > start else { return nil }
    return end > start + 1 && line[letter] == UInt8(ascii: "C")
      ? .fatal : LevelWords.severity(ofLetter: line[letter])
  }

  /// The level in `[logger#level]` (Twisted), whose bracket holds `start..<end`.
  mutating func levelBehindHash(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    guard let hash = line.slice(0, end).index(of: UInt8(ascii: "#"), from: start), hash > start,
      let found = LevelWords.severity(of: line.slice(hash + 1, end))
    else { return false }
    severity = found
    (levelStart, levelEnd) = (hash + 1, end)
    (loggerStart, loggerEnd) = (start, hash)
    return true
  }

  /// `channel.LEVEL:` of Monolog where its time is in no bracket.
  private mutating func dottedLevel(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    var word = end - 1
    while word > start, line[word - 1].isUpper { word -= 1 }
    guard word > start + 1, end - 1 - word >= 4, line[word - 1] == Byte.dot,
      let found = LevelWords.severity(of: line.slice(word, end - 1), .syslog)
    else { return nil }
    severity = found
    (levelStart, levelEnd) = (word, end - 1)
    (loggerStart, loggerEnd) = (start, word - 1)
    return end
  }

  private mutating func takeLetter(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    guard let found = LevelWords.severity(ofLetter: line[start]) else { return nil }
    severity = found
    (levelStart, levelEnd) = (start, start + 1)
    return end
  }

  private mutating func facilityLevel(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    guard let slash = line.slice(0, end).index(of: Byte.slash, from: start),
      let found = LevelWords.severity(of: line.slice(start, slash)), slash + 1 < end - 1
    else { return nil }
    severity = found
    (levelStart, levelEnd) = (start, slash)
    (loggerStart, loggerEnd) = (slash + 1, end - 1)
    return end
  }

  private mutating func bracketedLevel(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    guard line[end - 2] == Byte.closeBracket,
      let open = line.slice(0, end).index(of: Byte.openBracket, from: start), open > start,
      let found = LevelWords.severity(of: line.slice(open + 1, end - 2))
    else { return nil }
    severity = found
    (levelStart, levelEnd) = (open + 1, end - 2)
    (loggerStart, loggerEnd) = (start, open)
    return end
  }

  private mutating func labelledLevel(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    let word = line.skipBlanks(end)
    var wordEnd = word
    while line.at(wordEnd).isLetter { wordEnd += 1 }
    let isNumber = line.skipDigits(start) == end - 1
    // "config: error: no file" is a sentence.
    guard isNumber || line.at(word).isUpper,
      line.at(line.skipBlanks(wordEnd)) == Byte.colon,
      let found = LevelWords.severity(of: line.slice(word, wordEnd))
    else { return nil }
    if let open = line.slice(0, end).index(of: Byte.openBracket, from: start), open > start,
      line[end - 2] == Byte.closeBracket, let number = line.decimal(open + 1, end - 2)
    {
      guard !line.has("CONFIG: ", at: word) else { return nil }
      pid = number
      (processStart, processEnd) = (start, open)
    } else if isNumber {
      pid = line.decimal(start, end - 1) ?? -1
    } else {
      (loggerStart, loggerEnd) = (start, end - 1)
    }
    severity = found
    (levelStart, levelEnd) = (word, wordEnd)
    return wordEnd
  }

  private mutating func parenthesisedLevel(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    guard let close = line.index(of: "):", from: end), close - end < 12,
      let found = LevelWords.severity(of: line.slice(end + 2, close))
    else { return nil }
    severity = found
    (levelStart, levelEnd) = (end + 2, close)
    (loggerStart, loggerEnd) = (start, end)
    return close + 2
  }

  /// `name LEVEL`, the level in capitals and of those that all loggers have: a thread, a module or a
  /// host. "HOST ALERT" and "an ERROR occurred" are sentences.
  private mutating func levelBehindName(_ line: Line, _ start: Int, _ end: Int) -> Int? {
    let word = line.skipBlanks(end)
    var wordEnd = word
    var wordKey: UInt64 = 0
    while line.at(wordEnd).isUpper {
      wordKey = wordKey << 8 | UInt64(line[wordEnd])
      wordEnd += 1
    }
    let next = line.at(wordEnd)
    guard wordEnd - word >= 4, wordEnd - word <= 8, next.isBlank || next == Byte.colon,
      isName(line, start, end), Self.isLoggersLevel(wordKey),
      let found = LevelWords.severity(of: line.slice(word, wordEnd))
    else { return nil }
    if line.has("Thread", at: start) || line.has("MainThread", at: start) {
      setThread(line, start, end)
    } else {
      (loggerStart, loggerEnd) = (start, end)
    }
    severity = found
    (levelStart, levelEnd) = (word, wordEnd)
    return wordEnd
  }

  /// Three letters or more, not all of them capitals, and no word of a sentence about a level.
  private func isName(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    var hasLower = false
    for index in start..<end {
      guard line[index].isName else { return false }
      if line[index].isLetter, !line[index].isUpper { hasLower = true }
    }
    guard hasLower, end - start >= 3, line[start].isLetter else { return false }
    let word = line.slice(start, end)
    return !word.isEqual("the") && !word.isEqual("got") && !word.isEqual("and")
      && !word.isEqual("with") && !word.isEqual("returned") && !word.isEqual("unexpected")
  }

  private static func isLoggersLevel(_ word: UInt64) -> Bool {
    switch word {
    case 0x5452_4143_45, 0x4445_4255_47, 0x494e_464f, 0x5741_524e: true  // TRACE DEBUG INFO WARN
    case 0x5741_524e_494e_47, 0x4552_524f_52: true  // WARNING ERROR
    case 0x4641_5441_4c, 0x4352_4954_4943_414c: true  // FATAL CRITICAL
    default: false
    }
  }

  /// The level in `[thread/LEVEL]` (Minecraft), whose bracket holds `start..<end`.
  mutating func levelBehindSlash(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    var slash = end
    while slash > start, line[slash - 1].isUpper { slash -= 1 }
    guard slash > start, slash < end, line[slash - 1] == Byte.slash,
      let found = LevelWords.severity(of: line.slice(slash, end))
    else { return false }
    if threadEnd == 0 { setThread(line, start, slash - 1) }
    severity = found
    (levelStart, levelEnd) = (slash, end)
    return true
  }
}
