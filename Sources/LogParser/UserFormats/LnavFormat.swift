// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Reads the format files of the log viewer lnav (JSON, one object of formats by name).
///
/// Taken over: `regex`, `file-pattern`, `timestamp-format`, `level`, `sample`, the names of the
/// fields for time, level, body, operation, thread and source place. What only concerns lnav's
/// display is left out. Formats of JSON lines are refused: they need no description here.
package enum LnavFormat {
  /// Why a file is not taken.
  package struct Failure: Error, CustomStringConvertible, Sendable {
    package var description: String
  }

  /// The formats of a file, in the order of their names in it.
  ///
  /// - Parameters:
  ///   - text: the file.
  ///   - path: where it lies, for messages.
  /// - Throws: `Failure`.
  package static func definitions(
    _ text: [UInt8], path: String
  ) throws(Failure) -> [UserFormatDefinition] {
    let tree = JSONTree(text)
    if let offset = tree.breakOffset {
      let line = text.prefix(offset).count { $0 == Byte.newline } + 1
      throw Failure(
        description: "\(path):\(line): not JSON: \(tree.breakReason ?? "it is damaged")")
    }
    guard let root = tree.root, root.isObject else {
      throw Failure(description: "\(path): not an lnav format file: expected an object of formats")
    }
    var found: [UserFormatDefinition] = []
    var refused: [String] = []
    root.forEachMember { key, value in
      let name = key.string ?? ""
      guard !name.hasPrefix("$"), value.isObject else { return }
      if value["regex"]?.isObject == true {
        found.append(definition(name, value, path))
      } else if value["json"]?.bool == true || value["file-type"]?.string == "json" {
        refused.append("'\(name)' describes JSON lines, which are read without a format")
      } else {
        refused.append("'\(name)' has no regex")
      }
    }
    if found.isEmpty {
      let reasons = refused.isEmpty ? "it holds no format" : refused.joined(separator: "; ")
      throw Failure(description: "\(path): not an lnav format file that can be taken: \(reasons)")
    }
    return found
  }

  private static func definition(
    _ name: String, _ value: JSONValue, _ path: String
  ) -> UserFormatDefinition {
    var format = UserFormatDefinition(name: plainName(name), place: path)
    format.summary = value["title"]?.string ?? value["description"]?.string ?? ""
    value["regex"]?.forEachMember { _, expression in
      if let text = expression["pattern"]?.string { format.patterns.append(text) }
    }
    format.filePattern = value["file-pattern"]?.string
    for layout in value["timestamp-format"]?.elements.map({ $0 }) ?? [] {
      if let text = layout.string { format.timeLayouts.append(text) }
    }
    if format.timeLayouts.isEmpty, let divisor = value["timestamp-divisor"]?.double {
      format.timeLayouts = [
        divisor >= 1e9 ? "%9" : divisor >= 1e6 ? "%6" : divisor > 1 ? "%i" : "%s"
      ]
    }
    format.severities = severities(value["level"])
    format.fields = fields(value, groups: format.patterns)
    for sample in value["sample"]?.elements.map({ $0 }) ?? [] {
      guard let line = sample["line"]?.string else { continue }
      var expected: [UserFormatDefinition.Expectation] = []
      if let level = sample["level"]?.string, let severity = severity(level) {
        expected.append(.init(field: "severity_number", value: String(severity.number)))
      }
      format.samples.append(.init(text: line, expected: expected))
    }
    return format
  }

  /// Names as we allow them: `access_log` becomes `access-log`.
  private static func plainName(_ name: String) -> String {
    let plain = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return String(plain)
  }

  /// lnav's expressions are searched anywhere in the word; the gravest level is tried first.
  private static func severities(_ levels: JSONValue?) -> [UserFormatDefinition.SeverityRule] {
    var rules: [UserFormatDefinition.SeverityRule] = []
    levels?.forEachMember { key, value in
      guard let severity = severity(key.string ?? ""), let text = value.scalarText else { return }
      rules.append(.init(severity: severity, pattern: "(?s:.*?)(?:\(text))(?s:.*)"))
    }
    return rules.sorted { $0.severity > $1.severity }
  }

  private static func severity(_ name: String) -> Severity? {
    switch name.lowercased() {
    case "stats": .info
    case "debug2", "debug3", "debug4", "debug5":
      Severity(number: 8 - min(3, UInt8(name.suffix(1)) ?? 2))
    case "trace": .trace
    default: Severity(name: name)
    }
  }

  /// What the keys that end in `-field` say, and lnav's own names where they say nothing.
  private static func fields(_ value: JSONValue, groups patterns: [String]) -> [String: String] {
    let roles = [
      ("timestamp-field", "timestamp", "time"), ("level-field", "level", "severity"),
      ("body-field", "body", "body"), ("opid-field", "", "operation.id"),
      ("thread-id-field", "", "thread.id"), ("src-file-field", "", "code.file.path"),
      ("src-line-field", "", "code.line.number"), ("hostname-field", "", "host.name"),
    ]
    var names: [String: String] = [:]
    for (key, usual, field) in roles {
      let group = value[key]?.string ?? usual
      guard !group.isEmpty, patterns.contains(where: { $0.contains("<\(group)>") }),
        group.replacing(".", with: "_") != field.replacing(".", with: "_")
      else { continue }
      names[group] = field
    }
    return names
  }
}
