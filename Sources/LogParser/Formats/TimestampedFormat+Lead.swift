// SPDX-License-Identifier: Apache-2.0

internal import LogModel

/// Times that do not stand first in their line: behind a level, a name, or a mark.
extension TimestampedFormat {
  /// `LEVEL[time]`, `LEVEL time`, `[LEVEL] time`, and `[LEVEL] [event] [time]` of PerfectLogger.
  static func findTimeAfterLevel(
    _ line: Line, _ start: Int, _ word: Int, _ lead: inout Lead
  ) -> Bool {
    var end = word
    while line.at(end).isLetter { end += 1 }
    // Tinyproxy has a level of its own, of the connections that it takes.
    let isConnect = word == start && line.has("CONNECT   ", at: word)
    guard let severity = isConnect ? .info : LevelWords.severity(of: line.slice(word, end)) else {
      return end == word + 1
        ? findTimeAfterLetter(line, start, word, &lead)
        : word == start && findTimeAfterFile(line, start, &lead)
    }
    lead.levelStart = word
    lead.levelEnd = end
    lead.severity = severity
    if word > start {
      guard line.at(end) == Byte.closeBracket else { return false }
      end += 1
    } else if line.at(end) == Byte.colon {
      end += 1
    }
    end = line.skipBlanks(end)
    let isBracketed = line.at(end) == Byte.openBracket
    if isBracketed { end += 1 }
    if !StampScanner.scan(line, at: end, into: &lead.stamp) {
      guard isBracketed, word > start else {
        return isBracketed && findTimeAfterThread(line, end, &lead)
      }
      // PerfectLogger writes the event's UUID between.
      guard line.has("] [", at: end + 36), line.at(end + 8) == Byte.dash,
        StampScanner.iso(line, at: end + 39, into: &lead.stamp)
      else { return false }
    }
    lead.end = lead.stamp.end
    if isBracketed, line.at(lead.end) == Byte.closeBracket { lead.end += 1 }
    return true
  }

  /// `[ZONE MMM d HH:mm:ss]` of Monit to 5.27, which writes its host's zone.
  static func findTimeAfterZone(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    var end = start
    while line.at(end).isUpper { end += 1 }
    guard end - start >= 3, end - start <= 5, line.at(end) == Byte.space,
      StampScanner.named(line, at: end + 1, into: &lead.stamp),
      line.at(lead.stamp.end) == Byte.closeBracket
    else { return false }
    lead.end = lead.stamp.end + 1
    StampZone.name(line, start, end, into: &lead.stamp)
    if lead.stamp.zone != .offset { lead.stamp.zone = .absent }
    lead.stamp.end = lead.end - 1
    return true
  }

  /// `LEVEL [thread] time` as Cassandra writes it; `start` is behind the bracket.
  private static func findTimeAfterThread(
    _ line: Line, _ start: Int, _ lead: inout Lead
  ) -> Bool {
    guard let close = TimestampedHeader.closingBracket(line, start - 1, line.count),
      line.at(close + 1).isBlank
    else { return false }
    let time = line.skipBlanks(close + 1)
    guard line.at(time).isDigit, StampScanner.scan(line, at: time, into: &lead.stamp) else {
      return false
    }
    (lead.threadStart, lead.threadEnd) = (start, close)
    lead.end = lead.stamp.end
    return true
  }

  /// `name.log time`, as lines of several files put together have it.
  private static func findTimeAfterFile(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    let end = line.slice(0, min(line.count, 200)).skipToken(start)
    guard line.at(end) == Byte.space, line.at(end + 1).isDigit,
      line.slice(0, end).index(of: ".log", from: start) != nil,
      StampScanner.iso(line, at: end + 1, into: &lead.stamp)
    else { return false }
    lead.end = lead.stamp.end
    return true
  }

