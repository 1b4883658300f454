// SPDX-License-Identifier: Apache-2.0

internal import LogModel

extension Expect {
  /// `http` or `https` and no user in it.
  static func uploadAddress(_ value: GivenValue) throws(SettingError) -> String {
    let text = try string(value, "an address such as \"https://logs.example.com/in/\"")
    let scheme = text.prefix { $0 != ":" }.lowercased()
    let rest = text.dropFirst(scheme.count + 3)
    guard ["http", "https"].contains(scheme), text.dropFirst(scheme.count).hasPrefix("://"),
      !rest.isEmpty, !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f })
    else { throw unexpected("an address such as \"https://logs.example.com/in/\"", value) }
    if rest.prefix(while: { $0 != "/" && $0 != "?" }).contains("@") {
      // Not quoted: it may hold a password.
      throw SettingError(
        message: "expected an address without a user and password; say user = { env = \"…\" } "
          + "and password = { file = \"…\" }")
    }
    return text
  }

  /// `true` or `false`.
  static func flag(_ value: GivenValue) throws(SettingError) -> Bool {
    if case .node(let node) = value, case .boolean(let flag) = node.value { return flag }
    if case .text(let text) = value, let flag = Bool(text) { return flag }
    throw unexpected("true or false", value)
  }

  /// Nanoseconds, at least a second.
  static func duration(
    _ value: GivenValue, _ example: String
  ) throws(SettingError) -> Int64 {
    guard let time = value.string.flatMap(Quantity.nanoseconds), time >= 1_000_000_000 else {
      throw unexpected("a duration such as \"\(example)\"", value)
    }
    return time
  }

  /// Whole seconds of a duration.
  static func seconds(_ value: GivenValue) throws(SettingError) -> Int64 {
    try duration(value, "30s") / 1_000_000_000
  }

  static func automatic(
    _ value: GivenValue
  ) throws(SettingError) -> UploadConfiguration.Automatic {
    switch value.string {
    case "off": return .off
    case "crash": return .onCrash
    default:
      guard let time = value.string.flatMap(Quantity.nanoseconds), time >= 60_000_000_000 else {
        throw unexpected("\"off\", \"crash\" or a duration of at least a minute", value)
      }
      return .every(time)
    }
  }

  /// `{ env = "NAME" }`, `{ file = "PATH" }` or `{ command = ["PROGRAM", "ARGUMENT"] }`.
  static func secretSource(_ value: GivenValue) throws(SettingError) -> SecretSource {
    let wanted =
      "{ env = \"NAME\" }, { file = \"PATH\" } or { command = [\"PROGRAM\"] }, never the secret itself"
    if case .text(let text) = value, let source = SecretSource(text: text) { return source }
    guard case .node(let node) = value, case .table(let entries) = node.value,
      entries.count == 1, let entry = entries.first
    else {
      // What was given may be the secret: it is not quoted.
      throw SettingError(message: "expected \(wanted)")
    }
    switch entry.key {
    case "env": return .environment(try string(.node(entry.node), "a variable's name"))
    case "file": return .file(try path(.node(entry.node)))
    case "command":
      let words = try texts(.node(entry.node))
      guard !words.isEmpty else { throw SettingError(message: "expected \(wanted)") }
      return .command(words)
    default: throw SettingError(message: "expected \(wanted)")
    }
  }

  /// A table of texts.
  static func pairs(
    _ value: GivenValue, example: String
  ) throws(SettingError) -> [UploadTarget.Pair] {
    guard case .node(let node) = value, case .table(let entries) = node.value else {
      throw unexpected("a table such as \(example)", value)
    }
    var pairs: [UploadTarget.Pair] = []
    for entry in entries {
      pairs.append(.init(entry.key, try string(.node(entry.node), "a text")))
    }
    return pairs
  }

  /// A table of headers, each a text or a place of a secret.
  static func headers(
    _ value: GivenValue, into target: inout UploadTarget
  ) throws(SettingError) {
    guard case .node(let node) = value, case .table(let entries) = node.value else {
      throw unexpected("a table such as { X-App = \"shop\" }", value)
    }
    for entry in entries {
      let isName = entry.key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x3a }
      guard isName, !entry.key.isEmpty else {
        throw SettingError(message: "expected a header's name, got \"\(entry.key)\"")
      }
      if case .string(let text) = entry.node.value {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
          throw SettingError(message: "expected a header without control characters")
        }
        target.headers.append(.init(entry.key, text))
      } else {
        target.secretHeaders.append(
          .init(entry.key, try secretSource(.node(entry.node))))
      }
    }
  }
}
