// SPDX-License-Identifier: Apache-2.0

internal import Redaction

/// `redactions.json`: how often each rule hit, by file and field; never a value.
enum RedactionSummary {
  static func json(_ counts: [Redactor.Count]) -> [UInt8] {
    var text = JSONBuilder()
    text.object {
      $0.object("rules") { rules in
        for (rule, hits) in byRule(counts) { rules.member(rule, hits) }
      }
    }
    text.array("places", counts) { object, count in
      object.member("rule", count.rule)
      object.member("file", count.place.file)
      object.member("field", count.place.field.isEmpty ? nil : count.place.field)
      object.member("hits", count.hits)
    }
    return text.finish()
  }

  /// The sums, by rule.
  static func byRule(_ counts: [Redactor.Count]) -> [(rule: String, hits: Int64)] {
    var sums: [(rule: String, hits: Int64)] = []
    for count in counts {
      if sums.last?.rule != count.rule { sums.append((count.rule, 0)) }
      sums[sums.count - 1].hits += count.hits
    }
    return sums
  }
}
