// SPDX-License-Identifier: Apache-2.0

internal import Patterns
internal import Redaction
internal import Testing

@Suite("A redactor")
struct RedactorTests {
  private let place = RedactionPlace("logs", "body")

  @Test("gives the same value the same mark, whatever found it, by order of appearance")
  func pseudonyms() {
    let redactor = Redactor(RedactionRules())
    #expect(redactor.redacted("to b@x.org, a@x.org", at: place) == "to <email:1>, <email:2>")
    #expect(redactor.redacted("to a@x.org", at: place) == "to <email:2>")
    let token = "0123456789abcdef0123"
    #expect(redactor.redacted("token=\(token)", at: place) == "token=<secret:1>")
    #expect(
      redactor.redacted("Authorization: Bearer \(token)", at: place)
        == "Authorization: Bearer <secret:1>")
    redactor.reset()
    #expect(redactor.redacted("to a@x.org", at: place) == "to <email:1>")
  }

  @Test("counts by rule and place, never a value")
  func counts() {
    let redactor = Redactor(RedactionRules())
    _ = redactor.redacted("a@x.org password=hunter2 b@x.org", at: place)
    _ = redactor.redacted("a@x.org", at: RedactionPlace("crashes"))
    let counts = redactor.hits.map { "\($0.rule) \($0.place.file).\($0.place.field) \($0.hits)" }
    #expect(counts == ["email crashes. 1", "email logs.body 2", "secret logs.body 1"])
  }

  @Test("keeps JSON what it is, and looks into its strings")
  func documents() {
    for (text, expected) in [
      ("{\"password\":\"hunter2\",\"n\":1}", "{\"password\":\"<secret:1>\",\"n\":1}"),
      ("{\"password\": 12345 }", "{\"password\": \"<secret:1>\" }"),
      (
        "{\"tokens\":[1,2],\"apiToken\":[\"a1\",{\"x\":2}]}",
        "{\"tokens\":[1,2],\"apiToken\":[\"<secret:1>\",{\"x\":2}]}"
      ),
      ("{\"m\":\"a\\npassword=hunter2\\tb\"}", "{\"m\":\"a\\npassword=<secret:1>\\u0009b\"}"),
      ("[\"--token\",\"hunter2\",\"x\"]", "[\"--token\",\"<secret:1>\",\"x\"]"),
      (
        "{\"name\":\"DB_PASSWORD\",\"value\":\"hunter2\"}",
        "{\"name\":\"DB_PASSWORD\",\"value\":\"<secret:1>\"}"
      ),
      ("{\"kim@x.org\":1}", "{\"<email:1>\":1}"),
      (
        "{\"m\":\"{\\\"password\\\":\\\"hunter2\\\"}\"}",
        "{\"m\":\"{\\\"password\\\":\\\"<secret:1>\\\"}\"}"
      ),
      ("{\"m\":\"\\u006bim@x.org\"}", "{\"m\":\"<email:1>\"}"),
    ] {
      let redactor = Redactor(RedactionRules())
      var result: [UInt8] = []
      let changed = Array(text.utf8).withUnsafeBufferPointer {
        DocumentRedactor.redact($0, with: redactor, at: place, to: &result)
      }
      #expect(changed == true)
      #expect(String(decoding: result, as: UTF8.self) == expected)
      #expect(
        result.withUnsafeBufferPointer { DocumentRedactor.firstFinding(in: $0, with: redactor) }
          == nil)
    }
  }

  @Test("says of broken JSON that it is none")
  func brokenDocuments() {
    for text in ["{\"a\":\"b", "{\"a\":1", "}", "{\"a\":#}"] {
      var result: [UInt8] = []
      let changed = Array(text.utf8).withUnsafeBufferPointer {
        DocumentRedactor.redact($0, with: Redactor(RedactionRules()), at: place, to: &result)
      }
      #expect(changed == nil)
      #expect(result.isEmpty)
    }
  }

  @Test("knows the rules of the configuration: patterns with groups, and names of keys")
  func userRules() throws {
    var rules = RedactionRules()
    rules.userRules = [
      UserRule(name: "customer", pattern: try Pattern("customer (\\d+)"), keys: []),
      UserRule(
        name: "plate", pattern: try Pattern("\\b[A-Z]{2}-\\d{3}\\b"), keys: ["license_plate"]),
    ]
    let redactor = Redactor(rules)
    #expect(
      redactor.redacted("customer 42 and customer 7 in KA-123", at: place)
        == "customer <user-customer:1> and customer <user-customer:2> in <user-plate:1>")
    #expect(redactor.redacted("licensePlate=abc", at: place) == "licensePlate=<secret:1>")
  }

  @Test("finds what is escaped anywhere in a long text")
  func longText() {
    let line = "at=info n=%20 path=/x\n"
    let secret = "{&quot;password&quot;:&quot;hunter2&quot;}\n"
    let lines = String(repeating: line, count: 20_000)
    let result = Redactor(RedactionRules()).redacted(lines + secret + lines + secret, at: place)
    let masked = "{&quot;password&quot;:&quot;<secret:1>&quot;}\n"
    #expect(result == lines + masked + lines + masked)
  }

  @Test("can be told to leave a rule out, or to use one more")
  func choice() {
    var rules = RedactionRules()
    rules.set(.email, isEnabled: false)
    rules.set(.ipv4, isEnabled: true)
    let redactor = Redactor(rules)
    #expect(redactor.redacted("a@x.org 192.0.2.1", at: place) == "a@x.org <ipv4:1>")
  }

  @Test("ends on any bytes, and finds nothing in what it made")
  func anyBytes() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "password", "=", ":", "\"", "\\", "'", "@", "x.org", "%3D", "%40", "<", ">", "--token", " ",
      "\n", "{", "}", "[", "]", "://", "kim", "eyJ", ".", "-----BEGIN ", "PRIVATE KEY-----", "&",
      ";", ",", "4111111111111111", "Bearer ", "/home/", "C:\\Users\\", "Authorization", "Cookie",
      "\u{ff}", "<secret:1>", "AKIA", "1", "é",
    ]
    for _ in 0..<4000 {
      let text = (0..<Int.random(in: 1...14)).map { _ in pieces.randomElement(using: &random) ?? ""
      }
      .joined()
      let redactor = Redactor(RedactionRules())
      let result = redactor.redacted(text, at: place)
      #expect(redactor.redacted(result, at: place) == result, "\(text)")
    }
  }
}