  /// `[L time …]` of Tornado and Jupyter, `L [time]` of CUPS, `L time` with a date.
  private static func findTimeAfterLetter(
    _ line: Line, _ start: Int, _ letter: Int, _ lead: inout Lead
  ) -> Bool {
    if line.has("L ", at: start) { return findTimeOfGame(line, start + 2, &lead) }
    let isInside = letter > start
    let isBare = !isInside && line.at(letter + 2).isDigit
    guard line.at(letter + 1) == Byte.space,
      isInside || isBare || line.at(letter + 2) == Byte.openBracket,
      let severity = LevelWords.severity(ofLetter: line[letter])
        ?? printerLevel(line[letter], isPython: isInside || isBare)
    else { return false }
    guard StampScanner.scan(line, at: letter + (isInside || isBare ? 2 : 3), into: &lead.stamp),
      !isBare || lead.stamp.shape == .full
    else { return false }
    (lead.levelStart, lead.levelEnd) = (letter, letter + 1)
    lead.severity = severity
    lead.end = lead.stamp.end
    if line.at(lead.end) == Byte.closeBracket { lead.end += 1 } else { lead.isOpen = isInside }
    return isInside || isBare || lead.end > lead.stamp.end
  }

  /// `L MM/dd/yyyy - HH:mm:ss: ` of game servers (Half-Life's engines).
  private static func findTimeOfGame(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    guard line.has(" - ", at: start + 10), line.at(start + 2) == Byte.slash,
      line.at(start + 5) == Byte.slash,
      let year = StampScanner.fourDigits(line, at: start + 6),
      StampScanner.timeOfDay(line, at: start + 13, into: &lead.stamp)
    else { return false }
    (lead.stamp.year, lead.stamp.month) = (year, line.two(start))
    lead.stamp.day = line.two(start + 3)
    (lead.stamp.shape, lead.stamp.zone) = (.full, .absent)
    lead.stamp.close()
    lead.end = lead.stamp.end
    return true
  }

  /// The letters of CUPS that glog does not have; of Python's loggers C is the highest.
  private static func printerLevel(_ letter: UInt8, isPython: Bool) -> Severity? {
    switch letter {
    case UInt8(ascii: "C"): isPython ? .fatal : .critical
    case _ where isPython: nil
    case UInt8(ascii: "d"): .debug
    case UInt8(ascii: "N"): .notice
    case UInt8(ascii: "A"): .alert
    case UInt8(ascii: "X"): .fatal
    default: nil
    }
  }

  /// `[name] time`, `name: yyyy/MM/dd …` (Go), `a-name time`, `name time LEVEL`, and Rails' requests
  /// with their time last.
  static func findTimeAfterName(
    _ line: Line, _ start: Int, _ word: Int, _ lead: inout Lead
  ) -> Bool {
    var end = word
    var hasMark = false
    while line.at(end).isName || line.at(end) == Byte.slash {
      if !line[end].isWord { hasMark = true }
      end += 1
    }
    guard end - word >= 2, end - word < 64 else { return false }
    if word > start {
      guard line.at(end) == Byte.closeBracket, line.at(end + 1) == Byte.space else { return false }
      var time = end + 2
      let dash = line.skipBlanks(line.skipDigits(time))
      // NestJS writes its pid between.
      if dash > time, line.has("- ", at: dash) { time = dash + 2 }
      guard isWholeTime(line, at: time, &lead) else { return false }
      (lead.threadStart, lead.threadEnd) = (word, end)
      return true
    }
    if line.has("::", at: end) { return findTimeBetweenColons(line, word, end, &lead) }
    if line.at(end) == Byte.colon {
      return line.at(end + 1) == Byte.space && line.at(end + 6) == Byte.slash
        && isWholeTime(line, at: end + 2, &lead)
    }
    guard line.at(end) == Byte.space else { return false }
    if line.at(end + 1) == Byte.quote || line.at(end + 1).isUpper {
      return findTimeOfRequest(line, start, &lead)
    }
    if findTimeOfJob(line, start, end, &lead) { return true }
    return line.at(end + 1).isDigit && line.at(end + 5) == Byte.dash
      && isWholeTime(line, at: end + 1, &lead)
      && (hasMark || isBeforeLevel(line, lead.end))
  }

