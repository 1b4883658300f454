// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogagentCLI
internal import Testing

/// Files of the repository that are made from the program's own tables. `LOGAGENT_RECORD=1 swift
/// test` writes them anew.
@Suite("A generated file")
struct GeneratedFilesTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func compare(_ path: String, _ text: String) throws {
    let url = Self.root.appendingPathComponent(path)
    if ProcessInfo.processInfo.environment["LOGAGENT_RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let stored = try? String(contentsOf: url, encoding: .utf8)
    #expect(stored == text, "\(path) is stale: LOGAGENT_RECORD=1 swift test writes it anew")
  }

  @Test("of completions is as the flag table says", arguments: Shell.allCases)
  func completions(_ shell: Shell) throws {
    try compare("contrib/completions/" + shell.fileName, shell.script)
  }
}
