// SPDX-License-Identifier: Apache-2.0

/// The `<PRI>` before a syslog message: facility × 8 + severity, 0 to 191.
enum SyslogPriority {
  /// The index after `<PRI>` at the beginning of `line`; 0 when there is none.
  @inline(__always)
  static func end(_ line: Line) -> Int {
    guard line.at(0) == Byte.less else { return 0 }
    let end = line.skipDigits(1)
    return end > 1 && end <= 4 && line.at(end) == Byte.greater ? end + 1 : 0
  }

  /// The number in a `<PRI>` that ends before `end`; `nil` when it is above 191.
  static func value(_ line: Line, _ end: Int) -> Int? {
    guard end > 0, let value = line.decimal(1, end - 1), value <= 191 else { return nil }
    return Int(value)
  }
}