  /// `thread::LEVEL::time::` of oVirt.
  private static func findTimeBetweenColons(
    _ line: Line, _ start: Int, _ end: Int, _ lead: inout Lead
  ) -> Bool {
    var stop = end + 2
    while line.at(stop).isUpper { stop += 1 }
    guard line.has("::", at: stop),
      let severity = LevelWords.severity(of: line.slice(end + 2, stop)),
      isWholeTime(line, at: stop + 2, &lead)
    else { return false }
    (lead.threadStart, lead.threadEnd) = (start, end)
    (lead.levelStart, lead.levelEnd) = (end + 2, stop)
    lead.severity = severity
    lead.end += line.has("::", at: lead.end) ? 2 : 0
    return true
  }

  static func isWholeTime(_ line: Line, at start: Int, _ lead: inout Lead) -> Bool {
    guard line.at(start).isDigit, StampScanner.scan(line, at: start, into: &lead.stamp),
      lead.stamp.shape == .full
    else { return false }
    lead.end = lead.stamp.end
    return true
  }

  /// `Processing A#b (for ::1 at 2026-03-01 10:00:00) [GET]` of Rails to 2.3.
  private static func findTimeOfOldRequest(
    _ line: Line, _ start: Int, _ lead: inout Lead
  ) -> Bool {
    guard let address = line.slice(0, line.firstLineEnd).index(of: " (for ", from: start),
      let time = line.slice(0, min(line.count, address + 64)).index(of: " at ", from: address),
      isWholeTime(line, at: time + 4, &lead), line.has(") [", at: lead.stamp.end)
    else { return false }
    lead.end = start
    return true
  }

  /// `Started GET "/" for ::1 at 2026-03-01 10:00:00 +0100`; the line as a whole is the message.
  private static func findTimeOfRequest(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    if line.has("Processing ", at: start) { return findTimeOfOldRequest(line, start, &lead) }
    guard line.has("Started ", at: start), let quote = line.index(of: Byte.quote, from: start),
      let address = line.index(of: "\" for ", from: quote),
      let time = line.index(of: " at ", from: address), time - address < 64,
      isWholeTime(line, at: time + 4, &lead), lead.stamp.end == line.firstLineEnd
    else { return false }
    lead.end = start
    return true
  }

