// SPDX-License-Identifier: Apache-2.0

/// An OpenTelemetry severity number: 1 to 24, or 0 when the source states none.
///
/// Ranges of four: trace 1, debug 5, info 9, warn 13, error 17, fatal 21. A source with one level
/// per range uses the smallest number (OpenTelemetry Logs Data Model, "Mapping of SeverityNumber").
package struct Severity: Hashable, Comparable, Sendable {
  package var number: UInt8

  package init(number: UInt8) { self.number = number }

  package static let unspecified = Severity(number: 0)
  package static let trace = Severity(number: 1)
  package static let debug = Severity(number: 5)
  package static let info = Severity(number: 9)
  package static let notice = Severity(number: 10)
  package static let warn = Severity(number: 13)
  package static let error = Severity(number: 17)
  package static let critical = Severity(number: 18)
  package static let alert = Severity(number: 19)
  package static let fatal = Severity(number: 21)

  package static func < (a: Severity, b: Severity) -> Bool { a.number < b.number }

  /// `trace`, `debug`, `info`, `warn`, `error`, `fatal`; empty when unspecified.
  package var name: String {
    switch number {
    case 1...4: "trace"
    case 5...8: "debug"
    case 9...12: "info"
    case 13...16: "warn"
    case 17...20: "error"
    case 21...24: "fatal"
    default: ""
    }
  }

  /// The smallest severity of the range that `name` names (`warning` and `critical` too).
  package init?(name: String) {
    switch name.lowercased() {
    case "trace": self = .trace
    case "debug": self = .debug
    case "info": self = .info
    case "notice": self = .notice
    case "warn", "warning": self = .warn
    case "error", "err": self = .error
    case "critical": self = .critical
    case "fatal": self = .fatal
    default:
      guard let number = UInt8(name), number <= 24 else { return nil }
      self.number = number
    }
  }
}
