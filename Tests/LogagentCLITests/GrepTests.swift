// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogQuery
internal import LogagentCLI
internal import TestSupport
internal import Testing

/// `show --grep` passes by blocks of records that can't match, and still finds every match.
@Suite("show --grep")
struct GrepTests {
  private let fixture: CommandLineFixture
  private let folder: TemporaryDirectory
  private let lines: [String]

  init() throws {
    fixture = try CommandLineFixture()
    folder = try TemporaryDirectory()
    fixture.environment["LOGAGENT_STATE_DIR"] = folder.file("state")
    var random = SeededGenerator(seed: 5)
    let words = ["order", "cart", "Timeout", "user=7", "größe", "a.b.c", "retry"]
    var lines: [String] = []
    for index in 0..<21_000 {
      let word = words.randomElement(using: &random) ?? ""
      lines.append(
        "2026-03-01T08:00:0\(index % 10)Z INFO id=\(String(random.next() >> 24, radix: 16)) \(word)"
      )
    }
    lines[5_000] += " needle-in-block"
    lines[9_001] += " NEEDLE-in-block"
    lines[700] += " Mile \u{212a}ilometre"
    lines[9_500] += " wha\u{17f}t"
    self.lines = lines
    let path = try folder.write("app.log", lines.joined(separator: "\n") + "\n")
    #expect(fixture.run("import", path).status == .ok)
  }

  private func found(_ pattern: String) -> [String] {
    fixture.run("show", "--grep", pattern, "-o", "cat").output.split(separator: "\n")
      .map(String.init).sorted()
  }

  /// What `grep` would print, and how many blocks of the store are read for it.
  @Test(
    "finds what is there",
    arguments: [
      ("needle-in-block", 2, true), ("Needle", 0, true), ("NEEDLE", 1, true),
      ("NEEDLE-in-block$", 1, true), ("needle-[a-z]n-block", 2, true),
      ("ne?edle-in-blo+ck", 2, true), ("kilometre", 1, true), ("what", 0, false),
      ("wha[st]t", 1, false), ("(needle|cart-in)", 2, false), ("e-in", 2, false),
      ("\\bneedle\\b", 2, true), ("needle\\-in", 2, true), ("no such text", 0, true),
    ])
  func grep(_ pattern: String, _ count: Int, _ usesFilter: Bool) throws {
    #expect(found(pattern).count == count)
    let store = try QueryStore(path: folder.file("state/logs.db"))
    let given = pattern.contains(where: \.isUppercase) ? pattern : "(?i)" + pattern
    let search = GramSearch(given, in: store)
    #expect((search != nil) == usesFilter)
    if let search { #expect(search.ids.count <= 3) }
  }

  @Test("finds each line by its own id, as a scan does")
  func each() {
    for index in stride(from: 0, to: lines.count, by: 997) {
      let id = lines[index].split(separator: " ")[2]
      let expected = lines.filter { $0.contains(id) }.count
      #expect(found(String(id)).count == expected, "\(id)")
    }
  }
}
