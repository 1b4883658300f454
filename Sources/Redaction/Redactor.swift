// SPDX-License-Identifier: Apache-2.0

internal import Patterns

/// Where a text stands in a bundle, for the counts.
package struct RedactionPlace: Hashable, Sendable {
  /// The member: `logs`, `crashes/7/report`.
  package var file: String
  /// The field: `body`, `attributes`; empty where there are none.
  package var field: String

  package init(_ file: String, _ field: String = "") {
    self.file = file
    self.field = field
  }
}

/// Masks secrets and personal data in texts, each value by the same mark wherever it stands.
///
/// A mark says the rule and a number, `<email:3>`, by order of appearance: the number depends on
/// nothing but that order, so it tells nothing of the value, however few values there may be. Which
/// value has which mark is known in memory only, as a hash, and forgotten with the redactor.
///
/// What comes out holds nothing that the same rules would find. For one thread.
package final class Redactor {
  package struct Count: Sendable {
    package var rule: String
    package var place: RedactionPlace
    package var hits: Int64
  }

  package let rules: RedactionRules
  private let scanner: Scanner
  /// Short texts that nothing was found in: logs say the same ones again and again.
  private let clean: KnownTexts?
  /// Keys of documents that say nothing of their values.
  private let plainKeys: KnownTexts?
  /// Members that `DocumentRedactor.firstFinding` has found clean.
  let cleanMembers: KnownMembers?
  private let matchers: [(rule: Int, matcher: Matcher, group: Int)]
  private var marks: [Int: (rule: Int, number: Int)] = [:]
  private var lastNumber: [Int]
  private var counts: [RedactionPlace: [Int64]] = [:]
  // For one thread, and touched for each text: checked at run time they cost more than some rules.
  @exclusivity(unchecked) private var findings: [Finding] = []
  @exclusivity(unchecked) private var work: [UInt8] = []
  /// Called with each place that is masked: its text, the range, the rule's name.
  package var observer: ((TextBytes, Range<Int>, String) -> Void)?
  /// The value of each mark, for those who have the values anyway; `nil` keeps none.
  package var book: MarkBook?

  /// - Parameters:
  ///   - rules: the rules that are at work.
  ///   - takesShortCuts: whether texts and places that are known to be clean are passed by; the
  ///     result is the same.
  package init(_ rules: RedactionRules, takesShortCuts: Bool = true) {
    self.rules = rules
    let count = RuleID.allCases.count + rules.userRules.count
    scanner = Scanner(names: rules.names, isEnabled: rules.isEnabled, glances: takesShortCuts)
    clean = takesShortCuts ? KnownTexts() : nil
    plainKeys = takesShortCuts ? KnownTexts() : nil
    cleanMembers = takesShortCuts ? KnownMembers() : nil
    lastNumber = [Int](repeating: 0, count: count)
    matchers = rules.userRules.enumerated().compactMap { index, rule in
      guard let pattern = rule.pattern else { return nil }
      let named = pattern.names.first { $0.name == "secret" }?.group
      return (index, Matcher(pattern), named ?? (pattern.groupCount > 0 ? 1 : 0))
    }
  }

  /// Forgets marks and counts: a new bundle begins.
  package func reset() {
    marks.removeAll(keepingCapacity: true)
    counts.removeAll()
    book?.removeAll()
    for index in lastNumber.indices { lastNumber[index] = 0 }
  }

  /// How often each rule hit, by place; sorted.
  package var hits: [Count] {
    counts.flatMap { place, numbers in
      numbers.enumerated().filter { $1 > 0 }.map {
        Count(rule: rules.name($0), place: place, hits: $1)
      }
    }.sorted {
      ($0.rule, $0.place.file, $0.place.field) < ($1.rule, $1.place.file, $1.place.field)
    }
  }

  // MARK: Looking

  /// The name of the first rule that finds something in `text`; `nil` for a clean text.
  package func firstFinding(in text: TextBytes) -> String? {
    find(text)
    return findings.first.map { rules.name($0.rule) }
  }

  private func find(_ text: TextBytes) {
    // Mostly there is nothing to remove, and asking costs less.
    if !findings.isEmpty { findings.removeAll(keepingCapacity: true) }
    if let clean, clean.contains(text) { return }
    scanner.scan(text, into: &findings)
    if !matchers.isEmpty { findByPatterns(text) }
    if findings.isEmpty { clean?.insert(text) }
  }

  private func findByPatterns(_ text: TextBytes) {
    for (rule, matcher, group) in matchers {
      var start = 0
      while start <= text.count, matcher.find(in: text, from: start) {
        let whole = matcher.range(0) ?? start..<start
        start = max(whole.upperBound, start + 1)
        guard let range = matcher.range(group), !range.isEmpty, !isMasked(text, range) else {
          continue
        }
        if !findings.contains(where: { $0.range.overlaps(range) }) {
          findings.append(Finding(userRule: rule, range))
        }
      }
    }
    findings.sort { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether the range is a mark, or lies in one: a pattern such as `\d+` finds its number.
  private func isMasked(_ text: TextBytes, _ range: Range<Int>) -> Bool {
    var start = range.lowerBound
    while start >= 0, range.lowerBound - start < 64 {
      if let end = text.endOfMark(at: start) { return end >= range.upperBound }
      start -= 1
    }
    return false
  }

  // MARK: Masking

  /// Appends `text` with marks in the place of secrets.
  ///
  /// - Returns: whether there were any; if not, nothing is appended.
  package func redact(_ text: TextBytes, at place: RedactionPlace, to target: inout [UInt8]) -> Bool
  {
    find(text)
    if findings.isEmpty { return false }
    var result: [UInt8] = []
    mask(text, place, &result)
    // A mark can end what hid something else: again, until nothing is found. The bound is for
    // patterns of the configuration that could find their own marks for ever.
    for _ in 0..<8 {
      work = result
      let isDone = work.withUnsafeBufferPointer { text in
        find(text)
        if findings.isEmpty { return true }
        result.removeAll(keepingCapacity: true)
        mask(text, place, &result)
        return false
      }
      if isDone { break }
    }
    target.append(contentsOf: result)
    return true
  }

  /// A part of a text with marks for what is found in the whole: the name of a key may stand before
  /// the part that holds its value.
  package func redacted(
    _ part: Range<Int>, of text: TextBytes, at place: RedactionPlace
  ) -> [UInt8] {
    find(text)
    var result: [UInt8] = []
    var index = part.lowerBound
    for finding in findings where finding.range.overlaps(part) {
      result.append(contentsOf: text.slice(index..<max(index, finding.range.lowerBound)))
      appendMark(finding.rule, text.slice(finding.range), place, &result)
      index = min(part.upperBound, finding.range.upperBound)
    }
    result.append(contentsOf: text.slice(index..<part.upperBound))
    // And what shows itself only when the part stands alone.
    var alone: [UInt8] = []
    let isChanged = result.withUnsafeBufferPointer { redact($0, at: place, to: &alone) }
    return isChanged ? alone : result
  }

  /// `text` with marks; itself when there is nothing to mask.
  package func redacted(_ text: String, at place: RedactionPlace) -> String {
    var text = text
    var result: [UInt8] = []
    let isChanged = text.withUTF8 { redact($0, at: place, to: &result) }
    return isChanged ? String(decoding: result, as: UTF8.self) : text
  }

  private func mask(_ text: TextBytes, _ place: RedactionPlace, _ result: inout [UInt8]) {
    var index = 0
    for finding in findings {
      result.append(contentsOf: text.slice(index..<finding.range.lowerBound))
      observer?(text, finding.range, rules.name(finding.rule))
      result.append(contentsOf: finding.quote)
      appendMark(finding.rule, text.slice(finding.range), place, &result)
      result.append(contentsOf: finding.quote)
      index = finding.range.upperBound
    }
    result.append(contentsOf: text.slice(index..<text.count))
  }

  /// Appends the mark of a value that is a secret by the name of its key.
  func appendMark(
    _ rule: Int, _ value: TextBytes, _ place: RedactionPlace, _ target: inout [UInt8]
  ) {
    counts[place, default: [Int64](repeating: 0, count: lastNumber.count)][rule] += 1
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(value))
    let hash = hasher.finalize()
    let mark: (rule: Int, number: Int)
    if let known = marks[hash] {
      mark = known
    } else {
      lastNumber[rule] += 1
      mark = (rule, lastNumber[rule])
      marks[hash] = mark
      book?.add("<\(rules.name(rule)):\(mark.number)>", value)
    }
    target.append(UInt8(ascii: "<"))
    target.append(contentsOf: rules.name(mark.rule).utf8)
    target.append(UInt8(ascii: ":"))
    target.append(contentsOf: String(mark.number).utf8)
    target.append(UInt8(ascii: ">"))
  }

  /// Whether the value of this key is a secret, whatever it is.
  func isSecret(key: TextBytes) -> Bool {
    rules.isEnabled(.secret) && scanner.names.kind(key) != nil
  }

  /// Whether this key is known to be clean, and to say nothing of the value behind it.
  func isPlain(key: TextBytes) -> Bool { plainKeys?.contains(key) == true }

  /// Notes such a key.
  func note(plainKey key: TextBytes) { plainKeys?.insert(key) }

  /// Whether `text` is a flag such as `--token`, so that the next argument is a secret.
  func isSecretFlag(_ text: TextBytes) -> Bool {
    guard text.count > 3, text.matches("--", at: 0), !text.contains(UInt8(ascii: "=")) else {
      return false
    }
    return isSecret(key: text.slice(2..<text.count))
  }
}
