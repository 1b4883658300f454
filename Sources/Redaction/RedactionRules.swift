// SPDX-License-Identifier: Apache-2.0

package import Patterns

/// A rule of the configuration.
package struct UserRule: Sendable {
  /// The word of its marks: small letters, digits and dashes.
  package var name: String
  /// What it looks for: the group `secret`, else the first group, else all of it.
  package var pattern: Pattern?
  /// Names of keys whose values are secrets; separators and capitals do not matter.
  package var keys: [String]

  package init(name: String, pattern: Pattern?, keys: [String]) {
    self.name = name
    self.pattern = pattern
    self.keys = keys
  }
}

/// The rules that are at work. Built once, passed by value.
package struct RedactionRules: Sendable {
  package var userRules: [UserRule] = []
  /// By `RuleID`, then by user rule.
  var isEnabled: [Bool]

  /// The built-in rules that need no asking.
  package init() { isEnabled = RuleID.allCases.map(\.isDefault) }

  /// Only these.
  package init(only rules: Set<RuleID>) {
    isEnabled = RuleID.allCases.map { rules.contains($0) }
  }

  /// Turns a rule on or off.
  package mutating func set(_ rule: RuleID, isEnabled: Bool) {
    self.isEnabled[rule.rawValue] = isEnabled
  }

  /// Whether a built-in rule is at work.
  package func isEnabled(_ rule: RuleID) -> Bool { isEnabled[rule.rawValue] }

  /// The rule's name, for marks and counts.
  func name(_ rule: Int) -> String {
    rule < RuleID.allCases.count
      ? RuleID.names[rule] : "user-" + userRules[rule - RuleID.allCases.count].name
  }

  var names: SecretNames {
    var names = SecretNames()
    for key in userRules.flatMap(\.keys) { names.own.insert(SecretNames.normalized(key.utf8)) }
    return names
  }
}
