// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import LogModel
internal import TestSupport
internal import Testing

@Suite("The reference of the configuration")
struct ReferenceTests {
  private func load(_ text: String) throws -> Configuration {
    let folder = try TemporaryDirectory()
    return try ConfigurationLoader(
      file: folder.write("a.toml", text), environment: ["HOME": "/home/ada"], userID: 0
    ).load()
  }

  @Test("describes every key", arguments: ConfigurationReference.keys.map(\.key))
  func described(_ name: String) throws {
    let key = try #require(ConfigurationReference.keys.first { $0.key == name })
    #expect(key.summary.count > 10 && !key.summary.hasSuffix("."))
    #expect(!key.type.isEmpty && !key.usual.isEmpty)
  }

  @Test("names the defaults that are the defaults")
  func defaults() throws {
    for key in ConfigurationReference.keys {
      // Those in words depend on the host.
      guard TOMLText.isValue(key.usual) else {
        continue
      }
      let shown = try load((key.table.map { "[\($0)]\n" } ?? "") + "\(key.name) = \(key.usual)\n")
      let values = ConfigurationReference.values(of: shown)
      #expect(values.map(\.value) == ConfigurationReference.values(of: try load("")).map(\.value))
      #expect(
        shown.origins[key.key]?.description.hasSuffix("a.toml:\(key.table == nil ? 1 : 2)") == true)
    }
  }

  @Test("has examples that the reader takes", arguments: ListTable.all.map(\.name))
  func examples(_ name: String) throws {
    let table = try #require(ListTable.all.first { $0.name == name })
    let keys = table.keys.filter { !$0.isAlternative }
    let lines = keys.map { "\($0.name) = \($0.example)\n" }
    _ = try load("[[\(name)]]\n" + lines.joined())
    // And each key without a default is asked for.
    for key in keys where key.usual == nil {
      let rest = keys.filter { $0.name != key.name }.map { "\($0.name) = \($0.example)\n" }
      #expect(throws: ConfigurationError.self) { try load("[[\(name)]]\n" + rest.joined()) }
    }
  }

  @Test("knows where a value was said")
  func origins() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(
      "a.toml", "timezone = \"UTC\"\n[[source]]\nname = \"a\"\ninclude = [\"b\"]\n")
    var loader = ConfigurationLoader(
      file: file, environment: ["HOME": "/", "LOGAGENT_LIMITS_POLL_MS": "20"], userID: 0)
    loader.overrides = [.init(key: "state_dir", value: "/x", flag: "--state-dir")]
    let origins = try loader.load().origins.mapValues(\.description)
    #expect(
      origins == [
        "timezone": file + ":1", "source[0]": file + ":2",
        "limits.poll_ms": "LOGAGENT_LIMITS_POLL_MS", "state_dir": "--state-dir",
      ])
  }

  @Test(
    "writes sizes and ages as people do",
    arguments: [
      (Int64(1 << 20), "1MiB"), (1000, "1000"), (3 << 30, "3GiB"), (1 << 50, "1PiB"),
      (2 << 50, "2048TiB"),
    ])
  func sizes(_ bytes: Int64, _ text: String) { #expect(TOMLText.bytes(bytes) == text) }
}
