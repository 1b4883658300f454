// SPDX-License-Identifier: Apache-2.0

internal import Redaction
internal import TestSupport
internal import Testing

/// What a redactor passes by because it looks clean, against one that looks at everything.
@Suite("A redactor's short cuts")
struct ShortCutTests {
  /// Two redactors over the same texts, so that their memories have something in them.
  private struct Pair {
    let quick: Redactor
    let plain: Redactor
    private let place = RedactionPlace("logs", "body")

    init(_ rules: RedactionRules) {
      quick = Redactor(rules)
      plain = Redactor(rules, takesShortCuts: false)
    }

    /// The text that the two disagree about; `nil` when they agree.
    func difference(_ text: String) -> String? {
      let masked = plain.redacted(text, at: place)
      let quickly = quick.redacted(text, at: place)
      if quickly != masked { return "\(text)\n-> \(masked)\nnot \(quickly)" }
      return difference(
        inDocument: "{\"n\":1,\"original\":\(Self.quoted(text)),\"list\":[\(Self.quoted(text))]}")
    }

    /// The document that the two disagree about; `nil` when they agree.
    func difference(inDocument document: String) -> String? {
      let (found, quicklyFound) = (rule(plain, document), rule(quick, document))
      return found == quicklyFound
        ? nil : "\(document)\n-> \(found ?? "nothing")\nnot \(quicklyFound ?? "nothing")"
    }

    private func rule(_ redactor: Redactor, _ document: String) -> String? {
      Array(document.utf8).withUnsafeBufferPointer {
        DocumentRedactor.firstFinding(in: $0, with: redactor)
      }
    }

    private static func quoted(_ text: String) -> String {
      var result = "\""
      for scalar in text.unicodeScalars {
        switch scalar {
        case "\"", "\\": result += "\\\(scalar)"
        case "\n": result += "\\n"
        case _ where scalar.value < 0x20: result += " "
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result + "\""
    }
  }

  private static let corpus: [String] =
    RuleSamples.all.flatMap { $0.finds.map(\.text) + $0.leaves } + Planted.all.map(\.text)
    + LookAlikes.all

  /// The built-in rules, all rules there are, and names of one's own.
  private static let rules: [RedactionRules] = {
    var own = RedactionRules()
    own.userRules = [UserRule(name: "plate", pattern: nil, keys: ["license_plate", "x"])]
    return [RedactionRules(), RedactionRules(only: Set(RuleID.allCases)), own]
  }()

  private func expectNoDifference(
    _ texts: [String], _ location: SourceLocation = #_sourceLocation
  ) {
    for (index, rules) in Self.rules.enumerated() {
      let pair = Pair(rules)
      // A third of them does for each of the rarer choices.
      let some = stride(from: index, to: texts.count, by: index == 0 ? 1 : 3).lazy
      let differences = some.compactMap { pair.difference(texts[$0]) }.prefix(3)
      #expect(Array(differences) == [], sourceLocation: location)
    }
  }

  @Test("change nothing in samples, alone and behind each other")
  func samples() {
    var random = SeededGenerator(seed: 1)
    var texts = Self.corpus + Self.corpus
    for first in Self.corpus {
      let separator = ["", " ", "\n", ",", "=", ":", "-", "\"", "/", "\\n"]
        .randomElement(using: &random)
      texts.append(
        first + (separator ?? "") + (Self.corpus.randomElement(using: &random) ?? ""))
    }
    expectNoDifference(texts)
  }

  @Test("change nothing when a sample stands at any place of a log line")
  func places() {
    let lines = [
      "2026-03-01T08:00:00+0000 info com.example.shop: request-id=e8e443df78 user=3579 [Shop] order",
      "10.0.0.7 - - [01/Mar/2026:08:00:00 +0000] \"GET /a/b?x=1 HTTP/1.1\" 200 512 \"-\" \"curl/8\"",
    ].map { Array($0) }
    var texts: [String] = []
    for (index, sample) in Self.corpus.enumerated() where index % 3 == 0 {
      let line = lines[index / 3 % lines.count]
      let place = index * 31 % line.count
      texts.append(String(line[..<place]) + sample + String(line[place...]))
    }
    // One after the other at each place.
    for (offset, sample) in Planted.all.prefix(lines[0].count).enumerated() {
      texts.append(String(lines[0][..<offset]) + sample.text + String(lines[0][offset...]))
    }
    expectNoDifference(texts)
  }

  @Test("change nothing when samples are cut, misspelt or doubled in places")
  func mutations() {
    var random = SeededGenerator(seed: 7)
    let bytes = Array("=:@%-_./\\JABb~><('&[0189 aezEDId\"#;m".unicodeScalars)
    var texts: [String] = []
    for sample in Self.corpus {
      for _ in 0..<3 {
        var scalars = Array(sample.unicodeScalars)
        let place = Int.random(in: 0..<scalars.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: scalars.removeSubrange(place...)
        case 1: scalars.removeSubrange(..<place)
        case 2: scalars.remove(at: place)
        case 3: scalars[place] = bytes.randomElement(using: &random) ?? "="
        default: scalars.insert(bytes.randomElement(using: &random) ?? "=", at: place)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        texts.append(String(text))
      }
    }
    expectNoDifference(texts)
  }

  @Test("change nothing for names of keys, however they are put together")
  func names() {
    let firsts = ["", "session", "sess", "secret", "request", "API", "user", "Auth", "x"]
    let lasts = [
      "id", "ID", "Id", "key", "keys", "pw", "sid", "token", "code", "auth", "value", "some",
      "hash", "b64", "order", "sig", "jwt", "d", "password%5D",
    ]
    var texts: [String] = []
    for (first, last) in firsts.flatMap({ first in lasts.map { (first, $0) } }) {
      for (index, assignment) in ["=", ": ", "\":\"", "%3D", " = ", "\\\":\\\""].enumerated() {
        let separator = ["_", "-", "", ".", "__", "1"][(index + texts.count) % 6]
        texts.append("at=x \"\(first)\(separator)\(last)\(assignment)\(Planted.mixed)\" n=1")
      }
    }
    expectNoDifference(texts)
  }

  @Test("change nothing for documents whose members come again, in any order")
  func members() {
    var random = SeededGenerator(seed: 3)
    let members =
      [
        #""severity_text":"info""#, #""name":"password""#, #""value":"\#(Planted.mixed)""#,
        #""name":"request-number""#, #""password":"\#(Planted.mixed)""#, #""key":"api_key""#,
        #""list":["--token","\#(Planted.mixed)"]"#, #""card_number_there":4111111111111111"#,
        #""attributes":{"name":"token","a":[1,2]}"#, #""password":{"of":"somebody","else":1}"#,
        #""password_of_nobody":"","x":true"#,
      ] + Self.corpus.prefix(40).enumerated().map { #""member_number_\#($0)":"\#($1)""# }
    for rules in Self.rules {
      let pair = Pair(rules)
      for _ in 0..<3000 {
        let some = (0..<Int.random(in: 1...9, using: &random)).map { _ in
          members.randomElement(using: &random) ?? ""
        }
        let document = "{\(some.joined(separator: ","))}"
        let difference = pair.difference(inDocument: document)
        #expect(difference == nil)
        if difference != nil { return }
      }
    }
  }
}
