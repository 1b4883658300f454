// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import LogagentCLI
internal import Testing

/// Files of the repository that are made from the program's own tables. `LOGAGENT_RECORD=1 swift
/// test` writes them anew.
@Suite("A generated file", .serialized)
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

  @Test("of the manual is as the tables say", arguments: ManualPage.all.map(\.fileName))
  func manual(_ name: String) throws {
    let page = try #require(ManualPage.all.first { $0.fileName == name })
    try compare("contrib/man/" + name, page.text)
  }

  @Test("of the configuration's reference is as the table of settings says")
  func configuration() throws {
    try compare("contrib/docs/configuration.md", ConfigurationText.markdown)
  }

  @Test("of the schema is as the table of views says")
  func schema() throws { try compare("contrib/docs/schema.md", SchemaText.markdown) }

  @Test("of the manual has a page for each command and names all exit statuses")
  func complete() {
    let names = Set(ManualPage.all.map(\.fileName))
    for command in Command.visible {
      #expect(names.contains("logagent-\(command.name.replacing(" ", with: "-")).1"))
    }
    #expect(names.isSuperset(of: ["logagent.1", "logagentd.8", "logagent.toml.5"]))
    for page in ManualPage.all {
      for status in LogagentCLI.ExitStatus.allCases {
        #expect(page.text.contains("\n\\fB\(status.rawValue)\\fR\n"), "\(page.fileName)")
      }
    }
    let folder = Self.root.appendingPathComponent("contrib/man").path
    let stored = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    #expect(Set(stored) == names.union(stored.filter { $0.hasPrefix("logagent-upload") }))
  }

  @Test("of the manual is set without a warning", arguments: ManualPage.all.map(\.fileName))
  func lint(_ name: String) throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/mandoc") else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/mandoc")
    let path = Self.root.appendingPathComponent("contrib/man/" + name).path
    process.arguments = ["-T", "lint", "-W", "warning", path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // A page made from tables has no date.
    let rest = text.split(separator: "\n").filter { !$0.contains("missing date") }
    #expect(rest.isEmpty, "\(text)")
  }
}
