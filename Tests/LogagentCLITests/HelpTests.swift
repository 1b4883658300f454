// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogModel
internal import LogagentCLI
internal import TestSupport
internal import Testing

/// The texts lie in `Snapshots`; `LOGAGENT_RECORD=1 swift test` writes them anew.
@Suite("The help of")
struct HelpTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Snapshots")

  private func compare(_ name: String, _ text: String) throws {
    let url = Self.folder.appendingPathComponent("help-\(name).txt")
    if ProcessInfo.processInfo.environment["LOGAGENT_RECORD"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    #expect(try String(contentsOf: url, encoding: .utf8) == text)
  }

  @Test("the program is as in its snapshot")
  func program() throws {
    try compare("program", try CommandLineFixture().run("--help").output)
  }

  @Test("each command is as in its snapshot", arguments: Command.visible.map(\.name))
  func command(_ name: String) throws {
    let words = name.split(separator: " ").map(String.init)
    let text = try CommandLineFixture().run(words + ["--help"]).output
    try compare(name.replacingOccurrences(of: " ", with: "-"), text)
  }
}
