// SPDX-License-Identifier: Apache-2.0

package import LogModel

/// Which rows of a store a bundle is about.
package struct BundleSelection {
  /// The beginning of the range, which is part of it; `nil` for the oldest.
  package var since: Timestamp?
  /// The end of the range, which is part of it; `nil` for the newest.
  package var until: Timestamp?
  /// Only records stored after the one with this id.
  package var afterRecord: Int64 = 0
  /// Only these crashes; `nil` for those of the range.
  package var crashes: [Int64]?
  /// Nanoseconds before and after a crash from which records are taken whatever they are, and kept
  /// longest when room is short.
  package var contextBefore: Int64 = 60_000_000_000
  package var contextAfter: Int64 = 5_000_000_000
  /// The context is part of the bundle also where `records` would not take it.
  package var addsContext = false
  /// Only the context of the crashes, no other record.
  package var isContextOnly = false
  /// Calls its argument with the id of each record to take; `nil` for all of the range.
  package var records: ((_ take: (Int64) throws -> Void) throws -> Void)?
  /// What was asked for, in the words of the command line, for the manifest.
  package var asked: [String] = []

  package init(since: Timestamp?) { self.since = since }

  /// Nanoseconds.
  var range: ClosedRange<Int64> {
    let lower = since?.nanoseconds ?? Int64.min
    return lower...max(lower, until?.nanoseconds ?? Int64.max)
  }
}
