// SPDX-License-Identifier: Apache-2.0

/// Passwords in command lines and SQL, where no key names them: `mysql -pX`, `curl -u kim:X`,
/// `IDENTIFIED BY 'X'`.
enum CommandRule {
  private struct Option {
    let program: StaticString
    let letter: Unicode.Scalar
    /// The secret begins behind a colon.
    var isBehindColon = false
    /// It follows the letter without a blank.
    var isAttached = false
  }

  private static let options: [Option] = [
    Option(program: "curl", letter: "u", isBehindColon: true),
    Option(program: "mysql", letter: "p", isAttached: true),
    Option(program: "mariadb", letter: "p", isAttached: true),
    Option(program: "sshpass", letter: "p"), Option(program: "docker login", letter: "p"),
    Option(program: "podman login", letter: "p"), Option(program: "mongo", letter: "p"),
    Option(program: "redis-cli", letter: "a"), Option(program: "ldap", letter: "w"),
  ]

  /// `index` is that of the dash.
  static func find(_ text: TextBytes, at index: Int) -> Finding? {
    guard text.has(index - 1, ByteClass.blank) else { return nil }
    // --user is curl's -u.
    let dash = text.matches("--user ", at: index) ? index + 4 : index
    let letter = dash > index ? UInt8(ascii: "u") : text.byte(index + 1)
    for option in options where letter == UInt8(ascii: option.letter) {
      let isAttached = !text.has(dash + 2, ByteClass.blank)
      guard option.isAttached == isAttached, isBefore(text, option.program, index) else { continue }
      let start = isAttached ? dash + 2 : dash + 3
      var range = Value(text, at: start, key: nil, isEncoded: false).range
      if option.isBehindColon {
        guard let colon = text.slice(range).firstIndex(of: UInt8(ascii: ":")) else { return nil }
        range = range.lowerBound + colon + 1..<range.upperBound
      }
      if range.isEmpty || text.isMark(range) { return nil }
      return Finding(.secret, range)
    }
    return nil
  }

  /// Whether the program is named in what stands before its option.
  private static func isBefore(_ text: TextBytes, _ program: StaticString, _ index: Int) -> Bool {
    var start = index - 1
    while start >= 0, index - start < 200, text[start] != 0x0a {
      if text.matches(program, at: start), !text.isWord(start - 1) { return true }
      start -= 1
    }
    return false
  }

  /// `PASSWORD 'X'`, `PASSWORD('X')`, `IDENTIFIED BY 'X'`; `index` is that of the quote.
  static func findQuoted(_ text: TextBytes, at index: Int) -> Finding? {
    let before = text.byte(index - 1)
    guard before == 0x20 || before == UInt8(ascii: "(") else { return nil }
    let end = index - 1
    guard
      text.matches("password", before: end, ignoresCase: true)
        || text.matches("passwd", before: end, ignoresCase: true)
        || text.matches("identified by", before: end, ignoresCase: true)
        || text.matches("passphrase", before: end, ignoresCase: true)
    else { return nil }
    let value = Value(text, at: index, key: nil, isEncoded: false).range
    // A sentence may quote something else: the end of the text is no end of a secret.
    guard value.upperBound < text.count, !TrivialValues.contains(text.slice(value)) else {
      return nil
    }
    return Finding(.secret, value)
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .secret,
      finds: [
        ("mysql -u root -phunter2 app", "hunter2"), ("curl -u kim:hunter2 https://x", "hunter2"),
        ("sshpass -p 'hunter2' ssh h", "hunter2"), ("ALTER USER k PASSWORD 'hunter2';", "hunter2"),
        ("CREATE USER k IDENTIFIED BY 'hunter2'", "hunter2"), ("tool -password hunter2", "hunter2"),
      ],
      leaves: [
        "mkdir -p data", "ssh -p 22 host", "curl -u kim x", "docker run -p 80:80 x", "tar -pxf a",
        "password 'x", "unexpected token '<'", "enter your password \"\"",
      ])
  ]
}
