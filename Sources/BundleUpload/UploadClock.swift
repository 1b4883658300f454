// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LogModel

/// The wall clock, and waiting by it.
enum UploadClock {
  /// Milliseconds since 1970.
  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Sleeps, or less when a signal comes.
  static func pause(milliseconds: Int64) { _ = poll(nil, 0, Int32(clamping: milliseconds)) }

  /// A time as people read it.
  static func text(_ milliseconds: Int64) -> String {
    Timestamp(nanoseconds: milliseconds / 1000 * 1_000_000_000).description
  }

  /// The day of a time in UTC, counted from 1970.
  static func day(_ milliseconds: Int64) -> Int64 { milliseconds / 86_400_000 }
}
