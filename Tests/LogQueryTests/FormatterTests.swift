// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogQuery
internal import StoreTestSupport
internal import TestSupport
internal import Testing

@Suite("A result")
struct FormatterTests {
  private let fixture: QueryFixture

  init() throws { fixture = try QueryFixture() }

  @Test("as CSV neutralises formulas in text, not in numbers")
  func formulas() throws {
    let sql = """
      VALUES ('=40+2', -5), ('+1', 2.5), ('-2+3', NULL), ('@SUM(A1)', 1), (char(9) || '=1', 1),
        (char(13) || 'x', 1), (' =1', 1), ('say "hi", ok', 1), ('two' || char(10) || 'lines', 1),
        ('', 1)
      """
    #expect(
      try fixture.ask(sql, .csv).replacing("\r\n", with: "|") == """
        column1,column2|'=40+2,-5|'+1,2.5|'-2+3,|'@SUM(A1),1|'\t=1,1|"'\rx",1|" =1",1|\
        "say ""hi"", ok",1|"two\nlines",1|"",1|
        """)
    #expect(try fixture.ask("SELECT '=1' AS a", .csv, raw: true) == "a\r\n=1\r\n")
  }

  @Test("as JSON has every value in its type")
  func json() throws {
    #expect(
      try fixture.ask(
        "SELECT 1 AS a, 2.5 AS b, NULL AS c, 'x\"\\' || char(10, 27, 8238) AS d, x'00ff' AS e, 9e999",
        .json)
        == "{\"a\":1,\"b\":2.5,\"c\":null,\"d\":\"x\\\"\\\\\\n\\u001b\\u202e\",\"e\":\"00ff\",\"9e999\":null}\n"
    )
    #expect(try fixture.ask("SELECT 1 AS a, 2 AS a", .json) == "{\"a\":1,\"a_2\":2}\n")
    let odd = try fixture.ask("SELECT CAST(x'61ff62' AS TEXT) AS a", .json)
    #expect(odd == "{\"a\":\"a\u{fffd}b\"}\n")
    _ = try JSONSerialization.jsonObject(with: Data(odd.utf8))
  }

  @Test("as TSV has one line a row")
  func tsv() throws {
    #expect(
      try fixture.ask("SELECT 'a' || char(9) || 'b' || char(10) || '\\' AS t, x'0a' AS h")
        == "t\th\na\\tb\\n\\\\\t0a\n")
  }

  @Test(
    "without rows is the header, or nothing in JSON",
    arguments: [
      (ResultFormat.table, "body  n\n----  -\n"), (.csv, "body,n\r\n"), (.tsv, "body\tn\n"),
      (.json, ""),
    ])
  func empty(_ format: ResultFormat, _ expected: String) throws {
    #expect(try fixture.ask("SELECT body, 1 AS n FROM logs", format) == expected)
  }

  @Test("as a table has numbers to the right and text to the left")
  func table() throws {
    #expect(
      try fixture.ask(
        "SELECT 'a' AS name, 5 AS n, 'x' AS z UNION ALL VALUES ('bcdef', 100, '')", .table)
          == """
          name     n  z
          -----  ---  -
          a        5  x
          bcdef  100  \n
          """)
  }

  @Test("as a table fits a terminal, and holds no control characters")
  func terminal() throws {
    let sink = MemorySink()
    sink.isTerminal = true
    sink.columns = 40
    let text = try fixture.ask(
      "VALUES (1, 'short', char(27) || '[31m' || char(10) || printf('%.200c', 'x')), (2, '日本語', '')",
      .table, sink: sink)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { SafeText.width(String($0)) <= 40 })
    #expect(lines[2].contains("\\x1b[31m\\nxx") && lines[2].hasSuffix("…"))
    #expect(!text.utf8.contains(0x1b))
  }

  @Test("as a table streams after its first rows")
  func tableStreams() throws {
    let text = try fixture.ask(
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 1000) SELECT i FROM n",
      .table)
    #expect(text.split(separator: "\n").count == 1002)
    #expect(text.hasSuffix("1000\n"))
  }

  @Test("on a terminal never holds raw control characters", arguments: ResultFormat.allCases)
  func controls(_ format: ResultFormat) throws {
    let sink = MemorySink()
    sink.isTerminal = true
    let text = try fixture.ask("SELECT char(27, 155, 7) AS a", format, sink: sink)
    #expect(!text.unicodeScalars.contains { $0 != "\n" && $0 != "\r" && SafeText.isControl($0) })
  }
}
