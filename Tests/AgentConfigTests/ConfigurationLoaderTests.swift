// SPDX-License-Identifier: Apache-2.0

internal import AgentConfig
internal import TestSupport
internal import Testing

@Suite("The configuration")
struct ConfigurationLoaderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test("takes flags before environment before file before defaults")
  func precedence() throws {
    let path = try folder.write(
      "a.toml", "state_dir = \"/file\"\n[retention]\nmax_bytes = \"1MB\"\n[limits]\npoll_ms = 100")
    var loader = ConfigurationLoader(file: nil, environment: [:], userID: 1000)
    #expect(try loader.load().retention.maxBytes == 1 << 30)
    loader.file = path
    loader.environment = [
      "LOGAGENT_STATE_DIR": "/environment", "LOGAGENT_RETENTION_MAX_BYTES": "2MB",
    ]
    loader.overrides = [.init(key: "state_dir", value: "/flag", flag: "--state-dir")]
    let configuration = try loader.load()
    #expect(configuration.stateDirectory == "/flag")
    #expect(configuration.retention.maxBytes == 2_000_000)
    #expect(configuration.limits.pollMilliseconds == 100)
    #expect(configuration.limits.maxRecordLines == 500)
  }

  @Test("names the variable or the flag that is wrong")
  func wrongOrigins() throws {
    var loader = ConfigurationLoader(
      file: nil, environment: ["LOGAGENT_LIMITS_POLL_MS": "soon"], userID: 1000)
    loader.overrides = [.init(key: "retention.max_age", value: "1 parsec", flag: "--max-age")]
    let error = #expect(throws: ConfigurationError.self) { try loader.load() }
    #expect(
      try #require(error).problems.map(\.description) == [
        "environment variable LOGAGENT_LIMITS_POLL_MS: limits.poll_ms: expected milliseconds such "
          + "as 500, or a duration such as \"2s\", got \"soon\"",
        "--max-age: retention.max_age: expected a duration such as \"30d\" or \"12h\", or \"off\", "
          + "got \"1 parsec\"",
      ])
  }

  @Test("tells a slip in a variable's name from a variable of somebody else")
  func slips() throws {
    var loader = ConfigurationLoader(
      file: nil, environment: ["LOGAGENT_STATEDIR": "/x"], userID: 1000)
    let error = #expect(throws: ConfigurationError.self) { try loader.load() }
    #expect(try #require(error).description.contains("did you mean 'LOGAGENT_STATE_DIR'?"))
    loader.environment = ["LOGAGENT_TEAM_OF_SOMEBODY": "x"]
    _ = try loader.load()
  }

  @Test("lies where the base directory specification says")
  func places() throws {
    var loader = ConfigurationLoader(file: nil, environment: ["HOME": "/home/ada"], userID: 1000)
    #expect(try loader.load().stateDirectory == "/home/ada/.local/state/logagent")
    #expect(loader.usualFile == "/home/ada/.config/logagent/logagent.toml")
    loader.environment["XDG_STATE_HOME"] = "/state"
    loader.environment["XDG_CONFIG_HOME"] = folder.path
    #expect(try loader.load().stateDirectory == "/state/logagent")
    #expect(loader.resolvedFile == nil)
    let path = try folder.write("logagent/logagent.toml", "state_dir = \"/found\"")
    #expect(loader.resolvedFile == path)
    #expect(try loader.load().stateDirectory == "/found")
    loader.userID = 0
    #expect(loader.usualFile == "/etc/logagent/logagent.toml")
  }

  @Test(
    "reads sizes",
    arguments: [
      ("0", 0), ("1000", 1000), ("20MB", 20_000_000), ("20 mb", 20_000_000), ("512KiB", 524_288),
      ("1.5GiB", 1_610_612_736), ("7B", 7), ("MB", nil), ("-1", nil), ("1XB", nil), ("", nil),
    ])
  func sizes(_ text: String, _ bytes: Int64?) {
    #expect(Quantity.bytes(text) == bytes)
  }

  @Test(
    "reads durations",
    arguments: [
      ("30s", 30_000_000_000), ("250ms", 250_000_000), ("2h", 7_200_000_000_000),
      ("1h30m", 5_400_000_000_000), ("7d", 604_800_000_000_000), ("1.5s", 1_500_000_000),
      ("30", nil), ("s", nil), ("-2h", nil), ("2 parsecs", nil), ("", nil),
    ])
  func durations(_ text: String, _ nanoseconds: Int64?) {
    #expect(Quantity.nanoseconds(text) == nanoseconds)
  }
}
