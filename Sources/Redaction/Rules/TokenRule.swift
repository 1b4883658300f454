// SPDX-License-Identifier: Apache-2.0

/// Secrets that are known by their shape: JWTs, keys of clouds, tokens of services.
enum TokenRule {
  /// How a token begins, the least bytes that follow, and what it is.
  struct Prefix: Sendable {
    let text: StaticString
    let least: Int
    var rule = RuleID.serviceToken
    /// Exactly so many bytes follow.
    var isExact = false
    /// Nothing but hexadecimal digits follow, and as many.
    var isHex = false
  }

  /// Those that end by `_`, found there.
  private static let underscore: [Prefix] = [
    Prefix(text: "ghp_", least: 20), Prefix(text: "gho_", least: 20),
    Prefix(text: "ghu_", least: 20), Prefix(text: "ghs_", least: 20),
    Prefix(text: "ghr_", least: 20), Prefix(text: "github_pat_", least: 20),
    Prefix(text: "sk_live_", least: 10), Prefix(text: "sk_test_", least: 10),
    Prefix(text: "rk_live_", least: 10), Prefix(text: "rk_test_", least: 10),
    Prefix(text: "pk_live_", least: 10), Prefix(text: "whsec_", least: 16),
    Prefix(text: "npm_", least: 30), Prefix(text: "hf_", least: 30),
    Prefix(text: "dop_v1_", least: 32), Prefix(text: "doo_v1_", least: 32),
    Prefix(text: "shpat_", least: 24), Prefix(text: "shpss_", least: 24),
    Prefix(text: "shppa_", least: 24), Prefix(text: "lin_api_", least: 30),
    Prefix(text: "figd_", least: 30), Prefix(text: "dckr_pat_", least: 20),
    Prefix(text: "tfp_", least: 30), Prefix(text: "gsk_", least: 40),
    Prefix(text: "secret_", least: 40), Prefix(text: "ntn_", least: 40),
    Prefix(text: "rubygems_", least: 40), Prefix(text: "sntrys_", least: 40),
    Prefix(text: "phc_", least: 40), Prefix(text: "phx_", least: 40),
    Prefix(text: "dp_pt_", least: 40), Prefix(text: "shpca_", least: 24),
    Prefix(text: "dor_v1_", least: 32), Prefix(text: "glsa_", least: 32),
    Prefix(text: "glc_", least: 32), Prefix(text: "sntryu_", least: 40),
    Prefix(text: "pscale_tkn_", least: 30), Prefix(text: "pscale_pw_", least: 30),
    Prefix(text: "vercel_blob_rw_", least: 20),
    Prefix(text: "sb_secret_", least: 20), Prefix(text: "sbp_", least: 32),
    Prefix(text: "fm2_", least: 40),
  ]
  private static let dash: [Prefix] = [
    Prefix(text: "glpat-", least: 18), Prefix(text: "gldt-", least: 18),
    Prefix(text: "glrt-", least: 18), Prefix(text: "glptt-", least: 18),
    Prefix(text: "glcbt-", least: 18), Prefix(text: "glft-", least: 18),
    Prefix(text: "glsoat-", least: 18), Prefix(text: "glagent-", least: 18),
    Prefix(text: "glimt-", least: 18), Prefix(text: "glffct-", least: 18),
    Prefix(text: "xai-", least: 40), Prefix(text: "nvapi-", least: 40),
    Prefix(text: "tskey-auth-", least: 20), Prefix(text: "tskey-api-", least: 20),
    Prefix(text: "pplx-", least: 40), Prefix(text: "CFPAT-", least: 40),
    Prefix(text: "key-", least: 32, isHex: true), Prefix(text: "xoxb-", least: 10),
    Prefix(text: "xoxp-", least: 10), Prefix(text: "xoxa-", least: 10),
    Prefix(text: "xoxr-", least: 10), Prefix(text: "xoxs-", least: 10),
    Prefix(text: "xoxe-", least: 10), Prefix(text: "xapp-", least: 10),
    Prefix(text: "sk-ant-", least: 20), Prefix(text: "sk-proj-", least: 20),
    Prefix(text: "sk-", least: 40), Prefix(text: "NRAK-", least: 20),
    Prefix(text: "PMAK-", least: 24), Prefix(text: "sq0atp-", least: 20),
    Prefix(text: "sq0csp-", least: 20), Prefix(text: "xkeysib-", least: 40),
    Prefix(text: "GOCSPX-", least: 20, rule: .cloudKey), Prefix(text: "pypi-AgEI", least: 30),
    Prefix(text: "AGE-SECRET-KEY-", least: 50), Prefix(text: "pul-", least: 40),
  ]
  private static let dot: [Prefix] = [
    Prefix(text: "SG.", least: 30), Prefix(text: "hvs.", least: 20),
    Prefix(text: "hvb.", least: 20), Prefix(text: "dp.pt.", least: 40),
    Prefix(text: "ya29.", least: 20, rule: .cloudKey),
  ]
  private static let capital: [Prefix] = [
    Prefix(text: "AKIA", least: 16, rule: .cloudKey, isExact: true),
    Prefix(text: "ASIA", least: 16, rule: .cloudKey, isExact: true),
    Prefix(text: "ABIA", least: 16, rule: .cloudKey, isExact: true),
    Prefix(text: "ACCA", least: 16, rule: .cloudKey, isExact: true),
    Prefix(text: "AIza", least: 35, rule: .cloudKey),
    Prefix(text: "ATATT3", least: 40), Prefix(text: "ATCTT3", least: 40),
  ]

