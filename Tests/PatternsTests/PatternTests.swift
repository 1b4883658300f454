// SPDX-License-Identifier: Apache-2.0

internal import Patterns
internal import TestSupport
internal import Testing

@Suite("A pattern")
struct PatternTests {
  @Test(
    "matches as Perl would",
    arguments: [
      ("a+b", "xaab", true), ("^a", "ba", false), ("\\d{3}", "ab123", true),
      ("(?i)ERROR", "an error", true), ("ü", "grün", true), ("^.$", "ü", true), ("", "", true),
    ])
  func matching(_ pattern: String, _ text: String, _ expected: Bool) throws {
    #expect(try Pattern(pattern).matches(text) == expected)
  }

  @Test("can ignore case")
  func ignoringCase() throws {
    #expect(try Pattern("grün", ignoresCase: true).matches("GRÜN"))
    #expect(try !Pattern("grün").matches("GRÜN"))
  }

  @Test("goes on behind bytes that are no UTF-8")
  func invalidText() throws {
    let pattern = try Pattern("end$")
    let bytes: [UInt8] = [0xff, 0xfe, 0x20] + Array("the end".utf8)
    #expect(bytes.withUnsafeBufferPointer { pattern.matches($0) })
  }

  @Test("gives its named groups", arguments: ["7 of 9", "prefix 7 of 9"])
  func groups(_ text: String) throws {
    let pattern = try Pattern("(?<first>\\d) of (?<second>\\d)(?<third>x)?")
    #expect(pattern.names.map(\.name) == ["first", "second", "third"])
    #expect(pattern.names.map(\.group) == [1, 2, 3])
    #expect(pattern.groupCount == 3)
    let matcher = Matcher(pattern)
    let bytes = Array(text.utf8)
    #expect(bytes.withUnsafeBufferPointer { matcher.find(in: $0) })
    let second = try #require(matcher.range(2))
    #expect(bytes[second].elementsEqual("9".utf8))
    #expect(matcher.range(3) == nil)
  }

  @Test("says where a mistake is")
  func mistakes() throws {
    let error = #expect(throws: PatternError.self) { try Pattern("ab(c") }
    #expect(
      try #require(error).description
        == "pattern 'ab(c': missing closing parenthesis, at character 5")
  }

  @Test("that backtracks without end gives up, and says so")
  func backtracking() throws {
    let matcher = Matcher(try Pattern("^(a|aa|aaa)*\\1$"))
    let text = [UInt8](repeating: UInt8(ascii: "a"), count: 60) + [UInt8(ascii: "b")]
    #expect(text.withUnsafeBufferPointer { !matcher.find(in: $0) })
    #expect(matcher.failure != nil)
    #expect([UInt8](repeating: 97, count: 2).withUnsafeBufferPointer { matcher.find(in: $0) })
    #expect(matcher.failure == nil)
  }

  @Test("that is anchored matches only where the search begins")
  func anchored() throws {
    #expect(try Pattern("b", isAnchored: true).matches("ba"))
    #expect(try !Pattern("b", isAnchored: true).matches("ab"))
  }

  @Test(
    "tells how far it gets in a text that it does not match",
    arguments: [
      ("(\\d+) (\\w+)!", "12 ab?", 5), ("(\\d+) (\\w+)!", "12 ab", 5), ("abc", "xbc", 0),
      ("ü=(\\d+)$", "ü=7x", 4), ("a*", "aaab", 4),
    ])
  func reach(_ pattern: String, _ text: String, _ expected: Int) throws {
    let matcher = Matcher(try Pattern(pattern))
    #expect(Array(text.utf8).withUnsafeBufferPointer { matcher.reach(in: $0) } == expected)
  }
}
