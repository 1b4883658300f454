// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogParser
internal import Testing

@Suite("JSON lines")
struct JSONScannerTests {
  @Test(
    "what is no valid object stays text, byte for byte",
    arguments: [
      #"{"a":1,}"#, #"{"a":01}"#, #"{"a":1 "b":2}"#, #"{"a":+1}"#, #"{"a":NaN}"#, #"{"a":"x}"#,
      #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":[1,]}"#, #"{"a":{"b"}}"#, #"{"a":1}}"#, #"{'a':1}"#,
      "{\"a\":\"b\tc\"}", #"{"a":tru}"#, #"{"a":1.}"#, #"{"a":1e}"#, #"{"a"}"#, "{a:1}", "{}x}",
    ])
  func refuses(line: String) {
    let file = ParsedFile(#"{"msg":"first"}"# + "\n" + line)
    #expect(file.records.count == 2)
    #expect(file.records.last.map { file.string($0.body) } == line)
    #expect(file.records.last.map { file.string($0.attributes.text) } == "")
  }

  @Test("attributes are what Foundation reads from the line")
  func agreesWithFoundation() throws {
    let lines = [
      #"{"a":1,"b":-1.5e+3,"c":true,"d":null,"e":[1,[2,{"f":"}"}]],"g":{"h":{}}, "i" : "j" }"#,
      #"{"ünï":"\u00e9\ud83d\ude00","q":"a\"b\\c\/d","empty":"","":"no name"}"#,
    ]
    for line in lines {
      let file = ParsedFile(line)
      let expected = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary
      let attributes = try file.attributes(0)
      #expect(attributes == expected)
    }
  }

  @Test("a message is unescaped")
  func unescapes() {
    let rows = [
      (#"{"msg":"a\nb\t\"c\" \\ \/ \u00e9 \ud83d\ude00"}"#, "a\nb\t\"c\" \\ / é 😀"),
      (
        #"{"msg":"lone \ud83d and \udc00, nul \u0000"}"#, "lone \u{FFFD} and \u{FFFD}, nul \u{FFFD}"
      ),
      (#"{"msg":{"a":[1]}}"#, #"{"a":[1]}"#), (#"{"msg":12}"#, "12"), (#"{"msg":""}"#, ""),
      (#"{"level":"info"}"#, #"{"level":"info"}"#),
    ]
    for (line, body) in rows {
      let file = ParsedFile(line)
      #expect(file.records.first.map { file.string($0.body) } == body)
    }
  }

  @Test(
    "levels are read as their library means them",
    arguments: [
      (#"{"level":35,"msg":"x"}"#, 9), (#"{"level":10,"msg":"x"}"#, 1),
      (#"{"level":60,"msg":"x"}"#, 21), (#"{"level":3,"short_message":"x"}"#, 17),
      (#"{"level":"WARNING","msg":"x"}"#, 13), (#"{"level":"critical","msg":"x"}"#, 21),
      (#"{"log.level":"warn","message":"x"}"#, 13),
      (#"{"log":{"level":"error"},"message":"x"}"#, 17),
      (#"{"@level":"debug","@message":"x"}"#, 5), (#"{"severity":"ALERT","textPayload":"x"}"#, 19),
      (#"{"s":"D2","msg":"x","t":{"$date":"2026-03-10T20:58:09.401+00:00"}}"#, 5),
      (#"{"level":"Metadata","msg":"x"}"#, 0), (#"{"level":null,"msg":"x"}"#, 0),
      (#"{"level":["x"],"msg":"x"}"#, 0), (#"{"PRIORITY":"3","MESSAGE":"x"}"#, 17),
      (#"{"reqId":"a","level":3,"remoteAddr":"::1","message":"x"}"#, 17),
      (#"{"status":503,"msg":"x"}"#, 17), (#"{"status":"ok","msg":"x"}"#, 0),
    ])
  func readsLevels(line: String, severity: UInt8) {
    #expect(ParsedFile(line).records.first?.severity.number == severity)
  }

  @Test("deep nesting is refused and not followed")
  func refusesDepth() {
    let deep =
      "{\"a\":" + String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000) + "}"
    let file = ParsedFile(deep)
    #expect(file.records.first.map { file.string($0.body) } == deep)
  }

  @Test("a record of a megabyte is read like a small one")
  func readsLongLines() throws {
    let long = String(repeating: "\\n\\\"x", count: 200_000)
    let file = ParsedFile("{\"level\":\"info\",\"extra\":\"\(long)\",\"msg\":\"\(long)\"}")
    #expect(file.isFaithful(0))
    #expect(file.records[0].severity == .info)
    #expect(file.string(file.records[0].body).utf8.count == 600_000)
    let attributes = try file.attributes(0)
    #expect((attributes["extra"] as? String)?.utf8.count == 600_000)
  }
}
