// SPDX-License-Identifier: Apache-2.0

/// What says which zone a time is in, right after it.
enum StampZone {
  /// Reads the zone at `stamp.end`, if there is one, and moves the end behind it.
  @inline(__always)
  static func scan(_ line: Line, into stamp: inout Stamp) {
    stamp.zone = .absent
    let next = line.at(stamp.end)
    switch next {
    case 0x5a, 0x7a:
      guard !line.at(stamp.end &+ 1).isWord else { return }
      stamp.zone = .offset
      stamp.offset = 0
      stamp.end &+= 1
    case Byte.plus, Byte.dash:
      if numeric(line, at: stamp.end, needsMinutes: false, into: &stamp) {
        skipZoneName(line, into: &stamp)
      }
    case 0xe2:
      if !numeric(line, at: stamp.end, needsMinutes: false, into: &stamp) {
        _ = StampScanner.half(line, into: &stamp)
      }
    case 0x41, 0x50, 0x61, 0x70: _ = StampScanner.half(line, into: &stamp)
    case Byte.space: afterSpace(line, into: &stamp)
    case UInt8(ascii: "U"), UInt8(ascii: "G"): letters(line, at: stamp.end, into: &stamp)
    default: return
    }
  }

  private static func afterSpace(_ line: Line, into stamp: inout Stamp) {
    let start = stamp.end + 1
    let next = line.at(start)
    if next == Byte.plus || next == Byte.dash {
      // "10:00:00 -5 items": an offset after a blank has its minutes.
      if !numeric(line, at: start, needsMinutes: true, into: &stamp), isLast(line, start + 3) {
        _ = numeric(line, at: start, needsMinutes: false, into: &stamp)
      }
    } else if next.isUpper {
      if StampScanner.half(line, into: &stamp) { return scan(line, into: &stamp) }
      if line.at(start + 1).isLetter, !line.at(start + 1).isUpper {
        areaName(line, at: start, into: &stamp)
      } else {
        letters(line, at: start, into: &stamp)
      }
    } else if next == 0x61 || next == 0x70 {
      _ = StampScanner.half(line, into: &stamp)
    }
  }

  /// Whether the field of a time ends at `index`: two digits behind a sign are hours there.
  private static func isLast(_ line: Line, _ index: Int) -> Bool {
    let next = line.at(index)
    return index == line.count || next == Byte.comma || next == Byte.quote
      || next == Byte.closeBracket
  }

  /// Reads what `%Z` prints: letters, or a sign with hours or hours and minutes where the zone has no
  /// letters. A colon behind it is the next field's.
  ///
  /// - Parameter start: where the fraction of the second may begin.
  static func abbreviation(_ line: Line, from start: Int, into stamp: inout Stamp) {
    if hours(line, from: start, into: &stamp) { return }
    let index = 1 + (line.at(start) == Byte.dot ? line.skipDigits(start + 1) : start)
    var end = index
    while line.at(end).isUpper { end += 1 }
    // Without a zone the level follows, or the name of a detail.
    guard line.at(index - 1) == Byte.space, end - index >= 3, end - index <= 5,
      !line.at(end).isWord, !line.has(":  ", at: end),
      LevelWords.severity(of: line.slice(index, end)) == nil
    else { return }
    name(line, index, end, into: &stamp)
    stamp.close()
  }

  /// Reads ` ±hh` and ` ±hhmm` as `abbreviation` does; false for anything else.
  static func hours(_ line: Line, from start: Int, into stamp: inout Stamp) -> Bool {
    let index = line.at(start) == Byte.dot ? line.skipDigits(start + 1) : start
    let sign = line.at(index + 1)
    guard line.at(index) == Byte.space, sign == Byte.plus || sign == Byte.dash else { return false }
    let end = line.skipDigits(index + 2)
    guard end - index == 4 || end - index == 6, line.two(index + 2) <= 18 else { return false }
    let minutes = end - index == 6 ? line.two(index + 4) : 0
    let seconds = line.two(index + 2) * 3600 + minutes * 60
    (stamp.zone, stamp.end) = (.offset, end)
    stamp.offset = sign == Byte.dash ? -seconds : seconds
    stamp.close()
    return true
  }

