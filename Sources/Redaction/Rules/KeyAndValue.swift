// SPDX-License-Identifier: Apache-2.0

/// The key that stands before a separator.
struct Key {
  /// The name.
  var range: Range<Int>
  /// With its quotes.
  var outer: Range<Int>
  /// What stands before and behind it: `"`, `\"`, `'`, `\\\"`; empty for none.
  var quote: ArraySlice<UInt8> = []
  var isQuoted: Bool { !quote.isEmpty }
  /// Backslashes before each quote.
  var escapes: Int { max(0, quote.count - 1) }

  init?(_ text: TextBytes, before separator: Int) {
    var end = text.start(of: ByteClass.blank, before: separator, limit: 8)
    guard end > 0 else { return nil }
    let outerEnd = end
    // AnyHashable("password"): …, ["password"]=> …
    if end > 1, ")]".utf8.contains(text[end - 1]), "\"'".utf8.contains(text[end - 2]) { end -= 1 }
    let last = text[end - 1]
    if last == UInt8(ascii: "\"") || last == UInt8(ascii: "'") {
      var quoteStart = end - 1
      while quoteStart > 0, text[quoteStart - 1] == UInt8(ascii: "\\") { quoteStart -= 1 }
      quote = Array(text[quoteStart..<end])[...]
      end = quoteStart
    } else if last == UInt8(ascii: "]") {
      // user[password]=…
      end -= 1
    } else if text.matches("%5D", before: end, ignoresCase: false)
      || text.matches("%22", before: end)
    {
      end -= 3
    }
    var start = text.start(of: ByteClass.key, before: end, limit: 64)
    // java -Dpassword=…
    if text.matches("-D", at: start), end - start > 2 { start += 2 }
    guard start < end else { return nil }
    range = start..<end
    outer = max(0, start - quote.count)..<outerEnd
    // In escaped text `\npassword=` the n is part of a line end.
    if quote.isEmpty, text.byte(start - 1) == UInt8(ascii: "\\"), end - start > 1,
      "nrt".utf8.contains(text[start])
    {
      range = start + 1..<end
    }
  }

  /// The word before the key, after one blank.
  func wordBefore(_ text: TextBytes) -> TextBytes? {
    let end = outer.lowerBound - 1
    guard text.byte(end) == 0x20 else { return nil }
    let start = text.start(of: ByteClass.letter, before: end, limit: 24)
    return start < end ? text.slice(start..<end) : nil
  }

  func isInQuery(_ text: TextBytes) -> Bool {
    let before = text.byte(outer.lowerBound - 1)
    return before == UInt8(ascii: "?") || before == UInt8(ascii: "&")
      || text.matches("%26", before: outer.lowerBound)
      || text.matches("\\u0026", before: outer.lowerBound)
  }
}

/// The value behind a separator.
struct Value {
  /// Without quotes.
  var range: Range<Int>
  var isQuoted = false
  /// It stands bare in JSON, where a mark needs quotes.
  var mustBeQuoted = false

  init(_ text: TextBytes, at start: Int, key: Key?, isEncoded: Bool) {
    let start = Self.skipWrapper(text, start)
    range = start..<start
    var index = start
    while text.byte(index) == UInt8(ascii: "\\"), index - start < 16 { index += 1 }
    let escapes = index - start
    let byte = text.byte(index)
    let isQuote =
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
    // `password=\n`: the backslash belongs to something else.
    if isQuote {
      isQuoted = true
      range = index + 1..<Self.end(text, from: index + 1, quote: byte, escapes: escapes)
    } else if isEncoded {
      if text.matches("%22", at: start) {
        isQuoted = true
        range = start + 3..<Self.endOfEncoded(text, start + 3)
      } else {
        range = start..<Self.endOfEncoded(text, start)
      }
    } else if byte == UInt8(ascii: "["), key?.isQuoted == true, escapes == 0 {
      range = start..<Self.endOfList(text, start)
      mustBeQuoted = !range.isEmpty
    } else if byte == UInt8(ascii: "{"), key?.isQuoted == true {
      return
    } else if let key, key.isQuoted {
      // A number or a word of JSON, or the end of a printed dictionary's entry.
      let end = Self.endOfBare(text, start)
      range = start..<end
      mustBeQuoted = true
    } else if key?.isInQuery(text) == true {
      range = start..<Self.endOfQueryValue(text, start)
    } else {
      range = start..<Self.endOfPlain(text, start)
    }
  }

