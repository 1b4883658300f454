// SPDX-License-Identifier: Apache-2.0

/// Sizes and durations as people write them.
package enum Quantity {
  /// The bytes that `text` names: `20MB`, `512KiB`, `1.5 GB`, `1000`; `nil` for anything else.
  ///
  /// `kB`, `MB`, `GB`, `TB` are powers of 1,000, `KiB` and so on powers of 1,024; letter case does
  /// not matter.
  package static func bytes(_ text: String) -> Int64? {
    guard let (number, unit) = split(text) else { return nil }
    let factor: Double
    switch unit {
    case "", "b": factor = 1
    case "k", "kb": factor = 1e3
    case "m", "mb": factor = 1e6
    case "g", "gb": factor = 1e9
    case "t", "tb": factor = 1e12
    case "ki", "kib": factor = 1024
    case "mi", "mib": factor = 1_048_576
    case "gi", "gib": factor = 1_073_741_824
    case "ti", "tib": factor = 1_099_511_627_776
    default: return nil
    }
    return Int64(exactly: (number * factor).rounded())
  }

  /// The nanoseconds that `text` names: `250ms`, `30s`, `5m`, `2h`, `7d`, `2w`, `1h30m`; `nil` for
  /// anything else, also for a number without a unit.
  package static func nanoseconds(_ text: String) -> Int64? {
    var rest = Substring(text.lowercased())
    var sum = 0.0
    repeat {
      let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      guard let value = Double(number), value >= 0, let factor = secondsPerUnit[String(unit)] else {
        return nil
      }
      sum += value * factor * 1e9
    } while !rest.isEmpty
    return Int64(exactly: sum.rounded())
  }

  private static let secondsPerUnit: [String: Double] = [
    "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600,
    "d": 86_400, "day": 86_400, "days": 86_400, "w": 604_800,
  ]

  private static func split(_ text: String) -> (Double, unit: String)? {
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let unit = text.dropFirst(number.count).drop { $0 == " " }
    guard let value = Double(number) else { return nil }
    return (value, unit.lowercased())
  }
}
