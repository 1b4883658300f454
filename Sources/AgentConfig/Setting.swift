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
  typealias Apply = @Sendable (GivenValue, inout Configuration) throws(SettingError) -> Void
  typealias Show = @Sendable (Configuration) -> String

  /// In full, as in `limits.max_line_bytes`.
  let key: String
  /// What kind of value it is, in words: `size`, `milliseconds`.
  let type: String
  /// What it may be, in words; `nil` where the type says it all.
  var range: String?
  /// What it does, without a full stop.
  let summary: String
  /// The default in words, where it depends on the host.
  var usual: String?
  /// Its value in a configuration, as TOML has it.
  let show: Show
  let apply: Apply

  init(
    _ key: String, _ type: String, range: String? = nil, _ summary: String, usual: String? = nil,
    show: @escaping Show, apply: @escaping Apply
  ) {
    self.key = key
    self.type = type
    self.range = range
    self.summary = summary
    self.usual = usual
    self.show = show
    self.apply = apply
  }

  /// The variable that sets it: `LOGAGENT_LIMITS_MAX_LINE_BYTES`.
  var environmentName: String {
    "LOGAGENT_" + key.uppercased().replacing(".", with: "_")
  }

  /// All of them. Lists of tables have keys of their own (`ListTable`) and only stand in the file.
  static let all: [Setting] = general + upload

  private static let general: [Setting] = [
    Setting(
      "state_dir", "path", "Where the store lies",
      usual: "/var/lib/logagent for root, ~/.local/state/logagent for others",
      show: { TOMLText.quoted($0.stateDirectory) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.stateDirectory = try Expect.path(value)
      }),
    Setting(
      "timezone", "time zone", "The zone of times that have none, as in \"Europe/Berlin\"",
      usual: "this host's own", show: { $0.timeZone.map(TOMLText.quoted) ?? "this host's own" },
      apply: { (value, configuration) throws(SettingError) in
        configuration.timeZone = try Expect.timeZone(value)
      }),
    Setting(
      "agent_log", "path, or \"off\"",
      "The file of the agent's own log, JSON lines; it is a source like any other",
      show: { TOMLText.quoted($0.agentLog ?? "off") },
      apply: { (value, configuration) throws(SettingError) in
        let path = try Expect.path(value)
        configuration.agentLog = path == "off" ? nil : path
      }),
    size(
      "limits.max_line_bytes", 1024...(64 << 20), \.limits.maxLineBytes,
      "The longest line that is kept whole; the rest of a longer one is counted, not stored"),
    count(
      "limits.max_record_lines", 1...1_000_000, \.limits.maxRecordLines,
      "A record of more lines is cut here, and goes on in the next record"),
    size(
      "limits.max_record_bytes", 1024...(64 << 20), \.limits.maxRecordBytes,
      "A longer record is cut here, and goes on in the next record"),
    milliseconds(
      "limits.record_flush_ms", 0...3_600_000, \.limits.recordFlushMilliseconds,
      "So long without a further line, a record of several lines is complete"),
    milliseconds(
      "limits.partial_flush_ms", 0...3_600_000, \.limits.partialFlushMilliseconds,
      "So long without a further byte, a last line without its newline is stored"),
    size(
      "limits.max_report_bytes", 1024...(1 << 30), \.limits.maxReportBytes,
      "The most of a crash report that is kept"),
    milliseconds(
      "limits.poll_ms", 10...3_600_000, \.limits.pollMilliseconds,
      "How often to look at the files even when the system reports no change"),
    Setting(
      "retention.max_bytes", "size", range: "256KiB to 1PiB",
      "The store's files together, write-ahead log included; the oldest records go first",
      show: { TOMLText.size($0.retention.maxBytes) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.retention.maxBytes = try Expect.bytes(value, in: (256 << 10)...(1 << 50))
      }),
    Setting(
      "retention.max_age", "duration, or \"off\"", range: "1s or more",
      "Records older than this go, as in \"30d\"; \"off\" keeps any age",
      show: { TOMLText.age($0.retention.maxAgeNanoseconds) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.retention.maxAgeNanoseconds = try Expect.age(value)
      }),
    Setting(
      "retention.max_records", "whole number, or \"off\"", range: "1 or more",
      "More records than this are not kept; \"off\" keeps any number",
      show: { TOMLText.limit($0.retention.maxRecords) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.retention.maxRecords = try Expect.limit(value)
      }),
    count(
      "retention.crash_percent", 1...75, \.retention.crashPercent,
      "So many percent of max_bytes are for crashes, their reports and the records around them"),
    Setting(
      "retention.crash_context_before", "duration", range: "0s to 1h",
      "Records so long before a crash are kept as long as the crash",
      show: { TOMLText.span($0.retention.crashContextBefore) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.retention.crashContextBefore = try Expect.span(value)
      }),
    Setting(
      "retention.crash_context_after", "duration", range: "0s to 1h",
      "And so long after it",
      show: { TOMLText.span($0.retention.crashContextAfter) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.retention.crashContextAfter = try Expect.span(value)
      }),
    Setting(
      "redaction.enable", "list of names",
      "Rules that work only when asked for: \"phone\", \"ipv4\", \"ipv6\", \"mac\", \"host-name\"",
      show: { TOMLText.list($0.redaction.enable) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.redaction.enable = try Expect.names(value)
      }),
    Setting(
      "redaction.disable", "list of names",
      "Rules that shall not work, such as \"email\" or \"home-user\"",
      show: { TOMLText.list($0.redaction.disable) },
      apply: { (value, configuration) throws(SettingError) in
        configuration.redaction.disable = try Expect.names(value)
      }),
  ]

  // MARK: Kinds of settings

  typealias Place = WritableKeyPath<Configuration, Int> & Sendable

  static func size(
    _ key: String, _ range: ClosedRange<Int64>, _ place: any Place, _ summary: String
  ) -> Setting {
    let bounds = [range.lowerBound, range.upperBound].map(TOMLText.bytes).joined(separator: " to ")
    return Setting(
      key, "size", range: bounds, summary, show: { TOMLText.size(Int64($0[keyPath: place])) },
      apply: { (value, configuration) throws(SettingError) in
        configuration[keyPath: place] = Int(try Expect.bytes(value, in: range))
      })
  }

  static func count(
    _ key: String, _ range: ClosedRange<Int64>, _ place: any Place, _ summary: String
  ) -> Setting {
    Setting(
      key, "whole number", range: "\(range.lowerBound) to \(range.upperBound)", summary,
      show: { String($0[keyPath: place]) },
      apply: { (value, configuration) throws(SettingError) in
        configuration[keyPath: place] = Int(try Expect.count(value, in: range))
      })
  }

  static func milliseconds(
    _ key: String, _ range: ClosedRange<Int64>, _ place: any Place, _ summary: String
  ) -> Setting {
    Setting(
      key, "milliseconds, or a duration",
      range: "\(range.lowerBound) to \(range.upperBound) ms", summary,
      show: { String($0[keyPath: place]) },
      apply: { (value, configuration) throws(SettingError) in
        configuration[keyPath: place] = Int(try Expect.milliseconds(value, in: range))
      })
  }
}
