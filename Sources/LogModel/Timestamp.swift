// SPDX-License-Identifier: Apache-2.0

/// A point in time as signed nanoseconds since 1970-01-01T00:00:00Z (years 1678 to 2262).
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public var nanoseconds: Int64

  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The instant `seconds` after 1970 plus `nanoseconds`; `nil` when it does not fit.
  @inlinable
  public init?(seconds: Int64, nanoseconds: Int64 = 0) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowed) = product.addingReportingOverflow(nanoseconds)
    if overflow || overflowed { return nil }
    self.nanoseconds = sum
  }

  @inlinable
  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// How much a record's time can be trusted. The raw value is stored.
public enum TimeQuality: UInt8, Sendable, CaseIterable {
  /// The text carries its zone.
  case zoned = 0
  /// The text has no zone; that of the source, or of the host, was taken.
  case assumedZone = 1
  /// The text has no year, or no date; it was inferred from order and from the file's times.
  case inferredYear = 2
  /// The record has no time; the last known time of its file was taken.
  case inherited = 3
  /// The record has no time and the file had none before it: when it was read.
  case observed = 4

  /// The name used in the `time_quality` column.
  public var name: String {
    switch self {
    case .zoned: "zoned"
    case .assumedZone: "assumed_zone"
    case .inferredYear: "inferred_year"
    case .inherited: "inherited"
    case .observed: "observed"
    }
  }
}
