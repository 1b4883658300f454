// SPDX-License-Identifier: Apache-2.0

/// The value of a key that names a secret, in whatever notation.
///
/// `password=x`, `"password": "x"`, `{\"password\":\"x\"}`, `'token' => 'x'`, `password%3Dx`,
/// `<password>x</password>`, `--token x`, `Authorization: Bearer x`.
enum KeyedSecretRule {
  /// What stands at `=`, `:`, `%3D` or `%3A`.
  ///
  /// - Parameters:
  ///   - index: of the separator.
  ///   - after: the index behind it.
  static func find(
    _ text: TextBytes, at index: Int, after: Int, _ names: SecretNames
  ) -> Finding? {
    guard let key = Key(text, before: index) else { return nil }
    let separator = text[index]
    let isColon = separator == UInt8(ascii: ":")
    var start = after
    if isColon {
      // Types and addresses: `Token::new`, `token://`.
      if text.byte(start) == separator || text.matches("//", at: start) { return nil }
    } else if separator == UInt8(ascii: "=") {
      if text.byte(start) == separator || text.byte(index - 1) == UInt8(ascii: "!") { return nil }
      if text.byte(start) == UInt8(ascii: ">") { start += 1 }
    }
    let inQuery = key.isInQuery(text)
    guard
      let kind = names.kind(
        text.slice(key.range), before: key.wordBefore(text), isAssigned: !isColon || key.isQuoted,
        inQuery: inQuery)
    else { return nil }
    start = skipBlanks(text, start)
    if start >= text.count { return nil }
    let isEncoded = separator == UInt8(ascii: "%")
    var value = Value(text, at: start, key: key, isEncoded: isEncoded)
    switch kind {
    case .authorization, .cookie:
      return HeaderRule.find(text, value, isCookie: kind == .cookie, key: key)
    case .phrase:
      if !value.isQuoted { value.range = start..<HeaderRule.endOfLine(text, start, key) }
    case .secret: break
    }
    guard !value.range.isEmpty, !TrivialValues.contains(text.slice(value.range)) else { return nil }
    if isColon, !key.isQuoted, !value.isQuoted, isProse(text, key, value.range) { return nil }
    let rule: RuleID =
      inQuery ? .urlSecret : isConnectionString(text, key, value) ? .connectionString : .secret
    var finding = Finding(rule, value.range)
    finding.quote = value.mustBeQuoted ? key.quote : []
    return finding
  }

  private static func skipBlanks(_ text: TextBytes, _ start: Int) -> Int {
    text.end(of: ByteClass.blank, from: start, limit: 8)
  }

  /// Whether a sentence goes on: `invalid password: too short`, `unexpected token: }`.
  private static func isProse(_ text: TextBytes, _ key: Key, _ value: Range<Int>) -> Bool {
    guard let before = key.wordBefore(text) else { return false }
    if ["unexpected", "expected", "near", "parse"].contains(where: {
      before.elementsEqual($0.utf8)
    }) {
      return true
    }
    let isWord = text.slice(value).allSatisfy { $0 &- 0x61 < 26 }
    return isWord && text.byte(value.upperBound) == 0x20
      && text.has(value.upperBound + 1, ByteClass.letter)
  }

  private static func isConnectionString(_ text: TextBytes, _ key: Key, _ value: Value) -> Bool {
    let before = text.start(of: ByteClass.blank, before: key.outer.lowerBound, limit: 4)
    return text.byte(before - 1) == UInt8(ascii: ";")
      || (text.byte(value.range.upperBound) == UInt8(ascii: ";")
        && text.isWord(value.range.upperBound + 1))
  }

