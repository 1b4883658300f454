// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// Reads a configuration file into a `Configuration` and collects all that is wrong with it.
struct ConfigurationReader {
  /// As it was named, for messages.
  let path: String
  /// Relative paths in the file start here.
  let folder: String
  var configuration: Configuration
  var problems: [ConfigurationError.Problem] = []

  private var names: [String: TOMLPosition] = [:]

  init(path: String, configuration: Configuration) {
    self.path = path
    self.folder = FileSystem.folder(of: FileSystem.absolutePath(path))
    self.configuration = configuration
  }

  mutating func read(_ text: [UInt8]) {
    do throws(TOMLSyntaxError) {
      readRoot(try TOMLDocument.parse(text))
    } catch {
      report(error.position, "", "not TOML: \(error.message)")
    }
    problems.sort { Self.line($0) < Self.line($1) }
  }

  private mutating func readRoot(_ entries: [TOMLEntry]) {
    let tables = Set(Setting.all.compactMap { $0.key.contains(".") ? head($0.key) : nil })
    for entry in entries {
      switch entry.key {
      case "source": eachTable(entry) { $0.readSource($1, at: $2) }
      case "spool": eachTable(entry) { $0.readSpool($1, at: $2) }
      case "journal": eachTable(entry) { $0.readJournal($1, at: $2) }
      case "redact": eachTable(entry) { $0.readRedact($1, at: $2) }
      case "format": eachTable(entry) { $0.readFormat($1, at: $2) }
      case let key where tables.contains(key): readTable(entry)
      default: readSetting(entry, key: entry.key, among: Self.rootKeys)
      }
    }
  }

  private static let rootKeys: [String] = {
    let heads = Setting.all.map { String($0.key.prefix { $0 != "." }) }
    return Set(heads + ListTable.all.map(\.name)).sorted()
  }()

  private func head(_ key: String) -> String { String(key.prefix { $0 != "." }) }

  private mutating func readTable(_ entry: TOMLEntry) {
    guard case .table(let entries) = entry.node.value else {
      return report(
        entry.node.position, entry.key,
        "expected a table, written as [\(entry.key)], got \(entry.node.asGot)")
    }
    let prefix = entry.key + "."
    let known = Setting.all.map(\.key).filter { $0.hasPrefix(prefix) }
    for inner in entries {
      readSetting(
        inner, key: prefix + inner.key, among: known.map { String($0.dropFirst(prefix.count)) })
    }
  }

  private mutating func readSetting(_ entry: TOMLEntry, key: String, among known: [String]) {
    guard let setting = Setting.all.first(where: { $0.key == key }) else {
      return unknown(entry, key: key, among: known)
    }
    attempt(entry, key) { (reader, value) throws(SettingError) in
      try setting.apply(value, &reader.configuration)
      reader.configuration.origins[key] = reader.origin(entry.position)
      if key == "state_dir" {
        reader.configuration.stateDirectory =
          reader.absolute(reader.configuration.stateDirectory)
      } else if key == "agent_log" {
        reader.configuration.agentLog = reader.configuration.agentLog.map(reader.absolute)
      }
      if key.hasPrefix("upload.") { reader.resolveUploadPaths() }
    }
  }

  // MARK: Lists of tables

  mutating func eachTable(
    _ entry: TOMLEntry,
    _ read: (inout ConfigurationReader, [TOMLEntry], TOMLPosition) -> Void
  ) {
    let wanted = "expected tables, each written as [[\(entry.key)]], got "
    guard case .array(let elements) = entry.node.value else {
      return report(entry.node.position, entry.key, wanted + entry.node.asGot)
    }
    for element in elements {
      if case .table(let entries) = element.value {
        read(&self, entries, element.position)
      } else {
        report(element.position, entry.key, wanted + element.asGot)
      }
    }
  }

  private mutating func readSource(_ entries: [TOMLEntry], at position: TOMLPosition) {
    var source = SourceConfiguration(name: "", include: [])
    for entry in entries {
      let key = "source." + entry.key
      attempt(entry, key) { (reader, value) throws(SettingError) in
        switch entry.key {
        case "name": source.name = try reader.ownName(value, entry)
        case "include": source.include = try reader.patterns(entry.node)
        case "exclude": source.exclude = try reader.patterns(entry.node)
        case "timezone": source.timeZone = try Expect.timeZone(value)
        case "multiline": source.multiline = try Expect.choice(value, of: MultilineMode.self)
        case "binary": source.binary = try Expect.choice(value, of: BinaryMode.self)
        case "max_bytes": source.maxBytes = try Expect.bytes(value, in: 1...(1 << 50))
        case "max_age": source.maxAgeNanoseconds = try Expect.age(value)
        case "max_records": source.maxRecords = try Expect.limit(value)
        case "directory_quota": source.directoryQuota = try reader.directoryQuota(entry)
        default: reader.unknown(entry, key: key, among: ListTable.source.known)
        }
      }
    }
    require("name", "source", entries, position, "a name such as name = \"app\"")
    require("include", "source", entries, position, "include = [\"/var/log/app/*.log\"]")
    configuration.origins["source[\(configuration.sources.count)]"] = origin(position)
    configuration.sources.append(source)
  }

