// SPDX-License-Identifier: Apache-2.0

/// The password in a URL: `postgres://kim:…@db.example/app`. Name and host stay.
enum URLRule {
  /// `index` is that of the colon in `://`, `after` the index behind the second slash.
  static func find(_ text: TextBytes, at index: Int, after: Int) -> Finding? {
    guard text.isWord(index - 1) else { return nil }
    for hook in hooks where text.matches(hook, at: after) {
      let start = after + hook.utf8CodeUnitCount
      var end = start
      while text.has(end, ByteClass.key) || "/:".utf8.contains(text.byte(end)) { end += 1 }
      return end > start ? Finding(.urlSecret, start..<end) : nil
    }
    var at = -1
    var colon = -1
    var end = after
    let last = min(text.count, after + 1024)
    scan: while end < last {
      switch text[end] {
      case UInt8(ascii: "@"): at = end
      case UInt8(ascii: ":"): if colon < 0, at < 0 { colon = end }
      case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"):
        // A mark may stand where the password was.
        guard text[end] == UInt8(ascii: "<"), let next = text.endOfMark(at: end) else { break scan }
        end = next
        continue scan
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"):
        // Passwords with a slash that nobody escaped.
        guard at < 0, colon >= 0, let found = lateAt(text, end, last) else { break scan }
        at = found
        break scan
      default: break
      }
      end += 1
    }
    guard at > after else { return nil }
    if colon >= 0, colon < at {
      let range = colon + 1..<at
      if range.isEmpty || TrivialValues.contains(text.slice(range)) { return nil }
      return Finding(.urlPassword, range)
    }
    // A token in the place of the name.
    let name = text.slice(after..<at)
    guard name.count >= 16, name.contains(where: { $0 &- 0x30 < 10 }) else { return nil }
    return name.isMark(0..<name.count) ? nil : Finding(.urlPassword, after..<at)
  }

  /// Whoever knows the rest of these addresses may post there.
  private static let hooks: [StaticString] = [
    "hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
    "api.telegram.org/bot",
  ]

  /// The `@` of `name:pass/word@host`, when no port stands where the password would be.
  private static func lateAt(_ text: TextBytes, _ slash: Int, _ last: Int) -> Int? {
    // host:8080/path@2x is no password.
    var colon = slash
    while colon > 0, text[colon - 1] != UInt8(ascii: ":") { colon -= 1 }
    if text.slice(colon..<slash).allSatisfy({ $0 &- 0x30 < 10 }) { return nil }
    var index = slash
    while index < last, !text.has(index, ByteClass.blank), text[index] != UInt8(ascii: "\"") {
      if text[index] == UInt8(ascii: "@") { return index }
      index += 1
    }
    return nil
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .urlSecret,
      finds: [("POST https://hooks.slack.com/services/T01/B02/hunter2 200", "hunter2")],
      leaves: ["https://hooks.slack.com/ is down"]),
    RuleSamples(
      rule: .urlPassword,
      finds: [
        ("connect postgres://kim:hunter2@db.example:5432/app", "hunter2"),
        ("redis://:hunter2@cache:6379", "hunter2"), ("amqp://kim:h%40/ter2@mq/x", "h%40/ter2"),
        ("https://0123456789abcdef0123@github.example/x", "0123456789abcdef0123"),
      ],
      leaves: [
        "http://example.org:8080/a@2x.png", "ssh://git@example.org/x", "https://example.org/@kim",
        "http://[::1]:80/",
      ]),
  ]
}
