// SPDX-License-Identifier: Apache-2.0

internal import LogParser
internal import Testing

@Suite struct JSONTreeTests {
  private func tree(_ text: String) -> JSONTree { JSONTree([UInt8](text.utf8)) }
  private func root(_ text: String) throws -> JSONValue { try #require(tree(text).root) }

  @Test func readsValuesOfEveryKind() throws {
    let value = try root(
      #"{"s":"a\"b\\\u00e9\ud83d\ude00\n","i":-7,"d":2.5e3,"t":true,"f":false,"n":null,"l":[1,[2],{}]}"#
    )
    #expect(value["s"]?.string == "a\"b\\é😀\n")
    #expect(value["i"]?.int == -7)
    #expect(value["d"]?.double == 2500)
    #expect(value["d"]?.int == 2500)
    #expect(value["t"]?.bool == true)
    #expect(value["f"]?.bool == false)
    #expect(value["n"]?.isNull == true)
    #expect(value["l"]?.elements.map { $0.int } == [1, nil, nil])
    #expect(value.keys == ["s", "i", "d", "t", "f", "n", "l"])
    #expect(value["missing"] == nil)
  }

  @Test func integersOf64BitsAreExact() throws {
    let value = try root(
      #"[9223372036854775807,-9223372036854775808,18446744073709551615,9007199254740993,"0xffffffffffffffff"]"#
    )
    let list = Array(value.elements)
    #expect(list[0].int == .max)
    #expect(list[1].int == .min)
    #expect(list[2].int == nil)
    #expect(list[2].address == .max)
    #expect(list[3].int == 9_007_199_254_740_993)
    #expect(list[4].address == .max)
  }

  @Test func numbersOutOfRangeAreKeptAsTextAndDouble() throws {
    let list = Array(
      try root("[1e999,1234567890123456789012345678901234567890,NaN,-Infinity]").elements)
    #expect(
      list.map(\.scalarText) == [
        "1e999", "1234567890123456789012345678901234567890", "NaN", "-Infinity",
      ])
    #expect(list[0].double == .infinity)
    #expect(list[1].double == 1.2345678901234568e39)
    #expect(list[2].double?.isNaN == true)
    #expect(list.allSatisfy { $0.int == nil })
  }

  @Test func theLastOfDuplicateKeysWins() throws {
    #expect(try root(#"{"a":1,"b":2,"a":3}"#)["a"]?.int == 3)
  }

  @Test(
    arguments: [
      (#"{"a":1,"b":"x"#, 9), (#"{"a":1,"b":tr"#, 11), (#"{"a":1,"b":12"#, 11),
      (#"{"a":1,"b":[1,2"#, 14), (#"{"a":1,"b""#, 10), (#"{"a":1,"b":"#, 11), (#"{"a":1,"#, 7),
      (#"{"a":1"#, 5), (#"{"a":1,]"#, 7), (#"{"a":1,"b":@}"#, 11), (#"{"a":1,"b":"x\"#, 11),
    ])
  func aBreakKeepsWhatWasCompleteAndTellsWhere(text: String, offset: Int) throws {
    let tree = tree(text)
    let offsets = [offset, offset + 2]
    #expect(offsets.contains(try #require(tree.breakOffset)), "\(tree.breakReason ?? "")")
    #expect(!tree.isWhole)
    if text != #"{"a":1"# { #expect(tree.root?["a"]?.int == 1) }
    #expect(tree.root?["b"]?.scalarText == nil)
  }

  @Test func aCutListKeepsItsWholeElements() throws {
    let value = try root(#"{"threads":[{"index":0,"name":"a"},{"index":1,"na"#)
    let threads = Array(try #require(value["threads"]).elements)
    #expect(threads.map { $0["index"]?.int } == [0, 1])
    #expect(threads[1]["name"] == nil)
  }

  @Test(
    arguments: [
      #"{"a":[1,2,],"b":"x",}"#, #"{"a":[1 2],"b":"x"}"#, #"{"a":[,1,,2] "b":"x"}"#,
      "\u{FEFF}" + #" {"a":[1,2],"b":"x"} "#,
    ])
  func strayCommasAndMarksAreForgiven(text: String) throws {
    let tree = tree(text)
    #expect(tree.isWhole)
    #expect(tree.root?["a"]?.elements.compactMap(\.int) == [1, 2])
    #expect(tree.root?["b"]?.string == "x")
  }

  @Test func aQuoteThatWasNotEscapedStaysInTheText() throws {
    let value = try root(#"{"path":"/a/"b"/c","next":"d"}"#)
    #expect(value["path"]?.string == #"/a/"b"/c"#)
    #expect(value["next"]?.string == "d")
  }

  @Test func bytesThatAreNoUTF8AreReplaced() throws {
    let tree = JSONTree([UInt8](#"{"a":""#.utf8) + [0x63, 0xE9, 0xFF] + [UInt8](#"","b":1}"#.utf8))
    #expect(tree.root?["a"]?.string == "c\u{FFFD}\u{FFFD}")
    #expect(tree.root?["b"]?.int == 1)
  }

  @Test(arguments: [#""\ud800""#, #""\udc00x""#, #""\u12""#, #""\uZZZZ""#, #""\q""#, #""\u+123""#])
  func oddEscapesAreText(text: String) throws {
    #expect(try root(text).string != nil)
  }

  @Test func whatLiesTooDeepIsSkippedAndTheRestIsRead() throws {
    let deep = String(repeating: "[", count: 2000) + #""]" "# + String(repeating: "]", count: 2000)
    let value = try root(#"{"deep":\#(deep),"after":1}"#)
    #expect(value["after"]?.int == 1)
  }

  @Test func ofALongArrayTheFirstElementsAreKept() throws {
    let value = try root(
      #"{"l":[\#(String(repeating: #"{"a":[1]},"#, count: 20_000))2],"after":3}"#)
    #expect(try #require(value["l"]).elements.reduce(0) { count, _ in count + 1 } == 10_000)
    #expect(value["after"]?.int == 3)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["[", "{\"a\":", "[{\"a\":"])
  func endlessNestingIsBounded(opening: String) {
    let tree = tree(String(repeating: opening, count: 50_000))
    #expect(tree.breakOffset != nil)
    #expect(tree.root != nil)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [#""a" "#, "\"a\n", "\"", #"\"#, "{\"a\" ", "[[]", "1 ", ",", "{\"a\":\"\"\"\""])
  func timeIsLinearInTheLength(piece: String) {
    let text = "[" + String(repeating: piece, count: 2_000_000 / piece.utf8.count)
    #expect(tree(text).root != nil)
  }

  @Test(arguments: ["", "  ", "x", "}", "nul", "\"", "-"])
  func whatIsNoJSONHasNoRoot(text: String) {
    #expect(tree(text).root?.isObject != true)
    #expect(tree(text).isWhole == false)
  }
}
