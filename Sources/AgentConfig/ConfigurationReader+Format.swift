// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension ConfigurationReader {
  mutating func readFormat(_ entries: [TOMLEntry], at position: TOMLPosition) {
    var format = UserFormatDefinition(name: "", place: place(position))
    for entry in entries {
      let key = "format." + entry.key
      switch entry.key {
      case "severity": format.severities = severities(entry)
      case "fields": format.fields = fields(entry)
      case "sample": eachTable(entry) { format.samples.append($0.sample($1, at: $2)) }
      default:
        attempt(entry, key) { (reader, value) throws(SettingError) in
          switch entry.key {
          case "name": format.name = try reader.formatName(value)
          case "summary": format.summary = try Expect.string(value, "a sentence")
          case "pattern":
            format.patterns = try Self.texts(
              value, "a pattern such as '^(?<time>\\S+) (?<body>.*)'")
          case "record_start":
            format.recordStart = try Expect.string(value, "a pattern such as '^\\d{4}-'")
          case "time":
            format.timeLayouts = try Self.texts(value, "a layout such as \"%Y-%m-%d %H:%M:%S\"")
          case "files": format.files = try reader.patterns(entry.node)
          case "file_pattern":
            format.filePattern = try Expect.string(value, "a pattern such as 'shop.*\\.log$'")
          case "lnav_format": format.lnavFile = reader.absolute(try Expect.path(value))
          default: reader.unknown(entry, key: key, among: ListTable.format.known)
          }
        }
      }
    }
    // A format file has names, patterns and samples of its own.
    if format.lnavFile == nil {
      require("name", "format", entries, position, "a name such as name = \"shop\"")
      require("pattern", "format", entries, position, "pattern = '^(?<time>\\S+) (?<body>.*)'")
      require(
        "sample", "format", entries, position,
        "at least one [[format.sample]] with a text and the fields that it is to have")
    } else {
      refuseBesideFile(entries)
    }
    configuration.formats.append(format)
  }

  private mutating func refuseBesideFile(_ entries: [TOMLEntry]) {
    for entry in entries where !["lnav_format", "files"].contains(entry.key) {
      report(
        entry.position, "format." + entry.key,
        "stands in the file that lnav_format names; print it with `logagent formats --import` to "
          + "change it")
    }
  }

  private func formatName(_ value: GivenValue) throws(SettingError) -> String {
    let name = try Expect.ruleName(value)
    if configuration.formats.contains(where: { $0.name == name }) {
      throw SettingError(message: "expected a name of its own, but \"\(name)\" stands there twice")
    }
    return name
  }

  /// One text, or a list of them.
  private static func texts(_ value: GivenValue, _ wanted: String) throws(SettingError) -> [String]
  {
    if case .node(let node) = value, case .array = node.value {
      let texts = try Expect.texts(value)
      guard !texts.isEmpty else { throw Expect.unexpected(wanted, value) }
      return texts
    }
    return [try Expect.string(value, wanted)]
  }

  /// The entries of a table in a table; none, with a report, where it is none.
  private mutating func table(_ entry: TOMLEntry, _ key: String) -> [TOMLEntry] {
    if case .table(let entries) = entry.node.value { return entries }
    report(
      entry.node.position, key, "expected a table, written as [\(key)], got \(entry.node.asGot)")
    return []
  }

  /// `error = "E|ERR"`: severity and the words that mean it, the gravest first.
  private mutating func severities(_ entry: TOMLEntry) -> [UserFormatDefinition.SeverityRule] {
    var rules: [UserFormatDefinition.SeverityRule] = []
    for inner in table(entry, "format.severity") {
      guard let severity = Severity(name: inner.key) else {
        unknown(
          inner, key: "format.severity." + inner.key,
          among: ["trace", "debug", "info", "notice", "warn", "error", "critical", "fatal", "1…24"])
        continue
      }
      attempt(inner, "format.severity." + inner.key) { (_, value) throws(SettingError) in
        for pattern in try Self.texts(value, "a word, or a pattern such as \"E|ERR\"") {
          rules.append(.init(severity: severity, pattern: pattern))
        }
      }
    }
    return rules.sorted { $0.severity > $1.severity }
  }

  /// `group = "otel.name"`; an empty name for a group that is only matched.
  private mutating func fields(_ entry: TOMLEntry) -> [String: String] {
    var names: [String: String] = [:]
    for inner in table(entry, "format.fields") {
      attempt(inner, "format.fields." + inner.key) { (_, value) throws(SettingError) in
        guard let name = value.string, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
          throw Expect.unexpected("a name such as \"http.route\", or \"\" for none", value)
        }
        names[inner.key] = name
      }
    }
    return names
  }

  private mutating func sample(
    _ entries: [TOMLEntry], at position: TOMLPosition
  ) -> UserFormatDefinition.Sample {
    var sample = UserFormatDefinition.Sample(text: "", place: place(position))
    for entry in entries {
      attempt(entry, "format.sample." + entry.key) { (_, value) throws(SettingError) in
        if entry.key == "text" {
          sample.text = try Expect.string(value, "a record as the source writes it")
        } else {
          sample.expected.append(.init(field: entry.key, value: try Self.expected(value)))
        }
      }
    }
    require("text", "format.sample", entries, position, "text = \"a record as it is written\"")
    if entries.count < 2 {
      report(
        position, "format.sample",
        "expected fields beside the text, such as severity = \"error\" or body = \"…\", got none")
    }
    return sample
  }

  private static func expected(_ value: GivenValue) throws(SettingError) -> String {
    if let text = value.string { return text }
    if let number = value.integer { return String(number) }
    if case .node(let node) = value, case .date(let text) = node.value { return text }
    throw Expect.unexpected("a text or a whole number", value)
  }

  private func place(_ position: TOMLPosition) -> String {
    "\(path):\(position.line):\(position.column)"
  }
}
