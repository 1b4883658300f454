// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The CPU time of this process.
enum ProcessClock {
  /// CPU seconds of all threads so far.
  static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