  /// Behind `Optional(`, `Some(`, `string(7) ` and the like, when a quote follows.
  private static func skipWrapper(_ text: TextBytes, _ start: Int) -> Int {
    let end = text.end(of: ByteClass.letter, from: start, limit: 24)
    // b'x', u"x", and @"x" of Objective-C.
    if end - start == 1 || text.byte(start) == UInt8(ascii: "@"),
      "\"'".utf8.contains(text.byte(start + 1))
    {
      return start + 1
    }
    guard end > start, text.byte(end) == UInt8(ascii: "(") else { return start }
    var index = end + 1
    let digits = text.end(of: ByteClass.digit, from: index, limit: 9)
    if digits > index, text.matches(") ", at: digits) { index = digits + 2 }
    let inner = skipWrapper(text, index)
    if inner > index { return inner }
    var quote = index
    while text.byte(quote) == UInt8(ascii: "\\"), quote - index < 16 { quote += 1 }
    return "\"'`".utf8.contains(text.byte(quote)) ? index : start
  }

  /// Where a quoted value ends: at a quote that is escaped no more than the one that began it.
  private static func end(
    _ text: TextBytes, from start: Int, quote: UInt8, escapes: Int
  ) -> Int {
    var run = 0
    for index in start..<max(start, text.count) {
      let byte = text[index]
      if byte == UInt8(ascii: "\\") {
        run += 1
        continue
      }
      if byte == quote, isEnd(run, level: escapes) { return index - min(run, escapes) }
      // Without an end the line is the end.
      if byte == 0x0a, escapes == 0, quote != UInt8(ascii: "\"") { return index }
      run = 0
    }
    return text.count
  }

  /// Whether a quote behind `run` backslashes ends a string that began behind `level` of them.
  private static func isEnd(_ run: Int, level: Int) -> Bool {
    if run % 2 == 0 { return true }
    return level == 0 ? false : isEnd((run - 1) / 2, level: (level - 1) / 2)
  }

  private static func endOfList(_ text: TextBytes, _ start: Int) -> Int {
    var depth = 0
    var inString = false
    var index = start
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "\""): inString.toggle()
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += inString ? 0 : 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth -= inString ? 0 : 1
        // A list of nothing keeps nothing.
        if depth == 0 { return index == start + 1 ? start : index + 1 }
      default: break
      }
      index += 1
    }
    return start
  }

  private static func endOfBare(_ text: TextBytes, _ start: Int) -> Int {
    var index = start
    while index < text.count, !text.has(index, ByteClass.blank),
      !",}])\\\"".utf8.contains(text[index])
    {
      index += 1
    }
    return index
  }

  private static func endOfEncoded(_ text: TextBytes, _ start: Int) -> Int {
    var index = start
    while index < text.count, !text.has(index, ByteClass.blank),
      !"&\"'<>".utf8.contains(text[index])
    {
      if text[index] == UInt8(ascii: "%"),
        text.matches("%26", at: index) || text.matches("%22", at: index)
          || text.matches("%2C", at: index) || text.matches("%7D", at: index)
          || text.matches("%0A", at: index)
      {
        break
      }
      index += 1
    }
    return index
  }

  private static func endOfQueryValue(_ text: TextBytes, _ start: Int) -> Int {
    var index = start
    while index < text.count, !text.has(index, ByteClass.blank),
      !"&#\"'<>\\".utf8.contains(text[index])
    {
      if text[index] == UInt8(ascii: "%"), text.matches("%26", at: index) { break }
      index += 1
    }
    return index
  }

  /// Up to a blank, or to a separator behind which another key or nothing follows.
  private static func endOfPlain(_ text: TextBytes, _ start: Int) -> Int {
    var index = start
    while index < text.count, !text.has(index, ByteClass.blank) {
      switch text[index] {
      case UInt8(ascii: "\\"):
        // The end of a line, of a string or of both, one level up.
        if index > start, "nrt\"".utf8.contains(text.byte(index + 1)) { return index }
      case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
        if index > start, isFollowedByEnd(text, index) { return index }
      case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "|"):
        if isFollowedByEnd(text, index) || isFollowedByKey(text, index + 1)
          || DecodedText.isEntity(text, index)
        {
          return index
        }
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if index > start, isFollowedByEnd(text, index) { return index }
      default: break
      }
      index += 1
    }
    return index
  }

  private static func isFollowedByEnd(_ text: TextBytes, _ index: Int) -> Bool {
    let next = index + 1
    return next >= text.count || text.has(next, ByteClass.blank)
      || ",;)]}\"'\\".utf8.contains(text[next])
  }

  private static func isFollowedByKey(_ text: TextBytes, _ start: Int) -> Bool {
    guard text.has(start, ByteClass.letter) else { return false }
    var end = text.end(of: ByteClass.key, from: start, limit: 48)
    // `User Id=`
    if text.byte(end) == 0x20 { end = text.end(of: ByteClass.key, from: end + 1, limit: 48) }
    return text.byte(end) == UInt8(ascii: "=") || text.byte(end) == UInt8(ascii: ":")
  }
}
