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
    let separator = text[index]
    // `password := "x"` is looked at where the `=` stands.
    let isWalrus = separator == UInt8(ascii: "=") && text.byte(index - 1) == UInt8(ascii: ":")
    guard let key = Key(text, before: isWalrus ? index - 1 : index) else { return nil }
    let isColon = separator == UInt8(ascii: ":")
    var start = after
    if isColon {
      // Types and addresses: `Token::new`, `token://`.
      let next = text.byte(start)
      if next == separator || next == UInt8(ascii: "=") || text.matches("//", at: start) {
        return nil
      }
    } else if separator == UInt8(ascii: "=") {
      if text.byte(start) == separator || text.byte(index - 1) == UInt8(ascii: "!") { return nil }
      if text.byte(start) == UInt8(ascii: ">") { start += 1 }
    }
    let inQuery = key.isInQuery(text)
    let name = text.slice(key.range)
    guard
      let kind = names.kind(
        name, before: key.wordBefore(text), isAssigned: !isColon || key.isQuoted, inQuery: inQuery)
        ?? PairedName.kind(text, ofValueAt: key, names)
    else { return nil }
    start = skipBlanks(text, start)
    if isColon, !key.isQuoted { start = skipBlockMark(text, skipType(text, start)) }
    if start >= text.count { return nil }
    let isEncoded = separator == UInt8(ascii: "%")
    var value = Value(text, at: start, key: key, isEncoded: isEncoded)
    switch kind {
    case .authorization, .cookie:
      return HeaderRule.find(text, value, isCookie: kind == .cookie, key: key)
    case .phrase:
      if !value.isQuoted { value.range = start..<HeaderRule.endOfLine(text, start, key) }
    case .likely: if !looksRandom(text.slice(value.range)) { return nil }
    case .secret: break
    }
    guard !value.range.isEmpty, !TrivialValues.contains(text.slice(value.range)) else { return nil }
    if isColon, !key.isQuoted, !value.isQuoted, isProse(text, key, value.range) { return nil }
    if !value.isQuoted, isItself(name, text.slice(value.range)) { return nil }
    if isWorkingFolder(name, text.byte(value.range.lowerBound)) { return nil }
    let rule: RuleID =
      inQuery ? .urlSecret : isConnectionString(text, key, value) ? .connectionString : .secret
    var finding = Finding(rule, value.range)
    finding.quote = value.mustBeQuoted ? key.quote : []
    return finding
  }

  /// Source code: `self.password = password;`
  private static func isItself(_ name: TextBytes, _ value: TextBytes) -> Bool {
    let isStatement = value.last == UInt8(ascii: ";")
    let value = isStatement ? value.dropLast() : value[...]
    return (isStatement || name.contains(UInt8(ascii: "."))) && value.count >= 4
      && value.allSatisfy { $0 | 0x20 &- 0x61 < 26 }
      && name.suffix(value.count).elementsEqual(value)
  }

  /// `PWD=/srv/app`: `pwd` is a password, or where a shell is.
  private static func isWorkingFolder(_ name: TextBytes, _ first: UInt8) -> Bool {
    (first == UInt8(ascii: "/") || first == UInt8(ascii: "~"))
      && name.matches("pwd", before: name.count, ignoresCase: true)
      && (name.count == 3 || name.matches("old", at: 0, ignoresCase: true))
  }

  /// Letters and digits, as chosen passwords have them.
  private static func looksRandom(_ value: TextBytes) -> Bool {
    value.count >= 6 && value.contains { $0 &- 0x30 < 10 }
      && value.contains { $0 | 0x20 &- 0x61 < 26 } && !value.contains(UInt8(ascii: "/"))
  }

  /// Behind the type in `let password: String = "x"`.
  private static func skipType(_ text: TextBytes, _ start: Int) -> Int {
    guard text.has(start, ByteClass.upper) else { return start }
    var end = text.end(of: ByteClass.key, from: start, limit: 48)
    if text.byte(end) == UInt8(ascii: "?") { end += 1 }
    let quote = text.byte(end + 3)
    return text.matches(" = ", at: end)
      && (quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"))
      ? end + 3 : start
  }

  /// Behind YAML's `|` or `>`, in the line below.
  private static func skipBlockMark(_ text: TextBytes, _ start: Int) -> Int {
    guard text.byte(start) == UInt8(ascii: "|") || text.byte(start) == UInt8(ascii: ">") else {
      return start
    }
    let end = text.byte(start + 1) == UInt8(ascii: "-") ? start + 2 : start + 1
    return text.byte(end) == 0x0a ? text.end(of: ByteClass.blank, from: end, limit: 64) : start
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
    if text.has(index - 1, ByteClass.key) || text.matches("no-", at: nameStart) { return nil }
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
    let nameEnd = endOfElementName(text, index)
    let nameStart = text.start(of: ByteClass.key, before: nameEnd, limit: 48)
    guard nameStart < nameEnd else { return nil }
    let before = text.byte(nameStart - 1)
    guard before == UInt8(ascii: "<") || before == UInt8(ascii: ":") else { return nil }
    guard
      names.kind(text.slice(nameStart..<nameEnd)) != nil
        || PairedName.isSecret(text, beforeElement: nameStart - 1, names)
    else { return nil }
    let isLiteral = text.matches("<![CDATA[", at: index + 1)
    let start = isLiteral ? index + 10 : index + 1
    var end = start
    while end < text.count, text[end] != UInt8(ascii: isLiteral ? "]" : "<") { end += 1 }
    guard text.matches(isLiteral ? "]]>" : "</", at: end),
      !TrivialValues.contains(text.slice(start..<end))
    else { return nil }
    return Finding(.secret, start..<end)
  }

  /// Where the name ends of the element that `>` at `index` opens: there, or before its attributes.
  private static func endOfElementName(_ text: TextBytes, _ index: Int) -> Int {
    guard text.byte(index - 1) == UInt8(ascii: "\"") || text.byte(index - 1) == UInt8(ascii: "'")
    else { return index }
    var start = index - 1
    while start > 0, index - start < 200, text[start] != UInt8(ascii: "<"),
      text[start] != UInt8(ascii: ">")
    {
      start -= 1
    }
    var end = start + 1
    while text.has(end, ByteClass.key) || text.byte(end) == UInt8(ascii: ":") { end += 1 }
    return end
  }

  /// `('password', 'x')`, as Python prints headers; `index` is that of the parenthesis.
  static func findPair(_ text: TextBytes, at index: Int, _ names: SecretNames) -> Finding? {
    let quote = text.byte(index + 1)
    guard quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
    let comma = text.end(of: ByteClass.key, from: index + 2, limit: 48) + 1
    guard text.byte(comma - 1) == quote, text.byte(comma) == UInt8(ascii: ",") else { return nil }
    let start = skipBlanks(text, comma + 1)
    guard text.byte(start) == quote else { return nil }
    return find(text, at: comma, after: comma + 1, names)
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
        ("[\"password\": Optional(\"hunter2\")]", "hunter2"),
        ("[AnyHashable(\"password\"): \"hunter2\"]", "hunter2"),
        ("[('password', 'hunter2'), ('n', '1')]", "hunter2"),
        ("password := \"hunter2\"", "hunter2"),
        ("[\"password\"]=> string(7) \"hunter2\"", "hunter2"),
        ("{\"name\": \"DB_PASSWORD\", \"value\": \"hunter2\"}", "hunter2"),
        ("<add key=\"password\" value=\"hunter2\"/>", "hunter2"),
        ("<key>password</key><string>hunter2</string>", "hunter2"),
        ("{&quot;password&quot;:&quot;hunter2&quot;}", "hunter2"),
        // {"user":"kim","password":"hunter2"}
        ("data=eyJ1c2VyIjoia2ltIiwicGFzc3dvcmQiOiJodW50ZXIyIn0= n=1", "cGFzc3dvcmQiOiJodW50"),
        ("<p>token&#x3D;hunter2&amp;page&#x3D;2</p>", "hunter2"),
        ("body=password%253Dhunter2%2526page%253D2", "hunter2"),
        ("{\\x22password\\x22:\\x22hunter2\\x22}", "hunter2"),
        ("<ns:password type=\"plain\">hunter2</ns:password>", "hunter2"),
        ("<password><![CDATA[hunter2]]></password>", "hunter2"),
        ("let password: String? = \"hunter2\"", "hunter2"), ("pass: hunter2", "hunter2"),
        ("password: |\n  hunter2", "hunter2"),
        ("▿ token: Optional(\"hunter2\")\n    - some: \"hunter2\"", "hunter2"),
        ("\u{1b}[36mpassword\u{1b}[0m=\u{1b}[33mhunter2\u{1b}[0m", "hunter2"),
      ],
      leaves: [
        "password reset requested", "passwordPolicy=strict", "keyboard=de monkey=banana",
        "tokens per second: 118", "max_tokens=4096", "unexpected token: }", "Secret::new()",
        "password=***", "token_type=Bearer", "invalid password: too short", "user:kim role:admin",
        "if password == other", "the --token flag is missing", "PWD=/srv/app OLDPWD=/srv",
        "[\"name\": \"order\", \"value\": \"12\"]", "IN ('password', 5)",
        // {"user":"kim","order":1234567,"n":2}
        "data=eyJ1c2VyIjoia2ltIiwib3JkZXIiOjEyMzQ1NjcsIm4iOjJ9 n=1",
        "pass: 118, fail: 3", "pass: 3/4", "▿ name: Optional(\"x\")\n    - some: \"x\"",
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
