// SPDX-License-Identifier: Apache-2.0

/// How much is kept.
package struct RetentionRule: Hashable, Sendable {
  /// Bytes of the store's files together, write-ahead log included.
  package var maxBytes: Int64
  /// Nanoseconds; `nil` for no limit.
  package var maxAge: Int64?
  /// Records of logs; `nil` for no limit.
  package var maxRecords: Int64?
  /// Bytes for crashes, their reports and the records around them, within `maxBytes`: so much no
  /// other source can push out.
  package var crashMaxBytes: Int64
  /// Nanoseconds before a crash whose records are kept as long as the crash.
  package var contextBefore: Int64 = 60_000_000_000
  /// Nanoseconds after a crash, likewise.
  package var contextAfter: Int64 = 5_000_000_000
  /// What single sources may hold, by name.
  package var sources: [String: SourceRule] = [:]

  /// What one source may hold; `nil` for no limit of its own.
  package struct SourceRule: Hashable, Sendable {
    /// Bytes of its files that are in the store, as they were in the files.
    package var maxBytes: Int64?
    /// Nanoseconds.
    package var maxAge: Int64?
    package var maxRecords: Int64?

    package init(maxBytes: Int64? = nil, maxAge: Int64? = nil, maxRecords: Int64? = nil) {
      self.maxBytes = maxBytes
      self.maxAge = maxAge
      self.maxRecords = maxRecords
    }
  }

  package init(maxBytes: Int64, maxAge: Int64? = nil) {
    self.maxBytes = maxBytes
    self.maxAge = maxAge
    crashMaxBytes = maxBytes / 4
  }

  /// What is set aside for the write-ahead log, in bytes.
  var logReserve: Int64 { min(8 << 20, maxBytes / 8) }
  /// The largest the database file may be, in bytes.
  var databaseBytes: Int64 { maxBytes - logReserve }
  /// Bytes of a page of a new store. Each page is written twice, by two calls and one: large ones
  /// cost a tenth less of an import. But the tables alone are some fifty pages, which a small quota
  /// must leave room beside.
  package var pageBytes: Int {
    if maxBytes < 8 << 20 { return 1024 }
    return maxBytes < 64 << 20 ? 4096 : 8192
  }
  /// Bytes of text in one batch, so that it is small beside the quota.
  package var batchBytes: Int { Int(min(1 << 20, max(16 << 10, maxBytes / 32))) }
}
