// SPDX-License-Identifier: Apache-2.0

/// Headers that carry credentials, and their schemes where they stand alone.
enum HeaderRule {
  /// The secret part of an Authorization or Cookie header's value.
  static func find(_ text: TextBytes, _ value: Value, isCookie: Bool, key: Key) -> Finding? {
    var range = value.range
    if !value.isQuoted, !value.mustBeQuoted {
      range = range.lowerBound..<endOfLine(text, range.lowerBound, key)
    }
    let slice = text.slice(range)
    if isCookie {
      guard slice.contains(UInt8(ascii: "=")) else { return nil }
      return slice.isMark(0..<slice.count) ? nil : Finding(.cookie, range)
    }
    let start = range.lowerBound + lengthOfScheme(slice)
    range = start..<range.upperBound
    if range.isEmpty || TrivialValues.contains(text.slice(range)) { return nil }
    var finding = Finding(.authorization, range)
    finding.quote = value.mustBeQuoted ? key.quote : []
    return finding
  }

  private static let schemes: [StaticString] = [
    "bearer ", "basic ", "digest ", "token ", "negotiate ", "ntlm ", "apikey ", "hmac ", "bot ",
    "aws4-hmac-sha256 ", "hawk ", "signature ", "key ", "bearer%20", "basic%20",
  ]

  private static func lengthOfScheme(_ value: TextBytes) -> Int {
    for scheme in schemes where value.matches(scheme, at: 0, ignoresCase: true) {
      return scheme.utf8CodeUnitCount
    }
    return 0
  }

  /// The end of the line, or of the string in which the header stands.
  static func endOfLine(_ text: TextBytes, _ start: Int, _ key: Key) -> Int {
    // curl -H 'Cookie: …': the quote before the header's name ends it.
    let before = text.byte(key.outer.lowerBound - 1)
    let isInside = before == UInt8(ascii: "\"") || before == UInt8(ascii: "'")
    var index = start
    while index < text.count, text[index] != 0x0a, text[index] != 0x0d {
      // Digest username="kim", response="…": these quotes end no header.
      if text[index] == UInt8(ascii: "="), index > start, let end = endOfParameter(text, index + 1)
      {
        index = end
        continue
      }
      if isInside, text[index] == before { break }
      if text[index] == UInt8(ascii: "\\"), "nr\"".utf8.contains(text.byte(index + 1)) { break }
      index += 1
    }
    while index > start, text.has(index - 1, ByteClass.blank) { index -= 1 }
    return index
  }

  /// Behind the quoted value of a header's parameter; the quotes may be escaped.
  private static func endOfParameter(_ text: TextBytes, _ start: Int) -> Int? {
    var quote = start
    while text.byte(quote) == UInt8(ascii: "\\") { quote += 1 }
    guard text.byte(quote) == UInt8(ascii: "\"") else { return nil }
    var end = quote + 1
    while end < text.count, text[end] != UInt8(ascii: "\""), text[end] != 0x0a { end += 1 }
    return text.byte(end) == UInt8(ascii: "\"") ? end + 1 : nil
  }

  /// `Bearer X` and `Basic X` without a header's name; `index` is that of the first letter.
  static func findScheme(_ text: TextBytes, at index: Int) -> Finding? {
    if text.isWord(index - 1) { return nil }
    let isBearer = text.matches("bearer", at: index, ignoresCase: true)
    let length = isBearer ? 6 : 5
    guard isBearer || text.matches("basic", at: index, ignoresCase: true) else { return nil }
    var start = index + length
    if text.matches("%20", at: start) {
      start += 3
    } else if text.byte(start) == UInt8(ascii: ":") || text.has(start, ByteClass.blank) {
      start = text.end(of: ByteClass.blank, from: start + 1, limit: 4)
    } else {
      return nil
    }
    let end = text.end(of: ByteClass.token, from: start, limit: 16 << 10)
    let value = text.slice(start..<end)
    // Words follow these two in sentences; a credential has digits or capitals inside.
    guard value.count >= (isBearer ? 16 : 8),
      value.contains(where: { $0 &- 0x30 < 10 })
        || (value.contains { $0 &- 0x61 < 26 } && value.dropFirst().contains { $0 &- 0x41 < 26 })
    else { return nil }
    if !isBearer {
      // base64 of name:password.
      guard value.contains(where: { $0 &- 0x41 < 26 }),
        value.allSatisfy({ $0 != 0x2d && $0 != 0x2e })
      else { return nil }
    }
    return Finding(.bearer, start..<end)
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .authorization,
      finds: [
        ("> Authorization: Bearer hunter2", "hunter2"),
        ("Proxy-Authorization: Basic a2ltOmh1bnRlcjI=", "a2ltOmh1bnRlcjI="),
        ("{\"Authorization\":\"Digest username=kim, response=hunter2\"}", "hunter2"),
        ("curl -H 'Authorization: hunter2' x", "hunter2"),
        ("{'Authorization': b'Bearer hunter2'}", "hunter2"),
        ("\"Authorization: Digest username=\\\"kim\\\", response=\\\"hunter2\\\"\"", "hunter2"),
      ],
      leaves: [
        "authorization: denied", "authorization_endpoint=/x", "Authorization header missing",
      ]),
    RuleSamples(
      rule: .cookie,
      finds: [
        ("> Cookie: theme=dark; sid=hunter2", "hunter2"),
        ("Set-Cookie: sid=hunter2; Path=/; HttpOnly", "hunter2"),
      ],
      leaves: ["cookie banner shown", "invalid cookie: not found", "cookies: 5"]),
    RuleSamples(
      rule: .bearer,
      finds: [
        ("sent bearer 0123456789abcdef0123", "0123456789abcdef0123"),
        ("with Basic a2ltOmh1bnRlcjI= to", "a2ltOmh1bnRlcjI="),
      ],
      leaves: [
        "the bearer of this message", "Basic authentication", "bearer authentication-required",
        "basic understanding",
      ]),
  ]
}