  /// ` Europe/Berlin`, up to the bracket around the time, as PHP writes it.
  private static func areaName(_ line: Line, at start: Int, into stamp: inout Stamp) {
    let end = areaNameEnd(line, start)
    if end > start, line.at(end) == Byte.closeBracket { take(line, start, end, into: &stamp) }
  }

  /// The end of a name of the zone data base at `start`, which has a slash; else `start`.
  private static func areaNameEnd(_ line: Line, _ start: Int) -> Int {
    var index = start
    var hasSlash = false
    while line.at(index).isWord || line.at(index) == Byte.slash || line.at(index) == Byte.dash {
      hasSlash = hasSlash || line.at(index) == Byte.slash
      index += 1
    }
    return hasSlash ? index : start
  }

  /// `±hh:mm`, `±hhmm` or `±hh`; minus may be U+2212.
  private static func numeric(
    _ line: Line, at start: Int, needsMinutes: Bool, into stamp: inout Stamp
  ) -> Bool {
    var index = start
    var isWest = false
    if line.at(index) == 0xe2 {
      guard line.has("\u{2212}", at: index) else { return false }
      isWest = true
      index += 3
    } else {
      isWest = line.at(index) == Byte.dash
      index += 1
    }
    guard index + 2 <= line.count else { return false }
    let hours = line.two(index)
    guard hours <= 18 else { return false }
    index += 2
    var minutes = 0
    let digits = line.at(index) == Byte.colon ? index + 1 : index
    if digits + 2 <= line.count, line.two(digits) < 60 {
      minutes = line.two(digits)
      index = digits + 2
    } else if needsMinutes {
      return false
    }
    guard !line.at(index).isDigit else { return false }
    let seconds = hours * 3600 + minutes * 60
    stamp.zone = .offset
    stamp.offset = isWest ? -seconds : seconds
    stamp.end = index
    return true
  }

  /// `[Europe/Berlin]` after an offset repeats it (RFC 9557).
  private static func skipZoneName(_ line: Line, into stamp: inout Stamp) {
    guard line.at(stamp.end) == Byte.openBracket, line.at(stamp.end + 1).isUpper else { return }
    let end = areaNameEnd(line, stamp.end + 1)
    if end > stamp.end + 1, line.at(end) == Byte.closeBracket { stamp.end = end + 1 }
  }

  private static func letters(_ line: Line, at start: Int, into stamp: inout Stamp) {
    var end = start
    while line.at(end).isUpper { end += 1 }
    guard end - start >= 2, end - start <= 5 else { return }
    if line.at(end).isDigit {
      // A POSIX value such as EST5EDT: which half of the year it is would be a guess.
      let rest = line.skipDigits(end)
      guard end - start == 3, line.at(rest).isUpper else { return }
      end = rest
      while line.at(end).isUpper { end += 1 }
      take(line, start, end, into: &stamp)
      return
    }
    guard !line.at(end).isWord else { return }
    if let offset = safeOffset(line.slice(start, end)) {
      stamp.zone = .offset
      stamp.offset = offset
      stamp.end = end
      if offset == 0 { distance(line, into: &stamp) }
    } else if isAmbiguous(line.slice(start, end)) || isUnknown(line, start, end) {
      take(line, start, end, into: &stamp)
    }
  }

  /// `GMT+0100` of JavaScript, `GMT-05:00` of ICU, `UTC+2`.
  private static func distance(_ line: Line, into stamp: inout Stamp) {
    let sign = line.at(stamp.end)
    guard sign == Byte.plus || sign == Byte.dash || sign == 0xe2 else { return }
    if numeric(line, at: stamp.end, needsMinutes: false, into: &stamp) {
      return skipLongName(line, into: &stamp)
    }
    let digit = line.at(stamp.end + 1)
    guard sign != 0xe2, digit.isDigit, !line.at(stamp.end + 2).isWord else { return }
    stamp.offset = Int(digit - Byte.zero) * (sign == Byte.dash ? -3600 : 3600)
    stamp.end += 2
  }