  /// `<time>` and `####<time>` of WebLogic, `(time)` of SSSD, `"time"` of tables, `*time` of Cisco, and indented lines with time and level.
  static func findTimeAfterMark(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    switch line.at(start) {
    case 0x40:
      guard StampScanner.tai(line, at: start, into: &lead.stamp) else { return false }
      lead.end = lead.stamp.end
      return true
    case Byte.openBracket:
      // A pid, as NATS has it; Domino writes its thread behind it.
      var digits = line.skipDigits(start + 1)
      if line.at(digits) == Byte.colon {
        let thread = line.skipDigits(digits + 1)
        digits = line.at(thread) == Byte.dash ? line.skipDigits(thread + 1) : thread
      }
      guard digits > start + 1, digits < start + 40, line.has("] ", at: digits),
        isWholeTime(line, at: digits + 2, &lead)
      else { return false }
      (lead.threadStart, lead.threadEnd) = (start + 1, digits)
      return true
    case Byte.less where line.has(" ts=\"", at: start + 3):
      // `<co ts="time" …/>` of Oracle's messaging server.
      guard isWholeTime(line, at: start + 8, &lead) else { return false }
      lead.end = start
      return true
    case Byte.less where line.at(start + 2) == Byte.greater:
      // The level of Murmur.
      let level = line.at(start + 1)
      guard isWholeTime(line, at: start + 3, &lead),
        let severity = level == UInt8(ascii: "C")
          ? .critical : LevelWords.severity(ofLetter: level)
      else { return false }
      (lead.levelStart, lead.levelEnd) = (start + 1, start + 2)
      lead.severity = severity
      return true
    case Byte.less, UInt8(ascii: "#"):
      let open = line.has("####<", at: start) ? start + 4 : start
      guard line.at(open) == Byte.less,
        StampScanner.scan(line, at: open + 1, into: &lead.stamp),
        lead.stamp.shape == .full, line.at(lead.stamp.end) == Byte.greater
      else { return false }
      lead.end = lead.stamp.end + 1
      return true
    case 0x28:
      guard StampScanner.scan(line, at: start + 1, into: &lead.stamp), lead.stamp.shape == .full,
        line.at(lead.stamp.end) == 0x29
      else { return false }
      lead.end = lead.stamp.end + (line.at(lead.stamp.end + 1) == Byte.colon ? 2 : 1)
      return true
    case Byte.quote:
      guard isWholeTime(line, at: start + 1, &lead), line.at(lead.end) == Byte.quote else {
        return false
      }
      lead.end += line.at(lead.end + 1) == Byte.comma ? 2 : 1
      return true
    case UInt8(ascii: "*"):
      guard StampScanner.named(line, at: start + 1, into: &lead.stamp),
        line.has(": %", at: lead.stamp.end)
      else { return false }
      lead.end = lead.stamp.end
      return true
    case Byte.space:
      // Consul and Rust's tracing indent what they print. What quotes a log has no level, or more
      // blanks before it.
      let time = line.skipBlanks(start)
      guard time - start <= 4, line.at(time).isDigit,
        StampScanner.iso(line, at: time, into: &lead.stamp), isBeforeLevel(line, lead.stamp.end)
      else { return false }
      lead.end = lead.stamp.end
      return true
    case 0x30...0x39:
      return findTimeAfterPid(line, start, &lead) || findHexadecimalTime(line, start, &lead)
        || findTimeAfterChain(line, start, &lead) || findTimeOfLease(line, start, &lead)
        || findTimeOfSession(line, start, &lead) || findTimeBehindBars(line, start, &lead)
    default: return findTimeAfterSymbol(line, start, &lead)
    }
  }

  /// `pid time`, as strace has it, whose times have microseconds; `pid time LEVEL`, whose times
  /// have a date.
  private static func findTimeAfterPid(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    let digits = line.skipDigits(start)
    let time = line.skipBlanks(digits)
    guard digits - start <= 7, time > digits, time - digits <= 2, line.at(time).isDigit,
      StampScanner.scan(line, at: time, into: &lead.stamp)
    else { return false }
    let end = lead.stamp.end
    switch lead.stamp.shape {
    case .full: guard isBeforeLevel(line, end) else { return false }
    case .epoch, .withoutDate:
      guard line.at(end - 7) == Byte.dot, line.at(end) == Byte.space else { return false }
    default: return false
    }
    (lead.threadStart, lead.threadEnd) = (start, digits)
    lead.end = lead.stamp.end
    return true
  }

  /// A time behind an emoji, which some loggers choose by the level.
  private static func findTimeAfterSymbol(_ line: Line, _ start: Int, _ lead: inout Lead) -> Bool {
    guard line.at(start) >= 0xe2 else { return false }
    let end = line.slice(0, min(line.count, start + 20)).skipToken(start)
    return line.at(end) == Byte.space && isWholeTime(line, at: end + 1, &lead)
  }

  private static func isBeforeLevel(_ line: Line, _ end: Int) -> Bool {
    var word = line.skipBlanks(end)
    if line.at(word) == Byte.openBracket { word = line.skipBlanks(word + 1) }
    var wordEnd = word
    while line.at(wordEnd).isLetter { wordEnd += 1 }
    return word > end && LevelWords.severity(of: line.slice(word, wordEnd)) != nil
  }
}
