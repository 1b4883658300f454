// SPDX-License-Identifier: Apache-2.0

/// A value as it was given: with its type by the file, as text by the environment and by flags.
enum GivenValue {
  case node(TOMLNode)
  case text(String)

  /// The value in the words of an error message.
  var asGot: String {
    switch self {
    case .node(let node): node.asGot
    case .text(let text): "\"\(text)\""
    }
  }

  /// A string of the file, or any text.
  var string: String? {
    switch self {
    case .text(let text): text
    case .node(let node): if case .string(let text) = node.value { text } else { nil }
    }
  }

  /// An integer of the file, or a text of digits.
  var integer: Int64? {
    switch self {
    case .text(let text): Int64(text)
    case .node(let node): if case .integer(let number) = node.value { number } else { nil }
    }
  }
}

/// A value that can't be taken; the caller adds the place and the key.
struct SettingError: Error {
  var message: String
}

/// A key that takes one value, wherever it is said.
struct Setting: Sendable {
  /// In full, as in `limits.max_line_bytes`.
  let key: String
  let apply: @Sendable (GivenValue, inout Configuration) throws(SettingError) -> Void

  /// The variable that sets it: `LOGAGENT_LIMITS_MAX_LINE_BYTES`.
  var environmentName: String {
    "LOGAGENT_" + key.uppercased().replacing(".", with: "_")
  }

  /// All of them. `[[source]]`, `[[spool]]` and `[[redact]]` have keys of their own and only stand in the file.
  static let all: [Setting] =
    [
      Setting(key: "state_dir") { (value, configuration) throws(SettingError) in
        configuration.stateDirectory = try Expect.path(value)
      },
      Setting(key: "timezone") { (value, configuration) throws(SettingError) in
        configuration.timeZone = try Expect.timeZone(value)
      },
      size("limits.max_line_bytes", 1024...(64 << 20)) { $0.limits.maxLineBytes = $1 },
      count("limits.max_record_lines", 1...1_000_000) { $0.limits.maxRecordLines = $1 },
      size("limits.max_record_bytes", 1024...(64 << 20)) { $0.limits.maxRecordBytes = $1 },
      milliseconds("limits.record_flush_ms", 0...3_600_000) {
        $0.limits.recordFlushMilliseconds = $1
      },
      milliseconds("limits.partial_flush_ms", 0...3_600_000) {
        $0.limits.partialFlushMilliseconds = $1
      },
      size("limits.max_report_bytes", 1024...(1 << 30)) { $0.limits.maxReportBytes = $1 },
      milliseconds("limits.poll_ms", 10...3_600_000) { $0.limits.pollMilliseconds = $1 },
      Setting(key: "retention.max_bytes") { (value, configuration) throws(SettingError) in
        configuration.retention.maxBytes = try Expect.bytes(value, in: (64 << 10)...(1 << 50))
      },
      Setting(key: "retention.max_age") { (value, configuration) throws(SettingError) in
        configuration.retention.maxAgeNanoseconds = try Expect.age(value)
      },
      Setting(key: "redaction.enable") { (value, configuration) throws(SettingError) in
        configuration.redaction.enable = try Expect.names(value)
      },
      Setting(key: "redaction.disable") { (value, configuration) throws(SettingError) in
        configuration.redaction.disable = try Expect.names(value)
      },
    ] + upload

  private typealias Store = @Sendable (inout Configuration, Int) -> Void

  private static func size(
    _ key: String, _ range: ClosedRange<Int64>, _ store: @escaping Store
  ) -> Setting {
    Setting(key: key) { (value, configuration) throws(SettingError) in
      store(&configuration, Int(try Expect.bytes(value, in: range)))
    }
  }

  private static func count(
    _ key: String, _ range: ClosedRange<Int64>, _ store: @escaping Store
  ) -> Setting {
    Setting(key: key) { (value, configuration) throws(SettingError) in
      store(&configuration, Int(try Expect.count(value, in: range)))
    }
  }

  private static func milliseconds(
    _ key: String, _ range: ClosedRange<Int64>, _ store: @escaping Store
  ) -> Setting {
    Setting(key: key) { (value, configuration) throws(SettingError) in
      store(&configuration, Int(try Expect.milliseconds(value, in: range)))
    }
  }
}