  /// `--token X` and `"--token", "X"`; `index` is that of the first dash.
  static func findFlag(_ text: TextBytes, at index: Int, _ names: SecretNames) -> Finding? {
    var nameStart = index
    while text.byte(nameStart) == UInt8(ascii: "-"), nameStart < index + 2 { nameStart += 1 }
    if text.has(index - 1, ByteClass.key) { return nil }
    let end = text.end(of: ByteClass.key, from: nameStart, limit: 48)
    guard end > nameStart, end < text.count, names.kind(text.slice(nameStart..<end)) != nil else {
      return nil
    }
    var start = end
    if text.byte(start) == UInt8(ascii: "\"") || text.byte(start) == UInt8(ascii: "'") {
      start += 1
      if text.byte(start) == UInt8(ascii: ",") { start += 1 }
    }
    guard text.has(start, ByteClass.blank) || start > end + 1 else { return nil }
    start = skipBlanks(text, start)
    guard start > end, start < text.count, text[start] != UInt8(ascii: "-") else { return nil }
    let value = Value(text, at: start, key: nil, isEncoded: false)
    let content = text.slice(value.range)
    guard !content.isEmpty, !TrivialValues.contains(content),
      !flagWords.contains(where: { content.elementsEqual($0.utf8) })
    else { return nil }
    return Finding(.secret, value.range)
  }

  /// What sentences say behind a flag.
  private static let flagWords = [
    "flag", "option", "argument", "parameter", "is", "or", "and", "must", "to", "for", "value",
    "requires", "was", "needs", "with", "in", "has",
  ]

  /// `<password>x</password>`; `index` is that of `>`.
  static func findElement(_ text: TextBytes, at index: Int, _ names: SecretNames) -> Finding? {
    let nameStart = text.start(of: ByteClass.key, before: index, limit: 48)
    guard nameStart < index else { return nil }
    let before = text.byte(nameStart - 1)
    guard before == UInt8(ascii: "<") || before == UInt8(ascii: ":") else { return nil }
    guard names.kind(text.slice(nameStart..<index)) != nil else { return nil }
    var end = index + 1
    while end < text.count, text[end] != UInt8(ascii: "<") { end += 1 }
    guard text.matches("</", at: end),
      !TrivialValues.contains(text.slice(index + 1..<end))
    else { return nil }
    return Finding(.secret, index + 1..<end)
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .secret,
      finds: [
        ("login password=hunter2 ok", "hunter2"),
        ("cfg password=\"with blank hunter2 end\"", "with blank hunter2 end"),
        ("{\"a\":{\"client-secret\":\"hunter2\"}}", "hunter2"),
        ("body={\\\"accessToken\\\":\\\"hun\\\\\\\"ter2\\\"}", "ter2"),
        ("{'token': 'hunter2'}", "hunter2"), ("\"password\"=>\"hunter2\"", "hunter2"),
        ("DB_PASSWORD=hunter2 PATH=/bin", "hunter2"), ("exec tool --token hunter2 -v", "hunter2"),
        ("API key: hunter2", "hunter2"), ("<password>hunter2</password>", "hunter2"),
        ("passphrase: correct horse hunter2", "correct horse hunter2"),
        ("{\"pin\":1,\"password\":12345}", "12345"),
      ],
      leaves: [
        "password reset requested", "passwordPolicy=strict", "keyboard=de monkey=banana",
        "tokens per second: 118", "max_tokens=4096", "unexpected token: }", "Secret::new()",
        "password=***", "token_type=Bearer", "invalid password: too short", "user:kim role:admin",
        "if password == other", "the --token flag is missing",
      ]),
    RuleSamples(
      rule: .urlSecret,
      finds: [
        ("GET /v1?limit=5&api_key=hunter2&page=2", "hunter2"),
        ("https://example.org/x?sig=hunter2%3D&se=1", "hunter2%3D"),
      ],
      leaves: ["GET https://example.org/path?x=1&limit=5 200", "/search?q=token&n=1"]),
    RuleSamples(
      rule: .connectionString,
      finds: [("Server=db;User Id=kim;Password=hun,ter2;Database=app", "hun,ter2")],
      leaves: ["Server=db;Database=app;Timeout=30"]),
  ]
}