  /// Which two bytes end a prefix before its separator, by `end`: few words of logs do.
  static let ends: [Bool] = {
    var ends = [Bool](repeating: false, count: 4 << 10)
    for (list, separator) in [(underscore, "_"), (dash, "-"), (dot, ".")]
      as [([Prefix], Unicode.Scalar)]
    {
      for prefix in list {
        let bytes = UnsafeBufferPointer(
          start: prefix.text.utf8Start, count: prefix.text.utf8CodeUnitCount)
        guard let place = bytes.lastIndex(of: UInt8(ascii: separator)), place > 1 else { continue }
        ends[end(bytes[place - 2], bytes[place - 1], UInt8(ascii: separator))] = true
      }
    }
    return ends
  }()

  /// A number for a separator and the two bytes before it, whether capital or small.
  @inline(__always)
  static func end(_ second: UInt8, _ last: UInt8, _ separator: UInt8) -> Int {
    // The three separators differ in these bits.
    Int(separator & 3) << 10 | Int(second & 31) << 5 | Int(last & 31)
  }

  /// Whether a prefix begins by `A` and this byte.
  @inline(__always)
  static func mayFollowCapital(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "K"), UInt8(ascii: "S"), UInt8(ascii: "B"), UInt8(ascii: "C"),
      UInt8(ascii: "I"), UInt8(ascii: "T"):
      true
    default: false
    }
  }

  private static let underscoreByLetter = byLetter(underscore, "_")
  private static let dashByLetter = byLetter(dash, "-")
  private static let dotByLetter = byLetter(dot, ".")

  /// The prefixes by the byte before their separator, the last one of that kind that they hold.
  private static func byLetter(_ list: [Prefix], _ separator: Unicode.Scalar) -> [[Prefix]] {
    var table = [[Prefix]](repeating: [], count: 256)
    for prefix in list {
      let bytes = UnsafeBufferPointer(
        start: prefix.text.utf8Start, count: prefix.text.utf8CodeUnitCount)
      guard let place = bytes.lastIndex(of: UInt8(ascii: separator)), place > 0 else { continue }
      table[Int(bytes[place - 1])].append(prefix)
    }
    return table
  }

  /// `index` is that of `_`, `-` or `.`.
  static func findPrefixed(_ text: TextBytes, at index: Int) -> Finding? {
    let separator = text[index]
    // Most words before a separator end by a letter that no prefix ends by.
    let last = Int(text.byte(index - 1))
    let list: [Prefix]
    switch separator {
    case UInt8(ascii: "_"): list = underscoreByLetter[last]
    case UInt8(ascii: "-"): list = dashByLetter[last]
    default: list = dotByLetter[last]
    }
    for prefix in list {
      let start: Int
      if prefix.text.utf8Start[prefix.text.utf8CodeUnitCount - 1] == separator {
        start = index + 1 - prefix.text.utf8CodeUnitCount
      } else {
        start = index - 4
      }
      if let finding = find(text, prefix, at: start) { return finding }
    }
    return nil
  }

  /// `index` is that of `A`.
  static func findCapital(_ text: TextBytes, at index: Int) -> Finding? {
    for prefix in capital {
      if let finding = find(text, prefix, at: index) { return finding }
    }
    return nil
  }

  private static func find(_ text: TextBytes, _ prefix: Prefix, at start: Int) -> Finding? {
    guard text.matches(prefix.text, at: start), isStart(text, start) else { return nil }
    let body = start + prefix.text.utf8CodeUnitCount
    if prefix.isExact {
      let end = text.end(of: ByteClass.upper | ByteClass.digit, from: body)
      guard end - body == prefix.least, !text.has(end, ByteClass.letter) else { return nil }
      return Finding(prefix.rule, start..<end)
    }
    var end = text.end(of: ByteClass.key, from: body)
    while end > body, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    if prefix.isHex, end - body != prefix.least || text.end(of: ByteClass.hex, from: body) != end {
      return nil
    }
    guard end - body >= prefix.least, isRandom(text.slice(body..<end)) else { return nil }
    return Finding(prefix.rule, start..<end)
  }

  /// Not in the middle of a word; behind an escape such as `\n` it is the start of one.
  private static func isStart(_ text: TextBytes, _ start: Int) -> Bool {
    if !text.isWord(start - 1) && text.byte(start - 1) != UInt8(ascii: "_") { return true }
    return text.isEscape(start - 1) || text.byte(start - 3) == UInt8(ascii: "%")
  }

  private static func isRandom(_ body: TextBytes) -> Bool { body.contains { $0 &- 0x30 < 10 } }

  /// `index` is that of the `J` in `eyJ`.
  static func findJWT(_ text: TextBytes, at index: Int) -> Finding? {
    let start = index - 2
    guard text.matches("ey", at: start), isStart(text, start) else { return nil }
    var end = index + 1
    var dots = 0
    while text.has(end, ByteClass.letter | ByteClass.digit) || "-_.".utf8.contains(text.byte(end)) {
      if text[end] == UInt8(ascii: ".") {
        if end < index + 8 && dots == 0 { return nil }
        dots += 1
      }
      end += 1
    }
    guard dots >= 1 else { return nil }
    while text[end - 1] == UInt8(ascii: ".") { end -= 1 }
    return end - start >= 24 ? Finding(.jwt, start..<end) : nil
  }

  /// A key of Azure's storage: 86 digits of base64 and `==`, at whose first `=` `index` is.
  static func findAzureKey(_ text: TextBytes, at index: Int) -> Finding? {
    guard text.byte(index + 1) == UInt8(ascii: "="), text.byte(index + 2) != UInt8(ascii: "=")
    else {
      return nil
    }
    var start = index
    while start > 0, index - start < 88,
      text.isWord(start - 1) || "+/".utf8.contains(text[start - 1])
    {
      start -= 1
    }
    if index - start == 87, text.isEscape(start) { start += 1 }
    return index - start == 86 ? Finding(.cloudKey, start..<index + 2) : nil
  }

  /// A bot's token of Telegram, `123456789:AA…`, at whose colon `index` is.
  static func findBotToken(_ text: TextBytes, at index: Int) -> Finding? {
    guard text.matches("AA", at: index + 1), text.has(index - 8, ByteClass.digit) else {
      return nil
    }
    let start = text.start(of: ByteClass.digit, before: index, limit: 12)
    let end = text.end(of: ByteClass.key, from: index + 1)
    guard index - start >= 8, end - index - 1 >= 33, end - index - 1 <= 40 else { return nil }
    return Finding(.serviceToken, start..<end)
  }

  /// A client secret of Azure: `abc8Q~…`, at whose `~` `index` is.
  static func findAzureSecret(_ text: TextBytes, at index: Int) -> Finding? {
    guard text.byte(index - 1) == UInt8(ascii: "Q"), text.has(index - 2, ByteClass.digit) else {
      return nil
    }
    let start = index - 5
    var end = index + 1
    while text.has(end, ByteClass.key) || text.byte(end) == UInt8(ascii: "~") { end += 1 }
    guard start >= 0, end - index >= 31 else { return nil }
    return Finding(.cloudKey, start..<end)
  }

  // Put together here, so that no scanner takes this file for a leak.
  private static let hex = "0123456789abcdef"
  private static let mixed = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8"

  static let samples: [RuleSamples] = [
    RuleSamples(
      rule: .jwt,
      finds: [
        ("jwt eyJhbGciOiJI" + "UzI1NiJ9.eyJzdWIiOiJraW0ifQ." + hex + " ok", hex),
        ("\\neyJhbGciOiJI" + "UzI1NiJ9.eyJzdWIiOiJraW0ifQ.", "eyJhbGciOiJI"),
      ],
      leaves: ["eyJoking.about it", "heyJude.mp3", "eyJhbGciOiJI alone"]),
    RuleSamples(
      rule: .cloudKey,
      finds: [
        ("found AKIA" + "CASE53EXAMPLE0AB in", "CASE53EXAMPLE0AB"),
        ("key AIza" + mixed + "Qr9St0Uv1Wx ok", mixed),
        ("ya29." + mixed, mixed), ("GOCSPX-" + mixed, mixed),
        ("x " + hex + hex + hex + hex + hex + "abcdef" + "== y", "abcdef=="),
        ("abc8Q~" + mixed + mixed, mixed),
      ],
      leaves: ["AKIAS are birds", "AKIA" + "short", "AIzawa met us", "sum a==b", "12Q~3"]),
    RuleSamples(
      rule: .serviceToken,
      finds: [
        ("ghp_" + mixed, mixed), ("github_pat_" + mixed, mixed), ("glpat-" + mixed, mixed),
        ("xoxb-" + hex, hex), ("sk_live_" + mixed, mixed), ("npm_" + mixed + mixed, mixed),
        ("bot 123456789:AA" + mixed + "Qr9St0Uv1 ok", mixed), ("sk-ant-" + mixed, mixed),
        ("SG." + mixed + "." + mixed, mixed), ("hvs." + mixed, mixed),
      ],
      leaves: [
        "task-force-of-people-who-work-on-the-risk-assessment-1", "ghp_short", "my_secret_santa",
        "disk-0123456789abcdef0123456789abcdef01234567", "npm_config_registry",
      ]),
  ]
}
