// SPDX-License-Identifier: Apache-2.0

/// Values as a configuration file has them.
package enum TOMLText {
  /// A basic string.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\u{0}"..<" ", "\u{7f}":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Whether a default is written as TOML has it, rather than in words.
  package static func isValue(_ text: String) -> Bool {
    guard let first = text.first else { return false }
    return "\"[{'".contains(first) || Int(text) != nil || text == "true" || text == "false"
  }

  /// A list of strings.
  package static func list(_ texts: [String]) -> String {
    "[" + texts.map(quoted).joined(separator: ", ") + "]"
  }

  /// A size as a string in the largest unit that divides it, else as a number of bytes.
  package static func size(_ bytes: Int64) -> String {
    let text = self.bytes(bytes)
    return text.hasSuffix("B") ? quoted(text) : text
  }

  /// `1MiB`, `64KiB`, `1000`.
  package static func bytes(_ bytes: Int64) -> String {
    for (index, unit) in ["PiB", "TiB", "GiB", "MiB", "KiB"].enumerated() {
      let factor = Int64(1) << Int64(50 - index * 10)
      // Sizes know no larger unit than TiB.
      if unit == "PiB", bytes != factor { continue }
      if bytes >= factor, bytes % factor == 0 { return "\(bytes / factor)\(unit)" }
    }
    return String(bytes)
  }

  /// A duration in the largest unit that divides it; `"off"` for none.
  package static func age(_ nanoseconds: Int64?) -> String {
    guard let nanoseconds else { return quoted("off") }
    for (seconds, unit) in [(86_400, "d"), (3600, "h"), (60, "m"), (1, "s")] {
      let factor = Int64(seconds) * 1_000_000_000
      if nanoseconds >= factor, nanoseconds % factor == 0 {
        return quoted("\(nanoseconds / factor)\(unit)")
      }
    }
    return quoted("\(nanoseconds / 1_000_000)ms")
  }

  /// `"60s"`, for a duration that may be none.
  package static func span(_ nanoseconds: Int64) -> String {
    nanoseconds == 0 ? quoted("0s") : age(nanoseconds)
  }

  /// `1000`, or `"off"`.
  package static func limit(_ number: Int64?) -> String { number.map(String.init) ?? quoted("off") }
}
