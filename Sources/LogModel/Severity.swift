// SPDX-License-Identifier: Apache-2.0

/// An OpenTelemetry severity number: 1 to 24, or 0 when the source states none.
///
/// Ranges of four: trace 1, debug 5, info 9, warn 13, error 17, fatal 21. A source with one level
/// per range uses the smallest number (OpenTelemetry Logs Data Model, "Mapping of SeverityNumber").
package struct Severity: Hashable, Comparable, Sendable {
  package var number: UInt8

  @inlinable
  package init(number: UInt8) { self.number = number }

  @inlinable
  package static var unspecified: Severity { Severity(number: 0) }
  @inlinable
  package static var trace: Severity { Severity(number: 1) }
  @inlinable
  package static var debug: Severity { Severity(number: 5) }
  @inlinable
  package static var info: Severity { Severity(number: 9) }
  @inlinable
  package static var notice: Severity { Severity(number: 10) }
  @inlinable
  package static var warn: Severity { Severity(number: 13) }
  @inlinable
  package static var error: Severity { Severity(number: 17) }
  @inlinable
  package static var critical: Severity { Severity(number: 18) }
  @inlinable
  package static var alert: Severity { Severity(number: 19) }
  @inlinable
  package static var fatal: Severity { Severity(number: 21) }

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
