// SPDX-License-Identifier: Apache-2.0

/// Private keys in PEM's form, of any kind, also with escaped line ends or cut off.
enum PrivateKeyRule {
  /// `index` is that of the first dash.
  static func find(_ text: TextBytes, at index: Int) -> Finding? {
    // SSH2's own form has four dashes and a blank.
    guard text.matches("-----BEGIN ", at: index) || text.matches("---- BEGIN ", at: index) else {
      return nil
    }
    guard let start = endOfLabel(text, index + 11) else { return nil }
    var end = start
    while end < text.count, !text.matches("-----END ", at: end), !text.matches("---- END ", at: end)
    {
      end += 1
    }
    // Line ends stay, so that a key remains a key for the eye.
    let body = text.slice(start..<end)
    if body.isEmpty || body.isMark(0..<body.count) { return nil }
    return Finding(.privateKey, start..<end)
  }

  private static func endOfLabel(_ text: TextBytes, _ start: Int) -> Int? {
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "-"), end - start < 48 { end += 1 }
    if text.matches(" ----", before: end + 4) { end -= 1 }
    guard text.matches("-----", at: end) || text.matches(" ----", at: end) else { return nil }
    let isPrivate =
      text.matches("PRIVATE KEY", before: end) || text.matches("PRIVATE KEY BLOCK", before: end)
    return isPrivate ? end + 5 : nil
  }

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .privateKey,
      finds: [
        (
          "key\n-----BEGIN " + "PRIVATE KEY-----\nTUlJ\nZm9v\n-----END " + "PRIVATE KEY-----",
          "Zm9v"
        ),
        (
          "-----BEGIN RSA " + "PRIVATE KEY-----\\nTUlJ\\n-----END RSA " + "PRIVATE KEY-----", "TUlJ"
        ),
        ("-----BEGIN EC " + "PRIVATE KEY-----\nTUlJ cut off", "TUlJ"),
      ],
      leaves: [
        "-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----",
        "-----BEGIN " + "PUBLIC KEY-----\nTUlJ\n-----END " + "PUBLIC KEY-----",
      ])
  ]
}
