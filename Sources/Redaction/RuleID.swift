// SPDX-License-Identifier: Apache-2.0

/// A built-in rule by number; its name is the word of its marks.
package enum RuleID: Int, CaseIterable, Sendable {
  case privateKey
  case authorization
  case cookie
  case bearer
  case jwt
  case cloudKey
  case serviceToken
  case urlPassword
  case urlSecret
  case connectionString
  case secret
  case email
  case card
  case iban
  case homeUser
  case phone
  case ipv4
  case ipv6
  case mac
  case hostName

  /// As in `redaction.disable` and in marks.
  package var name: String { Self.names[rawValue] }

  static let names = [
    "private-key", "authorization", "cookie", "bearer", "jwt", "cloud-key", "service-token",
    "url-password", "url-secret", "connection-string", "secret", "email", "card", "iban",
    "home-user", "phone", "ipv4", "ipv6", "mac", "host-name",
  ]

  /// Whether it works without being asked for. The others take away what support often needs.
  package var isDefault: Bool {
    switch self {
    case .phone, .ipv4, .ipv6, .mac, .hostName: false
    default: true
    }
  }

  /// The rule of that name.
  package init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: index)
  }
}

/// A place that a rule has found.
struct Finding {
  var rule: Int
  /// What is masked.
  var range: Range<Int>
  /// Set around the mark where JSON needs a string.
  var quote: ArraySlice<UInt8> = []

  init(_ rule: RuleID, _ range: Range<Int>) {
    self.rule = rule.rawValue
    self.range = range
  }

  init(userRule: Int, _ range: Range<Int>) {
    self.rule = RuleID.allCases.count + userRule
    self.range = range
  }
}

/// Texts that a rule must find something in, and texts that it must leave alone.
package struct RuleSamples: Sendable {
  package var rule: RuleID
  /// A text, and the part of it that must be gone.
  package var finds: [(text: String, secret: String)]
  package var leaves: [String]

  /// Of all built-in rules.
  package static let all: [RuleSamples] =
    KeyedSecretRule.samples + CommandRule.samples + HeaderRule.samples + TokenRule.samples
    + URLRule.samples
    + PrivateKeyRule.samples + MailRule.samples + NumberRule.samples + HomeRule.samples
    + NetworkRule.samples
}