  private mutating func directoryQuota(
    _ entry: TOMLEntry
  ) throws(SettingError) -> DirectoryQuota {
    let wanted = "a table such as { max_files = 10, max_bytes = \"100MiB\" }"
    guard case .table(let entries) = entry.node.value, !entries.isEmpty else {
      throw Expect.unexpected(wanted, .node(entry.node))
    }
    var quota = DirectoryQuota()
    for inner in entries {
      let key = "source.directory_quota." + inner.key
      attempt(inner, key) { (reader, value) throws(SettingError) in
        switch inner.key {
        case "max_files":
          quota.maxFiles = Int(try Expect.count(value, in: 0...1_000_000))
        case "max_bytes": quota.maxBytes = try Expect.bytes(value, in: 0...(1 << 50))
        default: reader.unknown(inner, key: key, among: ["max_files", "max_bytes"])
        }
      }
    }
    return quota
  }

  private mutating func readSpool(_ entries: [TOMLEntry], at position: TOMLPosition) {
    var spool = SpoolConfiguration(name: "", path: "")
    for entry in entries {
      let key = "spool." + entry.key
      attempt(entry, key) { (reader, value) throws(SettingError) in
        switch entry.key {
        // Crashpad's pending and completed reports lie in two folders of one spool.
        case "name": spool.name = try reader.name(value)
        case "path": spool.path = reader.absolute(try Expect.path(value))
        case "consume": spool.isConsumed = try Expect.flag(value)
        case "keep": spool.keptBytes = try Expect.bytes(value, in: 0...(1 << 40))
        default: reader.unknown(entry, key: key, among: ListTable.spool.known)
        }
      }
    }
    require("name", "spool", entries, position, "a name such as name = \"crashes\"")
    require("path", "spool", entries, position, "path = \"/var/crash\"")
    configuration.origins["spool[\(configuration.spools.count)]"] = origin(position)
    configuration.spools.append(spool)
  }

  private mutating func readRedact(_ entries: [TOMLEntry], at position: TOMLPosition) {
    var rule = RedactRule(name: "", place: "\(path):\(position.line):\(position.column)")
    for entry in entries {
      let key = "redact." + entry.key
      attempt(entry, key) { (reader, value) throws(SettingError) in
        switch entry.key {
        case "name": rule.name = try Expect.ruleName(value)
        case "pattern": rule.pattern = try Expect.string(value, "a pattern such as 'id=(\\d+)'")
        case "keys": rule.keys = try Expect.names(value)
        case "samples": rule.samples = try Expect.texts(value)
        case "not": rule.not = try Expect.texts(value)
        default:
          reader.unknown(entry, key: key, among: ListTable.redact.known)
        }
      }
    }
    require("name", "redact", entries, position, "a name such as name = \"customer\"")
    if !entries.contains(where: { $0.key == "pattern" || $0.key == "keys" }) {
      report(position, "redact", "expected a pattern or keys, got neither")
    }
    configuration.redaction.rules.append(rule)
  }

  private func name(_ value: GivenValue) throws(SettingError) -> String {
    let name = try Expect.string(value, "a name")
    let isPlain = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
    guard isPlain, name.utf8.count <= 200 else {
      throw Expect.unexpected("a name of at most 200 bytes without control characters", value)
    }
    return name
  }

  mutating func ownName(
    _ value: GivenValue, _ entry: TOMLEntry
  ) throws(SettingError) -> String {
    let name = try name(value)
    if let first = names[name] {
      throw SettingError(
        message: "expected a name of its own, but \"\(name)\" stands in line \(first.line) too")
    }
    names[name] = entry.node.position
    return name
  }

  func patterns(_ node: TOMLNode) throws(SettingError) -> [String] {
    let wanted = "a list of patterns such as [\"/var/log/*.log\"]"
    let elements: [TOMLNode]
    switch node.value {
    case .string: elements = [node]
    case .array(let nodes): elements = nodes
    default: throw Expect.unexpected(wanted, .node(node))
    }
    var patterns: [String] = []
    for element in elements {
      patterns.append(absolute(try Expect.string(.node(element), "a pattern")))
    }
    return patterns
  }

  // MARK: Places and messages

  /// `path` in the folder of the file; also for patterns, whose `*` and `?` are plain characters.
  func absolute(_ path: String) -> String {
    FileSystem.absolutePath(path.hasPrefix("/") ? path : folder + "/" + path)
  }

  mutating func attempt(
    _ entry: TOMLEntry, _ key: String,
    _ body: (inout ConfigurationReader, GivenValue) throws(SettingError) -> Void
  ) {
    do throws(SettingError) {
      try body(&self, .node(entry.node))
    } catch {
      report(entry.node.position, key, error.message)
    }
  }

  mutating func require(
    _ key: String, _ table: String, _ entries: [TOMLEntry], _ position: TOMLPosition,
    _ wanted: String
  ) {
    let isEmptyList = entries.contains {
      if case .array(let list) = $0.node.value { $0.key == key && list.isEmpty } else { false }
    }
    if isEmptyList || !entries.contains(where: { $0.key == key }) {
      report(position, "\(table).\(key)", "expected \(wanted), got nothing")
    }
  }

  mutating func unknown(_ entry: TOMLEntry, key: String, among known: [String]) {
    report(
      entry.position, key,
      "unknown key" + NearestName.hint(entry.key, in: known) + " (known here: "
        + known.joined(separator: ", ") + ")")
  }

  func origin(_ position: TOMLPosition) -> ConfigurationOrigin {
    .file(path: path, line: position.line, column: position.column)
  }

  mutating func report(_ position: TOMLPosition, _ key: String, _ message: String) {
    problems.append(
      .init(
        origin: origin(position), key: key, message: message))
  }

  private static func line(_ problem: ConfigurationError.Problem) -> (Int, Int) {
    if case .file(_, let line, let column) = problem.origin { (line, column) } else { (0, 0) }
  }
}
