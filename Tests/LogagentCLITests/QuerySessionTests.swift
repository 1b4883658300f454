// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogQuery
internal import LogagentCLI
internal import SQLite
internal import StoreTestSupport
internal import TestSupport
internal import Testing

/// Types the lines of a test.
private final class TypedLines: LineInput {
  var completions: [String] = []
  var lines: [String]
  var prompts: [String] = []
  var questions = 0

  init(_ lines: [String]) { self.lines = lines }

  func read(prompt: String) -> String? {
    prompts.append(prompt)
    return lines.isEmpty ? nil : lines.removeFirst()
  }
  func begin() { questions += 1 }
  func end() {}
}

@Suite("logagent query")
struct QuerySessionTests {
  private let fixture: CommandLineFixture

  init() throws {
    fixture = try CommandLineFixture()
    let contrib = GeneratedFilesTests.root.appendingPathComponent("contrib/queries").path
    fixture.queryFolders = [fixture.folder.file("queries"), contrib]
  }

  private func type(_ lines: String...) -> (CommandLineFixture.Result, TypedLines) {
    let input = TypedLines(lines)
    fixture.lineInput = input
    return (fixture.run("query"), input)
  }

  @Test("without SQL asks one question after the other, each up to its semicolon")
  private func questions() {
    let (result, input) = type("SELECT 1 AS one;", "", "SELECT 2", "AS two;", ".quit", "SELECT 3;")
    #expect(result.output.hasSuffix("one\n---\n  1\ntwo\n---\n  2\n"))
    #expect(input.prompts.filter { $0 == "     ...> " }.count == 1)
    #expect(input.questions == 2)
    #expect(result.status == .ok)
  }

  @Test("goes on after a mistake, and never writes")
  private func mistakes() {
    let (result, _) = type("SELECT nope;", "DELETE FROM record;", ".moo", ".mode csv", "SELECT 7;")
    #expect(result.errors.contains("no such column: nope"))
    #expect(result.errors.contains("not allowed"))
    #expect(result.errors.contains("unknown command .moo"))
    #expect(result.output.replacing("\r\n", with: "\n").hasSuffix("7\n7\n\n"))
  }

  @Test("offers the names of views and columns")
  private func completions() {
    let (_, input) = type()
    for word in ["logs", "severity_number", "top_frame", "SELECT", ".schema"] {
      #expect(input.completions.contains(word))
    }
  }

  @Test("without SQL and without a terminal says what is missing")
  private func noTerminal() {
    #expect(fixture.run("query").status == .usage)
    #expect(fixture.run("query", "-s", "runs", "SELECT 1").status == .usage)
  }

  @Test("answers saved queries by name; one's own come first")
  private func saved() throws {
    try fixture.folder.write("queries/runs.sql", "-- Mine\nSELECT 'mine' AS whose;\n")
    #expect(fixture.run("query", "--saved", "runs").output == "whose\nmine\n")
    #expect(fixture.run("query", "--list").output.contains("\nruns              Mine\n"))
    #expect(type(".saved runs").0.output.contains("mine"))
    let none = fixture.run("query", "--saved", "rums")
    #expect(none.status == .noInput)
    #expect(none.errors.contains("did you mean 'runs'?"))
    #expect(fixture.run("complete-values", "queries").output.contains("runs\tMine\n"))
  }

  static let names =
    (try? FileManager.default.contentsOfDirectory(
      atPath: GeneratedFilesTests.root.appendingPathComponent("contrib/queries").path)) ?? []

  @Test("has saved queries that can be asked and say what they answer", arguments: names)
  private func installed(_ file: String) throws {
    let name = file.replacing(".sql", with: "")
    let result = fixture.run("query", "--saved", name)
    #expect(result.status == .ok, "\(result.errors)")
    let line = fixture.run("query", "--list").output.split(separator: "\n")
      .first { $0.hasPrefix(name + " ") }
    #expect((line?.count ?? 0) > name.count + 10)
  }

  @Test("describes every view and every column, and no others")
  private func schema() throws {
    var real: [String: [String]] = [:]
    let store = try QueryStore(path: fixture.folder.file("logs.db"))
    try store.forEach(
      """
      SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c
      WHERE s.type = 'view' ORDER BY s.name, c.cid
      """
    ) { real[$0.text(0), default: []].append($0.text(1)) }
    // It only makes texts for the others.
    real["record_text"] = nil
    #expect(Set(real.keys) == Set(ViewReference.all.map(\.name)))
    for view in ViewReference.all { #expect(view.columns.map(\.name) == real[view.name]) }
    let text = fixture.run("query", "--help-schema").output
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(type(".schema gaps").0.output.contains("from_offset"))
  }
}
