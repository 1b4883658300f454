// SPDX-License-Identifier: Apache-2.0

internal import Redaction
internal import Testing

@Suite("A built-in rule")
struct BuiltInRuleTests {
  static func redact(_ text: String, _ rules: RedactionRules) -> String {
    let redactor = Redactor(rules)
    let once = redactor.redacted(text, at: RedactionPlace("logs"))
    // What is masked stays as it is.
    #expect(redactor.redacted(once, at: RedactionPlace("logs")) == once)
    return once
  }

  @Test("has samples of both kinds", arguments: RuleID.allCases)
  func hasSamples(_ rule: RuleID) {
    let samples = RuleSamples.all.filter { $0.rule == rule }
    #expect(!samples.isEmpty, "\(rule.name)")
    #expect(samples.allSatisfy { !$0.finds.isEmpty && !$0.leaves.isEmpty }, "\(rule.name)")
    #expect(RuleID(name: rule.name) == rule)
  }

  @Test("masks its samples and leaves the others, by itself", arguments: RuleID.allCases)
  func samples(_ rule: RuleID) {
    for samples in RuleSamples.all where samples.rule == rule {
      for (text, secret) in samples.finds {
        let result = Self.redact(text, RedactionRules(only: [rule]))
        #expect(!result.contains(secret), "\(rule.name): \(text) -> \(result)")
        #expect(result.contains("<\(rule.name):1>"), "\(rule.name): \(text) -> \(result)")
      }
      for text in samples.leaves {
        #expect(Self.redact(text, RedactionRules(only: [rule])) == text, "\(rule.name)")
      }
    }
  }

  @Test("masks its samples beside all the others", arguments: RuleID.allCases)
  func together(_ rule: RuleID) {
    var rules = RedactionRules()
    rules.set(rule, isEnabled: true)
    for samples in RuleSamples.all where samples.rule == rule {
      for (text, secret) in samples.finds {
        let result = Self.redact(text, rules)
        #expect(!result.contains(secret), "\(rule.name): \(text) -> \(result)")
      }
      for text in samples.leaves where rule.isDefault {
        #expect(Self.redact(text, rules) == text, "\(rule.name)")
      }
    }
  }
}
