// SPDX-License-Identifier: Apache-2.0

/// E-mail addresses.
enum MailRule {
  /// `index` is that of `@` or `%40`, `after` the index behind it.
  static func find(_ text: TextBytes, at index: Int, after: Int) -> Finding? {
    var start = text.start(of: ByteClass.mail, before: index, limit: 64)
    // `\nkim@…` in escaped text, `%20kim%40…` in a URL.
    if text.byte(start - 1) == UInt8(ascii: "\\"), "nrtbfu".utf8.contains(text.byte(start)) {
      start += 1
    }
    if text.byte(start - 1) == UInt8(ascii: "%"), index - start > 2 { start += 2 }
    while start < index, !text.isWord(start), text[start] < 0x80 { start += 1 }
    guard start < index, text[index - 1] != UInt8(ascii: ".") else { return nil }
    // The name in a URL stays.
    if text.matches("://", before: start) { return nil }
    if index - start == 3, text.matches("git", at: start) { return nil }
    guard let end = endOfDomain(text, after) else { return nil }
    return Finding(.email, start..<end)
  }

  private static func endOfDomain(_ text: TextBytes, _ start: Int) -> Int? {
    var end = start
    var label = start
    var dot = -1
    while end < text.count, end - start < 253 {
      let byte = text[end]
      if byte == UInt8(ascii: ".") {
        guard end > label, text.isWord(end + 1) || text.byte(end + 1) >= 0x80 else { break }
        dot = end
        label = end + 1
      } else if !text.isWord(end), byte != UInt8(ascii: "-"), byte < 0x80 {
        break
      }
      end += 1
    }
    guard dot > start else { return nil }
    let top = text.slice(dot + 1..<end)
    guard top.count >= 2, top.allSatisfy({ $0 | 0x20 &- 0x61 < 26 || $0 >= 0x80 || $0 == 0x2d })
    else {
      return nil
    }
    return files.contains(where: { top.elementsEqual($0.utf8) }) ? nil : end
  }

  /// What follows the last dot in names of files: `icon@2x.png`, `getty@tty1.service`.
  private static let files = [
    "png", "jpg", "jpeg", "gif", "svg", "webp", "css", "js", "ts", "mjs", "json", "so", "dylib",
    "dll", "py", "swift", "service", "socket", "timer", "slice", "scope", "mount", "target", "path",
    "git", "html", "md", "txt", "log", "tgz", "zip", "jar", "class", "java", "exe",
  ]

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .email,
      finds: [
        ("mail to kim.doe+tag@example.org sent", "kim.doe+tag@example.org"),
        ("?to=kim%40example.org&x=1", "kim%40example.org"), ("<kim@mail.example.co.uk>", "kim@"),
        ("{\"text\":\"a\\nkim@example.org\"}", "kim@example.org"),
      ],
      leaves: [
        "lodash@4.17.21", "icon@2x.png", "getty@tty1.service", "@mention hi", "a @ b.org",
        "git@github.com:o/r.git", "Foo@1a2b3c", "ssh://kim@example.org/x", "user@localhost",
      ])
  ]
}
