// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import Foundation
internal import LogModel
internal import TestSupport
internal import Testing

@Suite("The example configuration")
struct ExampleFileTests {
  private static let text: String = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let url = root.appendingPathComponent("etc/logagent.toml")
    return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
  }()

  private func load(_ text: String) throws -> Configuration {
    let folder = try TemporaryDirectory()
    return try ConfigurationLoader(
      file: folder.write("a.toml", text), environment: ["HOME": "/home/ada"], userID: 0
    ).load()
  }

  @Test("can be used as it is")
  func asItIs() throws {
    let configuration = try load(Self.text)
    #expect(configuration.sources.map(\.name) == ["system"])
    #expect(configuration.spools.map(\.path) == ["/var/crash"])
  }

  @Test("shows the defaults in its comments")
  func defaults() throws {
    // A comment of the form "# key = value" is a setting that is switched off.
    let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix("# ") && line.dropFirst(2).prefix { $0 != " " }.allSatisfy(\.isSettingLetter)
        && line.contains(" = ") ? String(line.dropFirst(2)) : String(line)
    }
    let shown = try load(lines.joined(separator: "\n"))
    let plain = try load("")
    #expect(shown.stateDirectory == plain.stateDirectory)
    #expect("\(shown.limits)" == "\(plain.limits)")
    #expect("\(shown.retention)" == "\(plain.retention)")
    #expect(shown.upload.target == plain.upload.target)
    #expect(shown.upload.limits == plain.upload.limits)
    #expect(shown.upload.automatic == plain.upload.automatic)
    #expect(shown.sources[0].multiline == plain.sources.first?.multiline ?? .auto)
  }

  @Test("names every key", arguments: ConfigurationLoader.keys)
  func complete(_ key: String) {
    let last = key.split(separator: ".").last.map(String.init) ?? key
    // One without a default stands there as an example, behind two signs.
    #expect(
      Self.text.contains("\n# \(last) = ") || Self.text.contains("\n## \(last) = "), "\(key)")
  }
}

extension Character {
  fileprivate var isSettingLetter: Bool { isASCII && (isLetter || self == "_") }
}
