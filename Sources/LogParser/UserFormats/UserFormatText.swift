// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Writes a format as the configuration file has it: for formats that were taken from elsewhere.
package enum UserFormatText {
  /// A `[[format]]` with everything that differs from the defaults.
  package static func toml(_ format: UserFormatDefinition) -> String {
    var lines = ["[[format]]", "name = \(quoted(format.name))"]
    if !format.summary.isEmpty { lines.append("summary = \(quoted(format.summary))") }
    lines.append("pattern = \(list(format.patterns))")
    if let start = format.recordStart { lines.append("record_start = \(quoted(start))") }
    if !format.timeLayouts.isEmpty { lines.append("time = \(list(format.timeLayouts))") }
    if !format.files.isEmpty { lines.append("files = \(list(format.files))") }
    if let pattern = format.filePattern { lines.append("file_pattern = \(quoted(pattern))") }
    if !format.severities.isEmpty {
      lines.append("[format.severity]")
      let numbers = Set(format.severities.map(\.severity)).sorted(by: >)
      for number in numbers {
        let patterns = format.severities.filter { $0.severity == number }.map(\.pattern)
        lines.append("\(number.number) = \(list(patterns))")
      }
    }
    if !format.fields.isEmpty {
      lines.append("[format.fields]")
      for (group, field) in format.fields.sorted(by: { $0.key < $1.key }) {
        lines.append("\(quoted(group)) = \(quoted(field))")
      }
    }
    for sample in format.samples {
      lines += ["[[format.sample]]", "text = \(quoted(sample.text))"]
      lines += sample.expected.map { "\(quoted($0.field)) = \(quoted($0.value))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func list(_ texts: [String]) -> String {
    texts.count == 1
      ? quoted(texts[0]) : "[\n" + texts.map { "  \(quoted($0)),\n" }.joined() + "]"
  }

  /// In single quotes where nothing needs an escape: patterns are full of backslashes.
  private static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      ($0.value >= 0x20 || $0.value == 9) && $0 != "'" && $0.value != 0x7f
    }
    if isPlain { return "'\(text)'" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if scalar.value < 0x20 || scalar.value == 0x7f {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
