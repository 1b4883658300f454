// SPDX-License-Identifier: Apache-2.0

internal import LogParser

/// What is fed with made-up bytes: by libFuzzer (contrib/fuzz.sh), and by the tests with what it
/// found before.
package enum FuzzTarget: Hashable, Sendable {
  /// The assembler and all log formats: a file.
  case logs
  /// The tree of crash reports' JSON.
  case json
  /// Lines that begin with a time.
  case timeStamps
  /// A time layout, a newline, and a time; or an lnav format file.
  case layouts
  /// A core, and the executable that it is the core of.
  case coreStack
  /// One form of crash reports.
  case crash(String)

  package static let all: [FuzzTarget] =
    [.logs, .json, .timeStamps, .layouts, .coreStack]
    + CrashReportParser.formatNames.map { .crash($0) }

  package var name: String {
    switch self {
    case .logs: "logs"
    case .json: "json"
    case .timeStamps: "time-stamps"
    case .layouts: "layouts"
    case .coreStack: "core-stack"
    case .crash(let format): "crash-" + format
    }
  }

  package init?(name: String) {
    guard let target = Self.all.first(where: { $0.name == name }) else { return nil }
    self = target
  }

  /// Feeds `bytes` to the target.
  ///
  /// - Returns: which promise is broken; `nil` when none is.
  package func failure(_ bytes: [UInt8]) -> String? {
    switch self {
    case .logs: LogFuzz.failure(bytes)
    case .timeStamps: LogFuzz.timeFailure(bytes)
    case .json: CrashFuzz.jsonFailure(bytes)
    case .layouts: LayoutFuzz.failure(bytes)
    case .coreStack: CoreFuzz.failure(bytes)
    case .crash(let format): CrashFuzz.failure(bytes, format: format)
    }
  }

  /// Texts to begin with.
  package var seeds: [[UInt8]] {
    switch self {
    case .logs, .timeStamps:
      // The first byte chooses how it is read.
      FormatRegistry.all.flatMap { FormatRegistry.samples(of: $0.name) }.map {
        (self == .logs ? [0] : []) + Array($0.text.utf8) + [10]
      }
    case .json: [Array(#"{"a":[1,-2.5e3,true,null,"x\u00e9\n"],"b":{}}"#.utf8)]
    case .layouts:
      [
        "%Y-%m-%d %H:%M:%S.%L %z\n2026-03-01 10:00:00.5 +01:00",
        "%a %d %B %y %I %p\nSun 1 Mar 26 1 PM",
        "%s.%N\n1772359200.5", "%Y.%j %T\n2024.060 10:00:00",
        #"{"a":{"regex":{"s":{"pattern":"^(?<timestamp>\\d+) (?<body>.*)$"}},"level":{"error":"E"}}}"#,
      ].map { Array($0.utf8) }
    case .coreStack: CoreFuzz.seeds
    case .crash(let format): CrashFuzz.seeds(format)
    }
  }
}
