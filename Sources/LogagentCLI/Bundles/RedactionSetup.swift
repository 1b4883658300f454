// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import LogQuery
internal import Patterns
internal import Redaction

/// The rules of redaction by the configuration, with its own rules tried on their samples.
enum RedactionSetup {
  /// - Throws: `CommandError` of status `configuration` that names the rule and what is wrong.
  static func rules(_ configuration: RedactionConfiguration) throws(CommandError) -> RedactionRules
  {
    var rules = RedactionRules()
    for (names, isEnabled) in [(configuration.disable, false), (configuration.enable, true)] {
      for name in names {
        guard let rule = RuleID(name: name) else {
          let known = RuleID.allCases.map(\.name)
          throw CommandError(
            .configuration,
            "redaction.\(isEnabled ? "enable" : "disable"): unknown rule "
              + "'\(SafeText.escaped(name))'" + NearestName.hint(name, in: known)
              + " (known: \(known.joined(separator: ", ")))")
        }
        rules.set(rule, isEnabled: isEnabled)
      }
    }
    for rule in configuration.rules {
      rules.userRules.append(try userRule(rule))
    }
    return rules
  }

  private static func userRule(_ rule: RedactRule) throws(CommandError) -> UserRule {
    var pattern: Pattern?
    if let text = rule.pattern {
      do throws(PatternError) {
        pattern = try Pattern(text)
      } catch {
        throw failure(rule, error.description)
      }
    }
    let made = UserRule(name: rule.name, pattern: pattern, keys: rule.keys)
    // By itself: a built-in rule must not make a sample pass.
    var alone = RedactionRules(only: rule.keys.isEmpty ? [] : [.secret])
    alone.userRules = [made]
    let redactor = Redactor(alone)
    let finds = { (text: String) in
      redactor.redacted(text, at: RedactionPlace("sample")) != text
    }
    for sample in rule.samples where !finds(sample) {
      throw failure(rule, "nothing is found in its sample '\(sample)'")
    }
    for sample in rule.not where finds(sample) {
      throw failure(rule, "something is found in '\(sample)', in which it must not")
    }
    return made
  }

  private static func failure(_ rule: RedactRule, _ reason: String) -> CommandError {
    CommandError(
      .configuration, SafeText.escaped("\(rule.place): redact '\(rule.name)': \(reason)"))
  }
}