  /// ` (CET)` and ` (Central European Standard Time)` of JavaScript repeat the offset.
  private static func skipLongName(_ line: Line, into stamp: inout Stamp) {
    guard line.has(" (", at: stamp.end) else { return }
    var end = stamp.end + 2
    while line.at(end).isLetter || line.at(end) == Byte.space { end += 1 }
    if line.at(end) == 0x29 { stamp.end = end + 1 }
  }

  /// Takes the letters in `start..<end`, of which it is known that they name a zone.
  static func name(_ line: Line, _ start: Int, _ end: Int, into stamp: inout Stamp) {
    if let offset = safeOffset(line.slice(start, end))
      ?? (line.slice(start, end).isEqual("Z") ? 0 : nil)
    {
      stamp.zone = .offset
      stamp.offset = offset
      stamp.end = end
    } else {
      take(line, start, end, into: &stamp)
    }
  }

  private static func take(_ line: Line, _ start: Int, _ end: Int, into stamp: inout Stamp) {
    stamp.zone = .letters
    stamp.zoneStart = start
    stamp.end = end
  }

  /// A word in capitals that ends in T where a zone belongs, before a level: "GET" or "HOST" before
  /// other text must not cost the record its time.
  private static func isUnknown(_ line: Line, _ start: Int, _ end: Int) -> Bool {
    guard end - start >= 3, line.at(end - 1) == 0x54, line.at(end) == Byte.space,
      LevelWords.severity(of: line.slice(start, end)) == nil
    else { return false }
    var word = line.skipBlanks(end)
    while line.at(word) == Byte.openBracket || line.at(word) == 0x7c || line.at(word).isBlank {
      word += 1
    }
    var wordEnd = word
    while line.at(wordEnd).isLetter { wordEnd += 1 }
    return LevelWords.severity(of: line.slice(word, wordEnd)) != nil
  }

  private static func isAmbiguous(_ name: Line) -> Bool {
    name.isEqual("CST") || name.isEqual("IST") || name.isEqual("BST")
  }

  /// Seconds east of UTC of the abbreviations that mean one thing in practice.
  private static func safeOffset(_ name: Line) -> Int? {
    var key: UInt32 = 0
    guard name.count <= 4 else { return nil }
    for byte in name { key = key << 8 | UInt32(byte) }
    switch key {
    case 0x555443, 0x474d54, 0x5554, 0x574554: return 0  // UTC GMT UT WET
    case 0x434554, 0x57455354: return 3600  // CET WEST
    case 0x43455354, 0x454554: return 7200  // CEST EET
    case 0x45455354, 0x4d534b: return 10_800  // EEST MSK
    case 0x504b54: return 18_000  // PKT
    case 0x574942: return 25_200  // WIB
    case 0x484b54, 0x534754, 0x41575354: return 28_800  // HKT SGT AWST
    case 0x4a5354, 0x4b5354: return 32_400  // JST KST
    case 0x41435354: return 34_200  // ACST
    case 0x41434454: return 37_800  // ACDT
    case 0x4e5a5354: return 43_200  // NZST
    case 0x4e5a4454: return 46_800  // NZDT
    case 0x53415354: return 7200  // SAST
    case 0x454154: return 10_800  // EAT
    case 0x414b4454: return -28_800  // AKDT
    case 0x414b5354: return -32_400  // AKST
    case 0x485354: return -36_000  // HST
    case 0x41455354: return 36_000  // AEST
    case 0x41454454: return 39_600  // AEDT
    case 0x454454: return -14_400  // EDT
    case 0x455354, 0x434454: return -18_000  // EST CDT
    case 0x4d4454: return -21_600  // MDT
    case 0x4d5354, 0x504454: return -25_200  // MST PDT
    case 0x505354: return -28_800  // PST
    default: return nil
    }
  }
}
