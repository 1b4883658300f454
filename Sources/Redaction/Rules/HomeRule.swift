// SPDX-License-Identifier: Apache-2.0

/// The name of a person in the path of the home directory.
enum HomeRule {
  /// `index` is that of the slash before `home` or `Users`.
  static func find(_ text: TextBytes, at index: Int) -> Finding? {
    let length: Int
    if text.matches("/home/", at: index) {
      length = 6
    } else if text.matches("/Users/", at: index) || isDrive(text, index) {
      length = 7
    } else {
      return nil
    }
    // In the path of a URL it is a page's name.
    let before = text.byte(index - 1)
    if text.isWord(index - 1) || "._-/~)".utf8.contains(before) {
      let isRoot =
        text.matches("file://", before: index) || text.matches("/var", before: index)
        || text.matches("/Volumes", before: index) || text.matches("/export", before: index)
        || text.matches("/usr", before: index) || text.isEscape(index - 1)
        // -I/home/…, /c/Users/…
        || (text.has(index - 1, ByteClass.letter) && "-/".utf8.contains(text.byte(index - 2))
          && !text.has(index - 3, ByteClass.letter | ByteClass.digit)
          || text.matches("/mnt/c", before: index))
      guard isRoot else { return nil }
    }
    for method: StaticString in ["GET ", "POST ", "HEAD ", "PUT ", "DELETE ", "PATCH "]
    where text.matches(method, before: index) { return nil }
    let start = index + length
    return finding(text, start, text.end(of: ByteClass.mail, from: start, limit: 64))
  }

  /// `c:/users/`, in whatever case.
  private static func isDrive(_ text: TextBytes, _ index: Int) -> Bool {
    text.byte(index - 1) == UInt8(ascii: ":") && text.has(index - 2, ByteClass.letter)
      && text.matches("/users/", at: index, ignoresCase: true)
  }

  /// `index` is that of the backslash before `Users`.
  static func findWindows(_ text: TextBytes, at index: Int) -> Finding? {
    var start = index
    while text.byte(start) == UInt8(ascii: "\\"), start - index < 8 { start += 1 }
    guard text.matches("users\\", at: start, ignoresCase: true),
      text.byte(index - 1) == UInt8(ascii: ":")
    else { return nil }
    start += 6
    while text.byte(start) == UInt8(ascii: "\\") { start += 1 }
    var end = start
    // A name may hold blanks when a backslash follows.
    while end < text.count, end - start < 40, text.has(end, ByteClass.mail) || text[end] == 0x20 {
      end += 1
    }
    if text.byte(end) != UInt8(ascii: "\\") {
      end = text.end(of: ByteClass.mail, from: start, limit: 64)
    }
    return finding(text, start, end)
  }

  private static func finding(_ text: TextBytes, _ start: Int, _ limit: Int) -> Finding? {
    var end = limit
    while end > start, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    guard end > start else { return nil }
    let name = text.slice(start..<end)
    for shared in ["Shared", "Public", "Default", "All Users"] {
      if name.elementsEqual(shared.utf8) { return nil }
    }
    return Finding(.homeUser, start..<end)
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .homeUser,
      finds: [
        ("open /home/kimdoe/notes.txt", "kimdoe"), ("in /Users/kimdoe/Library", "kimdoe"),
        ("C:\\Users\\Kim Doe\\AppData", "Kim Doe"), ("C:\\\\Users\\\\kimdoe\\\\x", "kimdoe"),
        ("file:///home/kimdoe/x", "kimdoe"),
        ("cc -I/home/kimdoe/include", "kimdoe"), ("/mnt/c/Users/kimdoe/x", "kimdoe"),
        ("c:/users/kimdoe/x", "kimdoe"),
      ],
      leaves: [
        "https://example.org/home/start", "GET /api/users/17/items", "GET /home/start HTTP/1.1",
        "/Users/Shared/x",
        "at /home/",
        "/var/www/home/index.html",
      ])
  ]
}
