// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import LogModel

/// The zone in which times without one are read, and today begins.
package struct LocalZone: Sendable {
  /// The civil time of an instant.
  package var civil: @Sendable (Timestamp) -> CivilTime
  /// The instant of a civil time; `nil` when it does not fit. In the hour that is skipped in
  /// spring, the instant that the skipped clock would have shown.
  package var timestamp: @Sendable (CivilTime) -> Timestamp?

  package init(
    civil: @escaping @Sendable (Timestamp) -> CivilTime,
    timestamp: @escaping @Sendable (CivilTime) -> Timestamp?
  ) {
    self.civil = civil
    self.timestamp = timestamp
  }

  package static let utc = LocalZone(
    civil: { CivilTime(utc: $0) }, timestamp: { $0.timestamp() })

  /// The host's zone, or that of the variable `TZ`, by the C library.
  package static let host = LocalZone(
    civil: { time in
      let utc = CivilTime(utc: time)
      var seconds = time_t(utc.secondsSince1970)
      var parts = tm()
      guard localtime_r(&seconds, &parts) != nil else { return utc }
      return CivilTime(
        year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
        hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec),
        nanosecond: utc.nanosecond)
    },
    timestamp: { civil in
      var parts = tm()
      parts.tm_year = Int32(truncatingIfNeeded: civil.year - 1900)
      parts.tm_mon = Int32(truncatingIfNeeded: civil.month - 1)
      parts.tm_mday = Int32(truncatingIfNeeded: civil.day)
      parts.tm_hour = Int32(truncatingIfNeeded: civil.hour)
      parts.tm_min = Int32(truncatingIfNeeded: civil.minute)
      parts.tm_sec = Int32(truncatingIfNeeded: civil.second)
      // Let the zone's rules say whether it is summer time.
      parts.tm_isdst = -1
      return Timestamp(seconds: Int64(mktime(&parts)), nanoseconds: Int64(civil.nanosecond))
    })
}
