// SPDX-License-Identifier: Apache-2.0

internal import FileIO
internal import LogModel

/// Turns given values into what a key wants, or says what it wants.
enum Expect {
  static func string(_ value: GivenValue, _ what: String) throws(SettingError) -> String {
    guard let text = value.string, !text.isEmpty else { throw unexpected(what, value) }
    guard !text.utf8.contains(0) else { throw unexpected(what + " without NUL", value) }
    return text
  }

  static func path(_ value: GivenValue) throws(SettingError) -> String {
    try string(value, "a path such as \"/var/lib/logagent\"")
  }

  static func choice<Choice: RawRepresentable & CaseIterable>(
    _ value: GivenValue, of type: Choice.Type
  ) throws(SettingError) -> Choice where Choice.RawValue == String {
    let names = Choice.allCases.map(\.rawValue)
    let wanted = "one of " + names.map { "\"\($0)\"" }.joined(separator: ", ")
    guard let text = value.string, let choice = Choice(rawValue: text) else {
      throw unexpected(wanted, value)
    }
    return choice
  }

  static func count(
    _ value: GivenValue, in range: ClosedRange<Int64>
  ) throws(SettingError) -> Int64 {
    guard let number = value.integer else { throw unexpected("a whole number", value) }
    return try within(range, number, value, unit: "")
  }

  static func bytes(
    _ value: GivenValue, in range: ClosedRange<Int64>
  ) throws(SettingError) -> Int64 {
    guard let number = value.integer ?? value.string.flatMap(Quantity.bytes) else {
      throw unexpected("a size such as 1048576, \"20MB\" or \"512KiB\"", value)
    }
    return try within(range, number, value, unit: " bytes")
  }

  static func milliseconds(
    _ value: GivenValue, in range: ClosedRange<Int64>
  ) throws(SettingError) -> Int64 {
    let wanted = "milliseconds such as 500, or a duration such as \"2s\""
    let fromText = value.string.flatMap(Quantity.nanoseconds).map { $0 / 1_000_000 }
    guard let number = value.integer ?? fromText else { throw unexpected(wanted, value) }
    return try within(range, number, value, unit: " ms")
  }

  /// Nanoseconds; `nil` for "off".
  static func age(_ value: GivenValue) throws(SettingError) -> Int64? {
    let wanted = "a duration such as \"30d\" or \"12h\", or \"off\""
    guard let text = value.string else { throw unexpected(wanted, value) }
    if text == "off" { return nil }
    guard let age = Quantity.nanoseconds(text) else { throw unexpected(wanted, value) }
    guard age >= 1_000_000_000 else { throw unexpected("at least \"1s\"", value) }
    return age
  }

  /// A number of things; `nil` for "off".
  static func limit(_ value: GivenValue) throws(SettingError) -> Int64? {
    if value.string == "off" { return nil }
    guard let number = value.integer, number > 0 else {
      throw unexpected("a whole number above 0, or \"off\"", value)
    }
    return number
  }

  /// Nanoseconds, from none to an hour.
  static func span(_ value: GivenValue) throws(SettingError) -> Int64 {
    let wanted = "a duration from \"0s\" to \"1h\", such as \"60s\""
    guard let span = value.string.flatMap(Quantity.nanoseconds), 0...3_600_000_000_000 ~= span
    else { throw unexpected(wanted, value) }
    return span
  }

  static func timeZone(_ value: GivenValue) throws(SettingError) -> String {
    let name = try string(value, "a time zone such as \"Europe/Berlin\" or \"UTC\"")
    let isPlain = name.utf8.allSatisfy {
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "/_+-".utf8.contains($0)
    }
    if name == "UTC" { return name }
    let folder = "/usr/share/zoneinfo/"
    guard isPlain, !name.hasPrefix("/"), let status = try? FileStatus(path: folder + name),
      status.kind == .regular
    else {
      let area = name.contains("/") ? FileSystem.folder(of: name) + "/" : ""
      let near = ((try? FileSystem.names(in: folder + area)) ?? []).map { area + $0 }
      throw SettingError(
        message: "expected a time zone that \(folder) has, such as \"Europe/Berlin\", "
          + "got \"\(name)\"" + NearestName.hint(name, in: near))
    }
    return name
  }

  static func unexpected(_ wanted: String, _ value: GivenValue) -> SettingError {
    SettingError(message: "expected \(wanted), got \(value.asGot)")
  }

  private static func within(
    _ range: ClosedRange<Int64>, _ number: Int64, _ value: GivenValue, unit: String
  ) throws(SettingError) -> Int64 {
    guard range.contains(number) else {
      throw unexpected("\(range.lowerBound) to \(range.upperBound)\(unit)", value)
    }
    return number
  }

  /// A list of names, or names with commas between them.
  static func names(_ value: GivenValue) throws(SettingError) -> [String] {
    if case .text(let text) = value {
      return text.split { $0 == "," || $0 == " " }.map(String.init)
    }
    let names = try texts(value)
    guard names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } }) else {
      throw unexpected("a list of names such as [\"email\"]", value)
    }
    return names
  }

  /// A list of any texts.
  static func texts(_ value: GivenValue) throws(SettingError) -> [String] {
    guard case .node(let node) = value, case .array(let nodes) = node.value else {
      throw unexpected("a list of texts such as [\"one\", \"two\"]", value)
    }
    var texts: [String] = []
    for node in nodes { texts.append(try string(.node(node), "a text")) }
    return texts
  }

  /// What can stand in a mark.
  static func ruleName(_ value: GivenValue) throws(SettingError) -> String {
    let name = value.string ?? ""
    let isPlain = name.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x2d }
    guard !name.isEmpty, name.utf8.count <= 40, isPlain else {
      throw unexpected("a name of small letters, digits and dashes", value)
    }
    return name
  }
}
