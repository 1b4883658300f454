// SPDX-License-Identifier: Apache-2.0

/// An OpenTelemetry severity number: 1 to 24, or 0 when the source states none.
///
/// Ranges of four: trace 1, debug 5, info 9, warn 13, error 17, fatal 21. A source with one level
/// per range uses the smallest number (OpenTelemetry Logs Data Model, "Mapping of SeverityNumber").
public struct Severity: Hashable, Comparable, Sendable {
  public var number: UInt8

  @inlinable
  public init(number: UInt8) { self.number = number }

  @inlinable
  public static var unspecified: Severity { Severity(number: 0) }
  @inlinable
  public static var trace: Severity { Severity(number: 1) }
  @inlinable
  public static var debug: Severity { Severity(number: 5) }
  @inlinable
  public static var info: Severity { Severity(number: 9) }
  @inlinable
  public static var notice: Severity { Severity(number: 10) }
  @inlinable
  public static var warn: Severity { Severity(number: 13) }
  @inlinable
  public static var error: Severity { Severity(number: 17) }
  @inlinable
  public static var critical: Severity { Severity(number: 18) }
  @inlinable
  public static var alert: Severity { Severity(number: 19) }
  @inlinable
  public static var fatal: Severity { Severity(number: 21) }

  public static func < (a: Severity, b: Severity) -> Bool { a.number < b.number }

  /// `trace`, `debug`, `info`, `warn`, `error`, `fatal`; empty when unspecified.
  public var name: String {
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
  public init?(name: String) {
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
